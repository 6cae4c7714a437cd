// How studies are found: by words of their titles, in an order, and among the archived ones.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ScreenerOrder, WantedScreeners } from "../../nouns/screeners/queries.ts";

/** What an address of the list asks for. */
export type AskedStudies = Pick<WantedScreeners, "words" | "isArchived" | "order">;

const ORDERS: Record<ScreenerOrder, string> = { newest: "Newest", title: "Title", answered: "Last answer" };

/** The address of the list. */
export function addressOf(base: string, { words, isArchived, order }: AskedStudies): string {
  const query = new URLSearchParams({ ...(words && { q: words }), ...(order !== "newest" && { sort: order }) });
  if (isArchived) query.set("archived", "");
  return `${base}/console/studies${query.size ? `?${query}` : ""}`;
}

/** The search, and the orders. A few studies need neither. */
export function Finding({ base, asked, total }: { base: string; asked: AskedStudies; total: number }): VNode | null {
  if (total < 2 && asked.words === "" && !asked.isArchived) return null;
  return (
    <>
      {asked.isArchived && (
        <p>
          These studies are archived. <a href={`${base}/console/studies`}>Back to the studies in use</a>
        </p>
      )}
      <search>
        <form class="choose" method="get" action={`${base}/console/studies`}>
          <div>
            <label for="q">Title</label>
            <input
              class="entry"
              type="search"
              id="q"
              name="q"
              value={clean(asked.words)}
              autocomplete="off"
              dir="auto"
            />
          </div>
          {asked.order !== "newest" && <input type="hidden" name="sort" value={asked.order} />}
          {asked.isArchived && <input type="hidden" name="archived" value="" />}
          <button class="button" type="submit">
            Search
          </button>
        </form>
      </search>
      <nav aria-label="Sort by">
        <ul class="orders">
          <li aria-hidden="true">Sort by</li>
          {Object.entries(ORDERS).map(([order, name]) => (
            <li key={order}>
              <a
                href={addressOf(base, { ...asked, order: order as ScreenerOrder })}
                aria-current={order === asked.order ? "true" : undefined}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}
