// The texts that people read on pages: docs/words.txt has all of them, so that a review sees each change of wording.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ROOT } from "../db/root.ts";
import { pageTexts } from "./support/page-texts.ts";

test("docs/words.txt has every text of every page; `npm run words` writes it anew", () => {
  const kept = readFileSync(new URL("docs/words.txt", ROOT), "utf8").trimEnd().split("\n");
  const texts = pageTexts();
  assert.deepEqual(
    [kept.filter((text) => !texts.includes(text)), texts.filter((text) => !kept.includes(text))],
    [[], []],
    "run `npm run words`, and look at what changes",
  );
  assert.deepEqual(kept, texts);
});

test("a number before a noun is said by `counted`: “1 person”, “20,040 people”", () => {
  // No count: maximums, types of questions, and questions that are named.
  const NO_COUNT = /[Aa]t most …|More than …|(?:For|with|Of) … questions/;
  const NOUNS =
    "people|rows|links|questions|studies|places|texts|answers|things|types|quotas|jobs|messages|versions|pages|columns|sessions|attributes|files|workspaces|emails|entries|deliveries|tokens|problems";
  const found = pageTexts().filter((text) => new RegExp(`… (?:${NOUNS})\\b`).test(text) && !NO_COUNT.test(text));
  assert.deepEqual(found, []);
});
