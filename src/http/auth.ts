// Whose request it is: the key pair's headers, a bearer token, or both.

import type { ParameterizedContext } from "koa";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Context } from "../context.ts";
import { Problem } from "../problems.ts";
import type { Principal } from "../workspaces/credentials.ts";

/** How many failures an address has in a minute before it is told to slow down. */
export const FAILURES_AT_MOST = 300;

// Who guesses is slowed down. Valid credentials are never refused because of it, whoever shares the address.
const failures = new RateLimiterMemory({ points: FAILURES_AT_MOST, duration: 60 });

/** The principal of a request, or undefined when its credentials are not valid. */
export function verify(context: Context, ctx: ParameterizedContext): Principal | undefined {
  const { authorization } = ctx.headers;
  return context.credentials.verify({
    apiKey: header(ctx.headers["x-service-api-key"]),
    apiSecret: header(ctx.headers["x-service-api-secret"]),
    bearer: authorization === undefined ? undefined : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ""),
  });
}

/** @throws Problem 401, one answer for all that can be wrong with credentials; 429 after too many of them */
export async function refuse(address: string): Promise<never> {
  try {
    await failures.consume(address);
  } catch (limit) {
    if (!(limit instanceof RateLimiterRes)) throw limit;
    const seconds = String(Math.ceil(limit.msBeforeNext / 1000));
    throw new Problem("too_many_requests", {
      detail: "There were too many requests without valid credentials from this address.",
      headers: {
        "Retry-After": seconds,
        "RateLimit-Policy": `"failed-authentication";q=${FAILURES_AT_MOST};w=60`,
        RateLimit: `"failed-authentication";r=0;t=${seconds}`,
      },
    });
  }
  throw new Problem("unauthenticated", { headers: { "WWW-Authenticate": 'Bearer realm="screening"' } });
}

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join() : value;
}
