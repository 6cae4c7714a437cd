// The relay's connections that nobody uses: no more messages are SENDING in a process than it has connections for.

export class FreeConnections {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes one as soon as it is free, in turn; and others that nobody waits for. @returns how many: `max` at most */
  async take(max: number): Promise<number> {
    if (this.#free) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const others = this.#waiting.length ? 0 : Math.min(max - 1, this.#free);
    this.#free -= others;
    return 1 + others;
  }

  give(count: number): void {
    for (let left = count; left > 0; left--) {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
