// The fields of questions in a page's form.

import type { AnswerError } from "./errors.ts";

/** What a select sends instead of an option's id when its write-in is ticked. */
export const WRITE_IN = "write-in";

/** The write-in that the page showed. If it comes back unchanged and unticked, the participant has chosen another option. */
export const KEPT_WRITE_IN = "kept-write-in";

export const answerField = (questionId: string) => partField("answer", questionId);

/** A field of a question that has several, such as its write-in. */
export const partField = (part: string, questionId: string) => `${part}-${questionId}`;

/** The target of a link to a question: its (first) field, or the field with the error. */
export function fieldId(questionId: string, error?: AnswerError): string {
  const part = error && "part" in error ? error.part : undefined;
  return part === undefined ? answerField(questionId) : partField(part, questionId);
}

/** What the fields of a question contain. */
export interface Typed {
  /** For texts and numbers. */
  text: string;
  /** For selects: the ids of the ticked options, and WRITE_IN. */
  chosen: ReadonlySet<string>;
  /** Of the other fields: by `partField`. */
  parts: Readonly<Record<string, string>>;
}

export const NOTHING_TYPED: Typed = { text: "", chosen: new Set(), parts: {} };

/** A write-in that counts: not one that was left behind when another option was chosen. */
export function writeInOf({ chosen, parts }: Typed): string {
  const { [WRITE_IN]: writeIn = "", [KEPT_WRITE_IN]: kept } = parts;
  return !chosen.has(WRITE_IN) && writeIn === kept ? "" : writeIn;
}

export function isTyped(typed: Typed): boolean {
  const { [WRITE_IN]: _, [KEPT_WRITE_IN]: __, ...others } = typed.parts;
  const texts = [typed.text, writeInOf(typed), ...Object.values(others)];
  return typed.chosen.size > 0 || texts.some((text) => text.trim() !== "");
}
