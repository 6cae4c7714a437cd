// What a name, an email or an id looks like in a text: parts of regular expressions (flag `v`) over folded texts (fold.ts).
//
// Endings: many languages change the end of a name (Иванова, Ивановой; Virtanen, Virtaselle), some put letters before it
// (Arabic, Hebrew) or behind it (Korean), and some write without spaces (Japanese, Chinese, Thai).

import { fold, lowerOf } from "../../db/sqlite/fold.ts";

/** Scripts without spaces between words. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
/** Scripts that put short words before a name without a space. */
const PREFIXED = "\\p{Script=Arabic}\\p{Script=Hebrew}";
const MARKS = "\\p{M}'";

/** The dictionaries of all these scripts are one. Made when it is needed: that takes 10 ms. */
let segmenter: Intl.Segmenter | undefined;

const isUnspaced = new RegExp(`[${UNSPACED}]`, "v");
const isPrefixed = new RegExp(`[${PREFIXED}]`, "v");
const isHangul = /\p{Script=Hangul}/u;
const isLatin = /[\p{Script=Latin}\p{Nd}]/u;
const isCased = /\p{Lu}|\p{Ll}/u;
const isLetter = /[\p{L}\p{N}]/u;
const isVowel = /[aeiouyаеиоуыэюяьй]/u;

/** What may not stand beside a word that begins or ends with this sign. */
function neighbours(sign: string): string {
  if (!isLetter.test(sign) || isUnspaced.test(sign)) return "";
  if (isLatin.test(sign)) return "[\\p{Script=Latin}\\p{Nd}]";
  if (isHangul.test(sign)) return "\\p{Script=Hangul}";
  return `[[\\p{L}\\p{N}]--[\\p{Script=Latin}${UNSPACED}\\p{Script=Hangul}]]`;
}

const notBefore = (sign: string) => (neighbours(sign) ? `(?<!${neighbours(sign)})` : "");
const notBehind = (sign: string) => (neighbours(sign) ? `(?!${neighbours(sign)})` : "");

/** A text as it is: an email or an externalUid. @param isCut something follows that is not known */
export function literal(text: string, isCut = false): string {
  const signs = [...text];
  return notBefore(signs[0]!) + escaped(text) + (isCut ? "" : notBehind(signs.at(-1)!));
}

/** How a word of a name may end. NONE: as it is. SUFFIX: letters may follow. STEM: also the last letters of the word may differ. */
type Endings = "NONE" | "SUFFIX" | "STEM";

/** A word of a name, folded. */
function word(text: string, endings: Endings): string {
  const signs = [...text];
  const n = signs.length;
  const last = signs.at(-1)!;
  const before = isPrefixed.test(text) ? "(?<![\\p{L}\\p{N}])[وفبلكسהבולמשכ]{0,2}(?:ال)?" : notBefore(signs[0]!);
  if (isHangul.test(text)) return `${before}${escaped(text)}\\p{Script=Hangul}{0,4}${notBehind(last)}`;
  if (isPrefixed.test(text)) return `${before}${escaped(text)}\\p{L}{0,3}(?![\\p{L}\\p{N}])`;
  if (n < 4 || endings === "NONE") return `${before}${escaped(text)}(?:'?s)?${notBehind(last)}`;
  const kept = endings === "SUFFIX" ? n : Math.max(3, n - 3);
  return `${before}${escaped(signs.slice(0, kept).join(""))}[\\p{L}${MARKS}]{0,${n - kept + 5}}${notBehind(last)}`;
}

/** A part of a name that stands alone: only where it begins with a capital letter, in scripts that have them. */
function lonePart(text: string): string | undefined {
  const signs = [...text];
  const n = signs.length;
  if (!isCased.test(text)) {
    if (isHangul.test(text) ? n < 2 : n < 4) return undefined;
    return word(lowerOf(text), "SUFFIX");
  }
  if (n < 3) return undefined;
  const [first, ...rest] = signs;
  const last = lowerOf(rest.at(-1)!);
  const kept = n === 3 || !(isVowel.test(last) || n > 4) ? rest : rest.slice(0, -1);
  const more = n === 3 ? "(?:'?s)?" : `[\\p{L}${MARKS}]{0,${n > 4 ? 5 : 3}}`;
  return `${notBefore(first!)}${escaped(first!.toUpperCase())}(?i:${escaped(kept.join(""))})${more}${notBehind(last)}`;
}

/** A name that is written without spaces, or with them. */
function unspaced(name: string): string {
  return [...name.replaceAll(/[\s・·=]+/gu, "")].map(escaped).join("[\\s・·=]?");
}

