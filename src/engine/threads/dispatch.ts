// Hands accepted jobs to workers. The ledger is the only truth: if the carrier loses an id or delivers it twice, that
// costs only time. Only the first unfinished job of each workspace is delivered. So the jobs of a workspace run in order,
// and no workspace can block another. A job that has failed for long is set aside (queue.ts), and does not block the others.

import type { Control } from "../../../db/control.ts";
import type { Presence } from "../../../db/sqlite/lock.ts";
import { whenFree } from "../../../db/sqlite/when-free.ts";
import { isTransient } from "../../../db/sqlite/write.ts";
import type { Finding } from "../../base/findings.ts";
import type { Log } from "../../base/log.ts";
import { findJob } from "../ledger/queries.ts";
import { findHead, type HeadRow, isDue, listHeads } from "../ledger/queue.ts";
import { lineOf } from "../ledger/reports.ts";
import { requeueCrashed } from "../ledger/states.ts";
import type { Pool, PoolObserver } from "./pool.ts";

/** Carries the ids of jobs to workers. */
export interface Carrier {
  /** Hands over a job's id, which may have been delivered already. Rejects when that is not possible now. */
  deliver(head: HeadRow): Promise<void>;
  /** Notifies the processes that wait for jobs that one has ended. A lost notification costs only time. */
  publishEnd?(): void;
  /** Why jobs can't be handed over now; undefined when they can. */
  check(): Promise<Finding | undefined>;
  /** The version of the program that carries them, if it is not this one; undefined: it does not answer. */
  version?(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Carries jobs to the threads of this process, for a single node without Redis. Calls `onEnd` with the workspace after each run of a job. */
export function threadCarrier(pool: Pool, onEnd: (workspaceId: number) => void): Carrier {
  return {
    async deliver(head) {
      // The earlier run has put the job back and is about to end. The job is delivered again in a moment.
      if (pool.has(head.uid)) return;
      pool.run(head.uid).then(() => onEnd(head.workspace_id));
    },
    check: async () => undefined,
    close: async () => {},
  };
}

const TICK_MS = 500;
// A job that was delivered and not taken is delivered again, because the carrier may have lost it.
const DELIVER_AGAIN_MS = 5000;

export class Dispatcher {
  readonly #control: Control;
  readonly #presence: Presence;
  readonly #carrier: Carrier;
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #observer: Pick<PoolObserver, "crashed"> | undefined;
  readonly #delivered = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | undefined;
  #carrierFails = false;
  #closed = false;

  constructor(
    control: Control,
    presence: Presence,
    carrier: Carrier,
    pool: Pool,
    log: Log,
    observer?: Pick<PoolObserver, "crashed">,
  ) {
    this.#observer = observer;
    this.#control = control;
    this.#presence = presence;
    this.#carrier = carrier;
    this.#pool = pool;
    this.#log = log;
  }

  /** Starts to look every TICK_MS for jobs to deliver: lost by Redis, taken by a dead process, or due for a retry. */
  start(): void {
    this.#timer = setInterval(() => this.tick(), TICK_MS);
    this.tick();
  }

  /**
   * Looks for a job of one workspace. Call it after a job was accepted or has ended.
   * @param flushed the id of a job that is on the disk as it is now
   */
  kick(workspaceId: number, flushed?: string): void {
    if (this.#closed) return;
    try {
      const head = findHead(this.#control.reader, workspaceId, Date.now());
      if (head) this.#deliver(head, head.uid === flushed);
    } catch (error) {
      // The job stays accepted, and the next tick finds it.
      this.#log.warn({ err: error }, "dispatcher failed");
    }
  }

  /** Like kick; but first puts back a job of the workspace whose process has died. For a process without ticks. */
  async follow(workspaceId: number): Promise<void> {
    const head = findHead(this.#control.reader, workspaceId, Date.now());
    if (head) await this.#requeueDead([head]);
    this.kick(workspaceId);
  }

  /** Looks for jobs of all workspaces. */
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
    await this.#pool.requeueLost();
    const heads = listHeads(this.#control.reader, Date.now());
    for (const [delivery, at] of this.#delivered) {
      if (performance.now() - at > DELIVER_AGAIN_MS) this.#delivered.delete(delivery);
    }
    const isChanged = await this.#requeueDead(heads);
    for (const head of isChanged ? listHeads(this.#control.reader, Date.now()) : heads) this.#deliver(head);
  }

  /** Puts back the jobs of processes that have died. @returns false when no job of `heads` is running */
  async #requeueDead(heads: readonly HeadRow[]): Promise<boolean> {
    const runners = new Set(heads.flatMap(({ status, runner }) => (status === "RUNNING" && runner ? [runner] : [])));
    for (const runner of runners) {
      if (this.#presence.isAlive(runner)) continue;
      const { writer } = this.#control;
      // In the transaction: after it the job may be taken again.
      const jobs = await whenFree(writer, 1000, () =>
        requeueCrashed(writer, runner).map((uid) => lineOf(findJob(writer, uid)!)),
      );
      if (jobs.length) this.#observer?.crashed(jobs.length);
      for (const line of jobs) this.#log.warn({ ...line, runner }, "a worker died; its job is queued again");
    }
    return runners.size > 0;
  }

  #deliver(head: HeadRow, isFlushed = false): void {
    if (!isDue(head, Date.now())) return;
    const delivery = `${head.uid}-${head.attempts}`;
    const now = performance.now();
    const last = this.#delivered.get(delivery);
    if (last !== undefined && now - last < DELIVER_AGAIN_MS) return;
    this.#delivered.set(delivery, now);
    // Another process may have written it, and died before it was on the disk. No effect of a job may outlast the job.
    const onDisk = isFlushed ? Promise.resolve() : this.#control.writer.flush();
    const delivered = onDisk.then(() => (this.#closed ? undefined : this.#carrier.deliver(head)));
    delivered.then(
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
