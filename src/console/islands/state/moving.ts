// What is said when something has been moved, and where the focus stays; and what is moved to another page.

import { signal } from "@preact/signals";
import type { Item } from "../../../nouns/content/content.ts";
import { onPage } from "../drafts/edits.ts";
import { change, content, focusOn, shownPage } from "./draft.ts";
import { foldOf, unfold } from "./unfolding.ts";

/** What screen readers say next. */
export const said = signal("");

/** @param to its position now, from 0 on */
export function announceMove(about: string, to: number, of: number): void {
  said.value = `Moved ${about} to position ${to + 1} of ${of}.`;
}

/** Moves a question, or a text between questions, to the end of another page, and shows it there. @param name what it is called */
export function moveToPage(item: Item, name: string, pageId: string): void {
  change(onPage(content.value, item, pageId));
  shownPage.value = pageId;
  unfold(pageId, item.id);
  focusOn(foldOf(item.id));
  said.value = `Moved ${name} to page ${content.value.pages.findIndex(({ id }) => id === pageId) + 1}.`;
}

/** The element keeps the focus, which a browser takes away from what is moved in the page. */
export function keepFocus(element: HTMLElement): void {
  requestAnimationFrame(() => setTimeout(() => element.focus()));
}
