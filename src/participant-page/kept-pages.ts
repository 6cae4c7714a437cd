// Pages as everybody gets them who has not answered them yet: rendered once, and kept. Nothing of a person is in what is kept, nor in its key.

import { LRUCache } from "lru-cache";
import { isByChance } from "../nouns/content/order.ts";
import { NOTHING_TYPED } from "../nouns/question-types/form.ts";
import { NOTHING_FILLED } from "../nouns/question-types/markup/plain.ts";
import { typeOf } from "../nouns/question-types/registry.ts";
import { filled, type Own, type Parts, partsOf, SLOTS } from "./assets/slots.ts";
import type { PageView } from "./page-view.ts";
import { type PageProps, renderQuestionPage } from "./question-page.tsx";

/** In bytes, of all that are kept together, and of one. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
const MAX_PAGE_BYTES = 1024 * 1024;

const kept = new LRUCache<string, Parts>({
  maxSize: MAX_KEPT_BYTES,
  maxEntrySize: MAX_PAGE_BYTES,
  sizeCalculation: (parts, key) => parts.reduce((sum, { length }) => sum + length, key.length),
});

/** The page, whole or in pieces. @param propsAt how it is rendered for a person, or with the slots */
export function renderedPage(own: Own, propsAt: (own: Own) => PageProps): Buffer | Promise<Buffer | string[]> {
  const key = keyOf(propsAt(SLOTS));
  if (key === undefined) return renderQuestionPage(propsAt(own));
  const parts = kept.get(key);
  return parts ? filled(parts, own) : keep(key, own, propsAt);
}

async function keep(key: string, own: Own, propsAt: (own: Own) => PageProps): Promise<Buffer> {
  const parts = partsOf((await renderQuestionPage(propsAt(SLOTS))).join(""));
  kept.set(key, parts);
  return filled(parts, own);
}

/** Members that are the same for all who see a page of a publication in a language, that are looked at before, or that are filled in. */
type Apart =
  | ("markup" | "wording" | "asShown" | "languages" | "version")
  | ("typed" | "errors" | "fill" | "joining" | "carried" | "update")
  | ("today" | "shownAt");

/** All that the page depends on. Undefined: that is a person, too. */
function keyOf({ view, later, ...frame }: PageProps): string | undefined {
  const { publication, page, items, questions, typed, errors, fill, joining, carried, update, speech, today } = view;
  if (publication === undefined || !page || joining || update || carried.length || errors.size) return undefined;
  if (fill !== NOTHING_FILLED || later?.state || isByChance(page)) return undefined;
  if (questions.some((question) => typed(question) !== NOTHING_TYPED)) return undefined;
  const { title, followUps, number, total, language, isLast, hasBack, isBusy, isUnsure } = view;
  const shown: Record<Exclude<keyof PageView, Apart>, unknown> = {
    publication,
    page: page.id,
    items: items.map(({ id }) => id),
    // What they say of their limits may depend on the day.
    questions: questions.map((question) => typeOf(question).limitsText(question, speech, today)),
    // The workspace's own words are others when they change.
    speech: speech.serial,
    title,
    followUps,
    number,
    total,
    language,
    isLast,
    hasBack,
    isBusy,
    isUnsure,
  };
  return JSON.stringify([frame, Boolean(later), shown]);
}
