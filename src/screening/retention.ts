// Removes data whose retention has ended: answers after some months, and participants without an assignment after some days. The upkeep runs it, in short steps.

import { countRows } from "../../db/list/counts.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { isTransient } from "../../db/sqlite/write.ts";
import { overwriteUnused, wipeWorkspace } from "../../db/wipe.ts";
import { forEach } from "../engine/files/each.ts";
import type { SideTask, Stores } from "../engine/threads/side-task.ts";
import { BY_SERVICE, recordEvent } from "../events/record.ts";
import { NOBODY, participant } from "../nouns/participants/resource.ts";
import { countedResponses } from "../nouns/responses/resource.ts";
import { forgetSignals } from "../signals/forget.ts";
import { trustedTime } from "../workspaces/clock.ts";
import { listWorkspaces, type WorkspaceRow } from "../workspaces/queries.ts";
import { eraseRows } from "./erase.ts";

const DAY_MS = 24 * 3_600_000;

/** How many sessions or participants are read or changed in one transaction. */
const SLICE = 100;

/** The retention of a workspace. null: for ever. */
type Retention = Pick<WorkspaceRow, "answers_months" | "unassigned_days">;

export const applyRetention: SideTask<undefined, void> = {
  name: "retention",
  perform: (stores) => retain(stores, trustedTime(stores.control.reader)),
};

/** Removes data whose retention has ended. May be interrupted and repeated. */
export function retain({ control, workspaces }: Pick<Stores, "control" | "workspaces">, now = Date.now()): void {
  forEach(listWorkspaces(control.reader), (workspace) => {
    if (workspace.answers_months === null && workspace.unassigned_days === null) return;
    try {
      const perform = <T>(step: (db: Writer) => T) => workspaces.write(workspace.uid, step);
      const find = <T>(look: (db: Reader) => T) => workspaces.read(workspace.uid, look);
      const isChanged = [
        workspace.answers_months !== null &&
          removeAnswers(find, perform, workspace.uid, monthsBefore(now, workspace.answers_months)),
        workspace.unassigned_days !== null && removeUnassigned(find, perform, workspace.unassigned_days, now),
      ];
      if (isChanged.includes(true)) {
        wipeWorkspace(workspaces, workspace.uid, false);
        overwriteUnused([workspaces.path(workspace.uid)]);
      }
    } catch (error) {
      // For example, an import holds the lock. The next run tries again.
      if (!isTransient(error)) throw error;
    }
  });
}

/** What would be removed now, and the totals. */
interface RetentionPreview {
  /** Sessions that would lose their answers, and how many those are. */
  sessions: number;
  responses: number;
  /** Participants without an assignment, and those of them who would go. */
  unassigned: number;
  participants: number;
}

export function previewRetention(
  db: Reader,
  { answers_months, unassigned_days }: Retention,
  now = Date.now(),
): RetentionPreview {
  const old = answers_months === null ? "" : monthsBefore(now, answers_months);
  const { sessions, responses } = db.get<Pick<RetentionPreview, "sessions" | "responses">>(
    `SELECT count(DISTINCT s.id) AS sessions, count(r.id) AS responses FROM screener_session AS s
     JOIN screener_response AS r ON r.screener_session_id = s.id WHERE ${OLD}`,
    old,
  )!;
  const until = unassigned_days === null ? 0 : now - unassigned_days * DAY_MS;
  const unassigned = db.value<number>(`SELECT count(*) FROM participant AS p WHERE ${UNASSIGNED}`)!;
  const participants = db.value<number>(
    `SELECT count(*) FROM unassigned AS u JOIN participant AS p ON p.uid = u.participant_uid
     WHERE u.seen_at <= ? AND ${UNASSIGNED}`,
    until,
  )!;
  return { sessions, responses, unassigned, participants };
}

/** Whether the latest answer of the session `s` was before a time. Of a removed one only the opening is known. */
const OLD = "coalesce(s.last_active_at, s.created_at) < ?";

