// Opens a session for every assignment that has none yet, with a few statements over many rows in one
// transaction. The connection's main file is the job's scratch store, with the workspace attached as `w`
// (engine/run/scratch.ts). Statements of other folders don't name the file: the scratch store does not have their tables, so
// SQLite finds them in the workspace.

import { randomBytes } from "node:crypto";
import { countRange, countRows } from "../../db/list/counts.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { opaqueUuids } from "../../db/sqlite/opaque.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { newUnguessableId } from "../base/ids.ts";
import { Problem } from "../base/problems.ts";
import { referenceKey } from "../base/references.ts";
import { countedPlan } from "../engine/ledger/rows.ts";
import { findPublicationById } from "../nouns/publications/queries.ts";
import { isTargetReached } from "../nouns/publications/target.ts";
import { getScreener, requireAccepting } from "../nouns/screeners/queries.ts";
import { countedSessions, linkSql, session } from "../nouns/sessions/resource.ts";

/** The URL of links, the beginning of their slugs, and the key of references. */
interface Links {
  appUrl: string;
  mark: string;
  key: Uint8Array;
}

type OnProgress = (phase: string, done: number, total: number) => void;

// How many keys are made, and how many rows one statement writes, before progress is reported.
const BATCH = 10_000;

const SLUG_BYTES = 16;

/** An assignment without a session; removed sessions don't count. */
const WITHOUT_SESSION = "a.screener_id = ? AND a.status = 'NOT_STARTED' AND a.current_session_id IS NULL";

/** How many sessions would be opened now. @throws Problem screener_not_found */
export function countWithoutSession(db: Reader, screenerUid: string): number {
  const { id } = getScreener(db, screenerUid);
  return db.value(`SELECT count(*) FROM screener_participant AS a WHERE ${WITHOUT_SESSION}`, id) ?? 0;
}

/** Makes the tables of the scratch store and `count` keys, before the workspace is locked. */
export function prepareOpening(scratch: Writer, count: number, links: Links, onProgress: OnProgress): void {
  scratch.exec(`
    -- Null: of a person who was erased.
    CREATE TABLE key (position INTEGER PRIMARY KEY, uid TEXT, slug TEXT, reference TEXT) STRICT;
    CREATE TABLE opened (
      position INTEGER PRIMARY KEY,
      assignment_id INTEGER,
      assignment_uid TEXT,
      participant_id INTEGER
    ) STRICT;
    -- One row, for all sessions.
    CREATE TABLE shared (app_url TEXT NOT NULL, mark TEXT NOT NULL, screener_uid TEXT, publication_uid TEXT, tags TEXT,
      created_at TEXT) STRICT;
    CREATE VIEW answer AS SELECT o.position, ${session.jsonFrom({
      id: "k.uid",
      screenerId: "s.screener_uid",
      screenerParticipantId: "o.assignment_uid",
      screenerPublicationId: "s.publication_uid",
      screenerSessionLink: linkSql("s.app_url", "s.screener_uid", "k.uid"),
      linkSlug: "k.slug",
      status: "'ACTIVE'",
      state: "'NOT_STARTED'",
      outcomeReason: "NULL",
      startedAt: "NULL",
      lastActiveAt: "NULL",
      completedAt: "NULL",
      createdAt: "s.created_at",
      withdrawnAt: "NULL",
      review: "'null'",
      withdrawnConsents: "'[]'",
      answersErasedAt: "NULL",
      assignedTags: "s.tags",
      reference: "k.reference",
      isTest: "'false'",
      outcomeQuotaIds: "'[]'",
      screenerLinkId: "NULL",
      arms: "'[]'",
      language: "NULL",
      orders: "NULL",
      signals: "NULL",
    })} AS json FROM opened AS o JOIN key AS k USING (position) CROSS JOIN shared AS s WHERE k.uid IS NOT NULL;
  `);
  createRows(scratch);
  immediate(scratch, () => {
    scratch.run("INSERT INTO shared (app_url, mark) VALUES (?, ?)", links.appUrl, links.mark);
    for (let from = 0; from < count; from += BATCH) {
      makeKeys(scratch, links.key, from, Math.min(from + BATCH, count));
      onProgress("PREPARING", Math.min(from + BATCH, count), count);
    }
  });
}

/** Makes the rows of the job (engine/ledger/rows.ts): one for each session, with what the event of a single one would say. */
function createRows(scratch: Writer): void {
  const changes = Object.entries({
    screenerId: "s.screener_uid",
    screenerParticipantId: "o.assignment_uid",
    screenerPublicationId: "s.publication_uid",
    linkSlug: "k.slug",
    status: "'ACTIVE'",
    state: "'NOT_STARTED'",
    assignedTags: "json(s.tags)",
    reference: "k.reference",
    isTest: "json('false')",
    outcomeQuotaIds: "json('[]')",
    arms: "json('[]')",
    withdrawnConsents: "json('[]')",
    createdAt: "s.created_at",
    "screenerParticipant.currentSessionId": "k.uid",
  }).map(([field, to]) => `json_object('field', '${field}', 'from', NULL, 'to', ${to})`);
  scratch.exec(`
    CREATE VIEW plan AS SELECT position AS id, 'OPENED' AS outcome FROM opened;
    CREATE TABLE plan_block (
      outcome TEXT NOT NULL, block INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (outcome, block)
    ) STRICT, WITHOUT ROWID;
    CREATE VIEW job_row AS SELECT o.position AS id, NULL AS position, NULL AS line, NULL AS external_uid, 'false' AS assigned,
        NULL AS participant_uid, o.assignment_uid, NULL AS status, k.uid AS session_uid,
        iif(k.uid IS NULL, '[]', json_array(${changes.join(", ")})) AS changes, '[]' AS errors, NULL AS reason
      FROM opened AS o JOIN key AS k USING (position) CROSS JOIN shared AS s;
    CREATE VIEW row_name AS SELECT NULL AS id, NULL AS external_uid WHERE FALSE;
  `);
}

