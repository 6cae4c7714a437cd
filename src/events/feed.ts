// Waits for events by polling the stores, because any process may write them. One query serves all callers that wait for a workspace.

import type { Workspaces } from "../../db/workspaces.ts";
import { lastEventId } from "./queries.ts";

/** How often stores are polled for which callers wait. */
const LOOK_EVERY_MS = 100;

/** How long one look may take. The stores that are left come first in the next one. */
const MAX_LOOK_MS = 5;

interface Waiting {
  after: number;
  deadline: number;
  resolve(): void;
}

export class EventWaiter {
  readonly #workspaces: Workspaces;
  /** By workspace. Those that were polled longest ago come first. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #timer: NodeJS.Timeout | undefined;
  #latest = Number.POSITIVE_INFINITY;

  constructor(workspaces: Workspaces) {
    this.#workspaces = workspaces;
  }

  /** Resolves when the workspace has an event after this rowid, after `seconds`, or when the caller has gone. Never rejects. */
  wait(workspace: string, after: number, seconds: number, unwanted: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const deadline = Math.min(performance.now() + seconds * 1000, this.#latest);
      const waiting = { after, deadline, resolve };
      const others = this.#waiting.get(workspace);
      if (others) others.add(waiting);
      else this.#waiting.set(workspace, new Set([waiting]));
      unwanted.addEventListener("abort", () => this.#end(workspace, waiting), { once: true });
      this.#timer ??= setTimeout(() => this.#look(), LOOK_EVERY_MS);
    });
  }

  /** Ends all that waits, now and later. */
  close(): void {
    this.#latest = 0;
    for (const [workspace, all] of this.#waiting) for (const one of all) this.#end(workspace, one);
  }

  #look(): void {
    const now = performance.now();
    for (const [workspace, all] of [...this.#waiting]) {
      if (performance.now() - now > MAX_LOOK_MS) break;
      const last = this.#lastOf(workspace);
      for (const one of all) if (one.after < last || now >= one.deadline) this.#end(workspace, one);
      if (this.#waiting.delete(workspace)) this.#waiting.set(workspace, all);
    }
    this.#timer = this.#waiting.size ? setTimeout(() => this.#look(), LOOK_EVERY_MS) : undefined;
  }

  #end(workspace: string, waiting: Waiting): void {
    const all = this.#waiting.get(workspace);
    all?.delete(waiting);
    if (!all?.size) this.#waiting.delete(workspace);
    waiting.resolve();
  }

  /** If the store can't be read, its waits end: their callers read it, and get the error. */
  #lastOf(workspace: string): number {
    try {
      return this.#workspaces.read(workspace, lastEventId);
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }
}
