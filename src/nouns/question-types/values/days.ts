// Days, months and years of the Gregorian calendar as texts of ISO 8601, which are in the order of time: `1990-02-28`, `1990-02`, `1990`.

/** How much of a date is known. */
export const PRECISIONS = ["DAY", "MONTH", "YEAR"] as const;
export type Precision = (typeof PRECISIONS)[number];

/** What a date of a precision looks like. */
export const EXAMPLES: Record<Precision, string> = { DAY: "1990-02-28", MONTH: "1990-02", YEAR: "1990" };

/** Of a date of any precision. Years have four digits. */
const DATE_PATTERN = /^[1-9]\d{3}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/;

/** The precision of a date; undefined: it is no date, or none of the calendar. */
export function precisionOf(text: string): Precision | undefined {
  if (!DATE_PATTERN.test(text)) return undefined;
  if (text.length === EXAMPLES.YEAR.length) return "YEAR";
  if (text.length === EXAMPLES.MONTH.length) return "MONTH";
  const [year, month, day] = numbersOf(text);
  return day <= daysIn(year, month) ? "DAY" : undefined;
}

/** The first day of a date of any precision. */
export function firstDay(date: string): string {
  return `${date}-01-01`.slice(0, EXAMPLES.DAY.length);
}

/** The last day of a date of any precision. */
export function lastDay(date: string): string {
  if (date.length === EXAMPLES.DAY.length) return date;
  const [year, month] = date.length === EXAMPLES.MONTH.length ? numbersOf(date) : [Number(date), 12];
  return dayText(year, month, daysIn(year, month));
}

/** A year, its months and days as numbers. What a date lacks is NaN. */
export function numbersOf(date: string): [year: number, month: number, day: number] {
  return [Number(date.slice(0, 4)), Number(date.slice(5, 7) || Number.NaN), Number(date.slice(8, 10) || Number.NaN)];
}

export function dayText(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}`;
}

export const twoDigits = (number: number) => String(number).padStart(2, "0");

export function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/**
 * The whole years that somebody who was born on a day has lived on another day. Who was born on 29 February has a birthday on 1 March in
 * a year without that day. Negative: they are not born yet.
 */
export function ageOn(born: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(born.slice(0, 4));
  return day.slice(4) < born.slice(4) ? years - 1 : years;
}
