// Limits repeated failures, by address: guesses of credentials, or of links. IPv6 is counted by /64.

import { isIPv6 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Problem } from "./problems.ts";

const SECONDS = 60;
const REFUSAL_MS = 250;

/** Counts the failures of each address in a minute. An address over the limit can still send requests that succeed. */
export class FailureLimit {
  readonly #name: string;
  readonly #max: number;
  readonly #counts: RateLimiterMemory;

  /** @param name of the policy in the RateLimit headers */
  constructor(name: string, max: number) {
    this.#name = name;
    this.#max = max;
    this.#counts = new RateLimiterMemory({ points: max, duration: SECONDS });
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
          "RateLimit-Policy": `"${this.#name}";q=${this.#max};w=${SECONDS}`,
          RateLimit: `"${this.#name}";r=0;t=${seconds}`,
        },
      });
    }
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
