// A participant with a very simple browser: it opens links, sends forms, and follows redirects.

import assert from "node:assert/strict";
import { type PlainAnswer, plain } from "./http.ts";
import type { Published } from "./study.ts";

/** What is typed or ticked, by the keys of questions: a text, or options by their texts; `+text` is a write-in. */
export type Entries = Record<string, string | readonly string[]>;

/** The same; and of a question with several fields the text of each of them. */
type FormEntries = Record<string, string | readonly string[] | Readonly<Record<string, string>>>;

/** What someone types who qualifies by `everyKind` (study.ts), and is asked two of its pages. */
export const ABOUT: Entries = { age: "44", smokes: ["No"] };
export const DAYS: Entries = { drink: ["Tea"], town: "", day: "With the birds." };

export class Visitor {
  readonly #url: string;
  readonly #from: string;

  constructor(url: string, from = "127.0.0.1") {
    this.#url = url;
    this.#from = from;
  }

  get(path: string): Promise<PlainAnswer> {
    return plain(this.#url, { method: "GET", path, from: this.#from });
  }

  /** Opens a link, and follows it to its page. */
  async open(path: string): Promise<PlainAnswer> {
    const answer = await this.get(path);
    return answer.status === 303 ? this.get(String(answer.headers.location)) : answer;
  }

  post(path: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<PlainAnswer> {
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    return plain(this.#url, { method: "POST", path, body, headers: { ...type, ...headers }, from: this.#from });
  }

  /** Sends a page's form. */
  send(path: string, study: Published, page: string, entries: FormEntries): Promise<PlainAnswer> {
    return this.post(path, formOf(study, page, entries));
  }

  /** Sends a page's form, and opens what comes next. @returns that page */
  async go(path: string, study: Published, page: string, entries: FormEntries): Promise<PlainAnswer> {
    const sent = await this.send(path, study, page, entries);
    assert.equal(sent.status, 303, sent.text);
    return this.open(String(sent.headers.location));
  }
}

/** A page's form, as a browser sends it. */
export function formOf({ page: pages, question, option }: Published, page: string, entries: FormEntries): string {
  const form = new URLSearchParams({ page: pages[page] ?? page });
  for (const [key, entry] of Object.entries(entries)) {
    const id = question[key]!;
    if (typeof entry === "string") form.append(`answer-${id}`, entry);
    else if (!isList(entry)) for (const [part, text] of Object.entries(entry)) form.append(`${part}-${id}`, text);
    else {
      for (const text of entry) {
        form.append(`answer-${id}`, text.startsWith("+") ? "write-in" : (option[`${key}/${text}`] ?? text));
        if (text.startsWith("+")) form.append(`write-in-${id}`, text.slice(1));
      }
    }
    form.append("question", id);
  }
  return form.toString();
}

const isList = (entry: FormEntries[string]): entry is readonly string[] => Array.isArray(entry);

/** The page's heading. */
export function headingOf({ text }: PlainAnswer): string {
  return /<h1[^>]*>([^<]*)<\/h1>/.exec(text)?.[1] ?? "";
}

/** Fails unless it is a page for people, with that status and heading. */
export function isPage(answer: PlainAnswer, status: number, heading: string): void {
  assert.equal(answer.status, status, answer.text);
  assert.match(String(answer.headers["content-type"]), /^text\/html/);
  assert.equal(headingOf(answer), heading);
}

/** A page without the time at which it was shown, which no two have in common. */
export function timeless(html: string): string {
  return html.replace(/name="shown" value="\d+"/, 'name="shown"');
}
