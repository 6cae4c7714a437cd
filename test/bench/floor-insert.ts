// The imports' floor: a bare loop of the two inserts a row, in one transaction; the body is parsed already, nothing is
// checked, compared, counted or answered. A process of its own: `floor-insert.ts STORE COUNT`.

import { randomUUIDv7 } from "node:crypto";
import { migrate } from "../../db/migrate.ts";
import { openWriter } from "../../db/sqlite/open.ts";
import { openBare } from "./bare-store.ts";
import { people } from "./people.ts";

const [path = "", count = ""] = process.argv.slice(2);
const rows = people(Number(count));

const made = openWriter(path, { busyTimeoutMs: 0, checkpoints: true });
migrate(made, "workspace");
made.close();

const db = openBare(path);
const now = new Date().toISOString();
db.prepare("INSERT INTO actor (id, type, uid, name) VALUES (1, 'ApplicationActor', ?, 'Bench')").run(randomUUIDv7());
db.prepare(
  "INSERT INTO screener (id, uid, title, created_by, created_at, updated_by, updated_at) VALUES (1, ?, 'Bench', 1, ?, 1, ?)",
).run(randomUUIDv7(), now, now);
const insertParticipant = db.prepare(
  `INSERT INTO participant (uid, external_uid, email, name, created_by, created_at, updated_by, updated_at)
   VALUES (?, ?, ?, ?, 1, ?, 1, ?)`,
);
const insertAssignment = db.prepare(
  "INSERT INTO screener_participant (uid, screener_id, participant_id) VALUES (?, 1, ?)",
);

const started = performance.now();
db.exec("BEGIN IMMEDIATE");
for (const { externalUid, email, name } of rows) {
  const { lastInsertRowid } = insertParticipant.run(randomUUIDv7(), externalUid, email, name, now, now);
  insertAssignment.run(randomUUIDv7(), lastInsertRowid);
}
db.exec("COMMIT");
process.stdout.write(`took ${performance.now() - started} ms\n`);
