// Erases a participant: the person, and everything that the workspace's store has of the person. What must stay, the
// places that were taken in a quota, stays as a number.

import type { Reader, Writer } from "../../db/connection.ts";
import { countRows } from "../../db/counts.ts";
import { forgetInOutcomes } from "../jobs/forget.ts";
import { Mentions, type Person } from "../jobs/person.ts";
import { Problem } from "../problems.ts";
import { countedAssignments } from "../screener-participants/resource.ts";
import { countedResponses } from "../screener-responses/resource.ts";
import { countedSessions } from "../screener-sessions/resource.ts";
import { forgetAnswers, forgetAnswersTo } from "../webhooks/delivery-queries.ts";
import { NOBODY_UID } from "../workspaces/actors.ts";
import { getParticipant } from "./queries.ts";
import { countedParticipants, WRITTEN } from "./resource.ts";

/** How much was erased. */
export interface Erased {
  participants: number;
  screenerParticipants: number;
  sessions: number;
  responses: number;
}

/** What names a participant. It looks at all that is kept to undo jobs: at a million rows this takes a second. @throws Problem participant_not_found */
export function findPerson(db: Reader, participantUid: string): Person {
  return db.snapshot(() => {
    const { id, uid, externalUid, email, name } = getParticipant(db, participantUid);
    return {
      uid,
      externalUids: [externalUid!, ...formerNames(db, id, "externalUid")],
      emails: [...(email === null ? [] : [email]), ...formerNames(db, id, "email")],
      assignments: db.values<string>(
        `SELECT uid FROM screener_participant WHERE participant_id = ?
         UNION SELECT screener_participant_uid FROM screener_session WHERE participant_id = ?
         UNION SELECT uid FROM effect_assignment WHERE participant_uid = ?`,
        id,
        id,
        uid,
      ),
      sessions: db.values<string>("SELECT uid FROM screener_session WHERE participant_id = ?", id),
      slugs: db.values<string>("SELECT slug FROM screener_session WHERE participant_id = ?", id),
      names: [...(name === null ? [] : [name]), ...formerNames(db, id, "name")],
    };
  });
}

/** What the participant was called before, as far as that is kept. Not an externalUid or an email that is somebody else's now. */
function formerNames(db: Reader, id: number, member: "externalUid" | "email" | "name"): string[] {
  const column = WRITTEN[member];
  const isOthers = member === "name" ? "false" : `EXISTS (SELECT 1 FROM participant WHERE ${column} = former.name)`;
  return db.values<string>(
    `WITH former (name) AS (
       SELECT change.value ->> 'from' FROM participant AS p
         JOIN event ON event.resource_uid = p.uid JOIN json_each(event.changes) AS change
         WHERE p.id = ? AND change.value ->> 'field' = ?
       UNION
       SELECT json ->> ? FROM effect_participant WHERE participant_id = ? AND kind = 'CHANGED')
     SELECT name FROM former
     WHERE name IS NOT NULL AND NOT ${isOthers}`,
    id,
    member,
    column,
    id,
  );
}

/** Call it inside a transaction. @throws Problem participant_not_found */
export function erase(db: Writer, participantUid: string): Erased {
  const person = findPerson(db, participantUid);
  const { id } = getParticipant(db, participantUid);
  forgetInEffects(db, id, person);
  forgetInOutcomes(db, person);
  forgetInReplies(db, person);
  forgetInTexts(db, person);
  return eraseRows(db, id);
}

/** Erases the participant itself, assignments, sessions and answers. Call it inside a transaction. @param id the rowid */
export function eraseRows(db: Writer, id: number): Erased {
  keepPlaces(db, id);
  forgetInDeliveries(db, id);
  forgetInEvents(db, id);
  db.run("DELETE FROM unassigned WHERE participant_uid = (SELECT uid FROM participant WHERE id = ?)", id);
  const sessions = "screener_session_id IN (SELECT s.id FROM screener_session AS s WHERE s.participant_id = ?)";
  const remove = (counted: Parameters<typeof countRows>[1], where: string) => {
    countRows(db, counted, "main", where, [id], -1);
    return db.run(`DELETE FROM ${counted.table} AS t WHERE ${where}`, id).changes;
  };
  return {
    responses: remove(countedResponses, `t.${sessions}`),
    screenerParticipants: remove(countedAssignments, "t.participant_id = ?"),
    sessions: remove(countedSessions, "t.participant_id = ?"),
    participants: remove(countedParticipants, "t.id = ?"),
  };
}

