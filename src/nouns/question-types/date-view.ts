// What a question for a date is, as it is kept and shown.

import * as v from "valibot";
import type { DatePart, Speech } from "../../words/speech.ts";
import type { QuestionOf } from "./question-type.ts";
import { type DateLimit, LIMIT_SCHEMA } from "./values/date-limits.ts";
import { PRECISIONS, type Precision } from "./values/days.ts";

const limit = v.nullable(v.pipe(v.unknown() as v.GenericSchema<DateLimit>, v.metadata(LIMIT_SCHEMA)));

export const dateView = { precision: v.picklist(PRECISIONS), min: limit, max: limit };

export type DateQuestion = QuestionOf<"Date", typeof dateView>;

const FIELDS: Record<Precision, readonly DatePart[]> = {
  DAY: ["day", "month", "year"],
  MONTH: ["month", "year"],
  YEAR: ["year"],
};

/** The fields that a date of a precision is typed in, in their order. */
export function fieldsOf(precision: Precision, speech: Speech): DatePart[] {
  return speech.inOrder(FIELDS[precision]);
}
