// Carries jobs to worker processes: BullMQ on Redis. It holds nothing but ids, and the ledger can do without it.

import { once } from "node:events";
import { Queue, Worker } from "bullmq";
import { Redis, type RedisOptions } from "ioredis";
import type { Log } from "../../log.ts";
import type { Carrier } from "../dispatch.ts";
import type { Pool } from "../pool.ts";

const QUEUE = "jobs";

// A worker that is killed between taking a ticket and taking its job leaves a ticket that looks busy, and that stands in
// the way of the next delivery until its lock runs out. A lock that runs out too early costs a second look.
const TICKET_LOCK_MS = 3000;
/** How long Redis has to answer before it counts as gone. */
const PING_MS = 500;

/** What travels: the ledger's id of the job, and of its workspace. */
interface Ticket {
  job: string;
  workspace: number;
}

/** Hands ids to BullMQ. Fails at once, and never waits, when Redis is not there. */
export function bullmqCarrier(redisUrl: string, installation: string, log: Log): Carrier {
  const connection = connect(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 2000,
    connectTimeout: 2000,
    retryStrategy: (times) => Math.min(times * 100, 1000),
  });
  quietly(connection, log);
  const queue = new Queue<Ticket>(QUEUE, {
    connection,
    prefix: prefix(installation),
    skipWaitingForReady: true,
    skipVersionCheck: true,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  queue.on("error", () => {});
  return {
    async deliver({ uid, workspace_id, attempts }) {
      // Another attempt is another id: one that died with its worker does not stand in the way of the next.
      await queue.add("job", { job: uid, workspace: workspace_id }, { jobId: `${uid}-${attempts}` });
    },
    async check() {
      try {
        const patience = AbortSignal.timeout(PING_MS);
        await Promise.race([connection.ping(), once(patience, "abort").then(() => patience.throwIfAborted())]);
        return undefined;
      } catch {
        return "Redis does not answer; jobs are accepted and wait.";
      }
    },
    async close() {
      await queue.close().catch(() => {});
      connection.disconnect();
    },
  };
}

/** Takes ids from BullMQ and runs them in `pool`. */
export class BullmqConsumer {
  readonly #connection: Redis;
  readonly #worker: Worker<Ticket>;

  constructor(
    redisUrl: string,
    installation: string,
    options: { pool: Pool; concurrency: number; log: Log; onEnd: (workspaceId: number) => void },
  ) {
    this.#connection = connect(redisUrl, {
      maxRetriesPerRequest: null,
      retryStrategy: (times) => Math.min(times * 100, 1000),
    });
    quietly(this.#connection, options.log);
    this.#worker = new Worker<Ticket>(
      QUEUE,
      async ({ data }) => {
        await options.pool.run(data.job);
        options.onEnd(data.workspace);
      },
      {
        connection: this.#connection,
        prefix: prefix(installation),
        concurrency: options.concurrency,
        lockDuration: TICKET_LOCK_MS,
        stalledInterval: TICKET_LOCK_MS / 2,
        skipVersionCheck: true,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      },
    );
    this.#worker.on("error", () => {});
  }

  /** Takes no more. What runs goes on; its ticket in Redis is of no importance. */
  async close(): Promise<void> {
    await Promise.race([this.#worker.close(true), new Promise((resolve) => setTimeout(resolve, 2000).unref())]).catch(
      () => {},
    );
    this.#connection.disconnect();
  }
}

// Installations that share a Redis must not see each other's jobs.
function prefix(installation: string): string {
  return `screening:${installation}`;
}

function connect(url: string, options: Omit<RedisOptions, "replyMapping">): Redis {
  return new Redis(url.startsWith("unix:") ? decodeURIComponent(new URL(url).pathname) : url, options);
}

/** Says once that Redis is gone, and once that it is back. */
function quietly(connection: Redis, log: Log): void {
  let told = false;
  connection.on("error", (error: Error) => {
    if (!told) log.warn({ reason: error.message }, "Redis does not answer");
    told = true;
  });
  connection.on("ready", () => {
    if (told) log.info("Redis answers again");
    told = false;
  });
}
