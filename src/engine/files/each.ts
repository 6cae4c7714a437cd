// Upkeep repeats work for many workspaces or files. A failure of one must not stop the others.

/** Calls the function for each, also after a failure. @throws the first error, at the end */
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
