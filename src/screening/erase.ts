// Erases a participant: the person, and everything that the workspace's store has of the person. Only the number of places that
// are taken in a quota stays.

import { isDeepStrictEqual } from "node:util";
import { forgetSearchedAnswers } from "../../db/answer-search.ts";
import { countRows } from "../../db/list/counts.ts";
import { forgetSearched } from "../../db/people-search.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { referenceSql } from "../base/references.ts";
import { keepNoContact } from "../contacts/unsubscriptions.ts";
import { workspaceColumns } from "../erasure/columns.ts";
import { Mentions } from "../erasure/mentions.ts";
import type { Person } from "../erasure/person.ts";
import { forgetWords, type Searched, searchLogs } from "../erasure/search.ts";
import { NOBODY_UID } from "../events/actors.ts";
import { hideAddresses } from "../nouns/mail-suppressions/queries.ts";
import { getParticipant } from "../nouns/participants/queries.ts";
import { countedParticipants, WRITTEN } from "../nouns/participants/resource.ts";
import { forgetPlaces } from "../nouns/quotas/place-queries.ts";
import { countedResponses } from "../nouns/responses/resource.ts";
import { countedAssignments } from "../nouns/screener-participants/resource.ts";
import { countedSessions } from "../nouns/sessions/resource.ts";
import { forgetSignals } from "../signals/forget.ts";
import { forgetAnswers, forgetAnswersTo } from "../webhooks/delivery-queries.ts";

/** How much was erased. */
interface Erased {
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
      emails: [...(email === null ? [] : [email]), ...formerNames(db, id, "email"), ...claimedEmails(db, id)],
      assignments: db.values<string>(
        `SELECT uid FROM screener_participant WHERE participant_id = ?
         UNION SELECT screener_participant_uid FROM screener_session WHERE participant_id = ?
         UNION SELECT uid FROM effect_assignment WHERE participant_uid = ?`,
        id,
        id,
        uid,
      ),
      sessions: db.values<string>(
        `SELECT uid FROM screener_session WHERE participant_id = ?
         UNION SELECT ${referenceSql("uid")} FROM screener_session WHERE participant_id = ?`,
        id,
        id,
      ),
      slugs: db.values<string>("SELECT slug FROM screener_session WHERE participant_id = ?", id),
      names: [...(name === null ? [] : [name]), ...formerNames(db, id, "name")],
    };
  });
}

/** What the participant has typed at open links, where nobody else has that email. */
function claimedEmails(db: Reader, id: number): string[] {
  return db.values<string>(
    `SELECT claimed_email FROM screener_session WHERE participant_id = ? AND claimed_email IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM participant WHERE email = claimed_email AND id <> participant_id)`,
    id,
  );
}

/** Former names of the participant, as far as they are kept. Without an externalUid or email that another participant has now. */
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

/** What was found of a person before the store was locked, in tables that only grow. */
interface Before {
  person: Person;
  searched: Searched;
}

export function searchFor(db: Reader, person: Person): Before {
  return { person, searched: db.snapshot(() => searchLogs(db, workspaceColumns, new Mentions(person))) };
}

/** Call it inside a transaction. @throws Problem participant_not_found */
export function erase(db: Writer, participantUid: string, before?: Before): Erased {
  const person = findPerson(db, participantUid);
  const { id } = getParticipant(db, participantUid);
  forgetInEffects(db, id, person);
  forgetMail(db, person);
  // Somebody may have given the person another name meanwhile.
  const isNameKept = before !== undefined && isDeepStrictEqual(before.person, person);
  forgetInTexts(db, person, isNameKept ? before.searched : undefined);
  return eraseRows(db, id);
}

