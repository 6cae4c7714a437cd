// Languages, as BCP 47 names them.

import { LRUCache } from "lru-cache";
import * as v from "valibot";

/** What content is in that names no language. */
export const DEFAULT_LANGUAGE = "en";

/** `de-at` is `de-AT`. Undefined: it is no language tag. Extensions, such as those for calendars, are left out. */
export function canonicalLanguage(tag: string): string | undefined {
  // Each page asks for some. Longer ones, such as "German", are well formed, but no language has them.
  if (tag.length > MAX_TAG_LENGTH || !/^[a-z]{2,3}(?:-|$)/i.test(tag)) return undefined;
  const known = canonical.get(tag);
  if (known !== undefined) return known || undefined;
  const found = readTag(tag);
  canonical.set(tag, found ?? "");
  return found;
}

const MAX_TAG_LENGTH = 35;
/** By tags as they were sent. Empty: it is none. */
const canonical = new LRUCache<string, string>({ max: 500 });

function readTag(tag: string): string | undefined {
  try {
    const { language, baseName } = new Intl.Locale(tag);
    return language && language.length <= 3 && language !== "und" ? baseName : undefined;
  } catch {
    return undefined;
  }
}

export type Direction = "ltr" | "rtl";

/** @param language canonical */
export function directionOf(language: string): Direction {
  // Not in TypeScript's own types yet.
  const locale = new Intl.Locale(language) as Intl.Locale & { getTextInfo(): { direction?: Direction } };
  return locale.getTextInfo().direction ?? "ltr";
}

/**
 * A language, and the more general ones that stand in for it, the nearest first: `de-AT`, `de`. One in another script is none of them:
 * `zh-TW` has `zh-Hant`, but not `zh`. @param language canonical
 */
export function fallbacksOf(language: string): readonly string[] {
  let chain = chains.get(language);
  if (!chain) {
    chain = fallbacksBy(language);
    if (chains.size >= MAX_CHAINS) chains.clear();
    chains.set(language, chain);
  }
  return chain;
}

/** Each page asks for those of its language, and to make them takes a third of a millisecond. */
const chains = new Map<string, readonly string[]>();
const MAX_CHAINS = 1000;

function fallbacksBy(language: string): string[] {
  const full = new Intl.Locale(language).maximize();
  const named = new Intl.Locale(language);
  const withScript = [named.language, full.script].join("-");
  const candidates = [
    language,
    `${withScript}-${full.region}`,
    withScript,
    `${named.language}-${full.region}`,
    named.language,
  ];
  return [...new Set(candidates.flatMap((tag) => canonicalLanguage(tag) ?? []))].filter(
    (tag) => new Intl.Locale(tag).maximize().script === full.script,
  );
}

export const NO_LANGUAGE = "must be a language such as en, de-AT or zh-Hans";

/** A tag from a caller, made canonical. */
export const languageTag = v.pipe(
  v.string(NO_LANGUAGE),
  v.metadata({
    minLength: 2,
    maxLength: MAX_TAG_LENGTH,
    examples: ["de-AT"],
    description: "A language, as BCP 47 names it",
  }),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const canonical = canonicalLanguage(value.trim());
    if (canonical !== undefined) return canonical;
    addIssue({ message: NO_LANGUAGE });
    return NEVER;
  }),
);
