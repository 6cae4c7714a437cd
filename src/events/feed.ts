// Waits for events. Any process may write them, so the store is asked, once for all who wait for the same workspace.

import type { Workspaces } from "../../db/workspaces.ts";
import { lastEventId } from "./queries.ts";

/** How often the stores are asked that somebody waits for. */
const LOOK_EVERY_MS = 100;

interface Waiting {
  workspace: string;
  after: number;
  deadline: number;
  resolve(): void;
}

export class EventWaiter {
  readonly #workspaces: Workspaces;
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #latest = Number.POSITIVE_INFINITY;

  constructor(workspaces: Workspaces) {
    this.#workspaces = workspaces;
  }

  /** Resolves when the workspace has an event after this rowid, or after `seconds`. Never rejects. */
  wait(workspace: string, after: number, seconds: number): Promise<void> {
    return new Promise((resolve) => {
      const deadline = Math.min(performance.now() + seconds * 1000, this.#latest);
      this.#waiting.add({ workspace, after, deadline, resolve });
      this.#look();
    });
  }

  /** From now on no wait lasts longer than `ms`. */
  hurry(ms: number): void {
    this.#latest = performance.now() + ms;
    for (const waiting of this.#waiting) waiting.deadline = Math.min(waiting.deadline, this.#latest);
  }

  #look(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    for (const [workspace, waiting] of Map.groupBy(this.#waiting, (one) => one.workspace)) {
      const last = this.#lastOf(workspace);
      for (const one of waiting) {
        if (one.after >= last && now < one.deadline) continue;
        this.#waiting.delete(one);
        one.resolve();
      }
    }
    if (this.#waiting.size) this.#timer = setTimeout(() => this.#look(), LOOK_EVERY_MS);
  }

  /** If the store can't be read, who waits reads it, and gets the error. */
  #lastOf(workspace: string): number {
    try {
      return this.#workspaces.read(workspace, lastEventId);
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }
}
