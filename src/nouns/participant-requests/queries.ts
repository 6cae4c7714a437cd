// Statements on what participants have asked for.

import { countRow, recountRow } from "../../../db/list/counts.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import type { Actor } from "../../events/actors.ts";
import { actorRow } from "../../events/actors.ts";
import type { RecordEvent } from "../../events/record.ts";
import { participant } from "../participants/resource.ts";
import type { SessionRow } from "../sessions/queries.ts";
import { session } from "../sessions/resource.ts";
import { countedRequests, type RequestKind } from "./resource.ts";

interface RequestRow {
  id: number;
  uid: string;
  participant_id: number;
  kind: RequestKind;
  state: "OPEN" | "DONE";
  created_at: string;
  closed_at: string | null;
}

/** @throws Problem participant_request_not_found */
export function getRequest(db: Reader, uid: string): RequestRow {
  const row = db.get<RequestRow>("SELECT * FROM participant_request WHERE uid = ?", uid);
  if (!row) throw new Problem("participant_request_not_found");
  return row;
}

/** The last request of a kind of a participant. */
export function findLastRequest(db: Reader, participantId: number, kind: RequestKind): RequestRow | undefined {
  return db.get(
    "SELECT * FROM participant_request WHERE participant_id = ? AND kind = ? ORDER BY id DESC LIMIT 1",
    participantId,
    kind,
  );
}

/** More are not counted. */
export const MANY_OPEN = 100;

/** How many are open, up to MANY_OPEN. */
export function countOpenRequests(db: Reader): number {
  return db.value(
    `SELECT count(*) FROM (SELECT 1 FROM participant_request INDEXED BY participant_request_open WHERE state = 'OPEN' LIMIT ${MANY_OPEN})`,
  )!;
}

/** Inside a transaction: notes what the participant of a session asks for, with an event. While that is open, asking again changes nothing. */
export function openRequest(
  db: Writer,
  { id, uid: sessionUid, participant_id }: SessionRow,
  kind: RequestKind,
  record: RecordEvent,
): void {
  if (findLastRequest(db, participant_id, kind)?.state === "OPEN") return;
  const uid = newId();
  const at = new Date();
  const { lastInsertRowid } = db.run(
    "INSERT INTO participant_request (uid, participant_id, screener_session_id, kind, created_at) VALUES (?, ?, ?, ?, ?)",
    uid,
    participant_id,
    id,
    kind,
    at.toISOString(),
  );
  countRow(db, countedRequests, Number(lastInsertRowid), { kind, state: "OPEN" }, 1);
  record({
    type: "participant-request.created",
    resource: { type: session.type, uid: sessionUid },
    summary: { participantRequestId: uid, kind },
    at,
  });
}

/** Inside a transaction: somebody has done what was asked for. Another time it changes nothing. */
export function closeRequest(db: Writer, row: RequestRow, actor: Actor, record: RecordEvent): void {
  if (row.state === "DONE") return;
  const at = new Date();
  recountRow(db, countedRequests, row.id, row, { state: "DONE" });
  db.run(
    "UPDATE participant_request SET state = 'DONE', closed_by = ?, closed_at = ? WHERE id = ?",
    actorRow(db, actor),
    at.toISOString(),
    row.id,
  );
  record({
    type: "participant-request.closed",
    resource: {
      type: participant.type,
      uid: db.value("SELECT uid FROM participant WHERE id = ?", row.participant_id)!,
    },
    summary: { participantRequestId: row.uid, kind: row.kind },
    at,
  });
}