/** What a name looks like. Those over lower case, and those over both cases. */
export interface NamePatterns {
  lower: string[];
  cased: string[];
  /** In scripts without spaces: found between the borders of words. */
  words: Word[];
}

/** A whole name of two signs needs a border of a word at one end, a part of a name at both. */
export interface Word {
  text: string;
  isWhole: boolean;
}

const WORD_ENDS = /[\s,;()"]+/u;

/** How a whole name, in the order of its words or the other way round, looks. In prose its words may be inflected. */
export function wholeName(name: string, endings: Endings): NamePatterns {
  const none: NamePatterns = { lower: [], cased: [], words: [] };
  const folded = fold(name).trim();
  if (isUnspaced.test(folded)) {
    const letters = [...folded.replaceAll(/[\s・·=]+/gu, "")].length;
    if (letters < 2) return none;
    if (letters === 2) return { ...none, words: [{ text: lowerOf(folded).replaceAll(/\s+/gu, ""), isWhole: true }] };
    return { ...none, lower: [unspaced(lowerOf(folded))] };
  }
  const words = folded.split(WORD_ENDS).filter(Boolean);
  if (words.length < 2)
    return isHangul.test(folded) && folded.length > 2 ? { ...none, lower: [word(folded, endings)] } : none;
  const isShort = words.every((one) => [...one].length < 4);
  const orders = [words, words.toReversed()];
  const join = (shape: (one: string) => string) => orders.map((order) => order.map(shape).join("[^\\p{L}\\p{N}]{1,3}"));
  // "An Li" is in "an lithe idea" or "an li".
  if (isShort && words.some((one) => isCased.test(one)))
    return {
      ...none,
      cased: join(
        (one) =>
          `${notBefore(one[0]!)}${escaped(one[0]!.toUpperCase())}(?i:${escaped(one.slice(1))})(?:'?s)?${notBehind(one.at(-1)!)}`,
      ),
    };
  // A question may have the words of a name, too: "How old are you?" is no mention of How Old.
  if (endings === "SUFFIX" && words.some((one) => isCased.test(one)))
    return { ...none, cased: orders.map((order) => order.map(asName).join("[^\\p{L}\\p{N}]{1,3}")) };
  return { ...none, lower: join((one) => word(lowerOf(one), endings)) };
}

/** A word of a name where it can be nothing else: the first one and the last one begin with a capital letter. */
function asName(text: string, index: number, words: readonly string[]): string {
  const [first = "", ...rest] = text;
  const isBorder = index === 0 || index === words.length - 1;
  const begin = isBorder && isCased.test(first) ? escaped(first.toUpperCase()) : `(?i:${escaped(first)})`;
  const more = text.length < 4 ? "(?:'?s)?" : `[\\p{L}${MARKS}]{0,5}`;
  return `${notBefore(first)}${begin}(?i:${escaped(rest.join(""))})${more}${notBehind(text.at(-1)!)}`;
}

/** How the words of a name look where they stand alone. */
export function loneParts(name: string): NamePatterns {
  const folded = fold(name).trim();
  if (isUnspaced.test(folded)) {
    const parts = folded.split(/[\s・·=]+/u).filter((part) => [...part].length > 1);
    return {
      lower: [],
      cased: [],
      words: parts.length > 1 ? parts.map((part) => ({ text: lowerOf(part), isWhole: false })) : [],
    };
  }
  const words = folded.split(WORD_ENDS).filter(Boolean);
  const isLower = folded === lowerOf(folded);
  // As "van" and "de": words of the language.
  const own = words.filter((one) => isLower || lowerOf(one[0]!) !== one[0] || !isCased.test(one[0]!));
  return { lower: [], cased: own.flatMap((one) => lonePart(one) ?? []), words: [] };
}

/** Finds words of scripts without spaces. @returns where they are */
export function findWords(lower: string, words: readonly Word[]): Range[] {
  const found = words.flatMap(({ text, isWhole }) =>
    [...lower.matchAll(new RegExp(escaped(text), "gv"))].map(({ index }) => ({
      index,
      end: index + text.length,
      isWhole,
    })),
  );
  if (!found.length) return [];
  const borders = new Set([lower.length]);
  segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
  for (const { index } of segmenter.segment(lower)) borders.add(index);
  return found.flatMap(({ index, end, isWhole }) => {
    const [begins, ends] = [borders.has(index), borders.has(end)];
    return (isWhole ? begins || ends : begins && ends) ? [[index, end] as const] : [];
  });
}

/** From a position up to another. */
export type Range = readonly [start: number, end: number];

function escaped(text: string): string {
  return RegExp.escape(text);
}
