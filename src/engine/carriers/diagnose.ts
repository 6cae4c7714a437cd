// Finds out what is wrong with Redis, and whether workers take jobs.

import { Queue } from "bullmq";
import { connect, prefix, QUEUE } from "./bullmq.ts";

interface RedisState {
  /** Why it can't be used. */
  trouble?: string;
  /** What it removes when it has no space. */
  policy?: string | undefined;
  /** The workers that wait for jobs of this installation. */
  workers?: number;
}

const WAIT_MS = 3000;

export async function diagnoseRedis(redisUrl: string, installation: string): Promise<RedisState> {
  const redis = connect(redisUrl, {
    lazyConnect: true,
    connectTimeout: WAIT_MS,
    commandTimeout: WAIT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy: () => null,
  });
  let failure: Error | undefined;
  redis.on("error", (error) => {
    failure = error;
  });
  const queue = new Queue(QUEUE, { connection: redis, prefix: prefix(installation), skipVersionCheck: true });
  queue.on("error", () => {});
  try {
    await redis.connect().catch(() => {});
    await redis.ping();
    const { 1: policy } = (await redis.config("GET", "maxmemory-policy").catch(() => [])) as string[];
    return { policy, workers: await queue.getWorkersCount() };
  } catch (error) {
    return { trouble: (failure ?? (error as Error)).message };
  } finally {
    await queue.close().catch(() => {});
    redis.disconnect();
  }
}
