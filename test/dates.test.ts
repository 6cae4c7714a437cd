// Dates of questions: the calendar, ages and distances from today, against a model that counts days one by one.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { neverHolds } from "../src/nouns/content/advice/never.ts";
import { dateType } from "../src/nouns/question-types/date.tsx";
import type { DateQuestion } from "../src/nouns/question-types/date-view.ts";
import { typedLimit } from "../src/nouns/question-types/values/date-words.ts";
import { ageOn, daysIn, firstDay, lastDay, precisionOf } from "../src/nouns/question-types/values/days.ts";
import { dayFrom } from "../src/nouns/question-types/values/durations.ts";
import { ENGLISH } from "../src/words/languages.ts";

const [FIRST, LAST] = [1896, 2104];

interface Day {
  text: string;
  /** Of its month and its year: numbers from 1 on. */
  day: number;
  month: number;
  year: number;
}

/** All days from 1896 to 2104, in their order: written down from the lengths of months, and not by the code that is tested. */
const days: Day[] = [];
const isLeap = (year: number) => (year % 400 === 0 ? true : year % 100 === 0 ? false : year % 4 === 0);
for (let year = FIRST; year <= LAST; year++)
  for (const [index, length] of [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].entries())
    for (let day = 1; day <= length; day++) {
      const text = [year, index + 1, day].map((number) => String(number).padStart(2, "0")).join("-");
      days.push({ text, day, month: index + 1, year });
    }

const anyDay = fc.nat(days.length - 1);

test("the calendar of 1896 to 2104 has each day once, and no other", () => {
  assert.equal(days.length, 209 * 365 + 51);
  const known = new Set(days.map(({ text }) => text));
  for (let year = FIRST; year <= LAST; year++)
    for (let month = 0; month <= 13; month++)
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
        assert.equal(precisionOf(text), known.has(text) ? "DAY" : undefined, text);
      }
  for (const { text, month, year } of days) {
    assert.equal(firstDay(text), text);
    assert.equal(lastDay(text.slice(0, 7)), `${text.slice(0, 8)}${daysIn(year, month)}`);
  }
  assert.deepEqual(
    [firstDay("1990"), lastDay("1990"), firstDay("1992-02"), lastDay("1992-02")],
    [...["1990-01-01", "1990-12-31", "1992-02-01", "1992-02-29"]],
  );
  for (const wrong of [
    "90",
    "0990",
    "1990-2",
    "1990-13",
    "1990-02-30",
    "1990-02-1",
    " 1990",
    "1990-",
    "19900",
    "١٩٩٠",
    "",
  ])
    assert.equal(precisionOf(wrong), undefined, wrong);
});

test("somebody is a year older on each birthday: on 1 March, where there is no 29 February", () => {
  /** Counts birthdays while it goes through all days after the birth. */
  const check = (born: Day, from: number) => {
    let age = 0;
    for (let at = from; at < days.length; at++) {
      const { text, day, month, year } = days[at]!;
      const isBirthday =
        born.month === 2 && born.day === 29 && !isLeap(year)
          ? month === 3 && day === 1
          : month === born.month && day === born.day;
      if (isBirthday && year > born.year) age++;
      if (ageOn(born.text, text) !== age) assert.fail(`${born.text} on ${text}: ${ageOn(born.text, text)}, not ${age}`);
    }
  };
  // Who was born on any day of 2000, or around the end of February 1896, over all days after that.
  for (const [at, born] of days.entries())
    if (born.year === 2000 || (born.year === FIRST && [2, 3].includes(born.month))) check(born, at);
  fc.assert(
    fc.property(anyDay, (at) => check(days[at]!, at)),
    { numRuns: 100 },
  );
});

test("before a birth, nobody has an age; and whoever is of an age was born so many years ago, or earlier", () => {
  fc.assert(
    fc.property(anyDay, anyDay, fc.nat(120), (born, day, years) => {
      const [birth, today] = [days[born]!.text, days[day]!.text];
      assert.equal(ageOn(birth, today) >= 0, born <= day);
      assert.equal(ageOn(birth, today) >= years, birth <= dayFrom(today, `-P${years}Y`), `${birth} ${today} ${years}`);
    }),
    { numRuns: 20_000 },
  );
});

