// Tickets: a process that may write to the Redis which cells share may move a workspace from one to another.

import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import { TICKET_SECONDS, ticketKey } from "./wire.ts";

/** Issues a ticket for a workspace, which is valid once. @throws Error when Redis does not answer */
export function issueTicket(redisUrl: string, workspaceUid: string): Promise<string> {
  const ticket = randomBytes(32).toString("base64url");
  return withRedis(redisUrl, async (redis) => {
    await redis.set(ticketKey(ticket), workspaceUid, "EX", TICKET_SECONDS);
    return ticket;
  });
}

/** The workspace that a ticket is for. From then on it is not valid. */
export function redeemTicket(redisUrl: string, ticket: string): Promise<string | undefined> {
  return withRedis(redisUrl, async (redis) => (await redis.getdel(ticketKey(ticket))) ?? undefined);
}

/** Connects to Redis for a moment. @throws Error when it does not answer */
export async function withRedis<T>(redisUrl: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  // A node without Redis starts in three quarters of the time without its code.
  const { connect } = await import("../engine/carriers/bullmq.ts");
  const redis = connect(redisUrl, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    connectTimeout: 2000,
    commandTimeout: 2000,
    retryStrategy: () => null,
  });
  redis.on("error", () => {});
  try {
    await redis.connect();
    return await work(redis);
  } catch (cause) {
    throw new Error("Redis does not answer (REDIS_URL).", { cause });
  } finally {
    redis.disconnect();
  }
}
