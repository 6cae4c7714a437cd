// The languages that the participants' pages speak.

import { fallbacksOf } from "../languages/tags.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { ja } from "./ja.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";
import { Speech } from "./speech.ts";
import { tr } from "./tr.ts";
import type { Words } from "./words.ts";
import { zhHans } from "./zh-hans.ts";

/** By BCP 47. */
export const WORDS: Readonly<Record<string, Words>> = { en, de, fr, es, pt, it, nl, pl, tr, ar, ja, "zh-Hans": zhHans };

export const ENGLISH = new Speech("en", en);

const MAX_KEPT = 1000;

const speeches = new Map<string, Speech>([["en", ENGLISH]]);

/** Those of a language, of a more general one, or else English. @param language canonical */
export function wordsIn(language: string): Words {
  const known = fallbacksOf(language).find((one) => Object.hasOwn(WORDS, one));
  return known === undefined ? en : WORDS[known]!;
}

/** How the pages speak a language: in its own words, in those of a more general language, or else in English. @param language canonical */
export function speechIn(language: string): Speech {
  let speech = speeches.get(language);
  if (!speech) {
    const words = wordsIn(language);
    speech = words === en && !language.startsWith("en") ? ENGLISH : new Speech(language, words);
    if (speeches.size >= MAX_KEPT) speeches.clear();
    speeches.set(language, speech);
  }
  return speech;
}
