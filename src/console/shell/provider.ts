// The OpenID provider that people may sign in at: authorization code flow of OpenID Connect Core 1.0, with PKCE (RFC 7636).
//
// The library and what the provider says of itself are loaded at the first sign-in: the service starts without the provider. Nothing
// is kept of a sign-in that is under way: its state, nonce and code verifier are made of a secret that only the browser's cookie has.

import { hash, timingSafeEqual } from "node:crypto";
import type * as OpenId from "openid-client";
import type { OidcConfig } from "../../base/settings/oidc.ts";
import type { Identity } from "../../workspaces/accounts.ts";

/** The path that the provider sends people back to. */
export const CALLBACK_PATH = "/console/sign-in/oidc/callback";

/** For each request to the provider. */
const TIMEOUT_SECONDS = 5;
/** How far its clock and ours may be apart. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** How long its metadata is kept. */
const KEPT_MS = 3_600_000;

/** A person who has signed in at the provider. */
export interface Known extends Identity {
  /** An email that the provider has verified; null: it says of none that it has. */
  email: string | null;
}

export class Provider {
  /** What people call it. */
  readonly name: string;
  readonly #settings: OidcConfig;
  readonly #callback: string;
  #discovered: { at: number; configuration: Promise<OpenId.Configuration> } | undefined;

  /** @param publicUrl what URLs of this service begin with */
  constructor(settings: OidcConfig, publicUrl: string) {
    this.name = settings.name;
    this.#settings = settings;
    this.#callback = publicUrl + CALLBACK_PATH;
  }

  /** Where a browser goes to sign in. @param secret what its cookie gets. @throws Error when the provider does not answer as it should */
  async begin(secret: string): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import("openid-client");
    const url = buildAuthorizationUrl(await this.#discover(), {
      redirect_uri: this.#callback,
      response_type: "code",
      scope: "openid email",
      state: derive(secret, "state"),
      nonce: derive(secret, "nonce"),
      code_challenge: await calculatePKCECodeChallenge(derive(secret, "verifier")),
      code_challenge_method: "S256",
    });
    return url.href;
  }

  /** Whether the browser with this secret has begun the sign-in that comes back with this state. */
  hasBegun(state: string, secret: string): boolean {
    const [given, own] = [Buffer.from(state), Buffer.from(derive(secret, "state"))];
    return given.length === own.length && timingSafeEqual(given, own);
  }

  /** The person who comes back. @param query of the callback, whose state is right. @throws Error when anything about it is not as it should be */
  async finish(query: URLSearchParams, secret: string): Promise<Known> {
    const { authorizationCodeGrant, fetchUserInfo } = await import("openid-client");
    const configuration = await this.#discover();
    const tokens = await authorizationCodeGrant(configuration, new URL(`${this.#callback}?${query}`), {
      expectedState: query.get("state") ?? "",
      expectedNonce: derive(secret, "nonce"),
      pkceCodeVerifier: derive(secret, "verifier"),
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    // Some providers serve many organizations under one address, where anybody can make an account with any email.
    if (new URL(claims.iss).href !== new URL(this.#settings.issuer).href)
      throw new Error(`The ID token is of another issuer: ${claims.iss}`);
    const says =
      claims.email === undefined ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
    const isVerified = says.email_verified === true && typeof says.email === "string";
    return { issuer: claims.iss, subject: claims.sub, email: isVerified ? String(says.email) : null };
  }

  /** What the provider says of itself. Calls at the same time share one request; after a failure the next call sends another. */
  #discover(): Promise<OpenId.Configuration> {
    if (this.#discovered && Date.now() - this.#discovered.at < KEPT_MS) return this.#discovered.configuration;
    const discovered = { at: Date.now(), configuration: discover(this.#settings) };
    this.#discovered = discovered;
    discovered.configuration.catch(() => {
      if (this.#discovered === discovered) this.#discovered = undefined;
    });
    return discovered.configuration;
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<OpenId.Configuration> {
  const openid = await import("openid-client");
  const [basic, post] = [openid.ClientSecretBasic(clientSecret), openid.ClientSecretPost(clientSecret)];
  // Every provider has to take the secret as Basic, unless it says what else it takes (RFC 8414, 2).
  const authenticate: OpenId.ClientAuth = (server, ...rest) =>
    ((server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]).includes("client_secret_basic")
      ? basic
      : post)(server, ...rest);
  const metadata = { [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  return await openid.discovery(new URL(issuer), clientId, metadata, authenticate, {
    timeout: TIMEOUT_SECONDS,
    execute: [
      // The signatures of ID tokens are looked at, though they come from the provider itself.
      openid.enableNonRepudiationChecks,
      // Only on this machine: see OIDC_ISSUER.
      ...(issuer.startsWith("http:") ? [openid.allowInsecureRequests] : []),
    ],
  });
}

function derive(secret: string, what: string): string {
  return hash("sha256", `oidc ${secret} ${what}`, "base64url");
}
