// Times of a schedule, as cron has them: five fields, in UTC. Minute, hour, day of the month, month, day of the week (0 and 7 are Sunday), each
// `*`, a number, a range, or a list of them, with a step or without. Names and signs of other programs (`L`, `#`, `@daily`) are not read.

const FIELDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

const DAY_MS = 24 * 3_600_000;
/** The 29th of February may be eight years away. */
const MAX_DAYS = 8 * 366;

/** The numbers of each field, in order. */
export interface Schedule {
  minutes: readonly number[];
  hours: readonly number[];
  days: readonly number[];
  months: readonly number[];
  weekdays: readonly number[];
  /** As in cron: where both are restricted, the day of the month or that of the week is enough. */
  isEither: boolean;
}

/** @returns undefined: it is none, or there is no such day */
export function readSchedule(text: string): Schedule | undefined {
  const parts = text.trim().split(/\s+/);
  const fields = FIELDS.map((range, index) => readField(parts[index] ?? "", range));
  const [minutes, hours, days, months, weekdays] = fields;
  if (parts.length !== FIELDS.length || !minutes || !hours || !days || !months || !weekdays) return undefined;
  const schedule = { minutes, hours, days, months, weekdays, isEither: parts[2] !== "*" && parts[4] !== "*" };
  return lastTime(schedule, Date.now()) === undefined ? undefined : schedule;
}

// A field has `1-5`, a step behind a slash, or `0,30`.
/** @returns the numbers in order; undefined: it is none of that */
function readField(text: string, [min, max]: readonly [number, number]): number[] | undefined {
  const found = new Set<number>();
  for (const part of text.split(",")) {
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
    if (!match) return undefined;
    const [, from, to, step] = match;
    const first = from === undefined ? min : Number(from);
    const last = to !== undefined ? Number(to) : from !== undefined && step === undefined ? first : max;
    const by = Number(step ?? 1);
    if (first < min || last > max || first > last || by === 0) return undefined;
    for (let one = first; one <= last; one += by) found.add(one);
  }
  return [...found].sort((a, b) => a - b);
}

/** @param day midnight, in UTC */
function isOn({ days, months, weekdays, isEither }: Schedule, day: Date): boolean {
  if (!months.includes(day.getUTCMonth() + 1)) return false;
  const isOfMonth = days.includes(day.getUTCDate());
  const isOfWeek = weekdays.includes(day.getUTCDay()) || (day.getUTCDay() === 0 && weekdays.includes(7));
  return isEither ? isOfMonth || isOfWeek : isOfMonth && isOfWeek;
}

/** The last time of a schedule that is not after `now`; both in ms since 1970. */
export function lastTime(schedule: Schedule, now: number): number | undefined {
  const { minutes, hours } = schedule;
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  for (let day = today; day > today - MAX_DAYS * DAY_MS; day -= DAY_MS) {
    if (!isOn(schedule, new Date(day))) continue;
    for (const hour of hours.toReversed())
      for (const minute of minutes.toReversed()) {
        const at = day + (hour * 60 + minute) * 60_000;
        if (at <= now) return at;
      }
  }
  return undefined;
}
