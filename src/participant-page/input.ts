// The form of a page: the names of its fields, how it is read, and how its fields become answers.

import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { readWhole } from "../http/body.ts";
import { invalidRequest, Problem } from "../problems.ts";
import {
  answerField,
  keptWriteInField,
  NOTHING_TYPED,
  type Typed,
  WRITE_IN,
  writeInField,
} from "../question-types/form.ts";
import type { Checked } from "../question-types/question-type.ts";
import { type Answer, type Question, typeOf } from "../question-types/registry.ts";
import { checkAnswer, requireAnswer } from "../screener-content/answers.ts";

/** Enough for ten texts of 10,000 characters, at nine bytes a character. */
const MAX_FORM_BYTES = 1024 * 1024;
const MAX_FIELDS = 20_000;

/** The field with the page's id. */
export const PAGE_FIELD = "page";
/** A form has this field if the participant pressed Back. */
export const BACK_FIELD = "back";
/** The field with the id of a question on the page, one for each question: boxes that are not ticked send nothing. */
export const QUESTION_FIELD = "question";

/** A form as it was sent. */
export class Form {
  readonly #fields = new Map<string, string[]>();
  readonly #questions: ReadonlySet<string>;

  constructor(fields: Iterable<[string, string]>) {
    for (const [name, value] of fields) {
      const values = this.#fields.get(name);
      if (values) values.push(value);
      else this.#fields.set(name, [value]);
    }
    this.#questions = new Set(this.#fields.get(QUESTION_FIELD));
  }

  get pageId(): string | undefined {
    return this.#fields.get(PAGE_FIELD)?.[0];
  }

  /** Whether the question was on the page that was sent. */
  has(questionId: string): boolean {
    return this.#questions.has(questionId);
  }

  get isBack(): boolean {
    return this.#fields.has(BACK_FIELD);
  }

  typed(questionId: string): Typed {
    const values = this.#fields.get(answerField(questionId)) ?? [];
    const chosen = new Set(values);
    const [writeIn = ""] = this.#fields.get(writeInField(questionId)) ?? [];
    const [kept] = this.#fields.get(keptWriteInField(questionId)) ?? [];
    const isLeftOver = !chosen.has(WRITE_IN) && writeIn === kept;
    return { text: values[0] ?? "", chosen, writeIn: isLeftOver ? "" : writeIn };
  }
}

/** @throws Problem 400, 413 or 415 for a form that no browser sends from our pages */
export async function readForm(req: IncomingMessage): Promise<Form> {
  const [type] = (req.headers["content-type"] ?? "").split(";");
  if (type?.trim().toLowerCase() !== "application/x-www-form-urlencoded") {
    throw new Problem("unsupported_media_type", { detail: "The body must be a form." });
  }
  const body = await readWhole(req, MAX_FORM_BYTES);
  const text = body.toString("utf8");
  // Bytes that are not UTF-8 would become other characters, without an error.
  if (!isUtf8(body) || !isEncodedUtf8(text)) throw invalidRequest([{ pointer: "", message: "is not in UTF-8" }]);
  let separators = 0;
  for (const byte of body) if (byte === 0x26) separators++;
  if (separators >= MAX_FIELDS) throw new Problem("body_too_large");
  return new Form(new URLSearchParams(text));
}

function isEncodedUtf8(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The answer that was typed for a question, or what is wrong with it. */
export function checkTyped(question: Question, typed: Typed): Checked<Answer> {
  const read = typeOf(question).readTyped(question, typed);
  return requireAnswer(question, "error" in read ? read : checkAnswer(question, read.raw));
}

/** What the fields of a question contain, with its answer so far. */
export function typedFrom(question: Question, answer: Answer = null): Typed {
  return answer === null ? NOTHING_TYPED : typeOf(question).toTyped(answer);
}
