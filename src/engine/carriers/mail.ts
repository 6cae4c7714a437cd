// Carries workspaces with mail to worker processes, with BullMQ on Redis: in a queue of its own, so that mail and jobs do not wait for each other.
// Redis has only ids, and losing them loses nothing.

import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "bullmq";
import { connectConsumer, connectProducer, openQueue, prefix } from "./bullmq.ts";

export const MAIL_QUEUE = "mail";

/** When a worker dies, the ticket that it had taken is free again after this time. */
const TICKET_LOCK_MS = 3000;
/** How many workspaces a process sends for at the same time: one that waits for its store must not hold up the others. */
const CONCURRENCY = 4;
/** What Redis has lost is found after this time. */
const SWEEP_MS = 2000;
/** A ticket looks no further ahead: clocks are set. */
const MAX_DELAY_MS = 3_600_000;
/** Some may leave then, and not a single one. */
const MIN_HOLD_MS = 500;
/** How many messages leave is counted in the store: the limiter holds back all workers when there were as many as may. To do that it must have a number. */
const LIMITER = { max: 1_000_000, duration: 1000 };

/** The id of a workspace that has mail to send. */
interface Ticket {
  workspace: string;
}

interface Taker {
  /** @returns how long no process may send anything, in ms */
  run(workspace: string): Promise<number>;
  /** The ticket is gone. */
  ended(workspace: string): void;
}

export function bullmqMail(redisUrl: string, installation: string) {
  const producer = connectProducer(redisUrl);
  // The carrier of jobs logs that Redis is away.
  producer.on("error", () => {});
  const queue = openQueue<Ticket>(MAIL_QUEUE, installation, producer);
  let worker: Worker<Ticket> | undefined;
  let consumer: ReturnType<typeof connectConsumer> | undefined;
  return {
    sweepMs: SWEEP_MS,
    start({ run, ended }: Taker): void {
      consumer = connectConsumer(redisUrl);
      consumer.on("error", () => {});
      const take = async ({ data }: { data: Ticket }) => {
        const holdMs = await run(data.workspace);
        if (holdMs <= 0) return;
        await queue.rateLimit(Math.max(holdMs, MIN_HOLD_MS));
        throw Worker.RateLimitError();
      };
      worker = new Worker<Ticket>(MAIL_QUEUE, take, {
        ...{ connection: consumer, prefix: prefix(installation), skipVersionCheck: true },
        ...{ concurrency: CONCURRENCY, limiter: LIMITER },
        ...{ lockDuration: TICKET_LOCK_MS, stalledInterval: TICKET_LOCK_MS / 2 },
        ...{ removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } },
      });
      worker.on("error", () => {});
      worker.on("completed", ({ data }) => ended(data.workspace));
    },
    /** A workspace has one ticket: one process sends for it at a time. */
    async deliver(workspace: string, at: number): Promise<void> {
      const delay = Math.min(Math.max(0, at - Date.now()), MAX_DELAY_MS);
      await queue.add("workspace", { workspace }, { jobId: workspace, delay });
      const ticket = await queue.getJob(workspace);
      // One that is there already may wait for another time. Promoted, it can't be set back by who has looked before.
      if (await ticket?.isDelayed()) await (delay ? ticket!.changeDelay(delay) : ticket!.promote());
    },
    async close(): Promise<void> {
      if (worker) await Promise.race([worker.close(true), sleep(2000, undefined, { ref: false })]).catch(() => {});
      consumer?.disconnect();
      await queue.close().catch(() => {});
      producer.disconnect();
    },
  };
}
