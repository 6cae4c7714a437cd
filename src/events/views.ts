// How many rows of people's data each caller is shown in pages of JSON: many are a bulk view, which leaves an event as a file does. Each process
// counts for itself, and anew when it starts.

import { LRUCache } from "lru-cache";

/** From so many rows on, pages with the same filters are a bulk view. */
const FIRST_ROWS = 100;
/** The same for pages with any filters: many small ones with other filters each are one, too. */
const FIRST_ROWS_OF_ALL = 1000;
/** The next event of the same view comes when it has so many times the rows. */
const GROWTH = 10;

const HOUR_MS = 3_600_000;
const MAX_VIEWERS = 10_000;
/** Of each viewer. What has other filters than so many is counted with all alone. */
const MAX_FILTERS = 20;

interface View {
  rows: number;
  /** There is an event from so many rows on. */
  next: number;
}

/** What a viewer has been shown of a list, by what the filters were; `all` is all of it. */
interface Viewed {
  all: View;
  byFilters: Map<string, View>;
}

/** A view that has become large. */
interface BulkView {
  /** So far, within an hour of the first row. */
  rows: number;
  /** Whether the pages had several filters. */
  isMixed: boolean;
  /** It could not be recorded: the next page tries again. */
  takeBack(): void;
}

/** Counts the rows of views for an hour each. */
export class Views {
  readonly #viewed = new LRUCache<string, Viewed>({ max: MAX_VIEWERS, ttl: HOUR_MS });

  /**
   * Counts the rows of a page. @param viewer who looks at which list @param filters of the page; of bounded length, as they are kept
   * @returns those of which an event is due
   */
  add(viewer: string, filters: string, rows: number): BulkView[] {
    const { all, byFilters } = this.#viewedBy(viewer);
    if (!byFilters.has(filters) && byFilters.size < MAX_FILTERS) byFilters.set(filters, { rows: 0, next: FIRST_ROWS });
    const same = byFilters.get(filters);
    all.rows += rows;
    if (same) same.rows += rows;
    const bulk = [...(same ? dueOf(same, false) : []), ...dueOf(all, true)];
    // Where all pages had the same filters, one event says it.
    return same?.rows === all.rows ? bulk.filter(({ isMixed }) => !isMixed) : bulk;
  }

  #viewedBy(viewer: string): Viewed {
    const known = this.#viewed.get(viewer);
    if (known) return known;
    const viewed: Viewed = { all: { rows: 0, next: FIRST_ROWS_OF_ALL }, byFilters: new Map() };
    this.#viewed.set(viewer, viewed);
    return viewed;
  }
}

function dueOf(view: View, isMixed: boolean): BulkView[] {
  const { rows, next } = view;
  if (rows < next) return [];
  let later = next;
  while (later <= rows) later *= GROWTH;
  view.next = later;
  const takeBack = () => {
    // Unless there was another one since.
    if (view.next === later) view.next = next;
  };
  return [{ rows, isMixed, takeBack }];
}
