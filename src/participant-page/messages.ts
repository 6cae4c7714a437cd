// What is wrong with an answer, in the words of a person who helps, not of an API.

import { MAX_TEXT_LENGTH } from "../screener-content/answers.ts";
import type { Question } from "../screener-content/content.ts";

const NUMBER = String.raw`(-?[\d.e+-]+)`;

/** What the answers' checks say (screener-content/answers.ts), and what a participant is told. */
const sayings: [RegExp, (question: Question, number: string, other: string) => string][] = [
  [/^is required$/, missing],
  [/^must be a number$/, (question) => `Enter a number, such as ${example(question)}`],
  [/^may be read as (\S+) or as (\S+)$/, (_, one, other) => `Do you mean ${one} or ${other}? Write it like that`],
  [/^must be a whole number$/, (question) => `Enter a whole number, such as ${example(question)}`],
  [new RegExp(`^must be at least ${NUMBER}$`), (_, number) => `Enter a number that is ${number} or more`],
  [new RegExp(`^must be at most ${NUMBER}$`), (_, number) => `Enter a number that is ${number} or less`],
  [/^must be one line$/, () => "Write your answer on one line"],
  [/^must have at least (\d+) characters$/, (_, number) => `Write at least ${count(number, "character")}`],
  [/^must have at most (\d+) characters$/, (_, number) => `Shorten your answer to ${count(number, "character")}`],
  [/^must be one option$/, () => "Choose only one answer: select one, or write your own, but not both"],
  [/^must have at least (\d+) choices$/, (_, number) => `Choose at least ${number}`],
  [/^must have at most (\d+) choices$/, (_, number) => `Choose no more than ${number}`],
  [/^has a write-in without text$/, () => "Write your own answer, or choose another one"],
  [/^has a write-in of several lines$/, () => "Write your own answer on one line"],
  [/^has a write-in of more than (\d+)/, (_, number) => `Shorten your own answer to ${count(number, "character")}`],
  [/^holds U\+0000/, () => "Your answer has characters that we can’t keep. Please type it again"],
];

/** An error as the participant reads it. */
export interface Mistake {
  text: string;
  /** It is in what was written in, not in what was chosen. */
  isInWriteIn: boolean;
}

/** What is wrong, in the participant's words. */
export function explain(question: Question, message: string): Mistake {
  return { text: sayingFor(question, message), isInWriteIn: message.startsWith("has a write-in") };
}

function sayingFor(question: Question, message: string): string {
  for (const [pattern, say] of sayings) {
    const match = pattern.exec(message);
    if (match) return say(question, match[1] ?? "", match[2] ?? "");
  }
  return "Please check this answer";
}

/** What a question allows, told before anyone can get it wrong; null when there is nothing to tell. */
export function limits(question: Question): string | null {
  switch (question._type) {
    case "ScreenerTextQuestion":
      return textLimits(question.minLength ?? 0, question.maxLength ?? MAX_TEXT_LENGTH);
    case "ScreenerNumericQuestion": {
      const { min, max } = question;
      const what = question.wholeNumber ? "A whole number" : "A number";
      if (min !== null && max !== null) return `${what} from ${min} to ${max}`;
      if (min !== null) return `${what}, ${min} or more`;
      if (max !== null) return `${what}, ${max} or less`;
      return what;
    }
    case "ScreenerSingleSelectQuestion":
      return null;
    case "ScreenerMultiSelectQuestion": {
      const possible = question.options.length + Number(question.allowsWriteIn);
      const min = question.minChoices ?? 0;
      const max = question.maxChoices ?? possible;
      if (min > 1)
        return min === max
          ? `Choose exactly ${min}`
          : max < possible
            ? `Choose ${min} to ${max}`
            : `Choose at least ${min}`;
      return max < possible ? `Choose up to ${max}` : "Choose all that apply";
    }
  }
}

function textLimits(min: number, max: number): string | null {
  // Nobody needs to hear of the limit that all texts have.
  const ends = max < MAX_TEXT_LENGTH;
  if (min > 1 && ends) return `${min} to ${count(String(max), "character")}`;
  if (min > 1) return `At least ${count(String(min), "character")}`;
  return ends ? `Up to ${count(String(max), "character")}` : null;
}

function missing(question: Question): string {
  switch (question._type) {
    case "ScreenerTextQuestion":
      return "Write an answer";
    case "ScreenerNumericQuestion":
      return "Enter a number";
    case "ScreenerSingleSelectQuestion":
      return "Choose an answer";
    case "ScreenerMultiSelectQuestion":
      return (question.minChoices ?? 0) > 1 ? `Choose at least ${question.minChoices}` : "Choose at least one answer";
  }
}

function example(question: Question): string {
  return question._type === "ScreenerNumericQuestion" && question.wholeNumber ? "12" : "12 or 3.5";
}

function count(number: string, what: string): string {
  return `${number} ${what}${number === "1" ? "" : "s"}`;
}
