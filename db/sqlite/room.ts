// Limits how many stores are written at the same time: a store that is written can't be closed to make room for another one.

import { setTimeout as sleep } from "node:timers/promises";
import { StoreBusyError } from "./write.ts";

const STEP_MS = 5;

export class Room {
  readonly #max: number;
  /** How many writes wait for the lock of a store or run. */
  readonly #writes = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  isFullFor(id: string): boolean {
    return this.#writes.size >= this.#max && !this.#writes.has(id);
  }

  /** Waits until there is room. @throws StoreBusyError after `waitMs` */
  async wait(id: string, waitMs: number): Promise<void> {
    for (const deadline = performance.now() + waitMs; this.isFullFor(id); await sleep(STEP_MS)) {
      if (performance.now() >= deadline) throw new StoreBusyError();
    }
  }

  enter(id: string): void {
    this.#writes.set(id, (this.#writes.get(id) ?? 0) + 1);
  }

  leave(id: string): void {
    const left = (this.#writes.get(id) ?? 1) - 1;
    if (left) this.#writes.set(id, left);
    else this.#writes.delete(id);
  }
}
