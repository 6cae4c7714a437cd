// Turns: all streamed lists together read one slice in each round of the event loop.

import { setImmediate } from "node:timers/promises";

export class Turns {
  #last = Promise.resolve();

  /** Each call resolves in another round of the event loop. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}
