// Turns: one slice of a streamed list in each round of the event loop, however many lists are streamed at once.

import { setImmediate } from "node:timers/promises";

export class Turns {
  #last = Promise.resolve();

  /** Resolves in a round of the event loop that nobody else has. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}
