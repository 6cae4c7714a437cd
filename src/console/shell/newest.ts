// Pages of lists that have the oldest first, read from their end.

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
