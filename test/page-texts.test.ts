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
