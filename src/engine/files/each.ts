// Upkeep does a thing for each of many. One that fails must not keep the others from it.

/** Performs it for each, also after one that fails. @throws the first error, at the end */
export function forEach<Item>(items: Iterable<Item>, perform: (item: Item) => void): void {
  let failed: { error: unknown } | undefined;
  for (const item of items) {
    try {
      perform(item);
    } catch (error) {
      failed ??= { error };
    }
  }
  if (failed) throw failed.error;
}
