// Credentials: how they are issued, and whose request one belongs to. Only hashes of secrets are kept. They hold 256
// random bits, so that a fast hash is right: there is nothing to guess.

import { hash as digest, randomBytes, timingSafeEqual } from "node:crypto";
import type { Reader, Writer } from "../../db/connection.ts";
import { newId } from "../ids.ts";
import {
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
  type: "ApplicationActor" | "TenantUserActor";
  uid: string;
  name: string;
}

/** Whose request it is. */
export interface Principal {
  workspaceId: number;
  workspaceUid: string;
  actor: Actor;
}

/** The credentials that a request carries; half a pair is as good as a wrong one. */
export interface Presented {
  apiKey: string | undefined;
  apiSecret: string | undefined;
  bearer: string | undefined;
}

const HOUR_MS = 3_600_000;

/** Knows whose request it is, and remembers coarsely when a credential was last used. */
export class Credentials {
  readonly #reader: Reader;
  /** Keys as they were read, until anybody commits anything to the store. */
  readonly #keys = new Map<string, { row: ApiKeyRow; secrets: SecretRow[] }>();
  #version: number | undefined;
  #looked = false;
  readonly #used = new Map<string, { touch: typeof touchKey; id: number; at: number }>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** The principal, or undefined: one answer for all that can be wrong. */
  verify(presented: Presented, now: number = Date.now()): Principal | undefined {
    const { apiKey, apiSecret, bearer } = presented;
    const withKey = apiKey !== undefined || apiSecret !== undefined;
    const key = withKey ? this.#verifyKey(apiKey ?? "", apiSecret ?? "", now) : undefined;
    if (withKey && !key) return undefined;
    if (bearer === undefined) return key;
    const user = this.#verifyToken(bearer, now);
    if (!user || (key && key.workspaceId !== user.workspaceId)) return undefined;
    return user;
  }

  /** Writes down when credentials were last used. */
  flush(db: Writer): void {
    for (const { touch, id, at } of this.#used.values()) touch(db, id, at);
    this.#used.clear();
  }

  get hasUses(): boolean {
    return this.#used.size > 0;
  }

  #verifyKey(apiKey: string, apiSecret: string, now: number): Principal | undefined {
    const { row, secrets } = this.#findKey(apiKey) ?? { secrets: [] };
    const presented = hashOf(apiSecret);
    const live = secrets.filter(({ expires_at }) => expires_at === null || expires_at > now);
    // All of them are compared, in constant time: how long it takes tells nothing of a secret.
    const matches = live.filter(({ secret_hash }) => timingSafeEqual(secret_hash, presented)).length > 0;
    if (!row || row.revoked_at !== null || !matches) return undefined;
    if (now - (row.last_used_at ?? 0) > HOUR_MS)
      this.#used.set(`key ${row.id}`, { touch: touchKey, id: row.id, at: now });
    return {
      workspaceId: row.workspace_id,
      workspaceUid: row.workspace_uid,
      actor: { type: "ApplicationActor", uid: row.uid, name: row.name },
    };
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

  /** Looks once for all requests that have come in at the same moment. */
  #forgetWhenStale(): void {
    if (this.#looked) return;
    this.#looked = true;
    setImmediate(() => {
      this.#looked = false;
    });
    // It changes with every commit of another connection, and this one never commits.
    const version = this.#reader.value<number>("PRAGMA data_version");
    if (version === this.#version) return;
    this.#keys.clear();
    this.#version = version;
  }

  #verifyToken(token: string, now: number): Principal | undefined {
    // Found by its hash: to come near it, one would have to turn SHA-256 around.
    const row = findToken(this.#reader, hashOf(token));
    if (!row || row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now)) return undefined;
    if (now - (row.last_used_at ?? 0) > HOUR_MS)
      this.#used.set(`token ${row.id}`, { touch: touchToken, id: row.id, at: now });
    return {
      workspaceId: row.workspace_id,
      workspaceUid: row.workspace_uid,
      actor: { type: "TenantUserActor", uid: row.user_uid, name: row.user_name },
    };
  }
}

/** Issues a key with its first secret. Both are shown this once. */
export function issueKey(
  db: Writer,
  workspaceId: number,
  options: { name: string; expiresAt: number | null },
): { id: string; apiKey: string; apiSecret: string } {
  const now = Date.now();
  const uid = newId();
  const apiKey = `key_${randomBytes(16).toString("base64url")}`;
  const apiKeyId = insertApiKey(db, { uid, workspaceId, apiKey, name: options.name, now });
  return { id: uid, apiKey, apiSecret: issueSecret(db, apiKeyId, options.expiresAt) };
}

/** Gives a key a new secret, for as long as the one before it was given, which goes on for `overlapMs`. */
export function rotateKey(db: Writer, apiKeyId: number, overlapMs: number): string {
  const lifetime = findLifetime(db, apiKeyId);
  retireSecrets(db, apiKeyId, Date.now() + overlapMs);
  return issueSecret(db, apiKeyId, lifetime === null ? null : Date.now() + lifetime);
}

/** Issues a token for the user of this name, who is made when there is none. */
export function issueToken(
  db: Writer,
  workspaceId: number,
  options: { userName: string; expiresAt: number | null },
): { id: string; accessToken: string; user: { id: string; name: string } } {
  const now = Date.now();
  let user = findUserByName(db, workspaceId, options.userName);
  if (!user) {
    const uid = newId();
    user = { id: insertUser(db, { uid, workspaceId, name: options.userName, now }), uid, name: options.userName };
  }
  const id = newId();
  const accessToken = `token_${randomBytes(32).toString("base64url")}`;
  insertToken(db, { uid: id, userId: user.id, hash: hashOf(accessToken), now, expiresAt: options.expiresAt });
  return { id, accessToken, user: { id: user.uid, name: user.name } };
}

function issueSecret(db: Writer, apiKeyId: number, expiresAt: number | null): string {
  const apiSecret = `secret_${randomBytes(32).toString("base64url")}`;
  insertSecret(db, { apiKeyId, hash: hashOf(apiSecret), now: Date.now(), expiresAt });
  return apiSecret;
}

function hashOf(secret: string): Buffer {
  return digest("sha256", secret, "buffer");
}
