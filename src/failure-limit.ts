// Limits repeated failures, by address: guesses of credentials, or of links.

import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Problem } from "./problems.ts";

const SECONDS = 60;

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
      await this.#counts.consume(address);
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
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
