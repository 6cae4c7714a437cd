// Numbers as people write them: in the digits of any script, with a comma or a point before decimals, and with or
// without separators between thousands.

import { withoutThreeDecimals } from "./plain-number.ts";

const DECIMAL = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;
const GROUPED =
  /^(?<whole>[+-]?[1-9]\d{0,2}(?:(?<mark>[ '.,])\d{3})(?:\k<mark>\d{3})*)(?:(?<point>(?!\k<mark>)[.,])(?<decimals>\d+))?$/;

/** Enough for every number that we keep. */
const MAX_TYPED_LENGTH = 100;

type TypedError =
  | { code: "not_number"; wholeNumber: boolean }
  | { code: "ambiguous_number"; readings: [string, string] };

/** Reads a typed number; null if nothing was typed. Two possible meanings are an error: we don't guess. */
export function readTypedNumber(typed: string, wholeNumber: boolean): { raw: number | null } | { error: TypedError } {
  const notNumber = { error: { code: "not_number", wholeNumber } } as const;
  if (typed.length > MAX_TYPED_LENGTH) return notNumber;
  const text = inAscii(typed);
  if (!text) return { raw: null };
  const { whole = "", mark = "", decimals } = GROUPED.exec(text)?.groups ?? {};
  const grouped = whole.replaceAll(mark, "");
  const isDecimal = DECIMAL.test(text);
  if (grouped && isDecimal && !wholeNumber) {
    const decimal = text.replace(",", ".").replace(/\.?0+$/, "");
    return { error: { code: "ambiguous_number", readings: [grouped, withoutThreeDecimals(decimal)] } };
  }
  if (grouped) return { raw: Number(decimals === undefined ? grouped : `${grouped}.${decimals}`) };
  return isDecimal ? { raw: Number(text.replace(",", ".")) } : notNumber;
}

/** The same text in ASCII: digits and separators of any script are replaced, invisible characters removed. */
export function inAscii(typed: string): string {
  // Nearly all answers: a form has many fields, and what follows looks through each of them eight times.
  if (!/[^ -~]/.test(typed)) return typed.trim();
  return (
    typed
      .replaceAll(/\p{Cf}/gu, "")
      .replaceAll(/\p{Zs}/gu, " ")
      .trim()
      .replaceAll(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
      .replaceAll(/(?![0-9])\p{Nd}/gu, asciiDigit)
      .replaceAll("\u2212", "-")
      .replaceAll(/[\u066C\u2019]/g, "'")
      // The Arabic decimal separator is only used before decimals: three digits after it are not thousands.
      .replace(/\u066B(\d*)$/, (_, decimals: string) => `.${decimals}${decimals.length === 3 ? "0" : ""}`)
  );
}

/** A digit in ASCII. The digits 0 to 9 of a script are neighbours. Outside the BMP, scripts are, too, so we don't guess. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  if (code > 0xffff) return digit;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCharCode(code - value - 1))) value++;
  return String(value);
}
