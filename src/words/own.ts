// Texts that take the place of single words of a language, by their keys: `continue`; `problems.one` where there is one for each plural form.

import { canonicalLanguage } from "../languages/tags.ts";
import { en } from "./en.ts";
import type { Forms, Words } from "./words.ts";

/** Texts by their keys. */
export type OwnWords = Readonly<Record<string, string>>;

type Text = string | (Forms & { ordinal?: true });

/** The plural forms that a language has. */
function formsOf(language: string, text: Exclude<Text, string>): Intl.LDMLPluralRule[] {
  const known = canonicalLanguage(language) === undefined ? "en" : language;
  const { pluralCategories } = new Intl.PluralRules(known, {
    type: text.ordinal ? "ordinal" : "cardinal",
  }).resolvedOptions();
  return ORDER.filter((form) => pluralCategories.includes(form));
}

const ORDER: readonly Intl.LDMLPluralRule[] = ["zero", "one", "two", "few", "many", "other"];

/** All texts of a language by their keys. A plural form that the words lack has the text of `other`. */
export function textsOf(words: Words, language: string): Map<string, string> {
  return new Map(
    Object.entries(words as Record<string, Text>).flatMap(([key, text]): [string, string][] =>
      typeof text === "string"
        ? [[key, text]]
        : formsOf(language, text).map((form) => [`${key}.${form}`, text[form] ?? text.other]),
    ),
  );
}

/** The words with some texts in place of theirs. Texts with other keys, which a later release may have, are left out. */
export function withOwn(words: Words, own: OwnWords): Words {
  const changed: Record<string, Text> = { ...words };
  for (const [path, text] of Object.entries(own)) {
    const [key = "", form] = path.split(".");
    const before = Object.hasOwn(changed, key) ? changed[key]! : undefined;
    if (form === undefined && typeof before === "string") changed[key] = text;
    if (form !== undefined && typeof before === "object") changed[key] = { ...before, [form]: text };
  }
  return changed as unknown as Words;
}

/** What is wrong with a text for a key; undefined: nothing. It must have the values that the English one has. */
export function faultOfText(path: string, text: string): string | undefined {
  const [key = "", form] = path.split(".");
  const english = (en as Record<string, Text>)[key]!;
  const needed = valuesIn(typeof english === "string" ? english : english.other);
  const found = valuesIn(text);
  // “One question” needs no number.
  const missing = [...needed].find(
    (name) => !found.has(name) && !(name === "count" && form !== undefined && form !== "other"),
  );
  if (missing !== undefined) return `must have {${missing}}`;
  const unknown = [...found].find((name) => !needed.has(name));
  return unknown === undefined ? undefined : `must not have {${unknown}}, which stands for nothing here`;
}

function valuesIn(text: string): Set<string> {
  return new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));
}
