// Pages of lists that have the oldest first, read from their end, or from their beginning.

import { offsetOf } from "./request.ts";

/**
 * A page with the newest first. @param read a page of the list. @param filters as in a URL
 * @returns it, and the query that it was read with
 */
export async function newestOf<Item>(
  read: (query: string) => Promise<{ total: number; items: Item[] }>,
  filters: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; limit: number; offset: number; items: Item[]; query: string }> {
  const filtered = filters && `&${filters}`;
  const { total } = await read(`pagination[limit]=1${filtered}`);
  const end = Math.max(total - offset, 0);
  const start = Math.max(end - limit, 0);
  const query = `pagination[limit]=${end - start || limit}&pagination[offset]=${end ? start : total}${filtered}`;
  const { items } = await read(query);
  return { total, limit, offset, items: items.reverse(), query };
}

/** As `sort` says it in an address. */
type TimeOrder = "createdAt" | "-createdAt";

/** The order of a list by time. */
export interface Order {
  sort: TimeOrder;
  /** What addresses of its pages have; empty: nothing. */
  kept: string;
}

interface Listed<Item> {
  total: number;
  limit: number;
  offset: number;
  items: Item[];
  /** That it was read with. */
  query: string;
  order: Order;
}

/** A page of a list by time, in the order that the address asks for. @param usual the order where it asks for none */
export async function byTime<Item>(
  read: (query: string) => Promise<{ total: number; items: Item[] }>,
  filters: string,
  { query, limit, usual = "-createdAt" }: { query: URLSearchParams; limit: number; usual?: TimeOrder },
): Promise<Listed<Item>> {
  const limits = { limit, offset: offsetOf(query, limit) };
  const sort: TimeOrder = query.get("sort") === turned(usual) ? turned(usual) : usual;
  // In an address only what is not usual.
  const order = { sort, kept: sort === usual ? "" : sort };
  if (sort === "-createdAt") return { ...(await newestOf(read, filters, limits)), order };
  const sent = `pagination[limit]=${limit}&pagination[offset]=${limits.offset}${filters && `&${filters}`}`;
  const { total, items } = await read(sent);
  return { total, ...limits, items, query: sent, order };
}

function turned(order: TimeOrder): TimeOrder {
  return order === "createdAt" ? "-createdAt" : "createdAt";
}
