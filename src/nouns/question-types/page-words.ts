// What is wrong with an answer, as participants read it.

import type { Speech } from "../../words/speech.ts";
import { onOneLine } from "./comparisons.ts";
import { type AnswerError, type Messages, messageOf } from "./errors.ts";
import { FORMAT_NAMES, type Format } from "./values/text-formats.ts";

/** For errors that our page never causes. */
const unclear = (_: unknown, speech: Speech) => speech.say("checkAnswer");

const MISSING = { day: "dayMissing", month: "monthMissing", year: "yearMissing" } as const;
const WRONG = { day: "dayWrong", month: "monthWrong", year: "yearWrong" } as const;

/** Numbers as examples. */
const WHOLE = 12;
const DECIMAL = 3.5;

/** What the question itself says, in the language of the page. */
interface OwnWords {
  /** Where an answer is missing. */
  missing: string;
  /** Where an answer does not match its pattern. */
  wrongPattern: string | undefined;
}

const messages: Messages<[speech: Speech, own: OwnWords]> = {
  required: (_, __, { missing }) => missing,
  not_text: unclear,
  unclean_text: (_, speech) => speech.say("uncleanText"),
  several_lines: (_, speech) => speech.say("oneLine"),
  too_short: ({ limits: { min } }, speech) => speech.count("tooShort", min),
  too_long: ({ limits: { max } }, speech) => speech.count("tooLong", max),
  wrong_format: ({ format }, speech) => formatText(format, speech),
  too_few_digits: ({ limits: { min } }, speech) => speech.count("tooFewDigits", min),
  too_many_digits: ({ limits: { max } }, speech) => speech.count("tooManyDigits", max),
  wrong_pattern: ({ message }, _, { wrongPattern }) => wrongPattern ?? message,
  not_number: ({ wholeNumber }, speech) =>
    wholeNumber
      ? speech.say("notWholeNumber", { whole: WHOLE })
      : speech.say("notNumber", { whole: WHOLE, decimal: DECIMAL }),
  ambiguous_number: ({ readings: [first, second] }, speech) =>
    speech.say("ambiguousNumber", { first, second: second.replace(".", speech.decimalSign) }),
  not_whole: (_, speech) => speech.say("notWhole", { whole: WHOLE }),
  too_small: ({ limits: { min } }, speech) => speech.say("tooSmall", { min }),
  too_large: ({ limits: { max } }, speech) => speech.say("tooLarge", { max }),
  not_date: unclear,
  no_such_day: ({ month, days }, speech) => speech.count("noSuchDay", days, { month: speech.date(month) }),
  too_early: ({ limits: { min } }, speech) => speech.say("tooEarly", { min: speech.date(min) }),
  too_late: ({ limits: { max } }, speech) => speech.say("tooLate", { max: speech.date(max) }),
  date_field_empty: ({ field }, speech) => speech.say(MISSING[field]),
  date_field_wrong: ({ field }, speech) => speech.say(WRONG[field]),
  not_consent: unclear,
  not_choices: unclear,
  not_choice: unclear,
  bad_write_in_flag: unclear,
  unknown_option: unclear,
  mismatched_option: unclear,
  option_twice: unclear,
  several_options: (_, speech) => speech.say("onlyOneAnswer"),
  too_few_choices: ({ limits: { min } }, speech) => speech.count("chooseAtLeast", min),
  too_many_choices: ({ limits: { max } }, speech) => speech.count("tooManyChoices", max),
  exclusive_option: ({ option }, speech) => speech.say("optionAlone", { option: onOneLine(option) }),
  too_few_ranks: ({ limits: { min } }, speech) => speech.count("rankAtLeast", min),
  rank_empty: (_, speech) => speech.say("rankMissing"),
  ranked_twice: (_, speech) => speech.say("rankedTwice"),
  not_matrix: unclear,
  not_row: unclear,
  unknown_row: unclear,
  mismatched_row: unclear,
  row_twice: unclear,
  not_row_choices: unclear,
  unknown_column: unclear,
  mismatched_column: unclear,
  column_twice: unclear,
  several_columns: unclear,
  rows_missing: ({ rows }, speech) => speech.say("rowsMissing", { number: rows.length }),
  write_in_not_allowed: unclear,
  write_in_twice: unclear,
  write_in_empty: (_, speech) => speech.say("ownAnswerEmpty"),
  write_in_several_lines: (_, speech) => speech.say("ownAnswerOneLine"),
  write_in_too_long: ({ limits: { max } }, speech) => speech.count("ownAnswerTooLong", max),
};

/** What to enter where the answer has a format. */
export function formatText(format: Format, speech: Speech): string {
  const { example } = FORMAT_NAMES[format];
  switch (format) {
    case "EMAIL":
      return speech.say("enterEmail", { example });
    case "PHONE":
      return speech.say("enterPhone", { example });
    case "POSTCODE":
      return speech.say("enterPostcode");
    case "URL":
      return speech.say("enterUrl", { example });
    case "DIGITS":
      return speech.say("enterDigits", { example });
  }
}

export function pageMessage(error: AnswerError, speech: Speech, own: OwnWords): string {
  return messageOf(messages, error, speech, own);
}
