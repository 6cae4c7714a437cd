// What is wrong with an answer, in the words of a person who helps, not of an API.

import { type AnswerError, type Messages, messageOf } from "./errors.ts";

/** What the page itself never sends. */
const unclear = () => "Please check this answer";

const pageMessages: Messages<[missing: string]> = {
  required: (_, missing) => missing,
  not_text: unclear,
  unclean_text: () => "Your answer has characters that we can’t keep. Please type it again",
  several_lines: () => "Write your answer on one line",
  too_short: ({ limits }) => `Write at least ${characters(limits.min)}`,
  too_long: ({ limits }) => `Shorten your answer to ${characters(limits.max)}`,
  not_number: ({ limits }) => `Enter a number, such as ${limits.wholeNumber ? "12" : "12 or 3.5"}`,
  ambiguous_number: ({ readings: [one, other] }) => `Do you mean ${one} or ${other}? Write it like that`,
  not_whole: () => "Enter a whole number, such as 12",
  too_small: ({ limits }) => `Enter a number that is ${limits.min} or more`,
  too_large: ({ limits }) => `Enter a number that is ${limits.max} or less`,
  not_choices: unclear,
  not_choice: unclear,
  bad_write_in_flag: unclear,
  unknown_option: unclear,
  mismatched_option: unclear,
  option_twice: unclear,
  several_options: () => "Choose only one answer: select one, or write your own, but not both",
  too_few_choices: ({ limits }) => `Choose at least ${limits.min}`,
  too_many_choices: ({ limits }) => `Choose no more than ${limits.max}`,
  write_in_not_allowed: unclear,
  write_in_twice: unclear,
  write_in_empty: () => "Write your own answer, or choose another one",
  write_in_several_lines: () => "Write your own answer on one line",
  write_in_too_long: ({ limits }) => `Shorten your own answer to ${characters(limits.max)}`,
};

/** An error in the participant's words. `missing`: what the question's type says where nothing was answered. */
export function pageMessage(error: AnswerError, missing: string): string {
  return messageOf(pageMessages, error, missing);
}

export function characters(count: number): string {
  return `${count} character${count === 1 ? "" : "s"}`;
}
