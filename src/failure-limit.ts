// Limits repeated failures, by address: guesses of credentials, or of links. IPv6 is counted by /64.

import { isIPv6 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Problem } from "./problems.ts";

const MINUTE_SECONDS = 60;
const REFUSAL_MS = 250;

/**
 * Counts the failures of each address, or of something else that has a name. An address over the limit can still send requests that
 * succeed, unless each attempt is counted before it is made, and forgiven when it has succeeded.
 */
export class FailureLimit {
  readonly #name: string;
  readonly #max: number;
  readonly #seconds: number;
  readonly #counts: RateLimiterMemory;

  /** @param name of the policy in the RateLimit headers. @param max in so many `seconds` */
  constructor(name: string, max: number, seconds = MINUTE_SECONDS) {
    this.#name = name;
    this.#max = max;
    this.#seconds = seconds;
    this.#counts = new RateLimiterMemory({ points: max, duration: seconds });
  }

  /** Counts a failure. @throws Problem 429 when there are too many */
  async count(address: string, detail?: string): Promise<void> {
    try {
      await this.#counts.consume(networkOf(address));
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      // Who does not heed the refusal would send the next request at once.
      await sleep(REFUSAL_MS);
      const seconds = String(Math.ceil(limit.msBeforeNext / 1000));
      throw new Problem("too_many_requests", {
        ...(detail !== undefined && { detail }),
        headers: {
          "Retry-After": seconds,
          "RateLimit-Policy": `"${this.#name}";q=${this.#max};w=${this.#seconds}`,
          RateLimit: `"${this.#name}";r=0;t=${seconds}`,
        },
      });
    }
  }

  /** Takes one failure back. */
  async forgive(address: string): Promise<void> {
    await this.#counts.reward(networkOf(address), 1);
  }
}

/** The /64 of an IPv6 address, because whoever has one address has all of them; any other address as it is. */
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
