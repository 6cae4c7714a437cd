// Changes of the API keys of a workspace, each with its event. Call them in a transaction on the control store.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { changesBetween, type RecordEvent } from "../events/record.ts";
import { scopesOf } from "../workspaces/credentials.ts";
import { issueKey, rotateKey } from "../workspaces/issue.ts";
import {
  type ApiKeyRow,
  findApiKeyByUid,
  listApiKeys,
  listSecrets,
  revokeApiKey,
  type SecretRow,
} from "../workspaces/queries.ts";
import type { Scope } from "../workspaces/rights.ts";
import { NotThere, Refused } from "./faults.ts";

/** How long an old secret works after a rotation, unless somebody says otherwise. */
export const OVERLAP_MS = 24 * 3_600_000;

/** A key with its secrets that work, the oldest first. While it is rotated it has two. */
export interface Key {
  row: ApiKeyRow;
  secrets: SecretRow[];
}

export function listKeys(db: Reader, workspaceId: number): Key[] {
  return listApiKeys(db, workspaceId).map((row) => ({ row, secrets: liveSecrets(db, row) }));
}

/** Issues a key. Its secret can't be read later. @param options.uid of the key, if the caller chooses it. @throws Refused if it is issued already */
export function addKey(
  db: Writer,
  record: RecordEvent,
  workspaceId: number,
  options: { uid?: string; name: string; expiresAt: number | null; scopes?: readonly Scope[] },
): { id: string; apiKey: string; apiSecret: string } {
  if (options.uid !== undefined && findApiKeyByUid(db, workspaceId, options.uid))
    throw new Refused("The key was issued already, and its secret was shown then.");
  const issued = issueKey(db, workspaceId, options);
  const changes = changesBetween(null, shown(db, workspaceId, issued.id));
  record({ type: "api-key.created", resource: { type: "ApiKey", uid: issued.id }, changes });
  return issued;
}

/**
 * Gives a key another secret, with the same lifetime. The old one works for `overlapMs` more.
 * @param newest when its newest secret was made, as far as the caller knows; undefined: whenever. @throws NotThere; Refused if it has another one
 */
export function rotate(
  db: Writer,
  record: RecordEvent,
  workspaceId: number,
  uid: string,
  overlapMs: number,
  newest?: number,
): { key: ApiKeyRow; apiSecret: string } {
  return change(db, record, workspaceId, uid, "api-key.rotated", (key) => {
    if (newest !== undefined && listSecrets(db, key.id).at(-1)?.created_at !== newest)
      throw new Refused("The key has got a new secret already, which was shown then.");
    return { key, apiSecret: rotateKey(db, key.id, overlapMs) };
  });
}

/** @throws NotThere */
export function revoke(db: Writer, record: RecordEvent, workspaceId: number, uid: string): ApiKeyRow {
  return change(db, record, workspaceId, uid, "api-key.revoked", (key) => {
    revokeApiKey(db, key.id, Date.now());
    return findApiKeyByUid(db, workspaceId, key.uid)!;
  });
}

/** Changes a key. If that changes what it shows, there is an event. */
function change<T>(
  db: Writer,
  record: RecordEvent,
  workspaceId: number,
  uid: string,
  type: "api-key.rotated" | "api-key.revoked",
  work: (key: ApiKeyRow) => T,
): T {
  const key = findApiKeyByUid(db, workspaceId, uid);
  const kind = type === "api-key.rotated" ? "live key" : "key";
  if (!key || (key.revoked_at !== null && kind === "live key"))
    throw new NotThere(`The workspace has no ${kind} ${uid}.`);
  const before = shown(db, workspaceId, key.uid);
  const result = work(key);
  const changes = changesBetween(before, shown(db, workspaceId, key.uid));
  if (changes.length) record({ type, resource: { type: "ApiKey", uid: key.uid }, changes });
  return result;
}

/** What events show of a key. */
function shown(db: Reader, workspaceId: number, uid: string): string {
  const key = findApiKeyByUid(db, workspaceId, uid)!;
  const secrets = liveSecrets(db, key).map(({ created_at, expires_at }) => ({
    createdAt: iso(created_at),
    expiresAt: iso(expires_at),
  }));
  return JSON.stringify({ name: key.name, scopes: [...scopesOf(key)], secrets, revokedAt: iso(key.revoked_at) });
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function liveSecrets(db: Reader, { id, revoked_at }: ApiKeyRow): SecretRow[] {
  const now = Date.now();
  if (revoked_at !== null) return [];
  return listSecrets(db, id).filter(({ expires_at }) => expires_at === null || expires_at > now);
}
