// The form of a page: how its fields are named, read, and made into answers.

import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { openBody } from "../http/body.ts";
import { invalidRequest, Problem } from "../problems.ts";
import { type Answer, type Checked, checkAnswer } from "../screener-content/answers.ts";
import type { Question } from "../screener-content/content.ts";
import { checkTypedNumber } from "./typed-number.ts";

/** A page of ten texts of 10,000 characters, each of which takes nine bytes in a form, fits. */
const MAX_FORM_BYTES = 1024 * 1024;
const MAX_FIELDS = 20_000;

/** The field that names the page. */
export const PAGE_FIELD = "page";
/** The field that a form has when its sender wants to go back. */
export const BACK_FIELD = "back";
/** The field that names a question that was on the page, once for each: boxes that are not ticked send nothing. */
export const QUESTION_FIELD = "question";
/** What a select sends for its write-in, in place of an option's id. */
export const WRITE_IN = "write-in";

export const answerField = (questionId: string) => `answer-${questionId}`;
export const writeInField = (questionId: string) => `write-in-${questionId}`;
/** What the page was sent with as write-in: who chooses something else leaves it where it is. */
export const keptWriteInField = (questionId: string) => `kept-write-in-${questionId}`;

/** What the fields of a question hold. */
export interface Typed {
  /** Of texts and numbers. */
  text: string;
  /** Of selects: the ids of the options that are ticked, and WRITE_IN. */
  chosen: ReadonlySet<string>;
  writeIn: string;
}

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

  /** Whether the way back was chosen, and not the way on. */
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

/** @throws Problem 400, 413 or 415 for what no browser sends from our pages */
export async function readForm(req: IncomingMessage): Promise<Form> {
  const [type] = (req.headers["content-type"] ?? "").split(";");
  if (type?.trim().toLowerCase() !== "application/x-www-form-urlencoded") {
    throw new Problem("unsupported_media_type", { detail: "The body must be a form." });
  }
  const chunks: Buffer[] = [];
  for await (const chunk of openBody(req, MAX_FORM_BYTES)) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const text = body.toString("utf8");
  // Bytes that are no UTF-8 would be read as other characters than were meant, without a word.
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

/** What a question makes of what was typed. */
export function checkTyped(question: Question, { text, chosen, writeIn }: Typed): Checked {
  switch (question._type) {
    case "ScreenerTextQuestion":
      return checkAnswer(question, text);
    case "ScreenerNumericQuestion":
      return checkTypedNumber(question, text);
    default: {
      // Of radio buttons, that of no answer is a choice like any other.
      if (chosen.has("") && writeIn.trim()) return { message: "must be one option" };
      const choices: unknown[] = [...chosen].filter((id) => id && id !== WRITE_IN).map((optionId) => ({ optionId }));
      // Who writes something in means it, whether its box is ticked or not.
      if (chosen.has(WRITE_IN) || writeIn.trim()) choices.push({ text: writeIn, isWriteIn: true });
      return checkAnswer(question, choices);
    }
  }
}

/** The fields of a question that was answered before. */
export function typedFrom(answer: Answer | undefined): Typed {
  if (!Array.isArray(answer)) {
    const text = typeof answer === "number" ? plainNumber(answer) : (answer ?? "");
    return { text, chosen: new Set(), writeIn: "" };
  }
  return {
    text: "",
    chosen: new Set(answer.map(({ optionId, isWriteIn }) => (isWriteIn ? WRITE_IN : (optionId ?? "")))),
    writeIn: answer.find(({ isWriteIn }) => isWriteIn)?.text ?? "",
  };
}

/** A number in digits and nothing else, so that what is shown can be sent again. */
function plainNumber(number: number): string {
  const text = number.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 100 });
  // Three decimals could be taken for thousands.
  return /\.\d{3}$/.test(text) ? `${text}0` : text;
}