/** What receivers of webhooks have answered to events of the person. Call it before these are forgotten. */
function forgetInDeliveries(db: Writer, id: number): void {
  const about = `SELECT uid FROM participant WHERE id = ? UNION SELECT uid FROM screener_participant WHERE participant_id = ?
    UNION SELECT uid FROM screener_session WHERE participant_id = ?
    UNION SELECT screener_participant_uid FROM screener_session WHERE participant_id = ?`;
  forgetAnswers(db, about, id, id, id, id);
}

/** That something was done stays in the log, without what it was. The id of a session is part of its link. */
function forgetInEvents(db: Writer, id: number): void {
  const sessions = "SELECT uid FROM screener_session WHERE participant_id = ?";
  const others = `SELECT uid FROM participant WHERE id = ? UNION SELECT uid FROM screener_participant WHERE participant_id = ?
    UNION SELECT screener_participant_uid FROM screener_session WHERE participant_id = ?`;
  const nothing = "changes = NULL, note = NULL";
  db.run(`UPDATE event SET ${nothing} WHERE resource_uid IN (${others})`, id, id, id);
  db.run(`UPDATE event SET ${nothing}, resource_uid = ? WHERE resource_uid IN (${sessions})`, NOBODY_UID, id);
}

/** What callers have said of other events: notes, and ids of requests. */
function forgetInTexts(db: Writer, person: Person): void {
  const mentions = new Mentions(person);
  // As the index `event_text` has it.
  const texts = db.all<{ id: number; request_id: string | null; note: string | null }>(
    `SELECT id, request_id, note FROM event
     WHERE note IS NOT NULL OR request_id NOT GLOB 'req_????????-????-????-????-????????????'`,
  );
  for (const { id, request_id, note } of texts) {
    const isNamed = (text: string | null) => text !== null && mentions.isWordOf(text);
    if (isNamed(note)) db.run("UPDATE event SET note = NULL WHERE id = ?", id);
    if (isNamed(request_id)) db.run("UPDATE event SET request_id = NULL WHERE id = ?", id);
    if (isNamed(note) || isNamed(request_id)) forgetAnswersTo(db, id);
  }
}

/** Whoever has qualified by a publication keeps a place in its quota. */
function keepPlaces(db: Writer, id: number): void {
  db.run(
    `UPDATE screener_publication SET erased_qualified = erased_qualified + 1 WHERE id IN (
       SELECT screener_publication_id FROM screener_session WHERE participant_id = ? AND outcome = 'QUALIFIED')`,
    id,
  );
}

/** What is kept to undo jobs. Without it, no undo brings the person back. */
function forgetInEffects(db: Writer, id: number, { uid, emails }: Person): void {
  db.run("DELETE FROM effect_participant WHERE participant_id = ? AND kind <> 'REMOVED'", id);
  db.run("DELETE FROM effect_participant WHERE kind = 'REMOVED' AND json ->> 'uid' = ?", uid);
  db.run("DELETE FROM effect_assignment WHERE participant_uid = ?", uid);
  db.run(
    "DELETE FROM effect_session WHERE session_id IN (SELECT id FROM screener_session WHERE participant_id = ?)",
    id,
  );
  // Others may have had this email before. They keep the one that they have.
  db.run(
    `UPDATE effect_participant SET json = json_remove(json, '$.email')
     WHERE (json ->> 'email') COLLATE NOCASE IN (SELECT value FROM json_each(?))`,
    JSON.stringify(emails),
  );
}

/** A request that comes again must not make the person anew. */
function forgetInReplies(db: Writer, person: Person): void {
  const mentions = new Mentions(person);
  const gone = JSON.stringify({
    problem: new Problem("participant_not_found", { detail: "The participant was erased." }).document,
  });
  for (const { key, reply } of db.all<{ key: string; reply: string }>("SELECT key, reply FROM idempotent_reply")) {
    if (mentions.isWordOf(key)) db.run("DELETE FROM idempotent_reply WHERE key = ?", key);
    else if (mentions.isNamedIn(reply)) db.run("UPDATE idempotent_reply SET reply = ? WHERE key = ?", gone, key);
  }
}
