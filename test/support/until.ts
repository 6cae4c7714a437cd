// Waits for a condition, never for a fixed time.

/** Resolves with the first value of `look` that is not falsy. Rejects with `what` after `ms`. */
export async function until<T>(look: () => T | Promise<T>, what: string, ms = 30_000): Promise<NonNullable<T>> {
  const deadline = performance.now() + ms;
  for (;;) {
    const value = await look();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`Waited ${ms} ms in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
