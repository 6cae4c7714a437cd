// How many rows of people's data each caller is shown in pages of JSON: many are a bulk view, which leaves an event as a file does. Each process
// counts for itself.

import { LRUCache } from "lru-cache";

/** From so many rows on, pages with the same filters are a bulk view. */
const FIRST_ROWS = 100;
/** The same for pages whatever their filters: many small ones with other filters each are one, too. */
const FIRST_ROWS_OF_ALL = 1000;
/** The next event of the same view comes when it has so many times the rows. */
const GROWTH = 10;

const HOUR_MS = 3_600_000;
const MAX_VIEWS = 10_000;

interface View {
  rows: number;
  /** There is an event from so many rows on. */
  next: number;
}

/** A view that has become large. */
interface BulkView {
  /** So far, within an hour of its first row. */
  rows: number;
  /** It could not be recorded: the next page tries again. */
  takeBack(): void;
}

/** Counts the rows of views for an hour each. */
export class Views {
  readonly #views = new LRUCache<string, View>({ max: MAX_VIEWS, ttl: HOUR_MS });

  /**
   * Counts the rows of a page. @param viewer who looks at which list @param filters of the page @returns undefined: no event is due
   */
  add(viewer: string, filters: string, rows: number): BulkView | undefined {
    const views = [this.#view(`${viewer}\n${filters}`, FIRST_ROWS), this.#view(viewer, FIRST_ROWS_OF_ALL)];
    for (const view of views) view.rows += rows;
    const due = views.filter((view) => view.rows >= view.next);
    if (!due.length) return undefined;
    const before = due.map((view) => ({ view, next: view.next }));
    for (const view of due) while (view.next <= view.rows) view.next *= GROWTH;
    return {
      rows: Math.max(...due.map((view) => view.rows)),
      takeBack() {
        for (const { view, next } of before) view.next = next;
      },
    };
  }

  #view(key: string, next: number): View {
    const known = this.#views.get(key);
    if (known) return known;
    const view = { rows: 0, next };
    this.#views.set(key, view);
    return view;
  }
}