test("a distance from today counts days one by one, and months by their number", () => {
  const inside = fc.nat(2 * 366);
  fc.assert(
    fc.property(fc.integer({ min: 800, max: days.length - 800 }), inside, fc.constantFrom(1, -1), (at, count, sign) => {
      const day = sign < 0 ? "-P" : "P";
      assert.equal(dayFrom(days[at]!.text, `${day}${count}D`), days[at + sign * count]!.text);
      assert.equal(dayFrom(days[at]!.text, `${day}${count % 100}W`), days[at + sign * 7 * (count % 100)]!.text);
    }),
  );
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -1000, max: 1000 }), (at, months) => {
      const { text, year, month, day } = days[at]!;
      const to = dayFrom(text, `${months < 0 ? "-" : ""}P${Math.abs(months)}M`);
      const [toYear = 0, toMonth = 0, toDay = 0] = to.split("-").map(Number);
      assert.equal(12 * toYear + toMonth, 12 * year + month + months);
      const length = toMonth === 2 ? (isLeap(toYear) ? 29 : 28) : [4, 6, 9, 11].includes(toMonth) ? 30 : 31;
      assert.equal(toDay, Math.min(day, length));
    }),
  );
  for (const [day, duration, expected] of [
    ["2024-02-29", "-P18Y", "2006-02-28"],
    ["2026-02-28", "-P18Y", "2008-02-28"],
    ["2026-03-31", "-P1M", "2026-02-28"],
    ["2026-03-31", "-P1M1D", "2026-02-27"],
    ["2026-01-01", "P0D", "2026-01-01"],
    ["2026-12-31", "+P1Y2W", "2028-01-14"],
  ] as const)
    assert.equal(dayFrom(day, duration), expected, `${day} ${duration}`);
});

const question = (more: Partial<DateQuestion> = {}): DateQuestion => ({
  ...{
    _type: "ScreenerDateQuestion",
    id: "q",
    key: null,
    prompt: "?",
    helpText: null,
    required: false,
    showWhen: null,
  },
  ...{ precision: "DAY", min: null, max: null },
  ...more,
});

const { own = {} } = dateType.comparisons;
const holds = (operator: string, answer: string, operand: unknown, today: string) =>
  own[operator]!.holds(answer, operand, () => today, question());

test("with a month or a year, a comparison holds if it does for each of its days", () => {
  const operand = fc.oneof(
    anyDay.map((at) => days[at]!.text),
    anyDay.map((at) => days[at]!.text.slice(0, 7)),
    anyDay.map((at) => days[at]!.text.slice(0, 4)),
    fc.nat(40).map((years) => ({ today: `-P${years}Y` })),
  );
  const asked = fc.oneof(
    fc.tuple(fc.constantFrom("before", "after", "onOrBefore", "onOrAfter"), operand),
    fc.tuple(fc.constantFrom("ageAtLeast", "ageBelow"), fc.nat(110)),
  );
  const near = fc.integer({ min: -1200, max: 1200 });
  fc.assert(
    fc.property(anyDay, near, fc.constantFrom(4, 7), asked, (at, distance, length, [operator, value]) => {
      const today = days[Math.min(Math.max(at + distance, 0), days.length - 1)]!.text;
      const answer = days[at]!.text.slice(0, length);
      const possible = days.filter(({ text }) => text.startsWith(answer)).map(({ text }) => text);
      // Of a month that is not over, some days have no age yet.
      if (operator.startsWith("age") && possible.at(-1)! > today) return;
      const isCertain = possible.every((day) => holds(operator, day, value, today));
      assert.equal(holds(operator, answer, value, today), isCertain, `${answer} ${operator} ${JSON.stringify(value)}`);
    }),
    { numRuns: 1000 },
  );
  assert.deepEqual(
    ["2008", "2008-02", "2008-03", "2026-11"].map((born) => [
      holds("ageAtLeast", born, 18, "2026-03-01"),
      holds("ageBelow", born, 18, "2026-03-01"),
    ]),
    [
      [false, false],
      [true, false],
      // Who was born on the first is 18, the others are 17.
      [false, false],
      [false, false],
    ],
  );
});

