// What can be wrong with an answer: as data, and in the API's words.

import type { DatePart } from "../../words/speech.ts";
import { quoted } from "./comparisons.ts";
import type { Part } from "./entries.ts";
import { EXAMPLES, type Precision } from "./values/days.ts";
import { FORMAT_NAMES, type Format } from "./values/text-formats.ts";

/** The members of each error beside its code. `limits` are the numbers or dates that the answer violates. */
interface Details {
  required: object;
  not_text: object;
  unclean_text: object;
  several_lines: object;
  too_short: { limits: { min: number } };
  too_long: { limits: { max: number } };
  wrong_format: { format: Format };
  too_few_digits: { limits: { min: number } };
  too_many_digits: { limits: { max: number } };
  /** `message` is the author's. */
  wrong_pattern: { message: string };
  not_number: { wholeNumber: boolean };
  /** A typed number that has two possible meanings. */
  ambiguous_number: { readings: [string, string] };
  not_whole: object;
  too_small: { limits: { min: number } };
  too_large: { limits: { max: number } };
  not_date: { precision: Precision };
  /** A month has fewer days. */
  no_such_day: { month: string; days: number };
  too_early: { limits: { min: string } };
  too_late: { limits: { max: string } };
  /** A field of a date is empty, or can't be what it says. */
  date_field_empty: InDateField;
  date_field_wrong: InDateField;
  not_consent: object;
  not_choices: object;
  not_choice: object;
  bad_write_in_flag: object;
  unknown_option: object;
  mismatched_option: object;
  option_twice: object;
  several_options: object;
  too_few_choices: { limits: { min: number } };
  too_many_choices: { limits: { max: number } };
  /** An option that excludes all others was chosen with others. */
  exclusive_option: { option: string; optionId: string | null };
  too_few_ranks: AtRank & { limits: { min: number } };
  /** A rank has nothing, and a later one has something. */
  rank_empty: AtRank;
  ranked_twice: AtRank;
  not_matrix: object;
  not_row: InMatrix;
  unknown_row: InMatrix;
  mismatched_row: InMatrix;
  row_twice: InMatrix;
  not_row_choices: InMatrix;
  unknown_column: InMatrix;
  mismatched_column: InMatrix;
  column_twice: InMatrix;
  several_columns: InMatrix;
  /** Some rows have a choice, and these have none. `part`: the field of the first of them. */
  rows_missing: { rows: readonly Part[]; part: string };
  write_in_not_allowed: object;
  write_in_twice: object;
  write_in_empty: InWriteIn;
  write_in_several_lines: InWriteIn;
  write_in_too_long: InWriteIn & { limits: { max: number } };
}

/** Where in the answer it is, as a JSON pointer. */
interface InMatrix {
  pointer: string;
}

/** The error is in the field of a rank. `part`: unless it is the first one. */
interface AtRank {
  rank: number;
  part?: string;
}

/** The error is in the write-in's own field. */
interface InWriteIn {
  part: "write-in";
}

/** The error is in one field of a date. `part`: unless it is the first one. */
interface InDateField {
  field: DatePart;
  part?: DatePart;
}

type Code = keyof Details;

export type AnswerError<Of extends Code = Code> = { [C in Of]: { code: C } & Details[C] }[Of];

/** A message for every error. */
export type Messages<Rest extends readonly unknown[]> = {
  readonly [C in Code]: (error: AnswerError<C>, ...rest: Rest) => string;
};

export function messageOf<Rest extends readonly unknown[], Of extends Code>(
  messages: Messages<Rest>,
  error: AnswerError<Of>,
  ...rest: Rest
): string {
  return messages[error.code](error, ...rest);
}

const apiMessages: Messages<[]> = {
  required: () => "is required",
  not_text: () => "must be a string",
  unclean_text: () => "holds U+0000 or a lone surrogate",
  several_lines: () => "must be one line",
  too_short: ({ limits: { min } }) => `must have at least ${min} characters`,
  too_long: ({ limits: { max } }) => `must have at most ${max} characters`,
  wrong_format: ({ format }) => `must be ${FORMAT_NAMES[format].name} such as ${FORMAT_NAMES[format].example}`,
  too_few_digits: ({ limits: { min } }) => `must have at least ${min} digits`,
  too_many_digits: ({ limits: { max } }) => `must have at most ${max} digits`,
  wrong_pattern: ({ message }) => `does not match the question's pattern: ${message}`,
  not_number: () => "must be a number",
  ambiguous_number: ({ readings: [first, second] }) => `may be read as ${first} or as ${second}`,
  not_whole: () => "must be a whole number",
  too_small: ({ limits: { min } }) => `must be at least ${min}`,
  too_large: ({ limits: { max } }) => `must be at most ${max}`,
  not_date: ({ precision }) => `must be a string with a ${precision.toLowerCase()} such as ${EXAMPLES[precision]}`,
  no_such_day: ({ month, days }) => `is no day of the calendar: ${month} has ${days} days`,
  too_early: ({ limits: { min } }) => `must not be before ${min}`,
  too_late: ({ limits: { max } }) => `must not be after ${max}`,
  date_field_empty: ({ field }) => `lacks the ${field}`,
  date_field_wrong: ({ field }) => `has a wrong ${field}`,
  not_consent: () => "must be an object with isGiven, which is true or false",
  not_choices: () => "must be an array of options",
  not_choice: () => "must hold objects with text and isWriteIn",
  bad_write_in_flag: () => "has an isWriteIn that is neither true nor false",
  unknown_option: () => "is not an option of this question",
  mismatched_option: () => "has an optionId and the text of another option",
  option_twice: () => "has an option twice",
  several_options: () => "must be one option",
  too_few_choices: ({ limits: { min } }) => `must have at least ${min} choices`,
  too_many_choices: ({ limits: { max } }) => `must have at most ${max} choices`,
  exclusive_option: ({ option }) => `has the option ${quoted(option)}, which excludes all others, and others`,
  too_few_ranks: ({ limits: { min } }) => `must have at least ${min} options`,
  rank_empty: ({ rank }) => `has nothing as number ${rank}`,
  ranked_twice: () => "has an option twice",
  not_matrix: () => 'must be an object such as { "rows": [{ "rowId": …, "choices": [{ "columnId": … }] }] }',
  not_row: () => "must be an object with rowId and choices",
  unknown_row: () => "is not a row of this question",
  mismatched_row: () => "has a rowId and the text of another row",
  row_twice: () => "is a row that is there before",
  not_row_choices: () => "must be an array of choices, each an object with columnId",
  unknown_column: () => "is not a column of this question",
  mismatched_column: () => "has a columnId and the text of another column",
  column_twice: () => "is a column that is there before",
  several_columns: () => "must be one choice",
  rows_missing: ({ rows }) => `lacks a choice in ${listed(rows)}`,
  write_in_not_allowed: () => "does not allow a write-in",
  write_in_twice: () => "has more than one write-in",
  write_in_empty: () => "has a write-in without text",
  write_in_several_lines: () => "has a write-in of several lines",
  write_in_too_long: ({ limits: { max } }) => `has a write-in of more than ${max} characters`,
};

/** How many rows are named. */
const MAX_NAMED_ROWS = 5;

function listed(rows: readonly Part[]): string {
  const named = rows.slice(0, MAX_NAMED_ROWS).map(({ text }) => quoted(text));
  const more = rows.length - named.length;
  return `the ${rows.length === 1 ? "row" : "rows"} ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

export function apiMessage(error: AnswerError): string {
  return messageOf(apiMessages, error);
}
