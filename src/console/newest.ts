// Pages of lists that have the oldest first, read from their end.

import type { Calls, Listed } from "./calls.ts";

/**
 * A page with the newest first. @param filters as in a URL
 * @returns it, and the query that it was read with
 */
export async function newestOf<Item>(
  calls: Calls,
  operationId: string,
  filters: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Listed<Item> & { query: string }> {
  const filtered = filters && `&${filters}`;
  const { total } = await calls.get<Listed<Item>>(operationId, { query: `pagination[limit]=1${filtered}` });
  const end = Math.max(total - offset, 0);
  const start = Math.max(end - limit, 0);
  const query = `pagination[limit]=${end - start || limit}&pagination[offset]=${end ? start : total}${filtered}`;
  const { items } = await calls.get<Listed<Item>>(operationId, { query });
  return { total, limit, offset, items: items.reverse(), query };
}
