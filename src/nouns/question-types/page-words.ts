// What is wrong with an answer, in words for participants.

import { quoted } from "./comparisons.ts";
import { type AnswerError, type Messages, messageOf } from "./errors.ts";
import { dateInWords } from "./values/date-words.ts";

/** For errors that our page never causes. */
const unclear = () => "Please check this answer";

const DATE_FIELDS = {
  day: "Enter the day as a number from 1 to 31",
  month: "Enter the month as a number from 1 to 12",
  year: "Enter the year with four digits, such as 1990",
};

const pageMessages = (missingText: string): Messages => ({
  required: () => missingText,
  not_text: unclear,
  unclean_text: () => "Your answer has characters that we can’t keep. Please type it again",
  several_lines: () => "Write your answer on one line",
  too_short: ({ limits: { min } }) => `Write at least ${characters(min)}`,
  too_long: ({ limits: { max } }) => `Shorten your answer to ${characters(max)}`,
  not_number: ({ wholeNumber }) => `Enter a number, such as ${wholeNumber ? "12" : "12 or 3.5"}`,
  ambiguous_number: ({ readings: [first, second] }) => `Do you mean ${first} or ${second}? Write it like that`,
  not_whole: () => "Enter a whole number, such as 12",
  too_small: ({ limits: { min } }) => `Enter a number that is ${min} or more`,
  too_large: ({ limits: { max } }) => `Enter a number that is ${max} or less`,
  not_date: unclear,
  no_such_day: ({ month, days }) => `${dateInWords(month)} has only ${days} days`,
  too_early: ({ limits: { min } }) => `Enter a date that is ${dateInWords(min)} or later`,
  too_late: ({ limits: { max } }) => `Enter a date that is ${dateInWords(max)} or earlier`,
  date_field_empty: ({ field }) => `Enter the ${field}, too`,
  date_field_wrong: ({ field }) => DATE_FIELDS[field],
  not_choices: unclear,
  not_choice: unclear,
  bad_write_in_flag: unclear,
  unknown_option: unclear,
  mismatched_option: unclear,
  option_twice: unclear,
  several_options: () => "Choose only one answer: select one, or write your own, but not both",
  too_few_choices: ({ limits: { min } }) => `Choose at least ${min}`,
  too_many_choices: ({ limits: { max } }) => `Choose no more than ${max}`,
  exclusive_option: ({ option }) => `Choose ${quoted(option)} alone, or choose others without it`,
  too_few_ranks: ({ limits: { min } }) => `Rank at least ${min}`,
  rank_empty: () => "Leave no rank out",
  ranked_twice: () => "Choose each one only once",
  write_in_not_allowed: unclear,
  write_in_twice: unclear,
  write_in_empty: () => "Write your own answer, or choose another one",
  write_in_several_lines: () => "Write your own answer on one line",
  write_in_too_long: ({ limits: { max } }) => `Shorten your own answer to ${characters(max)}`,
});

/** @param missingText the message of the question's type for a missing answer */
export function pageMessage(error: AnswerError, missingText: string): string {
  return messageOf(pageMessages(missingText), error);
}

export function characters(count: number): string {
  return `${count} character${count === 1 ? "" : "s"}`;
}
