// A study that looks for signals, and people who answer it on its page, from browsers and addresses of their own.

import assert from "node:assert/strict";
import type { Client } from "./client.ts";
import { plain } from "./http.ts";
import type { Service } from "./service.ts";
import { type Invitation, type Published, publish } from "./study.ts";

const ROWS = ["Bread", "Milk", "Eggs", "Rice", "Fish"];
export const COLUMNS = ["Never", "Rarely", "Often", "Always"];

/** One page: a matrix, a text, a check, and an age that an attribute may contradict. */
export const watched = {
  pages: [
    {
      title: "Food",
      attentionCheck: { when: { questionId: "read", isNot: "blue" } },
      contradictsWhen: {
        all: [
          { questionId: "age", lessThan: 30 },
          { attribute: "generation", is: "older" },
        ],
      },
      questions: [
        {
          id: "often",
          key: "often",
          _type: "ScreenerMatrixQuestion",
          prompt: "How often do you buy these?",
          required: true,
          rows: ROWS.map((text) => ({ text })),
          columns: COLUMNS.map((text) => ({ text })),
        },
        { id: "why", key: "why", _type: "ScreenerTextQuestion", prompt: "Why?", required: true, multiline: true },
        {
          id: "read",
          key: "read",
          _type: "ScreenerSingleSelectQuestion",
          prompt: "To show that you read this, choose blue.",
          required: true,
          options: [
            { id: "red", text: "Red" },
            { id: "blue", text: "Blue" },
          ],
        },
        { id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: "Age?", required: true },
      ],
    },
  ],
};

export const ALL_ON = {
  hurried: { share: 0.4 },
  straightLines: { minRows: 5 },
  sameText: { minLength: 20 },
  attentionCheck: {},
  contradiction: {},
  sameEmail: {},
  sameBrowser: {},
  sameAddress: { minSessions: 3 },
  hiddenField: {},
};

export interface Watched extends Published {
  /** The ids of the matrix's rows and columns. */
  rows: string[];
  columns: string[];
}

/** Publishes it with these settings. */
export async function watch(client: Client, settings: object, quotas: object[] = []): Promise<Watched> {
  const study = await publish(client, { ...watched, quotas });
  const { status, text } = await client.patch(`/screeners/${study.screener}`, settings);
  assert.equal(status, 200, text);
  const { body } = await client.get(`/screener-publications/${study.publication}/content`);
  const [matrix] = body.pages[0].questions;
  const ids = (list: { id: string }[]) => list.map(({ id }) => id);
  return { ...study, rows: ids(matrix.rows), columns: ids(matrix.columns) };
}

export interface Given {
  /** The column of each row. */
  line?: readonly number[];
  why?: string;
  read?: "Red" | "Blue";
  age?: number;
  /** How long the page was open. */
  ms?: number;
  /** What is in the field that people do not see. */
  trap?: string;
}

const WAVY = [0, 3, 1, 2, 0];

/** The form of the page, as a browser sends it. */
export function formOf(study: Watched, given: Given): string {
  const { line = WAVY, why = `For ${Math.random()} reasons of my own`, read = "Blue", age = 44, ms = 30_000 } = given;
  const { question, option, page } = study;
  const form = new URLSearchParams({ page: page.Food!, version: "1", shown: String(Date.now() - ms) });
  for (const id of Object.values(question)) form.append("question", id);
  for (const [row, column] of line.entries())
    form.append(`row-${study.rows[row]}-${question.often}`, study.columns[column]!);
  form.append(`answer-${question.why}`, why);
  form.append(`answer-${question.read}`, option[`read/${read}`]!);
  form.append(`answer-${question.age}`, String(age));
  if (given.trap !== undefined) form.append("website", given.trap);
  return form.toString();
}

/** A browser with its cookies. */
export class Browser {
  readonly #service: Pick<Service, "url">;
  readonly #from: string;
  cookie = "";

  /** @param from each has an address in a block of its own, unless it is said */
  constructor(service: Pick<Service, "url">, from = newAddress()) {
    this.#service = service;
    this.#from = from;
  }

  async get(path: string) {
    const reply = await plain(this.#service.url, { method: "GET", path, from: this.#from, headers: this.#headers() });
    const [set] = [reply.headers["set-cookie"] ?? []].flat();
    if (set) this.cookie = set.split(";", 1)[0]!;
    return reply;
  }

  /** Opens a link and answers its page. */
  async answer(study: Watched, { path }: Pick<Invitation, "path">, given: Given = {}): Promise<void> {
    await this.get(path);
    const sent = await this.post(path, formOf(study, given));
    assert.equal(sent.status, 303, sent.text.slice(0, 2000));
  }

  post(path: string, body: string) {
    const headers = { ...this.#headers(), "Content-Type": "application/x-www-form-urlencoded" };
    return plain(this.#service.url, { method: "POST", path, from: this.#from, headers, body });
  }

  #headers(): Record<string, string> {
    return this.cookie ? { Cookie: this.cookie } : {};
  }
}

let blocks = 0;

/** An address of this machine, in a block of 256 that nobody had before. */
function newAddress(): string {
  blocks += 1;
  return `127.${1 + (blocks >> 8)}.${blocks & 255}.1`;
}

export interface Signal {
  kind: string;
  others?: number;
  otherReference?: string;
  [evidence: string]: unknown;
}

/** The signals of a session, as reviewers see them. Undefined: it is not reviewed. */
export async function signalsOf(
  client: Client,
  { session }: Pick<Invitation, "session">,
): Promise<Signal[] | undefined> {
  const { body } = await client.get(`/screener-sessions/${session}`);
  return body.review?.signals;
}
