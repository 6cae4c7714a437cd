// Whose request it is: the key pair's headers, a bearer token, or both.

import type { ParameterizedContext } from "koa";
import type { Context } from "../context.ts";
import { Problem } from "../problems.ts";
import type { Principal } from "../workspaces/credentials.ts";

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
export async function refuse({ failedLogins }: Context, address: string): Promise<never> {
  await failedLogins.count(address, "There were too many requests without valid credentials from this address.");
  throw new Problem("unauthenticated", { headers: { "WWW-Authenticate": 'Bearer realm="screening"' } });
}

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join() : value;
}
