// Which question of each page is unfolded, and which page is shown: kept while the tab is open, so that coming back leads to where somebody was.

import { effect, signal } from "@preact/signals";
import { content, isOfAll, shownPage } from "./draft.ts";
import { knownId, saves } from "./saving.ts";

/** The question, or the text between questions, in work: by the id of its page. All others are folded. */
export const unfolded = signal<ReadonlyMap<string, string>>(new Map());

export function unfold(pageId: string, itemId: string): void {
  unfolded.value = new Map(unfolded.value).set(pageId, itemId);
}

export function fold(pageId: string): void {
  const rest = new Map(unfolded.value);
  rest.delete(pageId);
  unfolded.value = rest;
}

/** After the draft was loaded again: what is shown is known by the service's ids. */
export function showByKnownIds(): void {
  shownPage.value = knownId(shownPage.value);
  unfolded.value = new Map([...unfolded.value].map(([pageId, itemId]) => [knownId(pageId), knownId(itemId)]));
}

interface Kept {
  page: string;
  unfolded: [pageId: string, itemId: string][];
}

/** Shows what was shown last in this tab, and keeps what is shown from now on. @param path of the study's pages */
export function keepUnfolded(path: string): void {
  const key = `builder ${path}`;
  try {
    const kept: Kept | null = JSON.parse(sessionStorage.getItem(key) ?? "null");
    if (kept) show(kept);
  } catch {
    // A browser may keep nothing, or what another release has kept.
  }
  effect(() => {
    // With it come the ids by which the service knows what is new.
    saves.value;
    const kept: Kept = {
      page: knownId(shownPage.value),
      unfolded: [...unfolded.value].map(([pageId, itemId]) => [knownId(pageId), knownId(itemId)]),
    };
    try {
      sessionStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // Then it is not there the next time.
    }
  });
}

function show(kept: Kept): void {
  const isPage = (id: string) => content.value.pages.some((page) => page.id === id);
  if (isOfAll(kept.page) || isPage(kept.page)) shownPage.value = kept.page;
  unfolded.value = new Map(kept.unfolded);
}

/** The element of a question. */
export const cardOf = (id: string) => `card-${id}`;

/** The button that folds and unfolds it. */
export const foldOf = (id: string) => `${id}-fold`;

/** The field with the text of a question, or of a text between questions. */
export const promptField = (id: string) => `${id}-prompt`;
