// Questions that are answered with a date: a day, a month or a year.

import * as v from "valibot";
import type { DatePart, Speech } from "../../words/speech.ts";
import { YearCounter } from "./charts/years.ts";
import type { Today } from "./comparisons.ts";
import { DateField } from "./date-field.tsx";
import { type DateQuestion, dateView, fieldsOf } from "./date-view.ts";
import type { AnswerError } from "./errors.ts";
import { NOTHING_TYPED, type Typed } from "./form.ts";
import { type Checked, defineQuestionType, type QuestionDraft } from "./question-type.ts";
import { type DateLimit, daysOf, faultOfLimit, LIMIT_SCHEMA } from "./values/date-limits.ts";
import { dateOperators, excludesAllDates } from "./values/date-operators.ts";
import { dateInWords, typedLimit } from "./values/date-words.ts";
import {
  daysIn,
  dayText,
  EXAMPLES,
  numbersOf,
  PRECISIONS,
  type Precision,
  precisionOf,
  twoDigits,
} from "./values/days.ts";
import { readTypedNumber } from "./values/typed-number.ts";

const limit = v.optional(v.nullable(v.pipe(v.unknown(), v.metadata(LIMIT_SCHEMA))));

/** What a cell of a table looks like. */
const FORMATS: Record<Precision, string> = { DAY: "YYYY-MM-DD", MONTH: "YYYY-MM", YEAR: "YYYY" };

/** A year is a number, and of a month there is no day. */
const STATISTICS = { DAY: "DAYS", MONTH: "TEXTS", YEAR: "NUMBERS" } as const;

export const dateType = defineQuestionType(
  {
    kind: "Date",
    input: {
      precision: v.optional(v.nullable(v.picklist(PRECISIONS, "must be DAY, MONTH or YEAR"))),
      min: limit,
      max: limit,
    },
    view: dateView,
    answer: v.string(),
  },
  {
    card: {
      label: "Date",
      fresh: { precision: "DAY", min: null, max: null },
      fields: [
        {
          has: "choice",
          member: "precision",
          label: "As exact as",
          options: [
            { value: "DAY", label: "The day" },
            { value: "MONTH", label: "The month", sets: { min: null, max: null } },
            { value: "YEAR", label: "The year", sets: { min: null, max: null } },
          ],
        },
        { has: "typed", member: "min", label: "Earliest" },
        { has: "typed", member: "max", label: "Latest" },
      ],
    },
    memberNames: { precision: "how exact it is", min: "the earliest date", max: "the latest date" },
    texts: { min: "code", max: "code" },
    typedMembers: { min: typedLimit, max: typedLimit },
    build({ precision, min, max }, draft) {
      const built = {
        precision: precision ?? "DAY",
        min: (min ?? null) as DateLimit | null,
        max: (max ?? null) as DateLimit | null,
      };
      checkLimits(built, draft);
      return built;
    },
    assumed: ({ min, max }) => ({
      precision: [min, max].map((limit) => (typeof limit === "string" ? precisionOf(limit) : undefined)).find(Boolean),
    }),
    check: checkDate,
    comparisons: {
      readOperand(raw, _, __, { precision }) {
        if (typeof raw === "string" && precisionOf(raw) === precision) return raw;
        return { message: `must be a ${precision.toLowerCase()} such as ${EXAMPLES[precision]}` };
      },
      operandText: (_, value) => dateInWords(value),
      equality: (answer) => answer,
      contains: "does not go with a date",
      order: "does not go with a date; use before, after, onOrBefore, onOrAfter, ageAtLeast or ageBelow",
      own: dateOperators,
      excludesAll: excludesAllDates,
    },
    inWords: (_, answer, speech) => speech.date(answer),
    toShown: (answer) => answer,
    fromShown: (_, shown) => shown,
    cell: (shown) => shown,
    statistics: ({ precision }) => ({ are: STATISTICS[precision] }),
    codebookText: ({ precision }) => `date (${FORMATS[precision]})`,
    counter: (_, counting) => new YearCounter(counting),
    readTyped,
    toTyped(date) {
      const [year, month, day] = numbersOf(date);
      return {
        ...NOTHING_TYPED,
        text: String(year),
        parts: { year: String(year), month: String(month), day: String(day) },
      };
    },
    Field: DateField,
    limitsText,
    missingText: ({ precision }, speech) => speech.say(precision === "YEAR" ? "enterYear" : "enterDate"),
  },
);

type Limits = Pick<DateQuestion, "precision" | "min" | "max">;

/** Days on which limits are compared that depend on the day. */
const SOME_DAYS = ["2000-02-29", "2001-03-01"];

