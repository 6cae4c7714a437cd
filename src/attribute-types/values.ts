// Reads values of attributes by their types, as files and programs write them.

import type { AttributeValue } from "../base/attributes.ts";
import type { AttributeType } from "./resource.ts";

export const DECIMALS = ["POINT", "COMMA"] as const;

/** The sign before decimals in a file. */
export type Decimals = (typeof DECIMALS)[number];

export const DATE_ORDERS = ["YMD", "DMY", "MDY"] as const;

/** In which order a file writes a day's year, month and day. */
export type DateOrder = (typeof DATE_ORDERS)[number];

/** How a file writes numbers and days. */
export interface Notation {
  decimals: Decimals;
  dates: DateOrder;
}

/** A value as it is kept; or what is wrong with it. */
type Read = { value: AttributeValue } | { message: string };

/** @param notation of a file; undefined: there is none. A text has a point before decimals, and a day is `1990-02-28` */
export function readValue(raw: unknown, { type, values = [] }: AttributeType, notation: Notation | undefined): Read {
  switch (type) {
    case "TEXT":
      return typeof raw === "string" || isPlain(raw) ? { value: String(raw) } : { message: "must be a text" };
    case "NUMBER":
      return readNumber(raw, notation?.decimals);
    case "DATE":
      return readDay(raw, notation?.dates ?? "YMD");
    case "BOOLEAN":
      return readBoolean(raw);
    case "CHOICE": {
      const text = String(raw).trim().toLowerCase();
      const value =
        isPlain(raw) || typeof raw === "string" ? values.find((one) => one.toLowerCase() === text) : undefined;
      return value === undefined ? { message: `must be one of ${listed(values)}` } : { value };
    }
  }
}

const isPlain = (raw: unknown) => typeof raw === "number" || typeof raw === "boolean";

const GROUPED = { POINT: /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/, COMMA: /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/ };
const SIMPLE = { POINT: /^[+-]?\d+(?:\.\d+)?$/, COMMA: /^[+-]?\d+(?:,\d+)?$/ };
const OTHER = { POINT: "COMMA", COMMA: "POINT" } as const;

function readNumber(raw: unknown, given: Decimals | undefined): Read {
  const decimals = given ?? "POINT";
  if (typeof raw === "number" && Number.isFinite(raw)) return { value: raw };
  const typed = typeof raw === "string" ? raw.trim() : "";
  // Nearly all are as simple as that.
  const text = SIMPLE[decimals].test(typed) ? typed : withoutSpaces(typed);
  if (text.length <= MAX_NUMBER_LENGTH && (SIMPLE[decimals].test(text) || GROUPED[decimals].test(text))) {
    const plain = decimals === "POINT" ? text.replaceAll(",", "") : text.replaceAll(".", "").replace(",", ".");
    const value = Number(plain);
    if (Number.isFinite(value)) return { value };
  }
  const isOther = SIMPLE[OTHER[decimals]].test(text);
  const hint = given
    ? `if the file has ${decimals === "POINT" ? "commas" : "points"} before decimals, say so`
    : "decimals come after a point";
  return { message: `must be a number, because the attribute is a NUMBER${isOther ? `; ${hint}` : ""}` };
}

const MAX_NUMBER_LENGTH = 100;

/** Without the spaces and apostrophes that some have between thousands. */
function withoutSpaces(text: string): string {
  return text.length > MAX_NUMBER_LENGTH ? text : text.replaceAll(/(?<=\d)[\s'\u2019](?=\d{3}(?!\d))/g, "");
}

const EXAMPLES = { YMD: "1990-02-28", DMY: "28.02.1990", MDY: "02/28/1990" };
const ORDERED = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

function readDay(raw: unknown, order: DateOrder): Read {
  const text = typeof raw === "string" ? raw.trim() : "";
  const [, first = "", , second = "", year] = ORDERED.exec(text) ?? [];
  const [day, month] = order === "DMY" ? [first, second] : [second, first];
  const iso = order === "YMD" || !year ? text : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (isDay(iso)) return { value: iso };
  const hint = order === "YMD" && year ? "; if the file begins with the day or the month, say so" : "";
  return { message: `must be a date such as ${EXAMPLES[order]}, because the attribute is a DATE${hint}` };
}

function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12) return false;
  // The day before the first of the next month.
  return day >= 1 && (day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate());
}

const BOOLEANS: Record<string, boolean> = { true: true, yes: true, "1": true, false: false, no: false, "0": false };

function readBoolean(raw: unknown): Read {
  const value = isPlain(raw) || typeof raw === "string" ? BOOLEANS[String(raw).trim().toLowerCase()] : undefined;
  return value === undefined ? { message: "must be true or false, because the attribute is a BOOLEAN" } : { value };
}

/** How many values a message names. */
const MAX_NAMED = 10;

function listed(values: readonly string[]): string {
  const named = values.slice(0, MAX_NAMED).map((value) => JSON.stringify(value));
  const more = values.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
