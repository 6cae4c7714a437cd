// A language as the participants' pages speak it: its words, and how it writes numbers and dates. It is made once for a language.

import { type Direction, directionOf } from "../languages/tags.ts";
import type { CountedKey, Forms, PlainKey, ValuesFor, Words } from "./words.ts";

/** A part of a date. */
export type DatePart = "day" | "month" | "year";

/** The attributes of an element with a text that is not the page's own. */
export interface TextAttributes {
  /** Missing: that of what is around it. Empty: it is not known. */
  lang?: string;
  dir?: Direction | "auto";
}

/** Of a text whose language nobody knows. */
export const UNKNOWN: TextAttributes = { lang: "", dir: "auto" };

type Values = Readonly<Record<string, string | number>>;

/** As years, months and days. Gregorian, because all dates that we ask for are. */
const CALENDAR = { calendar: "gregory", timeZone: "UTC" } as const;

let made = 0;

export class Speech {
  /** Another one has another number, because its words may be others. */
  readonly serial = made++;
  /** BCP 47. */
  readonly language: string;
  readonly #words: Words;
  /** What of `Intl` has been used: each takes a process 5 to 20 ms when it is the first of its kind. */
  #localeTag: string | undefined;
  #direction: Direction | undefined;
  #numberFormat: Intl.NumberFormat | undefined;
  #cardinal: Intl.PluralRules | undefined;
  #ordinal: Intl.PluralRules | undefined;
  readonly #formats = new Map<string, Intl.DateTimeFormat>();
  #lists: Intl.ListFormat | undefined;
  #months: readonly (readonly string[])[] | undefined;

  constructor(language: string, words: Words) {
    this.language = language;
    this.#words = words;
  }

  get dir(): Direction {
    this.#direction ??= directionOf(this.language);
    return this.#direction;
  }

