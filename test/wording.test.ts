// The words of a content in a person's language: which texts there are, and what stands in for one that is not translated.

import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalLanguage, directionOf, fallbacksOf } from "../src/languages/tags.ts";
import type { Content } from "../src/nouns/content/content.ts";
import {
  outcomeString,
  pageString,
  questionString,
  quotaString,
  stringsOf,
  THANK_YOU,
  TITLE,
} from "../src/nouns/content/strings.ts";
import { type LanguageAttributes, nearestOf, Wording } from "../src/nouns/content/wording.ts";

const common = { key: null, helpText: null, required: false, showWhen: null };
const CONTENT: Content = {
  pages: [
    {
      _type: "ScreenerPage",
      id: "p",
      title: "About you",
      description: null,
      showWhen: null,
      disqualifyWhen: null,
      questions: [
        {
          _type: "ScreenerSingleSelectQuestion",
          id: "q",
          ...common,
          prompt: "Which?",
          options: [
            { id: "t", text: "Tea" },
            { id: "m", text: "Milk" },
          ],
          allowsWriteIn: false,
        },
        {
          _type: "ScreenerScaleQuestion",
          id: "s",
          ...common,
          prompt: "How?",
          helpText: "Guess.",
          look: "NUMBERS",
          from: 1,
          to: 5,
          lowLabel: "Badly",
          highLabel: null,
        },
      ],
    },
  ],
  qualifyWhen: null,
  thankYou: "Thanks",
  thankYouByOutcome: { QUALIFIED: "Good" },
  quotas: [
    {
      id: "c",
      name: "Women",
      when: null,
      mode: "LIMIT",
      limit: 1,
      ending: { at: "NOW", thankYou: "Full", redirect: null },
    },
  ],
};

/** In the order in which a translator reads them. */
const STRINGS = [
  [TITLE, "/title", "Tea study"],
  [pageString("p", "title"), "/pages/0/title", "About you"],
  [questionString("q", "prompt"), "/pages/0/questions/0/prompt", "Which?"],
  [questionString("q", "option", "t"), "/pages/0/questions/0/options/0/text", "Tea"],
  [questionString("q", "option", "m"), "/pages/0/questions/0/options/1/text", "Milk"],
  [questionString("s", "prompt"), "/pages/0/questions/1/prompt", "How?"],
  [questionString("s", "helpText"), "/pages/0/questions/1/helpText", "Guess."],
  [questionString("s", "lowLabel"), "/pages/0/questions/1/lowLabel", "Badly"],
  [THANK_YOU, "/thankYou", "Thanks"],
  [outcomeString("QUALIFIED"), "/thankYouByOutcome/QUALIFIED", "Good"],
  [quotaString("c"), "/quotas/0/ending/thankYou", "Full"],
];

test("every text that people read has an id and a position, and nothing else has", () => {
  const strings = stringsOf(CONTENT, "Tea study");
  assert.deepEqual(strings.map(({ id, pointer, text }) => [id, pointer, text]).sort(), STRINGS.toSorted());
});

test("a person reads the nearest language, and of each text that lacks there the next one, with its own direction", () => {
  const wording = new Wording(CONTENT, [
    { language: "ar", texts: { "question/q/prompt": "أي؟", "question/q/option/t": "شاي" } },
    { language: "fr", texts: { "question/q/prompt": "Lequel ?", "question/q/option/m": "Lait", thankYou: "Merci" } },
  ]);
  const [which, how] = wording.content(CONTENT).pages[0]!.questions;
  assert.ok(which?._type === "ScreenerSingleSelectQuestion" && how && "prompt" in how);
  assert.equal(wording.language, "ar");
  assert.deepEqual(
    [which.prompt, ...which.options.map(({ text }) => text), how.prompt],
    ["أي؟", "شاي", "Lait", "How?"],
  );
  assert.equal(wording.endings(CONTENT).thankYou, "Merci");
  const attributes: LanguageAttributes[] = [
    questionString("q", "prompt"),
    questionString("q", "option", "m"),
    questionString("s", "prompt"),
  ].map((id) => wording.attributesOf(id));
  assert.deepEqual(attributes, [
    { lang: "ar", dir: "rtl" },
    { lang: "fr", dir: "ltr" },
    // A content that does not say its language.
    { lang: "", dir: "auto" },
  ]);
  const named = new Wording({ ...CONTENT, language: "de-AT" });
  assert.deepEqual(named.attributesOf(THANK_YOU), { lang: "de-AT", dir: "ltr" });
  assert.equal(named.content(CONTENT), CONTENT);
});

test("languages stand in for each other as their readers expect", () => {
  const cases: [wanted: string, base: string, languages: string[], nearest: string[]][] = [
    ["de-AT", "en", ["de", "de-AT", "fr"], ["de-AT", "de"]],
    ["de-AT", "en", ["de-DE", "fr"], []],
    ["de-CH", "de", ["fr"], []],
    ["de-CH", "de", ["de-CH"], ["de-CH"]],
    ["zh-TW", "en", ["zh", "zh-Hant"], ["zh-Hant"]],
    ["zh", "en", ["zh-Hans", "zh-Hant"], ["zh-Hans"]],
    ["en-GB", "en", ["en-US"], []],
    ["no language", "en", ["en-US"], []],
  ];
  for (const [wanted, base, languages, nearest] of cases)
    assert.deepEqual(nearestOf(wanted, base, languages), nearest, wanted);
  assert.deepEqual(fallbacksOf("sr-Latn"), ["sr-Latn", "sr-Latn-RS"]);
  assert.equal(canonicalLanguage("AR-eg-u-nu-latn"), "ar-EG");
  assert.deepEqual(["ar", "he", "fa", "ur", "de", "ja", "az-Arab"].map(directionOf), [
    "rtl",
    "rtl",
    "rtl",
    "rtl",
    "ltr",
    "ltr",
    "rtl",
  ]);
});
