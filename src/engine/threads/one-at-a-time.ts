// Does work one after the other that would take all threads, or too much memory, if it ran side by side.

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

/** Starts work, unless work with this key is under way. It never rejects. */
export function unlessRunning(work: (key: string) => Promise<void>): (key: string) => void {
  const running = new Set<string>();
  return (key) => {
    if (running.has(key)) return;
    running.add(key);
    work(key).finally(() => running.delete(key));
  };
}
