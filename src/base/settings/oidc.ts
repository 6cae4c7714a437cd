// Settings of single sign-on.

import * as v from "valibot";
import { LOOPBACK, url } from "./values.ts";

/** What single sign-on needs: all of them, or none. */
const NEEDED = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;

export const oidcEntries = {
  OIDC_ISSUER: v.optional(
    v.pipe(
      url(["http:", "https:"]),
      v.check((text) => !/[?#]/.test(text), "must be a URL without a query or a fragment"),
      v.check(
        (text) => !text.startsWith("http:") || LOOPBACK.test(new URL(text).hostname),
        "must begin with https://, unless it is on this machine",
      ),
    ),
  ),
  OIDC_CLIENT_ID: v.optional(v.string()),
  OIDC_CLIENT_SECRET: v.optional(v.string()),
  OIDC_NAME: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty("must not be empty"))),
};

/** An OpenID provider, and our client id there. */
export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What people call it. */
  name: string;
}

/** A line for each variable that is missing. */
export function missingForOidc(set: Record<string, unknown>): string[] {
  const missing = NEEDED.filter((name) => !set[name]);
  if (!missing.length || (missing.length === NEEDED.length && !set.OIDC_NAME)) return [];
  return missing.map((name) => `  ${name} must be set: single sign-on needs ${NEEDED.join(", ")}`);
}

type Variables = { [Name in keyof typeof oidcEntries]?: string | undefined };

export function oidcOf(output: Variables): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = output;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer, clientId, clientSecret, name: output.OIDC_NAME ?? new URL(issuer).host };
}
