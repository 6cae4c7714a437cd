// Two people change a draft at once: what comes out when both versions are brought together, for random changes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moved, onPage } from "../src/console/islands/drafts/edits.ts";
import { conflictsIn, merged, withOnly } from "../src/console/islands/drafts/merge.ts";
import type { Side } from "../src/console/islands/drafts/sides.ts";
import { type Content, EMPTY_CONTENT, type Item, type Page } from "../src/nouns/content/content.ts";
import { KILLS_SEED, seeded } from "./support/seeded.ts";

const draw = seeded("draft-merge");
const upTo = (limit: number) => Math.floor(draw() * limit);
let made = 0;

const question = (): Item =>
  ({ _type: "ScreenerTextQuestion", id: `q${++made}`, prompt: `Prompt ${made}`, required: false }) as unknown as Item;
const pageOf = (questions: Item[]): Page => ({
  ...{ _type: "ScreenerPage", id: `p${++made}`, title: null, description: null, showWhen: null, disqualifyWhen: null },
  questions,
});
const draft = (): Content => ({
  ...EMPTY_CONTENT,
  pages: Array.from({ length: 3 }, () => pageOf(Array.from({ length: 3 }, question))),
});

const edited = (content: Content, at: number, edit: (items: Item[]) => Item[]): Content => ({
  ...content,
  pages: content.pages.map((page, index) => (index === at ? { ...page, questions: edit(page.questions) } : page)),
});

/** One change of somebody. */
function changed(content: Content): Content {
  const { pages } = content;
  const at = upTo(pages.length);
  const { id, questions } = pages[at] ?? pageOf([]);
  const index = upTo(questions.length);
  const item = questions[index];
  switch (upTo(8)) {
    case 0:
      return edited(content, at, (items) => [...items, question()]);
    case 1:
      return { ...content, pages: pages.toSpliced(at, 0, pageOf([question()])) };
    case 2:
      return pages.length > 1 ? { ...content, pages: pages.toSpliced(at, 1) } : content;
    case 3:
      return { ...content, pages: moved(pages, at, upTo(pages.length) - at) };
  }
  if (!item) return content;
  switch (upTo(4)) {
    case 0:
      return edited(content, at, (items) => items.with(index, { ...item, prompt: `Prompt ${++made}` } as Item));
    case 1:
      return edited(content, at, (items) => items.toSpliced(index, 1));
    case 2:
      return edited(content, at, (items) => moved(items, index, upTo(items.length) - index));
  }
  const other = pages[upTo(pages.length)]!;
  return other.id === id ? content : onPage(content, item, other.id);
}

const after = (content: Content, changes: number): Content =>
  Array.from({ length: changes }).reduce<Content>((before) => changed(before), content);
const questionsOf = ({ pages }: Content) => pages.flatMap(({ questions }) => questions.map(({ id }) => id));

test(`whatever two people change, nothing is there twice, and nothing is lost that nobody removed (${KILLS_SEED})`, () => {
  for (let round = 0; round < 1000; round++) {
    const base = draft();
    const [ours, theirs] = [after(base, upTo(5)), after(base, upTo(5))];
    const versions = { base, ours, theirs };
    const conflicts = conflictsIn(versions);
    const chosen = new Map<string, Side>(conflicts.map((key) => [key, draw() < 0.5 ? "ours" : "theirs"]));
    const both = merged(versions, chosen);
    const found = questionsOf(both);
    const shown = JSON.stringify({ base, ours, theirs, both });
    assert.equal(new Set(found).size, found.length, shown);
    const isIn = (content: Content) => new Set(questionsOf(content));
    const [before, here, there] = [isIn(base), isIn(ours), isIn(theirs)];
    // A page that one has removed, and the other one has changed, is chosen as a whole.
    const pages = ({ pages: all }: Content) => new Set(all.map(({ id }) => id));
    const kept = pages(ours).intersection(pages(theirs));
    const removed = pages(base).difference(kept);
    const atStake = new Set(
      [base, ours, theirs]
        .flatMap((one) => one.pages.filter(({ id }) => removed.has(id)).flatMap(({ questions }) => questions))
        .map(({ id }) => id),
    );
    for (const id of new Set([...before, ...here, ...there])) {
      const isRemoved = before.has(id) && !(here.has(id) && there.has(id));
      if (!isRemoved && !atStake.has(id)) assert.ok(found.includes(id), `${id} is lost: ${shown}`);
    }
    for (const key of conflicts) for (const side of ["ours", "theirs"] as const) withOnly(versions, key, side);
    // Where only one has changed something, it is as that one has it.
    assert.deepEqual(merged({ base, ours, theirs: base }, new Map()), ours);
    assert.deepEqual(merged({ base, ours: base, theirs }, new Map()), theirs);
    assert.deepEqual(conflictsIn({ base, ours, theirs: base }), []);
  }
});

test("a question that one has moved to another page, and the other one has changed, is there as it was changed", () => {
  const base = draft();
  const [item] = base.pages[0]!.questions;
  const ours = onPage(base, item!, base.pages[1]!.id);
  const theirs = edited(base, 0, (items) => items.with(0, { ...item!, prompt: "Theirs" } as Item));
  assert.deepEqual(conflictsIn({ base, ours, theirs }), []);
  const { pages } = merged({ base, ours, theirs }, new Map());
  assert.deepEqual(pages[1]!.questions.at(-1), { ...item, prompt: "Theirs" });
  assert.ok(!pages[0]!.questions.some(({ id }) => id === item!.id));
});

test("where both have changed an order, or have moved a question to different pages, one of both is chosen", () => {
  const base = draft();
  const { id, questions } = base.pages[0]!;
  const order = (content: Content) => content.pages[0]!.questions.map((one) => one.id);
  const ours = edited(base, 0, (items) => moved(items, 0, 2));
  const theirs = edited(base, 0, (items) => moved(items, 2, -1));
  assert.deepEqual(conflictsIn({ base, ours, theirs }), [`o:${id}`]);
  const chosen = (side: Side) => order(merged({ base, ours, theirs }, new Map([[`o:${id}`, side]])));
  assert.deepEqual([chosen("ours"), chosen("theirs")], [order(ours), order(theirs)]);
  const elsewhere = {
    base,
    ours: onPage(base, questions[0]!, base.pages[1]!.id),
    theirs: onPage(base, questions[0]!, base.pages[2]!.id),
  };
  assert.deepEqual(conflictsIn(elsewhere), [`l:${questions[0]!.id}`]);
  const kept = merged(elsewhere, new Map([[`l:${questions[0]!.id}`, "theirs"]]));
  assert.deepEqual(
    kept.pages.map((page) => page.questions.length),
    [2, 3, 4],
  );
});
