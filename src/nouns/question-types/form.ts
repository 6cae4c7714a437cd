// The fields of questions in a page's form.

import type { AnswerError } from "./errors.ts";

/** What a select sends instead of an option's id when its write-in is ticked. */
export const WRITE_IN = "write-in";

export const answerField = (questionId: string) => `answer-${questionId}`;
export const writeInField = (questionId: string) => `write-in-${questionId}`;
/** The write-in that the page showed. If it comes back unchanged and unticked, the participant has chosen another option. */
export const keptWriteInField = (questionId: string) => `kept-write-in-${questionId}`;

/** The target of a link to a question: its (first) field, or the field with the error. */
export function fieldId(questionId: string, error?: AnswerError): string {
  return error && "part" in error ? writeInField(questionId) : answerField(questionId);
}

/** What the fields of a question contain. */
export interface Typed {
  /** For texts and numbers. */
  text: string;
  /** For selects: the ids of the ticked options, and WRITE_IN. */
  chosen: ReadonlySet<string>;
  writeIn: string;
}

export const NOTHING_TYPED: Typed = { text: "", chosen: new Set(), writeIn: "" };
