// The form of a page: the names of its fields, how it is read, and how its fields become answers.

import type { IncomingMessage } from "node:http";
import { newUnguessableId } from "../base/ids.ts";
import { Problem } from "../base/problems.ts";
import { ONE_CLICK, SUBSCRIBE_FIELD, UNSUBSCRIBE_FIELD } from "../contacts/page/subscription.tsx";
import { type MailScope, scopeOf } from "../contacts/unsubscriptions.ts";
import { isMultipart, readFewFields, readUrlEncoded } from "../http/wire/form.ts";
import { MAIL_FIELD, MAIL_TO_FIELD } from "../mail/page/later.tsx";
import { checkAnswer, requireAnswer } from "../nouns/content/answers.ts";
import type { Today } from "../nouns/question-types/comparisons.ts";
import { NOTHING_TYPED, partField, type Typed } from "../nouns/question-types/form.ts";
import type { Checked } from "../nouns/question-types/question-type.ts";
import { type Answer, type Question, typeOf } from "../nouns/question-types/registry.ts";
import type { Speech } from "../words/speech.ts";

/** Enough for ten texts of 10,000 characters, at nine bytes a character. */
const MAX_FORM_BYTES = 1024 * 1024;

/** It is one field. */
const MAX_ONE_CLICK_BYTES = 4096;

/** The field with the page's id. */
export const PAGE_FIELD = "page";
/** The field with the version that the page was of: its link may have moved to another one meanwhile. */
export const VERSION_FIELD = "version";
/** A form has this field if the participant pressed Back. */
export const BACK_FIELD = "back";
/** A form has this field if the participant withdraws. */
export const WITHDRAW_FIELD = "withdraw";
/** A form has this field if an email is confirmed: what stands in the link that was mailed there. */
export const CONFIRM_FIELD = "confirm";
/** The field that a form has if the participant asks for something: what that is. */
export const ASK_FIELD = "ask";
const ASKS = ["data", "erasure"] as const;
export type Asks = (typeof ASKS)[number];

/** What a link or a form asks for. */
function asksOf(text: string | null | undefined): Asks | undefined {
  return ASKS.find((one) => one === text);
}

/** What an address shows: one of them, or all that may be asked for. */
export type Offer = Asks | "any";

export function offerOf(text: string | null): Offer | undefined {
  return text === "" ? "any" : asksOf(text);
}

/** The field that a form has if the participant chose a language: its value. */
export const LANGUAGE_FIELD = "language";
/** The field with the language in which the page was shown, if there are several. */
export const SHOWN_IN_FIELD = "shown-in";
/** The field with the time at which the page was shown first, in ms since 1970. */
export const SHOWN_FIELD = "shown";
/** Who leaves a page open for longer does something else. */
const MAX_PAGE_MS = 60 * 60 * 1000;
/** The field with the id of a question on the page, one for each question: boxes that are not ticked send nothing. */
export const QUESTION_FIELD = "question";

/** A field of the page of an open link that people do not see. Programs fill in whatever there is. */
export const TRAP_FIELD = "website";

/** The field with what the order by chance comes from, on the page of an open link: a UUID. The session that is made has the same order. */
export const ORDER_FIELD = "order";

/** A field of a form. */
export type Field = [name: string, value: string];

/** A form as it was sent. */
export class Form {
  readonly #fields = new Map<string, string[]>();
  /** The fields of questions, by the question's id: what their names have before it, and what they contain. */
  readonly #parts = new Map<string, Map<string, string[]>>();
  /** The ids of the questions whose fields it has. */
  readonly questions: ReadonlySet<string>;
  /** What the order of its page came from. */
  readonly order: string | undefined;
  #seed: string | undefined;

