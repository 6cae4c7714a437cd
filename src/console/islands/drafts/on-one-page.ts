// Questions that somebody has moved to another page, where somebody else has changed the draft meanwhile.

import type { Content, Item, Page } from "../../../nouns/content/content.ts";
import { type Each, type Pick, sideOf } from "./sides.ts";

/**
 * The same versions, in which each question that all have is on one page: the one to which it was moved. So it can be compared there, and is
 * never on two pages.
 */
export function onOnePage(versions: Each<Content>, pick: Pick): Each<Content> {
  const pages = { base: pagesOf(versions.base), ours: pagesOf(versions.ours), theirs: pagesOf(versions.theirs) };
  let all = versions;
  for (const [id, base] of pages.base) {
    const [ours, theirs] = [pages.ours.get(id), pages.theirs.get(id)];
    if (!ours || !theirs) continue;
    const on = { base, ours, theirs };
    const side = sideOf(`l:${id}`, on, pick);
    const wanted = on[side];
    const model = versions[side].pages.find((page) => page.id === wanted)!;
    const placed = (version: Content, now: string) => (now === wanted ? version : withItemOn(version, id, model));
    all = { base: placed(all.base, base), ours: placed(all.ours, ours), theirs: placed(all.theirs, theirs) };
  }
  return all;
}

/** The pages of the questions, by their ids. */
function pagesOf({ pages }: Content): Map<string, string> {
  return new Map(pages.flatMap((page) => page.questions.map(({ id }) => [id, page.id])));
}

/** A draft with a question on another page, after what it follows in the model of that page. A page that the draft lacks is added. */
function withItemOn({ pages, ...content }: Content, itemId: string, model: Page): Content {
  const item = pages.flatMap(({ questions }) => questions).find(({ id }) => id === itemId)!;
  const without = pages.map((page) => ({ ...page, questions: page.questions.filter(({ id }) => id !== itemId) }));
  const all = without.some(({ id }) => id === model.id) ? without : [...without, { ...model, questions: [] }];
  const before = model.questions
    .slice(
      0,
      model.questions.findIndex(({ id }) => id === itemId),
    )
    .map(({ id }) => id);
  return { ...content, pages: all.map((page) => (page.id === model.id ? withItemAfter(page, item, before) : page)) };
}

/** @param before the ids of what it follows, the last of which is there counts */
function withItemAfter(page: Page, item: Item, before: readonly string[]): Page {
  const after = page.questions.findLastIndex(({ id }) => before.includes(id));
  return { ...page, questions: page.questions.toSpliced(after + 1, 0, item) };
}
