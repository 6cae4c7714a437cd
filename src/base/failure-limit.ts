// Limits repeated failures, by address or by another name: guesses of credentials, or of links. IPv6 is counted by /64.

import { isIPv6 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Problem } from "./problems.ts";

const MINUTE_SECONDS = 60;
const REFUSAL_MS = 250;
/** Of so many addresses answers say what is left. */
const MAX_SAID = 10_000;

/**
 * Counts the failures of each address, or of something else that has a name. An address over the limit can still send requests that
 * succeed, unless each attempt is counted before it is made, and forgiven when it has succeeded.
 */
export class FailureLimit {
  readonly #name: string;
  readonly #max: number;
  readonly #seconds: number;
  readonly #counts: RateLimiterMemory;
  /** How many are left of those that have failed. Only for what answers say: one that has to go is said to have all. */
  readonly #left = new LRUCache<string, number>({ max: MAX_SAID });

  /** @param name of the policy in the RateLimit headers. @param max in so many `seconds` */
  constructor(name: string, max: number, seconds = MINUTE_SECONDS) {
    this.#name = name;
    this.#max = max;
    this.#seconds = seconds;
    this.#counts = new RateLimiterMemory({ points: max, duration: seconds });
  }

  /** Counts a failure. @returns the headers that say how many are left. @throws Problem 429 when there are too many */
  async count(address: string, detail?: string): Promise<Record<string, string>> {
    const network = networkOf(address);
    try {
      return limitHeaders(
        this.#name,
        this.#max,
        this.#seconds,
        this.#said(network, await this.#counts.consume(network)),
      );
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      this.#said(network, limit);
      // A client that ignores the refusal would send the next request at once.
      await sleep(REFUSAL_MS);
      throw refusal(this.#name, this.#max, this.#seconds, limit, detail);
    }
  }

  /** Takes one failure back. */
  async forgive(address: string): Promise<void> {
    const network = networkOf(address);
    this.#said(network, await this.#counts.reward(network, 1));
  }

  /** The headers that say how many failures an address has left. They count nothing. */
  leftOf(address: string): Record<string, string> {
    const network = networkOf(address);
    const remainingPoints = this.#left.get(network);
    if (remainingPoints === undefined)
      return limitHeaders(this.#name, this.#max, this.#seconds, {
        remainingPoints: this.#max,
        msBeforeNext: this.#seconds * 1000,
      });
    const msBeforeNext = this.#left.getRemainingTTL(network);
    return limitHeaders(this.#name, this.#max, this.#seconds, { remainingPoints, msBeforeNext });
  }

  #said(network: string, state: RateLimiterRes): RateLimiterRes {
    this.#left.set(network, state.remainingPoints, { ttl: Math.max(state.msBeforeNext, 1) });
    return state;
  }
}

interface Growth {
  /** How many failures have no delay. */
  free: number;
  /** The delay after the next one. It doubles with each failure. */
  firstSeconds: number;
  maxSeconds: number;
  /** After the first failure. */
  forgottenSeconds: number;
}

/** Lets a name fail a few times, and then once after each of a row of delays, each twice as long as the one before. */
export class GrowingDelay {
  readonly #policy: string;
  readonly #growth: Growth;
  readonly #failures: RateLimiterMemory;
  /** While a name has a point here, it has to wait. */
  readonly #delays = new RateLimiterMemory({ points: 1, duration: 1 });

  /** @param policy its name in the RateLimit headers */
  constructor(policy: string, growth: Growth) {
    this.#policy = policy;
    this.#growth = growth;
    this.#failures = new RateLimiterMemory({ points: growth.free, duration: growth.forgottenSeconds });
  }

  /** Counts a failure, unless the name has to wait. @throws Problem 429 when it does */
  async count(name: string, detail: string): Promise<void> {
    const { free, firstSeconds, maxSeconds } = this.#growth;
    const { consumedPoints } = await this.#failures.penalty(name);
    const beyond = consumedPoints - free;
    if (beyond <= 0) return;
    const customDuration = Math.min(firstSeconds * 2 ** (beyond - 1), maxSeconds);
    try {
      await this.#delays.consume(name, 1, { customDuration });
    } catch (wait) {
      if (!(wait instanceof RateLimiterRes)) throw wait;
      await this.takeBack(name);
      await sleep(REFUSAL_MS);
      throw refusal(this.#policy, free, this.#growth.forgottenSeconds, wait, detail);
    }
  }

  /** Takes one failure back. */
  async takeBack(name: string): Promise<void> {
    await this.#failures.reward(name);
  }

  /** Takes all back, and ends the delay. */
  async forget(name: string): Promise<void> {
    await this.#failures.delete(name);
    await this.#delays.delete(name);
  }
}

function refusal(policy: string, max: number, inSeconds: number, wait: RateLimiterRes, detail?: string): Problem {
  return new Problem("too_many_requests", {
    ...(detail !== undefined && { detail }),
    headers: { "Retry-After": secondsOf(wait), ...limitHeaders(policy, max, inSeconds, wait, 0) },
  });
}

function limitHeaders(
  policy: string,
  max: number,
  inSeconds: number,
  state: Pick<RateLimiterRes, "remainingPoints" | "msBeforeNext">,
  left = state.remainingPoints,
): Record<string, string> {
  return {
    "RateLimit-Policy": `"${policy}";q=${max};w=${inSeconds}`,
    RateLimit: `"${policy}";r=${left};t=${secondsOf(state)}`,
  };
}

function secondsOf({ msBeforeNext }: Pick<RateLimiterRes, "msBeforeNext">): string {
  return String(Math.max(1, Math.ceil(msBeforeNext / 1000)));
}

/** The /64 of an IPv6 address, because a caller with one address has all of them; any other address as it is. */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%");
  if (!isIPv6(plain)) return plain;
  // The URL parser writes it in its shortest form, also where it ends with an IPv4 address.
  const [left = "", right] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split("::");
  const before = left ? left.split(":") : [];
  const after = right ? right.split(":") : [];
  const zeros = right === undefined ? [] : Array<string>(8 - before.length - after.length).fill("0");
  const groups = [...before, ...zeros, ...after];
  const isMapped = groups.slice(0, 6).join() === "0,0,0,0,0,ffff";
  return isMapped ? groups.join(":") : `${groups.slice(0, 4).join(":")}::/64`;
}
