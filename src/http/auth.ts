// Authenticates the caller of a request by the headers of a key pair, by a bearer token, or by both; and checks its rights.

import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "../base/problems.ts";
import { type Caller, hasScope } from "../workspaces/credentials.ts";
import { findMovedBy } from "../workspaces/moving.ts";
import type { Scope } from "../workspaces/rights.ts";
import type { Context } from "./context.ts";

/** The principal of a request; undefined when its credentials are not valid. */
export function verify(context: Context, headers: IncomingHttpHeaders): Caller | undefined {
  return context.credentials.verify({
    apiKey: header(headers["x-service-api-key"]),
    apiSecret: header(headers["x-service-api-secret"]),
    bearer: bearerOf(headers),
  });
}

function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return authorization === undefined ? undefined : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "");
}

/** The cell to which the workspace of these credentials has moved; undefined: none that this cell knows of. */
export function movedTo({ control }: Context, headers: IncomingHttpHeaders): string | undefined {
  return findMovedBy(control.reader, header(headers["x-service-api-key"]), bearerOf(headers));
}

/** @throws Problem 401, the same for every reason; 429 when the address has failed too often */
export async function refuse({ failedLogins }: Context, address: string): Promise<never> {
  const left = await failedLogins.count(address, "This address has sent too many requests without valid credentials.");
  throw unauthenticated().withHeaders(left);
}

export function unauthenticated(): Problem {
  return new Problem("unauthenticated", { headers: { "WWW-Authenticate": 'Bearer realm="screening"' } });
}

/** @throws Problem 403 when the caller has none of `scopes` */
export function requireScope(caller: Caller, scopes: readonly Scope[]): void {
  if (scopes.some((scope) => hasScope(caller.scopes, scope))) return;
  const has = [...caller.scopes].join(", ") || "none";
  throw new Problem("insufficient_scope", {
    detail: `This needs the scope ${scopes.join(" or ")}. The credentials have ${has}.`,
    headers: {
      "WWW-Authenticate": `Bearer realm="screening", error="insufficient_scope", scope="${scopes.join(" ")}"`,
    },
  });
}

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join() : value;
}