  constructor(fields: Iterable<Field>) {
    for (const [name, value] of fields) {
      add(this.#fields, name, value);
      const [part, id] = partOf(name);
      if (id === undefined) continue;
      let parts = this.#parts.get(id);
      if (!parts) {
        parts = new Map();
        this.#parts.set(id, parts);
      }
      add(parts, part, value);
    }
    this.questions = new Set(this.#fields.get(QUESTION_FIELD));
    const order = this.#fields.get(ORDER_FIELD)?.[0];
    this.order = order !== undefined && UUID.test(order) ? order : undefined;
  }

  get pageId(): string | undefined {
    return this.#fields.get(PAGE_FIELD)?.[0];
  }

  /** The version that its page was of; undefined if it does not say so: the release before has made the page. */
  get version(): number | undefined {
    const version = Number(this.#fields.get(VERSION_FIELD)?.[0]);
    return Number.isInteger(version) ? version : undefined;
  }

  /** When its page was shown first; undefined if it does not say so, or can't be right. */
  get shownAt(): number | undefined {
    const at = Number(this.#fields.get(SHOWN_FIELD)?.[0] || Number.NaN);
    return Number.isInteger(at) && at <= Date.now() ? at : undefined;
  }

  /** How long its page was open, in ms. */
  get pageMs(): number | undefined {
    const ms = this.shownAt === undefined ? undefined : Date.now() - this.shownAt;
    return ms !== undefined && ms <= MAX_PAGE_MS ? ms : undefined;
  }

  /** Whether the question was on the page that was sent. */
  has(questionId: string): boolean {
    return this.questions.has(questionId);
  }

  /** What the order by chance comes from: `order`. A form that has none has one that was drawn, which stays. */
  get seed(): string {
    this.#seed ??= this.order ?? newUnguessableId();
    return this.#seed;
  }

  /** Whether a field is filled in that people do not see. */
  get hasTrap(): boolean {
    return this.#fields.get(TRAP_FIELD)?.some((value) => value !== "") ?? false;
  }

  /** The address to which the link is to be mailed, as it was typed; undefined: to none. The enter key there presses another button. */
  get mailTo(): string | undefined {
    const typed = this.#fields.get(MAIL_TO_FIELD)?.[0]?.trim();
    return typed || (this.#fields.has(MAIL_FIELD) ? "" : undefined);
  }

  get confirmation(): string | undefined {
    return this.#fields.get(CONFIRM_FIELD)?.[0];
  }

  /** Its page with these answers, and nothing else that was sent: JSON, which `kept` reads. */
  keptWith(fields: readonly Field[]): string {
    const own = [PAGE_FIELD, VERSION_FIELD].flatMap((name): Field[] =>
      (this.#fields.get(name) ?? []).slice(0, 1).map((value) => [name, value]),
    );
    return JSON.stringify([...own, ...fields]);
  }

  static kept(json: string): Form {
    return new Form(JSON.parse(json) as Field[]);
  }

  get isWithdrawal(): boolean {
    return this.#fields.has(WITHDRAW_FIELD);
  }

  get asks(): Asks | undefined {
    return asksOf(this.#fields.get(ASK_FIELD)?.[0]);
  }

  /** Whether a mail program has sent it. */
  get isOneClick(): boolean {
    const [name, value] = ONE_CLICK;
    return this.#fields.get(name)?.[0] === value;
  }

  get unsubscribes(): MailScope | undefined {
    return this.isOneClick ? "everything" : scopeOf(this.#fields.get(UNSUBSCRIBE_FIELD)?.[0]);
  }

  get subscribes(): MailScope | undefined {
    return scopeOf(this.#fields.get(SUBSCRIBE_FIELD)?.[0]);
  }

  get isBack(): boolean {
    return this.#fields.has(BACK_FIELD);
  }

  /** The language of its page; undefined if it does not say so. */
  get shownIn(): string | undefined {
    return this.#fields.get(SHOWN_IN_FIELD)?.[0];
  }

  /** The language that the participant chose with it. */
  get language(): string | undefined {
    return this.#fields.get(LANGUAGE_FIELD)?.[0];
  }

  /** The fields of some of its questions, as they were sent. */
  fieldsOf(questionIds: readonly string[]): Field[] {
    return questionIds.flatMap((id) => {
      const fields = [...(this.#parts.get(id) ?? [])].flatMap(([part, values]) =>
        values.map((value): Field => [partField(part, id), value]),
      );
      return [[QUESTION_FIELD, id], ...fields];
    });
  }

  typed(questionId: string): Typed {
    const { answer = [], ...parts } = Object.fromEntries(this.#parts.get(questionId) ?? []);
    const firsts = Object.entries(parts).map(([part, [first = ""]]) => [part, first]);
    return { text: answer[0] ?? "", chosen: new Set(answer), parts: Object.fromEntries(firsts) };
  }
}

function add(to: Map<string, string[]>, name: string, value: string): void {
  const values = to.get(name);
  if (values) values.push(value);
  else to.set(name, [value]);
}

const ID_LENGTH = 36;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id at the end of a field's name, and what stands before it, as `partField` joins them. */
function partOf(name: string): [part: string, questionId: string | undefined] {
  const at = name.length - ID_LENGTH;
  return at > 1 && name[at - 1] === "-" ? [name.slice(0, at - 1), name.slice(at)] : [name, undefined];
}

/** @throws Problem 400, 413 or 415 for a form that no browser sends from our pages */
export async function readForm(req: IncomingMessage): Promise<Form> {
  if (!isMultipart(req)) return new Form(await readUrlEncoded(req, MAX_FORM_BYTES));
  const form = new Form(await readFewFields(req, MAX_ONE_CLICK_BYTES));
  // Mail programs may send theirs so. No browser sends one of our pages so.
  if (!form.isOneClick) throw new Problem("unsupported_media_type", { detail: "The body must be a form." });
  return form;
}

/** The answer that was typed for a question, or what is wrong with it. */
export function checkTyped(question: Question, typed: Typed, speech: Speech, today: Today): Checked<Answer> {
  const read = typeOf(question).readTyped(question, typed, speech);
  return requireAnswer(question, "error" in read ? read : checkAnswer(question, read.raw, today));
}

/** What the fields of a question contain, with its answer so far. */
export function typedFrom(question: Question, speech: Speech, answer: Answer = null): Typed {
  return answer === null ? NOTHING_TYPED : typeOf(question).toTyped(answer, speech);
}
