// Statements on signals, and on the marks by which sessions are compared.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { dayOf } from "./expiry.ts";
import type { SignalKind } from "./settings.ts";

/** Numbers and ids, never what somebody has said. */
export interface Evidence {
  /** How many pages were timed; how many of them were faster; in how many seconds, and in how many half of the others. */
  pages?: number;
  fasterPages?: number;
  seconds?: number;
  medianSeconds?: number;
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
export const MAX_MARKS = 64;

/** Which of its marks are of a kind: texts may be many. */
const MARKS = {
  SAME_TEXT: { from: 0, to: 60 },
  SAME_EMAIL: { from: 61, to: 61 },
  SAME_BROWSER: { from: 62, to: 62 },
  SAME_ADDRESS: { from: 63, to: 63 },
} as const;

/** A kind that compares sessions. */
export type ComparedKind = keyof typeof MARKS;

export function isCompared(kind: SignalKind): kind is ComparedKind {
  return kind in MARKS;
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

/** Of how many other people sessions have the mark of this kind that a session has, or one of several; as far as so many. */
export function countOthers(
  db: Reader,
  kind: ComparedKind,
  { id, participant }: { id: number; participant: number },
  limit: number,
): number {
  return db.value<number>(
    `SELECT count(*) FROM (SELECT DISTINCT s.participant_id
       FROM signal_mark AS m CROSS JOIN signal_mark AS o ON o.hash = m.hash CROSS JOIN screener_session AS s ON s.id = o.id / ${MAX_MARKS}
       WHERE ${marksOf("m")} AND s.participant_id <> ? LIMIT ?)`,
    ...rangeOf(kind, id),
    participant,
    limit,
  )!;
}

const FIND_MARK = "SELECT 1 FROM signal_mark WHERE hash = ? LIMIT 1";
const INSERT_MARK =
  "INSERT INTO signal_mark (id, hash, day) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET hash = excluded.hash, day = excluded.day";

/**
 * Writes the marks of a session; of very many texts, those of the first ones. One by one: for the few that there are, that takes less than a
 * statement on a list.
 * @param marks the hashes, and the kinds they are of
 * @returns those of the hashes that sessions had already, in the same order: of most, none
 */
export function insertMarks(
  db: Writer,
  sessionId: number,
  marks: ReadonlyMap<number, { kind: ComparedKind }>,
  at: Date,
): number[] {
  const used = { SAME_TEXT: 0, SAME_EMAIL: 0, SAME_BROWSER: 0, SAME_ADDRESS: 0 };
  const day = dayOf(at.getTime());
  const known: number[] = [];
  for (const [hash, { kind }] of marks) {
    const { from, to } = MARKS[kind];
    const place = from + used[kind]++;
    if (db.value(FIND_MARK, hash) !== undefined) known.push(hash);
    if (place <= to) db.run(INSERT_MARK, sessionId * MAX_MARKS + place, hash, day);
  }
  return known;
}

/** SQL: the marks of a session that are of a kind. Its parameters: `rangeOf`. */
export const marksOf = (alias: string) => `${alias}.id BETWEEN ? AND ?`;

export function rangeOf(kind: ComparedKind, session: number): [number, number] {
  const { from, to } = MARKS[kind];
  return [session * MAX_MARKS + from, session * MAX_MARKS + to];
}
