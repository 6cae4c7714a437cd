// Carries jobs to worker processes with BullMQ on Redis. Redis has only ids, and losing them loses no job.

import { setTimeout as sleep } from "node:timers/promises";
import { Queue, Worker } from "bullmq";
import { Redis, type RedisOptions } from "ioredis";
import type { Finding } from "../../base/findings.ts";
import type { Log } from "../../base/log.ts";
import type { Carrier } from "../threads/dispatch.ts";
import type { Pool } from "../threads/pool.ts";

export const QUEUE = "jobs";

// A worker that is killed after it has taken a ticket, but not yet the job, leaves a locked ticket. It blocks the next
// delivery until its lock expires. If a lock expires too early, BullMQ only delivers the ticket once more.
const TICKET_LOCK_MS = 3000;
/** Redis counts as unavailable when it does not answer a ping within this time. */
const PING_MS = 500;

/** The ids of a job and of its workspace, as in the ledger. */
interface Ticket {
  job: string;
  workspace: number;
}

/**
 * Hands ids to BullMQ. Fails at once, without waiting, when Redis is unavailable.
 * @param onEnd called when a worker says that a job has ended
 */
export function bullmqCarrier(redisUrl: string, installation: string, log: Log, onEnd?: () => void): Carrier {
  const connection = connectProducer(redisUrl);
  const channel = `${prefix(installation)}:ended`;
  const listener = onEnd && listenTo(redisUrl, channel, onEnd);
  const outage = logOutages(connection, log);
  const queue = openQueue<Ticket>(QUEUE, installation, connection);
  return {
    async deliver({ uid, workspace_id, attempts }) {
      // Each attempt has its own id, so that the ticket of a dead worker does not block the next attempt.
      await queue.add("job", { job: uid, workspace: workspace_id }, { jobId: `${uid}-${attempts}` });
    },
    publishEnd() {
      connection.publish(channel, "").catch(() => {});
    },
    async check() {
      const timeout = sleep(PING_MS, undefined, { ref: false });
      const failure = await Promise.race([
        connection.ping().then(() => undefined),
        timeout.then(() => "no answer"),
      ]).catch((error: Error) => error.message);
      if (failure === undefined) return undefined;
      return { ...troubleOf(`${failure} ${outage()}`), blocking: false };
    },
    async version() {
      const timeout = sleep(PING_MS, undefined, { ref: false });
      const info = await Promise.race([connection.info("server"), timeout]).catch(() => undefined);
      return /^(?:valkey|redis)_version:(\S+)/m.exec(info ?? "")?.[1];
    },
    async close() {
      listener?.disconnect();
      await queue.close().catch(() => {});
      connection.disconnect();
    },
  };
}

/** A process that may not listen finds in the ledger, some ms later, that jobs have ended. */
function listenTo(redisUrl: string, channel: string, onMessage: () => void): Redis {
  // Redis may refuse each time. Without a listener, ioredis would throw that error.
  const listener = connect(redisUrl, { maxRetriesPerRequest: null, retryStrategy: pauseOf, autoResubscribe: false });
  // The other connections log what is wrong.
  listener.on("error", () => {});
  listener.on("message", onMessage);
  listener.on("ready", () => listener.subscribe(channel).catch(() => {}));
  return listener;
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
    this.#connection = connectConsumer(redisUrl);
    logOutages(this.#connection, options.log);
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

  /** Takes no more tickets. Running jobs continue, and need their tickets no longer. */
  async close(): Promise<void> {
    await Promise.race([this.#worker.close(true), sleep(2000, undefined, { ref: false })]).catch(() => {});
    this.#connection.disconnect();
  }
}

// Installations that share a Redis must not see each other's jobs.
export function prefix(installation: string): string {
  return `screening:${installation}`;
}

/** A connection for a queue. Fails at once, without waiting, when Redis is unavailable. */
export function connectProducer(redisUrl: string): Redis {
  return connect(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 2000,
    connectTimeout: 2000,
    retryStrategy: pauseOf,
  });
}

/** A connection that takes tickets. It waits until Redis is there. */
export function connectConsumer(redisUrl: string): Redis {
  return connect(redisUrl, { maxRetriesPerRequest: null, retryStrategy: pauseOf });
}

/** How long to wait before the next try to connect, in ms. */
function pauseOf(times: number): number {
  return Math.min(times * 100, 1000);
}

/** A queue that removes tickets when they are taken. */
export function openQueue<Ticket>(name: string, installation: string, connection: Redis): Queue<Ticket> {
  const queue = new Queue<Ticket>(name, {
    connection,
    prefix: prefix(installation),
    skipWaitingForReady: true,
    skipVersionCheck: true,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  queue.on("error", () => {});
  return queue;
}

export function connect(url: string, options: Omit<RedisOptions, "replyMapping">): Redis {
  return new Redis(url.startsWith("unix:") ? decodeURIComponent(new URL(url).pathname) : url, options);
}

/** Logs once when Redis stops answering, and once when it answers again. @returns a function that gives the last error */
function logOutages(connection: Redis, log: Log): () => string {
  let failure = "";
  connection.on("error", (error: Error) => {
    const { code, message } = troubleOf(error.message);
    if (!failure) log.warn({ code, reason: error.message }, message);
    failure = error.message;
  });
  connection.on("ready", () => {
    if (failure) log.info("Redis answers again");
    failure = "";
  });
  return () => failure;
}

function troubleOf(failure: string): Pick<Finding, "code" | "message"> {
  return /\b(?:WRONGPASS|NOAUTH|NOPERM|ERR AUTH|ERR invalid password)\b/.test(failure)
    ? {
        code: "redis_refuses",
        message: "Redis refuses the user or the password of REDIS_URL; jobs are accepted and wait.",
      }
    : { code: "redis_unavailable", message: "Redis does not answer; jobs are accepted and wait." };
}