const UNASSIGNED = `p.id <> ${NOBODY} AND NOT EXISTS (SELECT 1 FROM screener_participant AS a WHERE a.participant_id = p.id)`;

type Find = <T>(look: (db: Reader) => T) => T;
type Perform = <T>(step: (db: Writer) => T) => T;

function removeAnswers(find: Find, perform: Perform, workspaceUid: string, before: string): boolean {
  let isChanged = false;
  for (let last = 0; ; ) {
    const ids = find((db) =>
      db.values<number>(
        `SELECT s.id FROM screener_session AS s WHERE s.id > ? AND ${OLD}
           AND (s.page_times IS NOT NULL OR EXISTS (SELECT 1 FROM screener_response AS r WHERE r.screener_session_id = s.id)) ORDER BY s.id LIMIT ${SLICE}`,
        last,
        before,
      ),
    );
    if (!ids.length) return isChanged;
    isChanged = true;
    last = ids.at(-1)!;
    perform((db) => {
      // Somebody may have answered meanwhile.
      const old = `SELECT s.id FROM screener_session AS s WHERE s.id IN (SELECT value FROM json_each(?)) AND ${OLD}`;
      const where = `t.screener_session_id IN (${old})`;
      const values = [JSON.stringify(ids), before];
      countRows(db, countedResponses, "main", where, values, -1);
      const { changes } = db.run(`DELETE FROM screener_response AS t WHERE ${where}`, ...values);
      db.run(`UPDATE screener_session SET page_times = NULL WHERE id IN (${old})`, ...values);
      forgetSignals(db, old, ...values);
      const resource = { type: "Workspace", uid: workspaceUid };
      if (changes)
        recordEvent(db, BY_SERVICE, { type: "retention.applied", resource, summary: { responses: changes } });
    });
  }
}

/** The time without an assignment counts from when the upkeep first sees it: nothing else records it. */
function removeUnassigned(find: Find, perform: Perform, days: number, now: number): boolean {
  perform((db) =>
    db.run(
      `DELETE FROM unassigned WHERE NOT EXISTS (
         SELECT 1 FROM participant AS p WHERE p.uid = participant_uid AND ${UNASSIGNED})`,
    ),
  );
  for (let last = 0; ; ) {
    const found = find((db) =>
      db.all<{ id: number; uid: string }>(
        `SELECT p.id, p.uid FROM participant AS p WHERE p.id > ? AND ${UNASSIGNED}
           AND p.uid NOT IN (SELECT participant_uid FROM unassigned) ORDER BY p.id LIMIT 5000`,
        last,
      ),
    );
    if (!found.length) break;
    last = found.at(-1)!.id;
    const uids = JSON.stringify(found.map(({ uid }) => uid));
    perform((db) =>
      db.run(
        "INSERT INTO unassigned (participant_uid, seen_at) SELECT value, ? FROM json_each(?) WHERE true ON CONFLICT DO NOTHING",
        now,
        uids,
      ),
    );
  }
  for (let isChanged = false; ; isChanged = true) {
    const removed = perform((db) => {
      const ids = db.values<number>(
        `SELECT p.id FROM unassigned AS u CROSS JOIN participant AS p ON p.uid = u.participant_uid
         WHERE u.seen_at <= ? AND ${UNASSIGNED} LIMIT ${SLICE}`,
        now - days * DAY_MS,
      );
      for (const id of ids) {
        const uid = db.value<string>("SELECT uid FROM participant WHERE id = ?", id)!;
        const summary = eraseRows(db, id);
        recordEvent(db, BY_SERVICE, { type: "participant.erased", resource: { type: participant.type, uid }, summary });
      }
      return ids.length;
    });
    if (!removed) return isChanged;
  }
}

/** The same day of the month, months before, as ISO-8601. */
function monthsBefore(now: number, months: number): string {
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - months);
  // The month may be shorter: then its last day.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.toISOString();
}
