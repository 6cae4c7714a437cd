// Numbers as people write them: in the digits of their script, with a comma or a point for decimals, and with or without
// something between thousands.

import { type Checked, checkNumber, skipped } from "../screener-content/answers.ts";
import type { NumericQuestion } from "../screener-content/content.ts";

const DECIMAL = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;
const GROUPED =
  /^(?<whole>[+-]?[1-9]\d{0,2}(?:(?<mark>[ '.,])\d{3})(?:\k<mark>\d{3})*)(?:(?<point>(?!\k<mark>)[.,])(?<decimals>\d+))?$/;

/** No number that we keep takes more to write. */
const MAX_TYPED_LENGTH = 100;

/** Checks what was typed for a numeric question. What could be meant in two ways is not guessed at. */
export function checkTypedNumber(question: NumericQuestion, typed: string): Checked {
  if (typed.length > MAX_TYPED_LENGTH) return { message: "must be a number" };
  const text = plain(typed);
  if (!text) return skipped(question);
  const { whole = "", mark = "", decimals } = GROUPED.exec(text)?.groups ?? {};
  const grouped = whole.replaceAll(mark, "");
  const isDecimal = DECIMAL.test(text);
  if (grouped && isDecimal && !question.wholeNumber) {
    return { message: `may be read as ${grouped} or as ${unmistakable(text.replace(",", "."))}` };
  }
  if (grouped) return checkNumber(question, Number(decimals === undefined ? grouped : `${grouped}.${decimals}`));
  return isDecimal ? checkNumber(question, Number(text.replace(",", "."))) : { message: "must be a number" };
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