/** Erases the participant itself, assignments, sessions and answers. Call it inside a transaction. @param id the rowid */
export function eraseRows(db: Writer, id: number): Erased {
  countErasedQualified(db, id);
  keepNoContact(db, id);
  forgetPlaces(db, id);
  forgetInDeliveries(db, id);
  forgetInEvents(db, id);
  forgetSignals(db, "SELECT id FROM screener_session WHERE participant_id = ?", id);
  db.run("DELETE FROM participant_request WHERE participant_id = ?", id);
  db.run("DELETE FROM participant_note WHERE participant_id = ?", id);
  db.run("DELETE FROM unassigned WHERE participant_uid = (SELECT uid FROM participant WHERE id = ?)", id);
  const sessions = "screener_session_id IN (SELECT s.id FROM screener_session AS s WHERE s.participant_id = ?)";
  const remove = (counted: Parameters<typeof countRows>[1], where: string) => {
    countRows(db, counted, "main", where, [id], -1);
    return db.run(`DELETE FROM ${counted.table} AS t WHERE ${where}`, id).changes;
  };
  const sessionIds = db.values<number>("SELECT id FROM screener_session WHERE participant_id = ?", id);
  const erased = {
    responses: remove(countedResponses, `t.${sessions}`),
    screenerParticipants: remove(countedAssignments, "t.participant_id = ?"),
    sessions: remove(countedSessions, "t.participant_id = ?"),
    participants: remove(countedParticipants, "t.id = ?"),
  };
  forgetSearched(db, id);
  forgetSearchedAnswers(db, sessionIds);
  return erased;
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
  // A reply is what a receiver of mail has said, and may name them.
  const nothing = "changes = NULL, note = NULL, summary = json_remove(summary, '$.reply')";
  db.run(`UPDATE event SET ${nothing} WHERE resource_uid IN (${others})`, id, id, id);
  db.run(`UPDATE event SET ${nothing}, resource_uid = ? WHERE resource_uid IN (${sessions})`, NOBODY_UID, id);
}

/** Messages to the addresses of the person that somebody has typed, and what waits there to be confirmed. Others go with the person and the sessions. */
function forgetMail(db: Writer, { emails }: Person): void {
  hideAddresses(db, emails);
  const theirs = "COLLATE NOCASE IN (SELECT value FROM json_each(?))";
  db.run(`DELETE FROM unconfirmed_join WHERE email ${theirs}`, JSON.stringify(emails));
  db.run(`DELETE FROM message WHERE address ${theirs}`, JSON.stringify(emails));
}

/** What people have said of others and of everything: notes, reasons, questions. What receivers have answered to such events goes, too. */
function forgetInTexts(db: Writer, person: Person, searched: Searched | undefined): void {
  const changed = forgetWords(db, workspaceColumns, new Mentions(person), searched);
  const events = ["event.note", "event.request_id", "event.changes"].flatMap((column) => changed.get(column) ?? []);
  for (const id of new Set(events)) forgetAnswersTo(db, Number(id));
}

/** A participant who has qualified by a publication counts for its target further. */
function countErasedQualified(db: Writer, id: number): void {
  db.run(
    `UPDATE screener_publication SET erased_qualified = erased_qualified + 1 WHERE id IN (
       SELECT screener_publication_id FROM screener_session WHERE participant_id = ? AND outcome = 'QUALIFIED' AND is_test = 0)`,
    id,
  );
}

/** What is kept to undo jobs. Without it, no undo brings the person back. */
function forgetInEffects(db: Writer, id: number, { uid, emails, externalUids }: Person): void {
  db.run("DELETE FROM effect_participant WHERE participant_id = ? AND kind <> 'REMOVED'", id);
  // Also of an earlier participant with the same externalUid, whom an undo has removed.
  db.run(
    `DELETE FROM effect_participant
     WHERE kind = 'REMOVED' AND (json ->> 'uid' = ? OR json ->> 'external_uid' IN (SELECT value FROM json_each(?)))`,
    uid,
    JSON.stringify(externalUids),
  );
  db.run("DELETE FROM effect_assignment WHERE participant_uid = ?", uid);
  db.run(
    "DELETE FROM effect_session WHERE session_id IN (SELECT id FROM screener_session WHERE participant_id = ?)",
    id,
  );
  for (const part of ["effect_move", "effect_place", "effect_offer", "effect_review"])
    db.run(
      `DELETE FROM ${part} WHERE (effect_id, session_id) IN (
         SELECT f.id, s.id FROM effect AS f CROSS JOIN screener_session AS s WHERE s.participant_id = ?)`,
      id,
    );
  // Others may have had this email before. They keep the one that they have.
  db.run(
    `UPDATE effect_participant SET json = json_remove(json, '$.email')
     WHERE (json ->> 'email') COLLATE NOCASE IN (SELECT value FROM json_each(?))`,
    JSON.stringify(emails),
  );
}

/** Removes from what undoes jobs those participants who were erased, and are not there. Call it inside a transaction. */
export function forgetUndone(db: Writer, isErased: (uid: string) => boolean): void {
  const uids = db.values<string>(
    `SELECT json ->> 'uid' FROM effect_participant WHERE kind = 'REMOVED'
     UNION SELECT participant_uid FROM effect_assignment`,
  );
  const erased = JSON.stringify(uids.filter(isErased));
  const named = "IN (SELECT value FROM json_each(?))";
  db.run(`DELETE FROM effect_participant WHERE kind = 'REMOVED' AND json ->> 'uid' ${named}`, erased);
  db.run(`DELETE FROM effect_assignment WHERE participant_uid ${named}`, erased);
}
