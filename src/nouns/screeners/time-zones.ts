// Time zones by their IANA names: which there are, and what time and day it is in one.

/** What Intl still calls by a former name, and the name that it has now. */
const RENAMED: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/** The time zone of the service itself, and of studies that have not chosen one. */
export const UTC = "UTC";

const DAY_MS = 24 * 3_600_000;

/** All time zones, by name. */
export function timeZones(): string[] {
  return [UTC, ...Intl.supportedValuesOf("timeZone").map(presentName)];
}

/** The name of a time zone as IANA has it, whatever the case; of a former name the present one. Undefined: there is none. */
export function timeZoneOf(name: string): string | undefined {
  // Intl also takes offsets, which know nothing of summer time.
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    return presentName(new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone);
  } catch {
    return undefined;
  }
}

function presentName(name: string): string {
  return RENAMED[name] ?? name;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The time that clocks show in a time zone, as `2026-01-31T12:00:00`. @param at ISO-8601, or milliseconds since 1970 */
export function clockTime(timeZone: string, at: string | number): string {
  let format = formats.get(timeZone);
  if (!format) {
    // Swedish writes dates as ISO-8601 does.
    format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
    formats.set(timeZone, format);
  }
  return format.format(new Date(at)).replace(" ", "T").padStart("2026-01-31T12:00:00".length, "0");
}

/** The day that it is in a time zone, as `2026-01-31`. @param at ISO-8601, or milliseconds since 1970 */
export function dayIn(timeZone: string, at: string | number): string {
  return clockTime(timeZone, at).slice(0, "2026-01-31".length);
}

/** The day that it is, worked out when somebody first asks for it. @param timeZone its name */
export function todayOf(timeZone: () => string, at: string | number): () => string {
  let day: string | undefined;
  return () => {
    day ??= dayIn(timeZone(), at);
    return day;
  };
}

/**
 * When clocks of a time zone show a time, as ISO-8601 in UTC. Of two such times the first. A time that the clocks leave out in spring is
 * taken as if they had not been put forward. Undefined: it is no time. @param clock such as `2026-01-31T12:00`
 */
export function instantIn(timeZone: string, clock: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/.test(clock)) return undefined;
  const shown = Date.parse(`${clock}Z`);
  if (Number.isNaN(shown)) return undefined;
  // By the offsets of the day before and of the day after: between them the clocks change once at most.
  const [before, after] = [shown - DAY_MS, shown + DAY_MS].map((at) => shown - offsetAt(timeZone, at)) as [
    number,
    number,
  ];
  const isShown = (at: number) => at + offsetAt(timeZone, at) === shown;
  const found = [before, after].filter(isShown);
  return new Date(found.length ? Math.min(...found) : before).toISOString();
}

/** A time with its time zone, as pages show it. */
export function withZone(time: string, timeZone: string): string {
  return timeZone === UTC ? `${time} ${UTC}` : `${time} (${timeZone})`;
}

/** How far clocks of a time zone are ahead of UTC, in ms. */
function offsetAt(timeZone: string, at: number): number {
  const second = Math.floor(at / 1000) * 1000;
  return Date.parse(`${clockTime(timeZone, second)}Z`) - second;
}
