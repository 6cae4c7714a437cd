// Empties the store of a workspace. What is kept is named; everything else goes, so that a new table needs no line here.

import { totalTable } from "../../db/list/counts.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { renewLog } from "../events/log.ts";
import { countedParticipants } from "../nouns/participants/resource.ts";
import { countedResponses } from "../nouns/responses/resource.ts";
import { countedAssignments } from "../nouns/screener-participants/resource.ts";
import { countedScreeners } from "../nouns/screeners/resource.ts";
import { countedSessions } from "../nouns/sessions/resource.ts";

/** What stays: whose the store is, keys, webhooks with their deliveries, the log, and what keeps events and jobs from being there twice. */
const KEPT = [
  "store",
  "schema_oldest",
  "reference_key",
  "signing_key",
  "actor",
  "event",
  "event_block",
  "moved_event",
  "job_outcome",
  "webhook_endpoint",
  "webhook_endpoint_block",
  "webhook_delivery",
  "webhook_delivery_block",
  "webhook_attempt",
  "webhook_replay",
];

/** Rows that every store has: nobody, and no tags. */
const EXCEPT: Record<string, string> = { participant: " WHERE id <> 0", tag_set: " WHERE json <> '[]'" };

/** The indexes of the searches, with the tables that say how far they are. They are emptied first: their triggers would note each row that goes. */
const SEARCHES = ["participant_search", "answer_search"];

/** What people know of what goes. */
export const EMPTIED = [
  "screeners",
  "publications",
  "participants",
  "screenerParticipants",
  "sessions",
  "responses",
  "mailings",
  "messages",
  "images",
] as const;

type Counts = Record<(typeof EMPTIED)[number], number>;

/** Call it inside a transaction. @param unfinished the ids of jobs that have not ended. @returns how many there were of what people know */
export function emptyStore(db: Writer, unfinished: readonly string[]): Counts {
  const counts = countAll(db);
  // Who follows the feed begins anew.
  renewLog(db);
  // Tables refer to each other: what is right again at the end is right.
  db.run("PRAGMA defer_foreign_keys = ON");
  for (const search of SEARCHES) db.run(`INSERT INTO ${search} (${search}) VALUES ('delete-all')`);
  db.run("UPDATE participant_search_state SET indexed_until = 0, leftovers = 0");
  db.run("UPDATE answer_search_state SET leftovers = 0");
  db.run("DELETE FROM answer_searched");
  for (const table of tablesOf(db)) db.run(`DELETE FROM ${table}${EXCEPT[table] ?? ""}`);
  // The log says that things were there, and not what they said. Receivers of webhooks may have answered with that.
  db.run("UPDATE event SET changes = NULL, note = NULL WHERE changes IS NOT NULL OR note IS NOT NULL");
  db.run("UPDATE webhook_attempt SET answer = NULL WHERE answer IS NOT NULL");
  db.run("DELETE FROM job_outcome WHERE job_uid NOT IN (SELECT value FROM json_each(?))", JSON.stringify(unfinished));
  return counts;
}

function countAll(db: Reader): Counts {
  const total = (table: string) => db.value<number>(`SELECT coalesce(sum(n), 0) FROM ${table}`)!;
  const rows = (table: string) => db.value<number>(`SELECT count(*) FROM ${table}`)!;
  return {
    screeners: total(totalTable(countedScreeners)),
    publications: rows("screener_publication"),
    participants: total(totalTable(countedParticipants)),
    screenerParticipants: total(totalTable(countedAssignments)),
    sessions: total(totalTable(countedSessions)),
    responses: total(totalTable(countedResponses)),
    mailings: rows("mailing"),
    messages: rows("message"),
    images: rows("image"),
  };
}

/** The tables that are emptied, by their names. */
function tablesOf(db: Reader): string[] {
  const searched = SEARCHES.flatMap((name) => [name, `${name}_state`, `${name}_data`, `${name}_idx`, `${name}_config`]);
  const kept = [...KEPT, ...searched, ...SEARCHES.map((name) => `${name}_docsize`)];
  return db.values<string>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND name NOT IN (SELECT value FROM json_each(?)) ORDER BY name`,
    JSON.stringify(kept),
  );
}
