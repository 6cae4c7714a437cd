// How conditions compare dates: with a date, with a day that is so far from today, and by the age of somebody who was born then.
//
// Of a month or a year only some days are known to be possible: a comparison holds if it does for all of them.

import { type DateLimit, daysOf, faultOfLimit, LIMIT_SCHEMA } from "./date-limits.ts";
import { limitInWords, typedLimit } from "./date-words.ts";
import { ageOn, firstDay, lastDay } from "./days.ts";
import { dayFrom } from "./durations.ts";

type Days = readonly [first: string, last: string];

const MAX_AGE = 150;

function byDate(choice: string, description: string, isSo: (answer: Days, limit: Days) => boolean) {
  return {
    read(raw: unknown): { operand: unknown } | { message: string } {
      const fault = faultOfLimit(raw);
      return fault ? { message: fault.message } : { operand: raw };
    },
    holds: (answer: string, operand: unknown, today: () => string) =>
      isSo([firstDay(answer), lastDay(answer)], daysOf(operand as DateLimit, today)),
    text: (operand: unknown) => `${choice} ${limitInWords(operand)}`,
    schema: LIMIT_SCHEMA,
    description: `Holds when ${description}. With a month or a year only if it is certain.`,
    choice,
    given: { by: "text" as const, ...typedLimit },
  };
}

const typedAge = {
  hint: "A whole number of years.",
  read: (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : text),
  show: String,
};

function byAge(
  choice: string,
  description: string,
  isSo: (ages: { least: number; most: number }, years: number) => boolean,
) {
  return {
    read(raw: unknown): { operand: unknown } | { message: string } {
      const isAge = typeof raw === "number" && Number.isInteger(raw) && raw >= 0 && raw <= MAX_AGE;
      return isAge ? { operand: raw } : { message: `must be a whole number of years, from 0 to ${MAX_AGE}` };
    },
    holds(answer: string, operand: unknown, today: () => string): boolean {
      const [least, most] = [ageOn(lastDay(answer), today()), ageOn(firstDay(answer), today())];
      // Nobody who is born tomorrow has an age.
      return most >= 0 && isSo({ least, most }, operand as number);
    },
    text: (operand: unknown) => `${choice} ${operand}`,
    schema: { type: "integer", minimum: 0, maximum: MAX_AGE },
    description:
      `Holds when somebody who was born on the date ${description}, in whole years, on the day on which the session was started, ` +
      "in the time zone of the study. Who was born on 29 February has a birthday on 1 March in other years. With a month or a year only if it is certain.",
    choice,
    given: { by: "text" as const, ...typedAge },
  };
}

export const dateOperators = {
  before: byDate("is before", "the date is before this one", ([, last], [first]) => last < first),
  after: byDate("is after", "the date is after this one", ([first], [, last]) => first > last),
  onOrBefore: byDate("is on or before", "the date is this one, or before it", ([, last], [, to]) => last <= to),
  onOrAfter: byDate("is on or after", "the date is this one, or after it", ([first], [from]) => first >= from),
  ageAtLeast: byAge("gives an age of at least", "is this old, or older", ({ least }, years) => least >= years),
  ageBelow: byAge("gives an age below", "is younger than this", ({ most }, years) => most < years),
};

/** Whether no date fulfils all of these: by ages, and by dates that do not hang on today. */
export function excludesAllDates(comparisons: readonly (readonly [operator: string, operand: unknown])[]): boolean {
  let [earliest, latest, least, below] = ["", "9999-12-31", 0, Number.POSITIVE_INFINITY];
  const raise = (day: string) => {
    if (day > earliest) earliest = day;
  };
  const lower = (day: string) => {
    if (day < latest) latest = day;
  };
  for (const [operator, operand] of comparisons) {
    if (operator === "ageAtLeast") least = Math.max(least, operand as number);
    if (operator === "ageBelow") below = Math.min(below, operand as number);
    if (typeof operand !== "string") continue;
    if (operator === "onOrAfter") raise(firstDay(operand));
    if (operator === "after") raise(dayFrom(lastDay(operand), "P1D"));
    if (operator === "onOrBefore") lower(lastDay(operand));
    if (operator === "before") lower(dayFrom(firstDay(operand), "-P1D"));
  }
  return earliest > latest || least >= below;
}