  get #locale(): string {
    this.#localeTag ??= localeOf(this.language);
    return this.#localeTag;
  }

  get #numbers(): Intl.NumberFormat {
    // More digits than any number here has. No groups: a number is typed as it is shown.
    this.#numberFormat ??= new Intl.NumberFormat(this.#locale, { useGrouping: false, maximumFractionDigits: 100 });
    return this.#numberFormat;
  }

  #rules(isOrdinal: boolean): Intl.PluralRules {
    if (isOrdinal) this.#ordinal ??= new Intl.PluralRules(this.#locale, { type: "ordinal" });
    else this.#cardinal ??= new Intl.PluralRules(this.#locale);
    return (isOrdinal ? this.#ordinal : this.#cardinal)!;
  }

  /** One of the page's own texts. */
  say<Key extends PlainKey>(key: Key, ...[values]: ValuesFor<Key>): string {
    return this.#filled(this.#words[key] as string, values);
  }

  /** One of them that depends on a number. */
  count<Key extends CountedKey>(key: Key, count: number, ...[values]: ValuesFor<Key>): string {
    const forms = this.#words[key] as Forms & { ordinal?: true };
    const rule = this.#rules(forms.ordinal ?? false).select(count);
    return this.#filled(forms[rule] ?? forms.other, { count, ...(values as Values | undefined) });
  }

  /** What stands before and after the only value of a text. */
  around(key: PlainKey): [before: string, after: string] {
    const [before = "", after = ""] = (this.#words[key] as string).split(/\{\w+\}/);
    return [before, after];
  }

  /** A number as the language writes it, so that it can be typed like that. */
  number(number: number): string {
    // Most numbers are such, and all languages write them alike here.
    return Number.isSafeInteger(number) && number >= 0 ? String(number) : this.#numbers.format(number);
  }

  /** The sign before decimals. */
  get decimalSign(): string {
    return this.#numbers.formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";
  }

  /** Several things after each other: `Tea, Coffee`. */
  list(items: readonly string[]): string {
    this.#lists ??= new Intl.ListFormat(this.#locale, { type: "unit", style: "short" });
    return this.#lists.format(items);
  }

  /** A day, a month or a year in words. @param date such as `1990-02-28`, `1990-02`, `1990` */
  date(date: string): string {
    const parts = { year: "numeric", month: "long", day: "numeric" } as const;
    return this.#shownDate(date, parts);
  }

  /** The same in digits, in the order in which the fields stand. */
  shortDate(date: string): string {
    const parts = { year: "numeric", month: "numeric", day: "numeric" } as const;
    return this.#shownDate(date, parts)
      .replaceAll(/\p{Cf}/gu, "")
      .replaceAll(/(?<!\d)0(?=\d)/g, "");
  }

  /** A moment, on the clocks of a time zone. */
  moment(at: Date, timeZone: string): string {
    return new Intl.DateTimeFormat(this.#locale, {
      ...CALENDAR,
      dateStyle: "full",
      timeStyle: "short",
      timeZone,
    }).format(at);
  }

  /** Some parts of a date in the order in which the language has them. */
  inOrder<Part extends DatePart>(parts: readonly Part[]): Part[] {
    const order = this.#format({ year: "numeric", month: "2-digit", day: "2-digit" })
      .formatToParts(0)
      .map(({ type }) => type as string);
    return parts.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  }

  /** The month with a name, or with a name that begins so, if there is only one. 1 is January. */
  monthNamed(typed: string): number | undefined {
    const name = folded(typed);
    this.#months ??= Array.from({ length: 12 }, (_, month) => this.#namesOf(month));
    const months = this.#months;
    const isSo = (matches: (month: string) => boolean) =>
      months.flatMap((names, index) => (names.some(matches) ? [index + 1] : []));
    const [exact] = isSo((month) => month === name);
    if (exact !== undefined) return exact;
    const begun = name.length >= MIN_MONTH_LENGTH ? isSo((month) => month.startsWith(name)) : [];
    return begun.length === 1 ? begun[0] : undefined;
  }

  #filled(text: string, values: Values | undefined): string {
    if (!values) return text;
    return text.replaceAll(/\{(\w+)\}/g, (found, name: string) => {
      const value = values[name];
      if (value === undefined) return found;
      return typeof value === "number" ? this.number(value) : this.#apart(value);
    });
  }

  /** A text that may read the other way: what is around it keeps its order. */
  #apart(text: string): string {
    return (this.dir === "rtl" ? LEFT_TO_RIGHT : RIGHT_TO_LEFT).test(text) ? `\u2068${text}\u2069` : text;
  }

  #shownDate(date: string, parts: Intl.DateTimeFormatOptions): string {
    const [year, month, day] = date.split("-");
    const { day: dayStyle, month: monthStyle, ...rest } = parts;
    const shown = {
      ...rest,
      ...(month !== undefined && { month: monthStyle }),
      ...(day !== undefined && { day: dayStyle }),
    };
    return this.#format(shown).format(Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1)));
  }

  #format(parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const key = JSON.stringify(parts);
    let format = this.#formats.get(key);
    if (!format) {
      format = new Intl.DateTimeFormat(this.#locale, { ...CALENDAR, ...parts });
      this.#formats.set(key, format);
    }
    return format;
  }

  /** What a month is called: alone, in a date, and shortened. */
  #namesOf(month: number): string[] {
    const at = Date.UTC(2000, month, 15);
    const styles = ["long", "short"] as const;
    return styles.flatMap((style) =>
      [{ month: style }, { month: style, day: "numeric" } as const].map((parts) => {
        const found = this.#format(parts)
          .formatToParts(at)
          .find(({ type }) => type === "month");
        return folded(found?.value ?? "");
      }),
    );
  }
}

/** Of the beginning of a month's name. */
const MIN_MONTH_LENGTH = 3;

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
const LEFT_TO_RIGHT = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/** How `Intl` is asked: digits as those of the scales and of authors; and English as it is written here. */
function localeOf(language: string): string {
  return new Intl.Locale(language === "en" ? "en-GB" : language, { numberingSystem: "latn" }).toString();
}

/** Without case, accents and points, as people may type it. */
function folded(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll(/[\p{M}\p{Cf}.]/gu, "")
    .toLowerCase()
    .trim();
}
