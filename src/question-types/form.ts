// The fields that questions have in a page's form.

import type { AnswerError } from "./errors.ts";

/** What a select sends for its write-in, in place of an option's id. */
export const WRITE_IN = "write-in";

export const answerField = (questionId: string) => `answer-${questionId}`;
export const writeInField = (questionId: string) => `write-in-${questionId}`;
/** What the page was sent with as write-in: who chooses something else leaves it where it is. */
export const keptWriteInField = (questionId: string) => `kept-write-in-${questionId}`;

/** Where a link to a question leads: to its (first) field, or to the one that is wrong. */
export function fieldId(questionId: string, error?: AnswerError): string {
  return error && "part" in error ? writeInField(questionId) : answerField(questionId);
}

/** What the fields of a question hold. */
export interface Typed {
  /** Of texts and numbers. */
  text: string;
  /** Of selects: the ids of the options that are ticked, and WRITE_IN. */
  chosen: ReadonlySet<string>;
  writeIn: string;
}

export const NOTHING_TYPED: Typed = { text: "", chosen: new Set(), writeIn: "" };
