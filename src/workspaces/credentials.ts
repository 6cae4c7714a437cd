// Issues credentials, and verifies those of requests. Only hashes of secrets are stored. A fast hash is enough, because a
// secret has 256 random bits and can't be guessed.

import { hash as digest, randomBytes, timingSafeEqual } from "node:crypto";
import type { Reader, Writer } from "../../db/connection.ts";
import { newId } from "../ids.ts";
import { Problem } from "../problems.ts";
import {
  type AccessTokenRow,
  type ApiKeyRow,
  findApiKey,
  findLifetime,
  findToken,
  findUserByName,
  insertApiKey,
  insertSecret,
  insertToken,
  insertUser,
  listSecrets,
  retireSecrets,
  type SecretRow,
  touchKey,
  touchToken,
} from "./queries.ts";

/** Who a write is attributed to. */
export interface Actor {
  type: "ApplicationActor" | "TenantUserActor" | "OperatorActor" | "ServiceActor";
  uid: string;
  name: string;
}

/** The workspace and the actor of a write. */
export interface Principal {
  workspaceId: number;
  workspaceUid: string;
  actor: Actor;
}

/** What credentials may do. `admin` includes the others. */
export const SCOPES = ["read", "import", "respond", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Who sends a request. */
export interface Caller extends Principal {
  scopes: ReadonlySet<Scope>;
  /** The ids of the key and the token that came with the request. */
  credentials: { key?: string; token?: string };
}

/** The credentials of a request. Half of a key pair counts as a wrong pair. */
interface Presented {
  apiKey: string | undefined;
  apiSecret: string | undefined;
  bearer: string | undefined;
}

const HOUR_MS = 3_600_000;

/** Verifies credentials, and records to the hour when each was last used. */
export class Credentials {
  readonly #reader: Reader;
  /** A cache of keys, valid until another connection commits to the control store. */
  readonly #keys = new Map<string, { row: ApiKeyRow; secrets: SecretRow[] }>();
  #version: number | undefined;
  #checked = false;
  readonly #used = new Map<string, { touch: typeof touchKey; id: number; at: number }>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /**
   * Who calls. Undefined for every kind of wrong credentials. With a key and a token, both must have a scope.
   * @throws Problem 403 when the workspace is suspended
   */
  verify(presented: Presented, now: number = Date.now()): Caller | undefined {
    const { apiKey, apiSecret, bearer } = presented;
    const withKey = apiKey !== undefined || apiSecret !== undefined;
    const key = withKey ? this.#verifyKey(apiKey ?? "", apiSecret ?? "", now) : undefined;
    if (withKey && !key) return undefined;
    if (bearer === undefined) return key;
    const user = this.#verifyToken(bearer, now);
    if (!user || !key) return withKey ? undefined : user;
    if (key.workspaceId !== user.workspaceId) return undefined;
    const credentials = { ...key.credentials, ...user.credentials };
    return { ...user, credentials, scopes: user.scopes.intersection(key.scopes) };
  }

  /** Stores when credentials were last used. */
  flush(db: Writer): void {
    for (const { touch, id, at } of this.#used.values()) touch(db, id, at);
    this.#used.clear();
  }

  get hasUses(): boolean {
    return this.#used.size > 0;
  }

  #verifyKey(apiKey: string, apiSecret: string, now: number): Caller | undefined {
    const { row, secrets } = this.#findKey(apiKey) ?? { secrets: [] };
    const presented = hashOf(apiSecret);
    const live = secrets.filter(({ expires_at }) => expires_at === null || expires_at > now);
    // Compare with all secrets, each in constant time, so that the time shows nothing about a secret.
    const matches = live.filter(({ secret_hash }) => timingSafeEqual(secret_hash, presented)).length > 0;
    if (!row || row.revoked_at !== null || !matches) return undefined;
    const actor = { type: "ApplicationActor", uid: row.uid, name: row.name } as const;
    return { ...this.#accept(row, actor, touchKey, now), scopes: scopesOf(row), credentials: { key: row.uid } };
  }

  #findKey(apiKey: string): { row: ApiKeyRow; secrets: SecretRow[] } | undefined {
    this.#forgetWhenStale();
    let key = this.#keys.get(apiKey);
    if (!key) {
      const row = findApiKey(this.#reader, apiKey);
      if (!row) return undefined;
      key = { row, secrets: listSecrets(this.#reader, row.id) };
      this.#keys.set(apiKey, key);
    }
    return key;
  }

  /** Checks once for all requests in the same round of the event loop. */
  #forgetWhenStale(): void {
    if (this.#checked) return;
    this.#checked = true;
    setImmediate(() => {
      this.#checked = false;
    });
    // data_version changes with every commit of another connection. This connection never commits.
    const version = this.#reader.value<number>("PRAGMA data_version");
    if (version === this.#version) return;
    this.#keys.clear();
    this.#version = version;
  }

  #verifyToken(token: string, now: number): Caller | undefined {
    // The search by hash need not take constant time: knowing a hash does not help to find its token.
    const row = findToken(this.#reader, hashOf(token));
    if (
      !row ||
      row.revoked_at !== null ||
      row.disabled_at !== null ||
      (row.expires_at !== null && row.expires_at <= now)
    )
      return undefined;
    const actor = { type: "TenantUserActor", uid: row.user_uid, name: row.user_name } as const;
    return { ...this.#accept(row, actor, touchToken, now), scopes: scopesOf(row), credentials: { token: row.uid } };
  }

  /** @throws Problem 403 when the workspace is suspended. Only who has valid credentials learns that */
  #accept(row: ApiKeyRow | AccessTokenRow, actor: Actor, touch: typeof touchKey, now: number): Principal {
    if (row.suspended_at !== null) throw new Problem("workspace_suspended");
    if (now - (row.last_used_at ?? 0) > HOUR_MS) {
      this.#used.set(`${actor.type} ${row.id}`, { touch, id: row.id, at: now });
    }
    return { workspaceId: row.workspace_id, workspaceUid: row.workspace_uid, actor };
  }
}

/** Issues a key with its first secret, which can't be read later. */
export function issueKey(
  db: Writer,
  workspaceId: number,
  options: { name: string; expiresAt: number | null; scopes?: readonly Scope[] },
): { id: string; apiKey: string; apiSecret: string } {
  const now = Date.now();
  const uid = newId();
  const apiKey = `key_${randomBytes(16).toString("base64url")}`;
  const apiKeyId = insertApiKey(db, {
    uid,
    workspaceId,
    apiKey,
    name: options.name,
    scopes: stored(options.scopes),
    now,
  });
  return { id: uid, apiKey, apiSecret: issueSecret(db, apiKeyId, options.expiresAt) };
}

/** Issues a new secret for a key, with the lifetime of the one before. That one stays valid for at most `overlapMs`. */
export function rotateKey(db: Writer, apiKeyId: number, overlapMs: number): string {
  const lifetime = findLifetime(db, apiKeyId);
  retireSecrets(db, apiKeyId, Date.now() + overlapMs);
  return issueSecret(db, apiKeyId, lifetime === null ? null : Date.now() + lifetime);
}

/** Issues a token for the user with this name. If there is none, creates the user. */
export function issueToken(
  db: Writer,
  workspaceId: number,
  options: { userName: string; expiresAt: number | null; scopes?: readonly Scope[] },
): { id: string; accessToken: string; user: { id: string; name: string } } {
  const now = Date.now();
  let user = findUserByName(db, workspaceId, options.userName);
  if (user?.disabled_at) throw new Error(`The user ${user.name} is disabled. Enable the user first: user enable.`);
  if (!user) {
    const uid = newId();
    user = {
      id: insertUser(db, { uid, workspaceId, name: options.userName, now }),
      uid,
      name: options.userName,
      disabled_at: null,
    };
  }
  const id = newId();
  const accessToken = `token_${randomBytes(32).toString("base64url")}`;
  const { expiresAt, scopes } = options;
  insertToken(db, { uid: id, userId: user.id, hash: hashOf(accessToken), scopes: stored(scopes), now, expiresAt });
  return { id, accessToken, user: { id: user.uid, name: user.name } };
}

function issueSecret(db: Writer, apiKeyId: number, expiresAt: number | null): string {
  const apiSecret = `secret_${randomBytes(32).toString("base64url")}`;
  insertSecret(db, { apiKeyId, hash: hashOf(apiSecret), now: Date.now(), expiresAt });
  return apiSecret;
}

const EVERYTHING: ReadonlySet<Scope> = new Set(SCOPES);
/** By the text that the store has: there are only a few. */
const known = new Map<string, ReadonlySet<Scope>>();

/** The scopes of a key or a token, with those that they include. */
export function scopesOf({ scopes }: { scopes: string | null }): ReadonlySet<Scope> {
  if (scopes === null) return EVERYTHING;
  let set = known.get(scopes);
  if (!set) {
    const names = scopes.split(",");
    const given = new Set(SCOPES.filter((scope) => names.includes(scope)));
    set = given.has("admin") ? EVERYTHING : given;
    known.set(scopes, set);
  }
  return set;
}

/** As the store has them: null for all. */
function stored(scopes: readonly Scope[] | undefined): string | null {
  return scopes ? SCOPES.filter((scope) => scopes.includes(scope)).join() : null;
}

function hashOf(secret: string): Buffer {
  return digest("sha256", secret, "buffer");
}
