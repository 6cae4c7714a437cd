// The words of the participants' pages in each language.

import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptedLanguages, suitingLanguage } from "../src/languages/negotiate.ts";
import { en } from "../src/words/en.ts";
import { speechIn, WORDS } from "../src/words/languages.ts";
import type { Forms } from "../src/words/words.ts";

type Entry = [key: string, text: string | (Forms & { ordinal?: true })];

const LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "nl", "pl", "tr", "ar", "ja", "zh-Hans"];

const entriesOf = (language: string) => Object.entries(WORDS[language]!) as Entry[];

function textsOf(text: Entry[1]): string[] {
  return typeof text === "string" ? [text] : Object.values(text).filter((one) => typeof one === "string");
}

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();

/** What is spelt the same in English. */
const SAME: Record<string, string[]> = {
  de: ["Name"],
  fr: ["Questions", "Page {number} sur {total}", "Contact"],
  es: ["Error", "Error:", "No"],
  it: ["Privacy", "No"],
  nl: ["Privacy", "Contact"],
};

test("every language has the words of the participants' pages, with their values, and none is left in English", () => {
  assert.deepEqual(Object.keys(WORDS), LANGUAGES);
  const english = new Map(entriesOf("en"));
  for (const language of LANGUAGES) {
    assert.deepEqual(Object.keys(WORDS[language]!).sort(), Object.keys(en).sort(), language);
    for (const [key, text] of entriesOf(language)) {
      const [ours] = textsOf(english.get(key)!);
      const named = new Set([...textsOf(english.get(key)!)].flatMap(placeholders));
      for (const one of textsOf(text)) {
        const where = `${language}: ${key}: ${one}`;
        assert.ok(one.trim() === one && one !== "", where);
        for (const name of placeholders(one)) assert.ok(named.has(name), where);
        // “One” and “two” may say the number in words.
        for (const name of named) if (name !== "count") assert.ok(placeholders(one).includes(name), where);
        if (language !== "en") assert.ok(one !== ours || SAME[language]?.includes(one), where);
      }
      const other = typeof text === "string" ? text : text.other;
      assert.deepEqual(placeholders(other), [...named].sort(), `${language}: ${key}`);
    }
  }
});

/** Signs that a language does not use, and those that need a space that does not break. */
const MISSPELT: Record<string, RegExp> = {
  en: /["'„«»]/,
  de: /["'«»]|“(?=[\p{L}\d])|„\s|\s“/u,
  fr: /["'“”„]|(?<!\u00a0):|(?<!\u202f)[?!;]|«(?!\u00a0)|(?<!\u00a0)»/,
  es: /["'“”„]|\s[?!:;]|(?<!¿[^?]*)\?|(?<!¡[^!]*)!/,
  pt: /["'„«»]|\s[?!:;]/,
  it: /["'“”„]|\s[?!:;]/,
  nl: /["'“”„«»]|\s[?!:;]/,
  pl: /["'“«»]|\s[?!:;]/,
  tr: /["„«»]|\s[?!:;]/,
  ar: /["'“”„]|[,;?٪]|\s[؟،؛:]/,
  ja: /["'“”„«»]|[,.;:?!()]|[^\p{ASCII}]\s|\s[^\p{ASCII}]/u,
  "zh-Hans": /["'„«»]|[,;:?!()]|\.(?!\d)/,
};

test("each language has its own signs, and the spaces that they need", () => {
  const misspelt = LANGUAGES.flatMap((language) =>
    entriesOf(language).flatMap(([key, text]) =>
      textsOf(text)
        .map((one) => one.replaceAll(/\{\w+\}/g, "x"))
        .filter((one) => MISSPELT[language]!.test(one))
        .map((one) => `${language}: ${key}: ${one}`),
    ),
  );
  assert.deepEqual(misspelt, []);
});

test("where words depend on a number, each language has all the forms that its whole numbers need", () => {
  const numbers = [...Array(1100).keys(), 10_000, 100_000];
  for (const language of LANGUAGES)
    for (const [key, text] of entriesOf(language)) {
      if (typeof text === "string") continue;
      const rules = new Intl.PluralRules(language, { type: text.ordinal ? "ordinal" : "cardinal" });
      const needed = new Set(numbers.map((number) => rules.select(number)));
      for (const form of needed) assert.ok(text[form], `${language}: ${key}: ${form}`);
      const known = [...rules.resolvedOptions().pluralCategories, "ordinal"];
      for (const form of Object.keys(text)) assert.ok(known.includes(form), `${language}: ${key}: ${form}`);
    }
});

test("numbers, dates and months are those of the language", () => {
  const said = (language: string) => {
    const speech = speechIn(language);
    return [
      speech.number(3.5),
      speech.date("1990-02-28"),
      speech.shortDate("1990-02-28"),
      speech.inOrder(["day", "month", "year"]).join(),
      speech.count("choiceAt", 2),
      speech.dir,
    ];
  };
  assert.deepEqual(said("en"), ["3.5", "28 February 1990", "28/2/1990", "day,month,year", "2nd choice", "ltr"]);
  assert.deepEqual(said("en-US").slice(1, 4), ["February 28, 1990", "2/28/1990", "month,day,year"]);
  assert.deepEqual(said("de"), ["3,5", "28. Februar 1990", "28.2.1990", "day,month,year", "2. Wahl", "ltr"]);
  assert.deepEqual(said("ja"), ["3.5", "1990年2月28日", "1990/2/28", "year,month,day", "2位", "ltr"]);
  assert.deepEqual(said("ar").slice(2), ["28/2/1990", "day,month,year", "الاختيار رقم 2", "rtl"]);
  const months = { de: ["März", "maerz", "dez"], fr: ["févr.", "AOÛT", "jui"], pl: ["lutego", "Luty", "sty"] };
  assert.deepEqual(
    Object.entries(months).flatMap(([language, names]) => names.map((name) => speechIn(language).monthNamed(name))),
    [3, undefined, 12, 2, 8, undefined, 2, 2, 1],
  );
  // A language without words of its own is spoken in English; one of a country in that of the language.
  assert.equal(speechIn("da").language, "en");
  assert.equal(speechIn("de-AT").date("1990-01-01"), "1. Jänner 1990");
  assert.equal(speechIn("zh-CN").say("continue"), "继续");
});

test("an author's text that reads the other way does not turn the sentence around it", () => {
  assert.equal(
    speechIn("en").say("optionAlone", { option: "None" }),
    "Choose “None” alone, or choose others without it",
  );
  assert.match(speechIn("en").say("optionAlone", { option: "لا شيء" }), /“\u2068لا شيء\u2069”/);
  assert.match(speechIn("ar").say("optionAlone", { option: "Netflix" }), /«\u2068Netflix\u2069»/);
});

test("the language that suits best is offered", () => {
  const offered = ["en", "de", "pt-PT", "zh-Hans"];
  const best = (header: string) => suitingLanguage(acceptedLanguages(header), offered);
  assert.equal(best("de-AT,de;q=0.9,en;q=0.8"), "de");
  assert.equal(best("fr;q=0.5, en;q=0.4, de-CH;q=0.9"), "de");
  assert.equal(best("pt-BR"), "pt-PT");
  assert.equal(best("zh-CN"), "zh-Hans");
  assert.equal(best("zh-TW"), undefined);
  assert.equal(best("de;q=0, en"), "en");
  assert.equal(best("*, ,;q=, -, ä"), undefined);
  assert.equal(best("x".repeat(100_000)), undefined);
});
