// OpenID providers for tests, on this machine: a real one (oidc-provider), and one that answers as a test sets it, also wrong.

import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import RealProvider from "oidc-provider";
import type { OidcConfig } from "../../src/base/settings/oidc.ts";
import { CALLBACK_PATH } from "../../src/console/shell/provider.ts";
import { ConsoleBrowser } from "./console.ts";

const CLIENT = { clientId: "screening", clientSecret: "what-only-the-two-of-them-know" };

export interface Account {
  email?: string;
  email_verified?: boolean;
}

export interface StartedProvider {
  oidc: OidcConfig;
  /** By the name that is typed at the sign-in, which is their `sub`. */
  accounts: Map<string, Account>;
  /** So many requests for what it says of itself have come. */
  discoveries: () => number;
  /** Ends it; `start` listens at the same address again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { privateKey, publicKey };
}

async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  if (server.listening) await new Promise((resolve) => server.close(resolve));
}

/** Starts the real provider, where anybody in `accounts` may sign in with any password. @param publicUrl of the service */
export async function startProvider(publicUrl: string): Promise<StartedProvider> {
  const accounts = new Map<string, Account>();
  let discoveries = 0;
  let answer: RequestListener = () => {};
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/.well-known/")) discoveries++;
    answer(request, response);
  });
  const port = await listen(server);
  const issuer = `http://127.0.0.1:${port}`;
  const { privateKey } = newKey();
  const provider = new RealProvider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [publicUrl + CALLBACK_PATH],
      },
    ],
    cookies: { keys: ["a key of the test"] },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" } as never] },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    pkce: { required: () => true },
    findAccount: (_, sub) => {
      const account = accounts.get(sub);
      return account && { accountId: sub, claims: async () => ({ sub, ...account }) };
    },
  });
  answer = provider.callback();
  after(() => close(server));
  return {
    oidc: { issuer, ...CLIENT, name: "Test University" },
    accounts,
    discoveries: () => discoveries,
    stop: () => close(server),
    start: async () => {
      await listen(server, port);
    },
  };
}

/** Signs in at the real provider, and agrees. @param url where the service has led. @returns the path of the service that it leads back to */
async function signInThere(url: string, login: string): Promise<string> {
  const browser = new ConsoleBrowser(new URL(url).origin);
  let at = url;
  for (let i = 0; i < 10; i++) {
    const { origin, pathname, search } = new URL(at, browser.url);
    if (origin !== browser.url) return pathname + search;
    const { headers, text } = await browser.get(pathname + search);
    if (headers.location) {
      at = String(headers.location);
      continue;
    }
    const [, action = ""] = /<form[^>]* action="([^"]+)"/.exec(text) ?? [];
    const [, prompt = ""] = /name="prompt" value="([^"]+)"/.exec(text) ?? [];
    if (!action) throw new Error(text);
    const sent = await browser.postRaw(new URL(action, browser.url).pathname, { prompt, login, password: "any" }, {});
    at = String(sent.headers.location);
  }
  throw new Error(`The provider does not lead back: ${at}`);
}

/** Where a sign-in begins. */
export const START = "/console/sign-in/oidc";

/** Has a browser go to the real provider, and sign in there. @param start the path. @returns the path that the browser is led back to */
export async function goThere(browser: ConsoleBrowser, login: string, start = START): Promise<string> {
  const { status, headers, text } = await browser.get(start);
  if (status !== 303) throw new Error(text);
  return signInThere(String(headers.location), login);
}

/** What the other provider answers with; what is left out is right. */
export interface Lies {
  claims?: Record<string, unknown>;
  /** Signed with a key that the provider does not publish. */
  isForged?: true;
  /** Another algorithm: unsigned, or with a secret that the client knows. */
  algorithm?: "none" | "HS256";
  /** Nothing is answered to a request with this path. */
  hangsAt?: string;
}

/** Starts a provider that gives every code an ID token, and lies as a test sets it. */
export async function startLiar(lies: Lies = {}) {
  const [own, other] = [newKey(), newKey()];
  const state: { lies: Lies; nonce: string; challenge: string } = { lies, nonce: "", challenge: "" };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    if (pathname === state.lies.hangsAt) return;
    const json = (body: object, status = 200) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (pathname === "/.well-known/openid-configuration")
      json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        token_endpoint_auth_methods_supported: ["client_secret_post"],
      });
    else if (pathname === "/jwks")
      json({ keys: [{ ...own.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256" }] });
    else {
      const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
      const challenge = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      if (form.get("client_secret") !== CLIENT.clientSecret || challenge !== state.challenge)
        return json({ error: "invalid_grant" }, 400);
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: issuer, aud: CLIENT.clientId, sub: "liar", nonce: state.nonce, iat: now, exp: now + 300 };
      const email = { email: "liar@example.org", email_verified: true };
      const key = state.lies.isForged ? other.privateKey : own.privateKey;
      const id_token = jwt({ ...claims, ...email, ...state.lies.claims }, key, state.lies.algorithm);
      json({ access_token: "of no use", token_type: "Bearer", id_token });
    }
  });
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  after(() => close(server));
  return {
    oidc: { issuer, ...CLIENT, name: "The Liar" },
    /** What a browser is led back with, that was led to `url`. */
    answer(url: string, lies: Lies = {}): string {
      const { searchParams } = new URL(url);
      const asked = (name: string) => searchParams.get(name) ?? "";
      Object.assign(state, { lies, nonce: asked("nonce"), challenge: asked("code_challenge") });
      return `${CALLBACK_PATH}?${new URLSearchParams({ code: "a-code", state: asked("state") })}`;
    },
  };
}

function jwt(claims: object, key: KeyObject, alg: "RS256" | "none" | "HS256" = "RS256"): string {
  const text = [{ alg, kid: "1" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const signatures = {
    RS256: () => sign("sha256", Buffer.from(text), key),
    HS256: () => createHmac("sha256", CLIENT.clientSecret).update(text).digest(),
    none: () => Buffer.alloc(0),
  };
  return `${text}.${signatures[alg]().toString("base64url")}`;
}
