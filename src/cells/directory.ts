// Where each cell listens for the others, in the Redis that they share; and the secret that only they have. Every web process of a cell says
// every few seconds where it listens. What it says does not live long: a process that was killed is soon gone.

import { hash, randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import type { Log } from "../base/log.ts";
import { withRedis } from "./tickets.ts";

/** A process of a cell that listens for other cells. */
export interface Listener {
  /** The cell's name, and those that it had before. */
  cells: string[];
  host: string;
  port: number;
}

/** In order of when they end, by the clock of Redis. */
const LISTENERS = "screening:cells:listeners";
const SECRET = "screening:cells:secret";
const LIFE_MS = 15_000;
const EVERY_MS = 5000;
/** One that is not found is looked for again, but not more often. */
export const MIN_PAUSE_MS = 500;

export class Directory {
  readonly #redisUrl: string;
  /** The one that counts, and the one before. */
  #secrets: Buffer[] = [];
  #listeners: Listener[] = [];
  #own: Listener | undefined;
  #names: readonly string[] = [];
  #refreshing: Promise<void> | undefined;
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(redisUrl: string) {
    this.#redisUrl = redisUrl;
  }

  /** The names of the cell that this process listens for. */
  get ownNames(): readonly string[] {
    return this.#names;
  }

  /** All that are known. */
  get secrets(): readonly Buffer[] {
    return this.#secrets;
  }

  /** What cells prove to each other that they are. Undefined: Redis has not answered yet. */
  get secret(): Buffer | undefined {
    return this.#secrets[0];
  }

  /** The secret that somebody calls so: after a loss in Redis, some have the old one for a while. */
  secretCalled(name: string): Buffer | undefined {
    return this.#secrets.find((secret) => nameOf(secret) === name);
  }

  /** The processes that listen for a cell, as far as is known: the one that has said so last is the first. */
  find(cell: string): Listener[] {
    const named = this.#listeners.filter(({ cells }) => cells.includes(cell));
    // A name may have gone from one cell to another.
    const now = named.filter(({ cells }) => cells[0] === cell);
    return now.length ? now : named;
  }

  /** As above, as Redis has it now. When it does not answer, what was known stays. @throws Error when nothing is known */
  async findAnew(cell: string): Promise<Listener[]> {
    if (performance.now() - this.#refreshedAt > MIN_PAUSE_MS || !this.secret)
      await this.refresh().catch((error) => {
        if (!this.secret) throw error;
      });
    return this.find(cell);
  }

  /** Asks Redis, and says where this process listens. @throws Error when Redis does not answer */
  refresh(): Promise<void> {
    this.#refreshing ??= withRedis(this.#redisUrl, (redis) => this.#exchange(redis)).finally(() => {
      this.#refreshing = undefined;
      this.#refreshedAt = performance.now();
    });
    return this.#refreshing;
  }

  async #exchange(redis: Redis): Promise<void> {
    const [seconds] = await redis.time();
    const now = Number(seconds) * 1000;
    // Of several that offer one, the first counts. One that Redis has lost is put back.
    await redis.set(SECRET, (this.secret ?? randomBytes(32)).toString("base64"), "NX");
    const secret = Buffer.from((await redis.get(SECRET)) ?? "", "base64");
    if (this.#own) await redis.zadd(LISTENERS, now + LIFE_MS, JSON.stringify(this.#own));
    await redis.zremrangebyscore(LISTENERS, "-inf", now);
    const members = await redis.zrevrange(LISTENERS, 0, -1);
    if (!this.secret?.equals(secret)) this.#secrets = [secret, ...this.#secrets.slice(0, 1)];
    this.#listeners = members.map((json) => JSON.parse(json));
  }

  /** From now on others find this process. */
  announce(own: Listener, log: Log): void {
    this.#own = own;
    this.#names = own.cells;
    let failed = false;
    const refresh = () =>
      this.refresh().then(
        () => (failed = false),
        (err) => {
          if (!failed) log.warn({ err }, "the directory of cells could not be read and written");
          failed = true;
        },
      );
    this.#timer = setInterval(refresh, EVERY_MS).unref();
    refresh();
  }

  /** From now on others do not look for this process. Resolves when they know, or can't be reached. */
  async leave(): Promise<void> {
    clearInterval(this.#timer);
    const own = this.#own;
    this.#own = undefined;
    await this.#refreshing?.catch(() => {});
    if (own) await withRedis(this.#redisUrl, (redis) => redis.zrem(LISTENERS, JSON.stringify(own))).catch(() => {});
  }

  /** Forgets what processes of a cell have said. */
  async forget(cell: string): Promise<void> {
    const gone = this.find(cell).map((listener) => JSON.stringify(listener));
    if (gone.length) await withRedis(this.#redisUrl, (redis) => redis.zrem(LISTENERS, gone));
  }
}

/** What a secret is called. It says nothing of the secret. */
export function nameOf(secret: Buffer): string {
  return hash("sha256", secret).slice(0, 16);
}
