// Numbers as people write them: in the digits of their script, with a comma or a point for decimals, and with or without
// something between thousands.

import type { AnswerError } from "./errors.ts";

const DECIMAL = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;
const GROUPED =
  /^(?<whole>[+-]?[1-9]\d{0,2}(?:(?<mark>[ '.,])\d{3})(?:\k<mark>\d{3})*)(?:(?<point>(?!\k<mark>)[.,])(?<decimals>\d+))?$/;

/** No number that we keep takes more to write. */
const MAX_TYPED_LENGTH = 100;

/** Reads what was typed for a number; null where it is nothing. What could be meant in two ways is not guessed at. */
export function readTypedNumber(typed: string, wholeNumber: boolean): { raw: number | null } | { error: AnswerError } {
  const notNumber = { error: { code: "not_number", limits: { wholeNumber } } } as const;
  if (typed.length > MAX_TYPED_LENGTH) return notNumber;
  const text = plain(typed);
  if (!text) return { raw: null };
  const { whole = "", mark = "", decimals } = GROUPED.exec(text)?.groups ?? {};
  const grouped = whole.replaceAll(mark, "");
  const isDecimal = DECIMAL.test(text);
  if (grouped && isDecimal && !wholeNumber)
    return { error: { code: "ambiguous_number", readings: [grouped, unmistakable(text.replace(",", "."))] } };
  if (grouped) return { raw: Number(decimals === undefined ? grouped : `${grouped}.${decimals}`) };
  return isDecimal ? { raw: Number(text.replace(",", ".")) } : notNumber;
}

/** A number in digits and nothing else, so that what is shown can be sent again. */
export function plainNumber(number: number): string {
  const text = number.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 100 });
  // Three decimals could be taken for thousands.
  return /\.\d{3}$/.test(text) ? `${text}0` : text;
}

/** A decimal number with three decimals, written so that they can't be taken for thousands. */
function unmistakable(decimal: string): string {
  const shorter = decimal.replace(/\.?0+$/, "");
  return /\.\d{3}$/.test(shorter) ? `${shorter}0` : shorter;
}

/** The same in ASCII: digits of any script, and the signs that go with them, but none that can't be seen. */
function plain(typed: string): string {
  return (
    typed
      .replaceAll(/\p{Cf}/gu, "")
      .replaceAll(/\p{Zs}/gu, " ")
      .trim()
      .replaceAll(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
      .replaceAll(/(?![0-9])\p{Nd}/gu, worthOf)
      .replaceAll("\u2212", "-")
      .replaceAll(/[\u066C\u2019]/g, "'")
      // A sign that stands before decimals only: three of them are no thousands.
      .replace(/\u066B(\d*)$/, (_, decimals: string) => `.${decimals}${decimals.length === 3 ? "0" : ""}`)
  );
}

/** What a digit is worth, in ASCII: those of a script stand in a row, from 0 to 9. Beyond the BMP several rows touch. */
function worthOf(digit: string): string {
  const code = digit.codePointAt(0)!;
  if (code > 0xffff) return digit;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCharCode(code - value - 1))) value++;
  return String(value);
}
