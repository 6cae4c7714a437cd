// Has work done one after the other: what would take all threads, or too much memory, side by side.

export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work when all earlier work with this key has ended. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.get(key)?.then(work, work) ?? work();
    this.#last.set(key, result);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === result) this.#last.delete(key);
    }
  }
}
