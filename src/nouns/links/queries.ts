// Statements on open links.

import { countRow } from "../../../db/list/counts.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { Problem } from "../../base/problems.ts";
import { type Asked, countedLinks, type LinkStatus, type OneEach } from "./resource.ts";

/** What callers set, as it is stored. */
export interface LinkValues {
  name: string;
  /** JSON: of `Asked`. */
  ask: string;
  is_required: 0 | 1;
  max_joins: number | null;
  opens_at: string | null;
  closes_at: string | null;
  /** The text of src/base/attributes.ts. */
  attributes: string;
  /** JSON: the query parameters that become attributes. */
  accept: string;
  one_each: OneEach;
  /** Whether the address of who comes must be signed. */
  requires_signature: 0 | 1;
  /** Whether who joins confirms an email first. */
  confirms_email: 0 | 1;
}

export interface LinkRow extends LinkValues {
  id: number;
  uid: string;
  screener_id: number;
  token: string;
  status: "ACTIVE" | "REVOKED";
  joined: number;
  /** It stays when somebody joins. */
  updated_at: string;
}

const written = [
  "name",
  "ask",
  "is_required",
  "max_joins",
  "opens_at",
  "closes_at",
  "attributes",
  "accept",
  "one_each",
  "requires_signature",
  "confirms_email",
] as const satisfies readonly (keyof LinkValues)[];

export function findLink(db: Reader, uid: string): LinkRow | undefined {
  return db.get("SELECT * FROM screener_link WHERE uid = ?", uid);
}

/** @throws Problem screener_link_not_found */
export function getLink(db: Reader, uid: string): LinkRow {
  const row = findLink(db, uid);
  if (!row) throw new Problem("screener_link_not_found");
  return row;
}

export function findLinkByToken(db: Reader, token: string): LinkRow | undefined {
  return db.get("SELECT * FROM screener_link WHERE token = ?", token);
}

/** A link that was read before, as it is now: who joins changes one number of it. */
export function getLinkAgain(db: Reader, before: LinkRow): LinkRow {
  return findUnchanged(db, before) ?? getLink(db, before.uid);
}

/** The same; undefined: something else of it has changed, too. */
export function findUnchanged(db: Reader, before: LinkRow): LinkRow | undefined {
  const { id, token, updated_at, status } = before;
  const unchanged = "SELECT joined FROM screener_link WHERE id = ? AND token = ? AND updated_at = ? AND status = ?";
  const joined = db.value<number>(unchanged, id, token, updated_at, status);
  return joined === undefined ? undefined : { ...before, joined };
}

/** Whether somebody may join by a link now; else why not. */
export function statusOf({ status, closes_at, opens_at, joined, max_joins }: LinkRow, now: Date): LinkStatus {
  const at = now.toISOString();
  if (status === "REVOKED") return "REVOKED";
  if (closes_at !== null && closes_at <= at) return "CLOSED";
  if (max_joins !== null && joined >= max_joins) return "FULL";
  return opens_at !== null && opens_at > at ? "NOT_YET_OPEN" : "OPEN";
}

export function askedBy({ ask }: LinkRow): Asked[] {
  return JSON.parse(ask);
}

/** Names of links that need a cookie, the first ones. */
export function listBrowserLinks(db: Reader): string[] {
  return db.values(
    "SELECT name FROM screener_link WHERE one_each = 'BROWSER' AND status <> 'REVOKED' ORDER BY id LIMIT 10",
  );
}

/** Whether other sites may show the workspace's pages in frames, where pages have no cookies. */
export function areFramed(db: Reader): boolean {
  return db.value("SELECT 1 FROM appearance WHERE frame_ancestors <> '[]'") !== undefined;
}

export function countLinks(db: Reader, screenerId: number): number {
  return db.value("SELECT count(*) FROM screener_link WHERE screener_id = ?", screenerId)!;
}

interface NewLinkRow extends LinkValues {
  uid: string;
  screenerId: number;
  token: string;
  actor: number;
  now: string;
}

export function insertLink(db: Writer, { uid, screenerId, token, actor, now, ...values }: NewLinkRow): void {
  const { lastInsertRowid } = db.run(
    `INSERT INTO screener_link (uid, screener_id, token, ${written.join(", ")}, created_by, created_at, updated_by, updated_at)
     VALUES (?, ?, ?, ${written.map(() => "?").join(", ")}, ?, ?, ?, ?)`,
    ...[uid, screenerId, token],
    ...written.map((column) => values[column]),
    ...[actor, now, actor, now],
  );
  countRow(db, countedLinks, Number(lastInsertRowid), { screener_id: screenerId }, 1);
}

/** Writes nothing if the link has these values already, so that `updated_at` stays. */
export function updateLink(
  db: Writer,
  { id, actor, now, ...changed }: LinkValues & { id: number; actor: number; now: string },
): void {
  const values = written.map((column) => changed[column]);
  db.run(
    `UPDATE screener_link SET ${written.map((column) => `${column} = ?`).join(", ")}, updated_by = ?, updated_at = ?
     WHERE id = ? AND (${written.join(", ")}) IS NOT (${written.map(() => "?").join(", ")})`,
    ...values,
    ...[actor, now, id],
    ...values,
  );
}

export function revokeLink(db: Writer, id: number, actor: number, now: string): void {
  db.run("UPDATE screener_link SET status = 'REVOKED', updated_by = ?, updated_at = ? WHERE id = ?", actor, now, id);
}

/** Counts somebody who joins. A trigger counts what becomes of the session later. */
export function countJoin(db: Writer, linkId: number, hasBegun: boolean): void {
  db.run("UPDATE screener_link SET joined = joined + 1, started = started + ? WHERE id = ?", hasBegun ? 1 : 0, linkId);
}
