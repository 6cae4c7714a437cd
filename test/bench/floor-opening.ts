// The floor of opening sessions: a bare loop of the insert and the update a session, in one transaction; nothing is looked
// for, counted or answered. A process of its own: `floor-opening.ts STORE`, a store whose first screener has assignments.

import { randomBytes, randomUUID } from "node:crypto";
import { openBare } from "./bare-store.ts";

const [path = ""] = process.argv.slice(2);
const db = openBare(path);
const now = new Date().toISOString();
const assignments = db
  .prepare<[], { id: number; uid: string; participant_id: number }>(
    "SELECT id, uid, participant_id FROM screener_participant WHERE screener_id = 1 ORDER BY id",
  )
  .all();
const publication = db
  .prepare<[], { id: number; tag_set_id: number }>(
    "SELECT id, tag_set_id FROM screener_publication WHERE screener_id = 1",
  )
  .get()!;
const insertSession = db.prepare(
  `INSERT INTO screener_session (uid, slug, screener_id, screener_participant_uid, participant_id,
     screener_publication_id, tag_set_id, created_at)
   VALUES (?, ?, 1, ?, ?, ?, ?, ?)`,
);
const updateAssignment = db.prepare("UPDATE screener_participant SET current_session_id = ? WHERE id = ?");
const { id: publicationId, tag_set_id: tagSetId } = publication;

const started = performance.now();
db.exec("BEGIN IMMEDIATE");
for (const { id, uid, participant_id: participantId } of assignments) {
  const slug = randomBytes(16).toString("base64url");
  const { lastInsertRowid } = insertSession.run(randomUUID(), slug, uid, participantId, publicationId, tagSetId, now);
  updateAssignment.run(lastInsertRowid, id);
}
db.exec("COMMIT");
process.stdout.write(`took ${performance.now() - started} ms for ${assignments.length}\n`);