function checkLimits({ precision, min, max }: Limits, draft: QuestionDraft): void {
  let areLimits = true;
  for (const [member, value] of Object.entries({ min, max })) {
    if (value === null) continue;
    const fault = faultOfLimit(value);
    const isOther = !fault && typeof value === "string" && precisionOf(value) !== precision;
    if (fault) draft.fail(`/${member}${fault.at}`, fault.message);
    else if (isOther) draft.fail(`/${member}`, `must be a ${precision.toLowerCase()} such as ${EXAMPLES[precision]}`);
    areLimits &&= !fault && !isOther;
  }
  // A date and a distance from today can't be compared.
  if (min === null || max === null || !areLimits || typeof min !== typeof max) return;
  const isEmpty = (day: string) => daysOf(max, () => day)[1] < daysOf(min, () => day)[0];
  if (SOME_DAYS.every(isEmpty)) draft.fail("/max", "must not be before min");
}

function checkDate(question: DateQuestion, raw: unknown, today: Today): Checked<string> {
  const { precision } = question;
  const notDate: Checked<string> = { error: { code: "not_date", precision } };
  if (typeof raw !== "string") return notDate;
  const date = raw.trim();
  if (date === "") return { answer: null };
  if (precisionOf(date) !== precision) return noSuchDay(date, precision) ?? notDate;
  const [earliest, latest] = boundsOf(question, today);
  if (earliest !== null && date < earliest) return { error: { code: "too_early", limits: { min: earliest } } };
  if (latest !== null && date > latest) return { error: { code: "too_late", limits: { max: latest } } };
  return { answer: date };
}

/** The first and the last date of a question's precision that have a day within its limits. */
function boundsOf({ precision, min, max }: DateQuestion, today: Today): [string | null, string | null] {
  const dateOf = (day: string) => day.slice(0, EXAMPLES[precision].length);
  return [min && dateOf(daysOf(min, today)[0]), max && dateOf(daysOf(max, today)[1])];
}

/** The error of a day that its month does not have. */
function noSuchDay(date: string, precision: Precision): { error: AnswerError } | undefined {
  if (precision !== "DAY" || date.length !== EXAMPLES.DAY.length) return undefined;
  const month = date.slice(0, EXAMPLES.MONTH.length);
  const [year, number] = numbersOf(month);
  const [, , day] = numbersOf(date);
  const isDay = precisionOf(month) === "MONTH" && dayText(year, number, day) === date && day >= 1 && day <= 31;
  return isDay ? { error: { code: "no_such_day", month, days: daysIn(year, number) } } : undefined;
}

function readTyped(
  { precision }: DateQuestion,
  { text, parts }: Typed,
  speech: Speech,
): { raw: unknown } | { error: AnswerError } {
  const fields = fieldsOf(precision, speech);
  const typed = fields.map((field) => [field, (precision === "YEAR" ? text : (parts[field] ?? "")).trim()] as const);
  if (typed.every(([, one]) => one === "")) return { raw: null };
  const read: Partial<Record<DatePart, number>> = {};
  for (const [field, one] of typed) {
    const number = one === "" ? undefined : readPart(field, one, speech);
    if (number === undefined) {
      const at = field === fields[0] ? { field } : { field, part: field };
      return { error: one === "" ? { code: "date_field_empty", ...at } : { code: "date_field_wrong", ...at } };
    }
    read[field] = number;
  }
  const { year = 0, month, day } = read;
  const rest = [month, day].flatMap((number) => (number === undefined ? [] : [twoDigits(number)]));
  return { raw: [year, ...rest].join("-") };
}

const RANGES: Record<DatePart, [from: number, to: number]> = { day: [1, 31], month: [1, 12], year: [1000, 9999] };

/** A part as a number. Months may be typed by their names, or the first letters of these. */
function readPart(field: DatePart, typed: string, speech: Speech): number | undefined {
  const [from, to] = RANGES[field];
  const named = field === "month" ? speech.monthNamed(typed) : undefined;
  if (named !== undefined) return named;
  // As Japanese and Chinese write it: 1990年2月28日.
  const number = readTypedNumber(typed.replace(/[年月日]$/, ""), true);
  if ("error" in number || number.raw === null) return undefined;
  return Number.isInteger(number.raw) && number.raw >= from && number.raw <= to ? number.raw : undefined;
}

function limitsText(question: DateQuestion, speech: Speech, today: Today): string {
  const [earliest, latest] = boundsOf(question, today);
  // An example that the limits refuse would mislead.
  const example = [earliest ?? "", EXAMPLES[question.precision], latest ?? "9999-12-31"].toSorted()[1]!;
  const date = speech.shortDate(example);
  if (earliest && latest)
    return speech.say("dateExampleBetween", { date, min: speech.date(earliest), max: speech.date(latest) });
  if (earliest) return speech.say("dateExampleFrom", { date, min: speech.date(earliest) });
  return latest
    ? speech.say("dateExampleUpTo", { date, max: speech.date(latest) })
    : speech.say("dateExample", { date });
}
