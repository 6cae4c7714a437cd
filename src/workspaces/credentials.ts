// Verifies the credentials of requests.

import { timingSafeEqual } from "node:crypto";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { Problem } from "../base/problems.ts";
import type { Actor } from "../events/actors.ts";
import { requireStill } from "./moving.ts";
import { type ApiKeyRow, findApiKey, hashOf, listSecrets, touchKey } from "./queries.ts";
import { Remembered } from "./remembered.ts";
import { SCOPES, SCOPES_OF_ROLES, type Scope } from "./rights.ts";
import { type AccessTokenRow, findToken, touchToken } from "./token-queries.ts";

/** The workspace and the actor of a write. */
export interface Principal {
  workspaceId: number;
  workspaceUid: string;
  actor: Actor;
}

/** The caller of a request. */
export interface Caller extends Principal {
  scopes: ReadonlySet<Scope>;
  /** Gets references instead of sessions' ids, slugs and links: a link lets its reader answer for somebody. */
  hidesLinks: boolean;
  /** The ids of the key and the token that came with the request. */
  credentials: { key?: string; token?: string };
}

/** The credentials of a request. Half of a key pair counts as a wrong pair. */
interface Presented {
  apiKey: string | undefined;
  apiSecret: string | undefined;
  bearer: string | undefined;
}

const MINUTE_MS = 60_000;

interface Known {
  caller: Caller;
  /** It must be verified again from then on. */
  until: number;
}

/** Verifies credentials, and records to the minute when each was last used. */
export class Credentials {
  readonly #reader: Reader;
  /** The principals, by their headers. */
  readonly #callers: Remembered<Known>;
  /** Until when the caller who is being verified need not be verified again. Within a minute, so that uses are recorded. */
  #until = 0;
  readonly #used = new Map<string, { touch: typeof touchKey; id: number; at: number }>();

  constructor(reader: Reader) {
    this.#reader = reader;
    this.#callers = new Remembered(reader);
  }

  /**
   * The principal. Undefined for every kind of wrong credentials. With a key and a token, both must have a scope.
   * @throws Problem 403 when the workspace is suspended; 503 when it is moving
   */
  verify(presented: Presented, now: number = Date.now()): Caller | undefined {
    // No header has a line break.
    const { apiKey = "\n", apiSecret = "\n", bearer = "\n" } = presented;
    const headers = `${apiKey}\n${apiSecret}\n${bearer}`;
    const known = this.#callers.get(headers);
    if (known && now < known.until) return known.caller;
    this.#until = now + MINUTE_MS;
    const caller = this.#verify(presented, now);
    if (caller) this.#callers.set(headers, { caller, until: this.#until });
    return caller;
  }

  #verify(presented: Presented, now: number): Caller | undefined {
    const { apiKey, apiSecret, bearer } = presented;
    const withKey = apiKey !== undefined || apiSecret !== undefined;
    const key = withKey ? this.#verifyKey(apiKey ?? "", apiSecret ?? "", now) : undefined;
    if (withKey && !key) return undefined;
    if (bearer === undefined) return key;
    const user = this.#verifyToken(bearer, now);
    if (!user || !key) return withKey ? undefined : user;
    if (key.workspaceId !== user.workspaceId) return undefined;
    const credentials = { ...key.credentials, ...user.credentials };
    return { ...user, credentials, ...allowedBy(withIncluded(user.scopes).intersection(withIncluded(key.scopes))) };
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
    const row = findApiKey(this.#reader, apiKey);
    const secrets = row ? listSecrets(this.#reader, row.id) : [];
    const presented = hashOf(apiSecret);
    const live = secrets.filter(({ expires_at }) => expires_at === null || expires_at > now);
    // Compare with all secrets, each in constant time, so that the time shows nothing about a secret.
    const matching = live.filter(({ secret_hash }) => timingSafeEqual(secret_hash, presented));
    const matches = matching.length > 0;
    for (const { expires_at } of matching) this.#validUntil(expires_at);
    if (!row || row.revoked_at !== null || !matches || row.moving === "MOVED") return undefined;
    const actor = { type: "ApplicationActor", uid: row.uid, name: row.name } as const;
    return { ...this.#accept(row, actor, touchKey, now), ...allowedBy(scopesOf(row)), credentials: { key: row.uid } };
  }

  #verifyToken(token: string, now: number): Caller | undefined {
    // The search by hash need not take constant time: knowing a hash does not help to find its token.
    const row = findToken(this.#reader, hashOf(token));
    if (
      !row ||
      row.revoked_at !== null ||
      row.disabled_at !== null ||
      row.moving === "MOVED" ||
      (row.expires_at !== null && row.expires_at <= now)
    )
      return undefined;
    this.#validUntil(row.expires_at);
    const actor = { type: "TenantUserActor", uid: row.user_uid, name: row.user_name } as const;
    return {
      ...this.#accept(row, actor, touchToken, now),
      ...allowedBy(scopesOfToken(row)),
      credentials: { token: row.uid },
    };
  }

  /** The caller who is being verified is verified again then: credentials expire, or a use is to be recorded. */
  #validUntil(at: number | null): void {
    if (at !== null) this.#until = Math.min(this.#until, at);
  }

  /** @throws Problem 403 when the workspace is suspended, 503 when it moves. Only callers with valid credentials get these */
  #accept(row: ApiKeyRow | AccessTokenRow, actor: Actor, touch: typeof touchKey, now: number): Principal {
    requireStill(this.#reader, row.workspace_uid, row.moving);
    if (row.suspended_at !== null) throw new Problem("workspace_suspended");
    const nextUse = (row.last_used_at ?? 0) + MINUTE_MS;
    if (now >= nextUse) this.#used.set(`${actor.type} ${row.id}`, { touch, id: row.id, at: now });
    else this.#validUntil(nextUse);
    return { workspaceId: row.workspace_id, workspaceUid: row.workspace_uid, actor };
  }
}

/** What a caller may do with these scopes, and whether it gets links. */
export function allowedBy(scopes: ReadonlySet<Scope>): Pick<Caller, "scopes" | "hidesLinks"> {
  const has = (...some: Scope[]) => some.some((scope) => scopes.has(scope));
  // Answers to imports, and to writes of studies, have always had ids of sessions: who is to get none of them has that scope, too.
  const getsIds = has("import", "author") && !has("read-without-links");
  return { scopes, hidesLinks: !getsIds && !has("read", "respond", "admin") };
}

/** What a token may do. Where its user has a role, at most what that one allows: a change of the role changes it at once. */
function scopesOfToken(row: AccessTokenRow): ReadonlySet<Scope> {
  const own = scopesOf(row);
  if (row.role === null) return own;
  return withIncluded(own).intersection(withIncluded(new Set(SCOPES_OF_ROLES[row.role])));
}

/** Whether a caller with these scopes may do what needs this one. */
export function hasScope(scopes: ReadonlySet<Scope>, needed: Scope): boolean {
  return scopes.has(needed) || (needed === "read" && scopes.has("read-without-links"));
}

function withIncluded(scopes: ReadonlySet<Scope>): ReadonlySet<Scope> {
  return scopes.has("read") ? new Set([...scopes, "read-without-links"]) : scopes;
}

/** `read` gets more than `read-without-links`. */
const EVERYTHING: ReadonlySet<Scope> = new Set(SCOPES.filter((scope) => scope !== "read-without-links"));
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
