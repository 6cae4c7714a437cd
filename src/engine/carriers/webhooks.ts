// Carries tickets of webhooks between worker processes, with BullMQ on Redis. Redis has only ids, and losing them loses nothing.

import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "bullmq";
import { connectConsumer, connectProducer, openQueue, prefix } from "./bullmq.ts";

export const WEBHOOK_QUEUE = "webhooks";

/** When a worker dies, the ticket that it had taken is free again after this time. The claim in the store lasts longer. */
const TICKET_LOCK_MS = 10_000;

/** The ids of an endpoint that has something to send. */
interface Ticket {
  workspace: string;
  endpoint: string;
}

/** @param concurrency how many tickets this process takes at the same time */
export function bullmqTickets(redisUrl: string, installation: string, concurrency: number) {
  const producer = connectProducer(redisUrl);
  // The carrier of jobs logs that Redis is away.
  producer.on("error", () => {});
  const queue = openQueue<Ticket>(WEBHOOK_QUEUE, installation, producer);
  let worker: Worker<Ticket> | undefined;
  let consumer: ReturnType<typeof connectConsumer> | undefined;
  return {
    start(run: (ticket: Ticket) => Promise<void>): void {
      consumer = connectConsumer(redisUrl);
      consumer.on("error", () => {});
      worker = new Worker<Ticket>(WEBHOOK_QUEUE, ({ data }) => run(data), {
        connection: consumer,
        prefix: prefix(installation),
        skipVersionCheck: true,
        concurrency,
        lockDuration: TICKET_LOCK_MS,
        stalledInterval: TICKET_LOCK_MS / 2,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      });
      worker.on("error", () => {});
    },
    /** An endpoint has one ticket at a time: one process sends to it. */
    async deliver({ workspace, endpoint }: Ticket): Promise<void> {
      await queue.add("endpoint", { workspace, endpoint }, { jobId: endpoint });
    },
    async close(): Promise<void> {
      if (worker) await Promise.race([worker.close(true), sleep(2000, undefined, { ref: false })]).catch(() => {});
      consumer?.disconnect();
      await queue.close().catch(() => {});
      producer.disconnect();
    },
  };
}