test("comparisons that exclude each other hold for no date", () => {
  const asked = new Map([["q", question()]]);
  const day = fc.integer({ min: 40_000, max: 40_060 });
  const leaf = fc.oneof(
    fc
      .tuple(fc.constantFrom("before", "after", "onOrBefore", "onOrAfter"), day, fc.constantFrom(4, 7, 10))
      .map(([operator, at, length]) => ({ questionId: "q", [operator]: days[at]!.text.slice(0, length) })),
    fc
      .tuple(fc.constantFrom("ageAtLeast", "ageBelow"), fc.integer({ min: 0, max: 3 }))
      .map(([operator, years]) => ({ questionId: "q", [operator]: years })),
  );
  const [found, possible] = [new Set<string>(), days.slice(39_000, 41_000)];
  fc.assert(
    fc.property(fc.array(leaf, { minLength: 1, maxLength: 4 }), (all) => {
      if (!neverHolds({ all }, asked)) return;
      found.add(JSON.stringify(all));
      const isFulfilled = ({ text }: Day) =>
        all.every((one) =>
          Object.entries(one).every(([name, value]) => name === "questionId" || holds(name, text, value, "2006-01-01")),
        );
      assert.ok(!possible.some(isFulfilled), JSON.stringify(all));
    }),
    { numRuns: 500 },
  );
  assert.ok(found.size > 50, `${found.size} of them`);
});

test("what is typed in the fields of a date is read, and what is wrong is said of its field", () => {
  const read = (more: Partial<DateQuestion>, ...typed: string[]) => {
    const [year = "", month = "", day = ""] = typed.reverse();
    return dateType.readTyped(question(more), { text: year, chosen: new Set(), parts: { year, month, day } }, ENGLISH);
  };
  const error = (code: string, field: string, isFirst = false) => ({
    error: { code: `date_field_${code}`, field, ...(isFirst ? {} : { part: field }) },
  });
  assert.deepEqual(read({}, "28", "2", "1990"), { raw: "1990-02-28" });
  assert.deepEqual(read({}, " 08 ", "sept.", "1990"), { raw: "1990-09-08" });
  assert.deepEqual(read({}, "8日", "9月", "1990年"), { raw: "1990-09-08" });
  assert.deepEqual(read({}, "٢٨", "٢", "١٩٩٠"), { raw: "1990-02-28" });
  assert.deepEqual(read({}, "", " ", ""), { raw: null });
  assert.deepEqual(read({}, "31", "2", "1990"), { raw: "1990-02-31" });
  assert.deepEqual(read({}, "", "2", "1990"), error("empty", "day", true));
  assert.deepEqual(read({}, "28", "", "1990"), error("empty", "month"));
  assert.deepEqual(read({}, "28", "2", ""), error("empty", "year"));
  assert.deepEqual(read({}, "32", "2", "1990"), error("wrong", "day", true));
  assert.deepEqual(read({}, "1.5", "2", "1990"), error("wrong", "day", true));
  assert.deepEqual(read({}, "28", "13", "1990"), error("wrong", "month"));
  assert.deepEqual(read({}, "28", "ju", "1990"), error("wrong", "month"));
  assert.deepEqual(read({}, "28", "2", "90"), error("wrong", "year"));
  assert.deepEqual(read({ precision: "MONTH" }, "2", "1990"), { raw: "1990-02" });
  assert.deepEqual(read({ precision: "MONTH" }, "", "1990"), error("empty", "month", true));
  assert.deepEqual(read({ precision: "YEAR" }, "1990"), { raw: "1990" });
  assert.deepEqual(read({ precision: "YEAR" }, "last"), error("wrong", "year", true));
});

test("a limit is typed in words in the builder, and shown in the same ones", () => {
  for (const [typed, value, shown = typed] of [
    ["", null],
    ["1990-02-28", "1990-02-28"],
    ["today", { today: "P0D" }],
    ["18 years ago", { today: "-P18Y" }],
    ["1 year and 6 months ago", { today: "-P1Y6M" }],
    ["In 3  months", { today: "P3M" }, "in 3 months"],
    ["2 weeks, 1 day ago", { today: "-P2W1D" }, "2 weeks and 1 day ago"],
    ["-p18y", { today: "-P18Y" }, "18 years ago"],
    // What is no limit is refused by the service, in the words in which it was typed.
    ["soon", "soon"],
    ["1 year and 2 years ago", "1 year and 2 years ago"],
  ] as const) {
    assert.deepEqual(typedLimit.read(typed), value, typed);
    assert.equal(typedLimit.show(value), shown);
  }
});
