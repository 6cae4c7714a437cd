// Turns: they keep the reads of one workspace from blocking the event loop for the others.
//
// Each workspace has a bucket of milliseconds. A read takes its processor time out of it. When the bucket is empty, reads wait; if many
// wait already, they are refused. This applies only while other workspaces send requests, too. Streamed lists are never refused: they
// wait. While others send requests, a workspace makes at most one read in each round of the event loop.

import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { Problem } from "./problems.ts";

/** The part of the loop's time that workspaces may take for reads while others are there, all together. */
const SHARED = 0.6;
/** The part that each may take at most. */
const MAX_SHARE = 0.2;
/** How much a workspace may take at once after a pause. */
const BURST_MS = 200;
/** The time of a request outside of its handler: to read it, and to send the reply. */
const OVERHEAD_MS = 0.2;
/** Others are there if they have sent a request in this time. */
const ACTIVE_MS = 1000;
/** How many reads of a workspace may wait, however long. One more is refused if it would wait for longer than this. */
const MAX_WAITING = 8;
const MAX_WAIT_MS = 100;
/** A refusal is delayed, because clients that ignore it would send the next request at once. */
const REFUSAL_MS = 500;

interface Account {
  /** What is left, in ms, at `at`. Below 0: it took more than it had. */
  balance: number;
  at: number;
  /** The latest request. */
  seen: number;
  /** How long a read takes, about. */
  cost: number;
  waiting: number;
  last: Promise<unknown>;
}

export class Turns {
  readonly #accounts = new Map<string, Account>();
  #latest = { workspace: "", at: Number.NEGATIVE_INFINITY };
  /** When another workspace than the latest one sent a request. */
  #otherAt = Number.NEGATIVE_INFINITY;
  #share = MAX_SHARE;
  #countedAt = Number.NEGATIVE_INFINITY;
  #last: Promise<unknown> = Promise.resolve();

  /** A workspace has sent a request, of whatever kind. */
  note(workspace: string): void {
    const now = performance.now();
    if (this.#latest.workspace !== workspace) {
      this.#otherAt = this.#latest.at;
      this.#latest = { workspace, at: now };
    } else this.#latest.at = now;
    this.#account(workspace, now).seen = now;
  }

  /** The headers that say what is left of a workspace's time for reads, in ms. It holds only while others are there. */
  limitsOf(workspace: string): Record<string, string> {
    const { balance } = this.#account(workspace, performance.now());
    const [quota, left] = [Math.round(this.#share * 1000), Math.floor(balance)];
    const seconds = left > 0 ? 1 : Math.max(1, Math.ceil(-balance / this.#share / 1000));
    return {
      "RateLimit-Policy": policyOf(quota),
      RateLimit: `"read-time";r=${Math.max(0, Math.min(left, quota))};t=${seconds}`,
    };
  }

  /** Runs a read when it is its turn: at once, while no other workspace is there. @throws Problem 429, or rejects with it */
  read<T>(workspace: string, work: () => T | Promise<T>): T | Promise<T> {
    return this.#isShared(workspace) ? this.#readInTurn(workspace, work) : work();
  }

  async #readInTurn<T>(workspace: string, work: () => T | Promise<T>): Promise<T> {
    const account = this.#account(workspace, performance.now());
    const wait = (account.waiting * account.cost - account.balance) / this.#share;
    if (account.waiting >= MAX_WAITING && wait > MAX_WAIT_MS) {
      await sleep(REFUSAL_MS);
      throw this.#refusal(wait);
    }
    await this.#wait(workspace, account);
    return this.measure(workspace, work);
  }

  /** Runs a part of a read. What it takes of the processor, until it returns, is taken from its workspace. */
  measure<T>(workspace: string, work: () => T): T {
    // Measuring costs a little, too.
    if (!this.#isShared(workspace)) return work();
    const before = process.threadCpuUsage();
    try {
      return work();
    } finally {
      const { user, system } = process.threadCpuUsage(before);
      this.spend(workspace, (user + system) / 1000);
    }
  }

  /** Resolves when the next slice of a streamed list may be read, in another round of the event loop for each call. */
  async next(workspace: string): Promise<void> {
    if (this.#isShared(workspace)) await this.#wait(workspace, this.#account(workspace, performance.now()));
    this.#last = this.#last.then(() => setImmediate());
    await this.#last;
  }

  /**
   * Waits for what a thread does for a workspace, and takes a quarter of that time: it is the time of a processor, but not of the event
   * loop. @param maxMs at most so much is taken
   */
  async inThread<T>(workspace: string, work: () => Promise<T>, maxMs = Number.POSITIVE_INFINITY): Promise<T> {
    const started = performance.now();
    const result = await work();
    this.spend(workspace, Math.min((performance.now() - started) / 4, maxMs));
    return result;
  }

  /** A workspace's read has taken `ms` of a processor. */
  spend(workspace: string, ms: number): void {
    const account = this.#account(workspace, performance.now());
    account.balance = Math.max(account.balance - ms - OVERHEAD_MS, -BURST_MS);
    account.cost += (ms + OVERHEAD_MS - account.cost) / 10;
  }

  /** Whether another workspace is there. */
  #isShared(workspace: string): boolean {
    const othersAt = this.#latest.workspace === workspace ? this.#otherAt : this.#latest.at;
    return performance.now() - othersAt < ACTIVE_MS;
  }

  /** Resolves, one after the other, when something is left. */
  #wait(workspace: string, account: Account): Promise<unknown> {
    account.waiting++;
    account.last = account.last
      .then(async () => {
        while (this.#isShared(workspace) && this.#account(workspace, performance.now()).balance <= 0)
          await sleep(Math.ceil((0.5 - account.balance) / this.#share));
        await setImmediate();
      })
      .finally(() => account.waiting--);
    return account.last;
  }

  /** The workspace's account, with what has come in since. */
  #account(workspace: string, now: number): Account {
    let account = this.#accounts.get(workspace);
    if (!account) {
      account = { balance: BURST_MS, at: now, seen: now, cost: 1, waiting: 0, last: Promise.resolve() };
      this.#accounts.set(workspace, account);
    }
    if (now - this.#countedAt > ACTIVE_MS / 4) this.#count(now);
    account.balance = Math.min(account.balance + (now - account.at) * this.#share, BURST_MS);
    account.at = now;
    return account;
  }

  /** Counts the workspaces that are there, and forgets those that have been away for long. */
  #count(now: number): void {
    this.#countedAt = now;
    let active = 0;
    for (const [workspace, { seen, waiting }] of this.#accounts) {
      if (now - seen < ACTIVE_MS) active++;
      else if (!waiting && now - seen > 10 * ACTIVE_MS) this.#accounts.delete(workspace);
    }
    this.#share = Math.min(MAX_SHARE, SHARED / Math.max(active, 1));
  }

  #refusal(wait: number): Problem {
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    return new Problem("too_many_requests", {
      detail: "The reads of this workspace take so much time that others would have to wait.",
      headers: {
        "Retry-After": String(seconds),
        "RateLimit-Policy": policyOf(Math.round(this.#share * 1000)),
        RateLimit: `"read-time";r=0;t=${seconds}`,
      },
    });
  }
}

function policyOf(quotaMs: number): string {
  return `"read-time";q=${quotaMs};w=1`;
}
