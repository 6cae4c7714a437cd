// Statements on signals, and on the marks by which sessions are compared.

import type { Reader, SqlValue, Writer } from "../../db/sqlite/connection.ts";
import { dayOf } from "./expiry.ts";
import type { SignalKind } from "./settings.ts";

/** Numbers and ids, never what somebody has said. */
export interface Evidence {
  /** How many pages were timed; how many of them were faster; in how many seconds, and in how many half of the others. */
  pages?: number;
  fasterPages?: number;
  seconds?: number;
  medianSeconds?: number;
  /** How many other sessions there are, as far as they were counted. */
  others?: number;
  screenerPageIds?: string[];
  screenerQuestionIds?: string[];
}

export interface NewSignal {
  kind: SignalKind;
  evidence: Evidence;
  /** The rowid of another session that it is about. Missing: it is about none. */
  other?: number;
}

/** Writes a signal, unless the session has one of its kind. @returns whether it was written */
export function insertSignal(db: Writer, sessionId: number, { kind, evidence, other }: NewSignal, at: Date): boolean {
  const { changes } = db.run(
    `INSERT INTO signal (session_id, kind, evidence, other_session_id, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    sessionId,
    kind,
    JSON.stringify(evidence),
    other ?? null,
    at.getTime(),
  );
  return changes > 0;
}

export function hasSignals(db: Reader, sessionId: number): boolean {
  return db.value("SELECT 1 FROM signal WHERE session_id = ? LIMIT 1", sessionId) !== undefined;
}

/** How many marks a session may have. */
const MAX_MARKS = 64;

/** Those of the hashes that sessions have already, in the same order: of most, none. Looked for one by one: very many may have one. */
export function listKnown(db: Reader, hashes: readonly number[]): number[] {
  return db.values<number>(
    "SELECT j.value FROM json_each(?) AS j WHERE EXISTS (SELECT 1 FROM signal_mark AS m WHERE m.hash = j.value) ORDER BY j.key",
    JSON.stringify(hashes),
  );
}

/** The sessions of other people with a mark, the first ones first. */
export function listMarked(
  db: Reader,
  hash: number,
  { participant_id }: { participant_id: number },
  limit: number,
): number[] {
  return db.values<number>(
    `SELECT s.id FROM signal_mark AS m CROSS JOIN screener_session AS s ON s.id = m.id / ${MAX_MARKS}
     WHERE m.hash = ? AND s.participant_id <> ? ORDER BY m.id LIMIT ?`,
    hash,
    participant_id,
    limit,
  );
}

export function insertMarks(db: Writer, sessionId: number, hashes: readonly number[], at: Date): void {
  if (!hashes.length) return;
  db.run(
    `INSERT INTO signal_mark (id, hash, day) SELECT ? * ${MAX_MARKS} + key, value, ? FROM json_each(?) WHERE TRUE ON CONFLICT DO NOTHING`,
    sessionId,
    dayOf(at.getTime()),
    JSON.stringify(hashes.slice(0, MAX_MARKS)),
  );
}

/** What signals have of sessions whose answers are erased. @param ids SQL that selects their rowids, with its values */
export function forgetSignals(db: Writer, ids: string, ...values: SqlValue[]): void {
  db.run(`DELETE FROM signal WHERE session_id IN (${ids})`, ...values);
  db.run(`DELETE FROM signal WHERE other_session_id IN (${ids})`, ...values);
  db.run(
    `WITH given (id) AS (${ids}) DELETE FROM signal_mark WHERE id IN (
       SELECT m.id FROM given AS s CROSS JOIN signal_mark AS m ON m.id >= s.id * ${MAX_MARKS} AND m.id < (s.id + 1) * ${MAX_MARKS})`,
    ...values,
  );
}
