// Brings accepted jobs to those who run them. The ledger is the only truth; what carries ids to workers may forget them,
// or carry one twice, and costs only time. Only a workspace's first open job is ever on its way: that gives order within
// a workspace, and lets no workspace starve another.

import type { Control } from "../../db/control.ts";
import type { Presence } from "../../db/lock.ts";
import { isTransient, whenFree } from "../../db/write.ts";
import type { Log } from "../log.ts";
import type { Pool } from "./pool.ts";
import { findHead, type HeadRow, listHeads, requeueCrashed } from "./queries.ts";

/** Carries the ids of jobs to where they are run. */
export interface Carrier {
  /** Hands over a job's id. It may already be there. Rejects when that is not possible now. */
  deliver(head: HeadRow): Promise<void>;
  /** Whether work can be handed over now; the reason, when not. */
  check(): Promise<string | undefined>;
  close(): Promise<void>;
}

const TICK_MS = 500;
// A job that was delivered and not taken is delivered again: whoever carried it may have lost it.
const DELIVER_AGAIN_MS = 5000;

export class Dispatcher {
  readonly #control: Control;
  readonly #presence: Presence;
  readonly #carrier: Carrier;
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #delivered = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | undefined;
  #carrierFails = false;
  #closed = false;

  constructor(control: Control, presence: Presence, carrier: Carrier, pool: Pool, log: Log) {
    this.#control = control;
    this.#presence = presence;
    this.#carrier = carrier;
    this.#pool = pool;
    this.#log = log;
  }

  /** Begins to look, twice a second, for what was forgotten: by Redis, by processes that died, by waiting out trouble. */
  start(): void {
    this.#timer = setInterval(() => this.tick(), TICK_MS);
    this.tick();
  }

  /** Looks at one workspace, right after a job was accepted or has ended. */
  kick(workspaceId: number): void {
    if (this.#closed) return;
    try {
      const head = findHead(this.#control.reader, workspaceId);
      if (head) this.#deliver(head);
    } catch (error) {
      // What was accepted stays accepted; the next tick finds it.
      this.#log.warn({ err: error }, "dispatcher failed");
    }
  }

  /** Looks at all workspaces. */
  tick(): void {
    this.#ticking ??= this.#tick()
      .catch((error: unknown) => {
        if (!isTransient(error)) this.#log.error({ err: error }, "dispatcher failed");
      })
      .finally(() => {
        this.#ticking = undefined;
      });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#ticking;
    await this.#carrier.close();
  }

  async #tick(): Promise<void> {
    await this.#pool.settle();
    const heads = listHeads(this.#control.reader);
    for (const [delivery, at] of this.#delivered) {
      if (Date.now() - at > DELIVER_AGAIN_MS) this.#delivered.delete(delivery);
    }
    const runners = new Set(heads.flatMap(({ status, runner }) => (status === "RUNNING" && runner ? [runner] : [])));
    for (const runner of runners) {
      if (this.#presence.isAlive(runner)) continue;
      const { writer } = this.#control;
      const count = await whenFree(writer, 1000, () => requeueCrashed(writer, runner));
      if (count) this.#log.warn({ runner, jobs: count }, "a worker died; its jobs are queued again");
    }
    for (const head of runners.size ? listHeads(this.#control.reader) : heads) this.#deliver(head);
  }

  #deliver(head: HeadRow): void {
    const now = Date.now();
    if (head.status !== "QUEUED" || head.available_at > now) return;
    const delivery = `${head.uid}-${head.attempts}`;
    if (now - (this.#delivered.get(delivery) ?? 0) < DELIVER_AGAIN_MS) return;
    this.#delivered.set(delivery, now);
    this.#carrier.deliver(head).then(
      () => {
        if (this.#carrierFails) this.#log.info("jobs can be handed over again");
        this.#carrierFails = false;
      },
      (error: unknown) => {
        this.#delivered.delete(delivery);
        if (!this.#carrierFails) this.#log.warn({ err: error }, "jobs can't be handed over; they wait in the ledger");
        this.#carrierFails = true;
      },
    );
  }
}
