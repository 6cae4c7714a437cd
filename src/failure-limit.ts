// Limits repeated failures, by address: guesses of credentials, or of links.

import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Problem } from "./problems.ts";

const SECONDS = 60;

/** Failures of each address in a minute. Whoever succeeds is never refused because of them, not even from there. */
export class FailureLimit {
  readonly #name: string;
  readonly #max: number;
  readonly #counts: RateLimiterMemory;

  /** `name` is the policy's, in the RateLimit headers. */
  constructor(name: string, max: number) {
    this.#name = name;
    this.#max = max;
    this.#counts = new RateLimiterMemory({ points: max, duration: SECONDS });
  }

  /** Counts one more. @throws Problem 429 when there were too many */
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