/**
 * Inside a transaction. @returns how many sessions were opened
 * @throws Problem screener_not_found, screener_closed, link_expired, screener_not_published, quota_reached
 */
export function openAll(db: Writer, screenerUid: string, onProgress: OnProgress): number {
  const screener = getScreener(db, screenerUid, "w");
  requireAccepting(screener);
  const { active_publication_id } = screener;
  const publication = active_publication_id ? findPublicationById(db, active_publication_id) : undefined;
  if (!publication) throw new Problem("screener_not_published");
  if (isTargetReached(db, publication)) throw new Problem("quota_reached");
  const count = findWithoutSession(db, screener.id);
  // Assignments may have been added after the keys were made.
  makeKeys(db, referenceKey(db), db.value<number>("SELECT coalesce(max(position) + 1, 0) FROM key")!, count);
  const now = new Date().toISOString();
  db.run(
    "UPDATE shared SET screener_uid = ?, publication_uid = ?, tags = (SELECT json FROM w.tag_set WHERE id = ?), created_at = ?",
    screener.uid,
    publication.uid,
    publication.tag_set_id,
    now,
  );
  const first = BigInt(db.value<number>("SELECT coalesce(max(id), 0) + 1 FROM w.screener_session")!);
  for (let from = 0; from < count; from += BATCH) {
    const to = Math.min(from + BATCH, count);
    insertSessions(db, { first, publicationId: publication.id, tagSetId: publication.tag_set_id, now }, from, to);
    onProgress("APPLYING", to, count);
  }
  countRows(db, countedSessions, "w", "t.id >= ?", [first], 1);
  countRange(db, countedPlan, "main", { outcome: "OPENED" }, { after: -1, n: count });
  return count;
}

function findWithoutSession(db: Writer, screenerId: number): number {
  // SQLite numbers them, from the one after the last.
  db.run("INSERT INTO opened (position) VALUES (-1)");
  const { changes } = db.run(
    `INSERT INTO opened (assignment_id, assignment_uid, participant_id)
     SELECT a.id, a.uid, a.participant_id FROM w.screener_participant AS a WHERE ${WITHOUT_SESSION} ORDER BY a.id`,
    screenerId,
  );
  db.run("DELETE FROM opened WHERE position = -1");
  return changes;
}

function insertSessions(
  db: Writer,
  session: { first: bigint; publicationId: number; tagSetId: number; now: string },
  from: number,
  to: number,
): void {
  const { first, publicationId, tagSetId, now } = session;
  db.run(
    `INSERT INTO w.screener_session (id, uid, slug, screener_id, screener_participant_uid, participant_id,
       screener_publication_id, tag_set_id, created_at, reference)
     SELECT ? + o.position, k.uid, k.slug, p.screener_id, o.assignment_uid, o.participant_id, p.id, ?, ?, k.reference
     FROM w.screener_publication AS p CROSS JOIN opened AS o CROSS JOIN key AS k USING (position)
     WHERE p.id = ? AND o.position >= ? AND o.position < ? ORDER BY o.position`,
    first,
    tagSetId,
    now,
    publicationId,
    from,
    to,
  );
  // The assignments' status is NOT_STARTED already.
  db.run(
    `UPDATE w.screener_participant SET current_session_id = ? + o.position FROM opened AS o
     WHERE o.assignment_id = w.screener_participant.id AND o.position >= ? AND o.position < ?`,
    first,
    from,
    to,
  );
}

/** Ids and slugs that can't be guessed: not from SQLite's random(), which is not cryptographic. */
function makeKeys(db: Writer, key: Uint8Array, from: number, to: number): void {
  if (from >= to) return;
  const mark = db.value<string>("SELECT mark FROM shared")!;
  const count = to - from;
  const random = randomBytes(SLUG_BYTES * count);
  const uids: string[] = [];
  const slugs: string[] = [];
  for (let index = 0; index < count; index++) {
    uids.push(newUnguessableId());
    slugs.push(mark + random.toString("base64url", index * SLUG_BYTES, (index + 1) * SLUG_BYTES));
  }
  const ids = Buffer.from(uids.join(""), "latin1");
  // All texts of a column are equally long and in ASCII: cutting them out of one value takes a third of what parsing JSON does.
  const columns = [ids, Buffer.from(slugs.join(""), "latin1"), opaqueUuids(ids, key)];
  const texts = columns.map(({ length }) => `CAST(substr(?, at * ${length / count} + 1, ${length / count}) AS TEXT)`);
  db.run(
    `INSERT INTO key (position, uid, slug, reference)
     WITH RECURSIVE number (at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM number WHERE at < ? - 1)
     SELECT ? + at, ${texts.join(", ")} FROM number`,
    BigInt(count),
    BigInt(from),
    ...columns,
  );
}
