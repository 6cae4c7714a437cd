// Finds the principal of a request: by the headers of a key pair, by a bearer token, or by both.

import type { ParameterizedContext } from "koa";
import type { Context } from "../context.ts";
import { Problem } from "../problems.ts";
import type { Principal } from "../workspaces/credentials.ts";

/** The principal of a request. Undefined when its credentials are not valid. */
export function verify(context: Context, ctx: ParameterizedContext): Principal | undefined {
  const { authorization } = ctx.headers;
  return context.credentials.verify({
    apiKey: header(ctx.headers["x-service-api-key"]),
    apiSecret: header(ctx.headers["x-service-api-secret"]),
    bearer: authorization === undefined ? undefined : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ""),
  });
}

/** @throws Problem 401, the same for every reason; 429 when the address has failed too often */
export async function refuse({ failedLogins }: Context, address: string): Promise<never> {
  await failedLogins.count(address, "This address has sent too many requests without valid credentials.");
  throw new Problem("unauthenticated", { headers: { "WWW-Authenticate": 'Bearer realm="screening"' } });
}

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join() : value;
}
