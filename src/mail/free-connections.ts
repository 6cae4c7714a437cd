// The relay's connections that nobody uses: no more messages are SENDING in a process than it has connections for.

import { setTimeout as sleep } from "node:timers/promises";

/** Who gets a connection waits so long for the others, which may be about to be free: to claim four at once costs little more than one. */
const GATHER_MS = 5;
const MAX_GATHERS = 3;

export class FreeConnections {
  readonly #all: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#all = count;
    this.#free = count;
  }

  /** Takes one as soon as it is free, in turn; and others that nobody waits for. @returns how many: `max` at most */
  async take(max: number): Promise<number> {
    if (this.#free) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const wanted = Math.min(max, this.#all) - 1;
    for (let n = 0; n < MAX_GATHERS && this.#free < wanted; n++) await sleep(GATHER_MS);
    const others = this.#waiting.length ? 0 : Math.min(wanted, this.#free);
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
