// What is said when something has been moved, and where the focus stays.

import { signal } from "@preact/signals";

/** What screen readers say next. */
export const said = signal("");

/** @param to its position now, from 0 on */
export function announceMove(about: string, to: number, of: number): void {
  said.value = `Moved ${about} to position ${to + 1} of ${of}.`;
}

/** The element keeps the focus, which a browser takes away from what is moved in the page. */
export function keepFocus(element: HTMLElement): void {
  requestAnimationFrame(() => setTimeout(() => element.focus()));
}
