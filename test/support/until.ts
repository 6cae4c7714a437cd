// Waits for a condition, never for a fixed time.

/** Resolves with the first value of `look` that is not falsy. Rejects with `what` after `ms`. */
export async function until<T>(look: () => T | Promise<T>, what: string, ms = 30_000): Promise<NonNullable<T>> {
  const begin = performance.now();
  for (;;) {
    const value = await look();
    if (value) return value;
    const waited = performance.now() - begin;
    if (waited > ms) throw new Error(`Waited ${ms} ms in vain until ${what}.`);
    // To look takes time from those who are waited for.
    await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(10, waited / 25), 40)));
  }
}
