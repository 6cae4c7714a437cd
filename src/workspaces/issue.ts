// Issues credentials. Each secret is shown once.

import { randomBytes } from "node:crypto";
import type { Writer } from "../../db/sqlite/connection.ts";
import { markOf, newId } from "../base/ids.ts";
import { cellOf } from "./installation.ts";
import { findLifetime, hashOf, insertApiKey, insertSecret, retireSecrets } from "./queries.ts";
import { SCOPES, type Scope } from "./rights.ts";
import { findUserByName, insertToken, insertUser } from "./token-queries.ts";

/** Issues a key with its first secret, which can't be read later. */
export function issueKey(
  db: Writer,
  workspaceId: number,
  options: { uid?: string; name: string; expiresAt: number | null; scopes?: readonly Scope[] },
): { id: string; apiKey: string; apiSecret: string } {
  const now = Date.now();
  const uid = options.uid ?? newId();
  const apiKey = `key_${markIn(db, workspaceId)}${randomBytes(16).toString("base64url")}`;
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
  const accessToken = `token_${markIn(db, workspaceId)}${randomBytes(32).toString("base64url")}`;
  const { expiresAt, scopes } = options;
  insertToken(db, { uid: id, userId: user.id, hash: hashOf(accessToken), scopes: stored(scopes), now, expiresAt });
  return { id, accessToken, user: { id: user.uid, name: user.name } };
}

function markIn(db: Writer, workspaceId: number): string {
  return markOf(cellOf(db), db.value<string>("SELECT uid FROM workspace WHERE id = ?", workspaceId)!);
}

function issueSecret(db: Writer, apiKeyId: number, expiresAt: number | null): string {
  const apiSecret = `secret_${randomBytes(32).toString("base64url")}`;
  insertSecret(db, { apiKeyId, hash: hashOf(apiSecret), now: Date.now(), expiresAt });
  return apiSecret;
}

/** As the store has them: null for all. */
function stored(scopes: readonly Scope[] | undefined): string | null {
  return scopes ? SCOPES.filter((scope) => scopes.includes(scope)).join() : null;
}
