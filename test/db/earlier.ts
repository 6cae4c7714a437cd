// Stores as versions before 1.0.0 wrote them: those versions changed released files, or had others.

import assert from "node:assert/strict";
import { migrationsOf, type StoreKind } from "../../db/migrate.ts";
import type { Writer } from "../../db/sqlite/connection.ts";

interface Earlier {
  what: string;
  kind: StoreKind;
  version: number;
  /** What was different in its migrations: the text of today, and the text of that version. */
  edits: [string, string][];
}

const WIDE: [string, string][] = [
  ["ON screener_participant (screener_id);", "ON screener_participant (screener_id, status);"],
  ["ON screener_session (screener_id);", "ON screener_session (screener_id, status, state);"],
];
const WITHOUT_KEY: [string, string][] = [["  -- What the author calls it in tables.\n  key TEXT,\n", ""]];
const WITHOUT_ROW: [string, string][] = [
  ["INSERT INTO installation (id, uid, checked_at) VALUES (1, lower(hex(randomblob(16))), 0);\n", ""],
];

export const EARLIER: Earlier[] = [
  { what: "control 1, no installation", kind: "control", version: 1, edits: WITHOUT_ROW },
  { what: "control 1", kind: "control", version: 1, edits: [] },
  { what: "control 2", kind: "control", version: 2, edits: [] },
  { what: "workspace 1, wide indexes", kind: "workspace", version: 1, edits: WIDE },
  { what: "workspace 1", kind: "workspace", version: 1, edits: [] },
  { what: "workspace 2, wide indexes, no key", kind: "workspace", version: 2, edits: [...WIDE, ...WITHOUT_KEY] },
  { what: "workspace 2, wide indexes", kind: "workspace", version: 2, edits: WIDE },
  { what: "workspace 2", kind: "workspace", version: 2, edits: [] },
  { what: "workspace 3, wide indexes, no key", kind: "workspace", version: 3, edits: [...WIDE, ...WITHOUT_KEY] },
  { what: "workspace 3", kind: "workspace", version: 3, edits: [] },
];

const ROWS: Record<StoreKind, string> = {
  control: `INSERT INTO workspace (id, uid, name, created_at) VALUES (1, 'w', 'Acme', 0);
    INSERT INTO api_key (id, uid, workspace_id, api_key, name, created_at) VALUES (1, 'k', 1, 'key_1', 'First', 0);
    INSERT INTO api_key_secret (api_key_id, secret_hash, created_at) VALUES (1, x'00', 0);
    INSERT INTO job (uid, workspace_id, kind, payload, actor_type, actor_uid, actor_name, created_at)
      VALUES ('j', 1, 'SCREENER_PUBLICATION', '{}', 'ApiKey', 'k', 'First', 0);`,
  workspace: `INSERT INTO actor (id, type, uid, name) VALUES (1, 'ApiKey', 'k', 'First');
    INSERT INTO screener VALUES (1, '00000000-0000-7000-8000-000000000001', 'Sleep', NULL, NULL, 1, '2026-01-01T00:00:00.000Z', 1, '2026-01-01T00:00:00.000Z');
    INSERT INTO screener_block VALUES (0, 1);
    INSERT INTO screener_publication VALUES
      (1, '00000000-0000-7000-8000-000000000002', 1, 1, 'ACTIVE', 'Sleep', NULL, NULL, 1, 1, '2026-01-01T00:00:00.000Z', 1, '2026-01-01T00:00:00.000Z');
    UPDATE screener SET active_publication_id = 1;
    INSERT INTO participant VALUES
      (1, '00000000-0000-7000-8000-000000000003', 'x1', NULL, NULL, 1, '2026-01-01T00:00:00.000Z', 1, '2026-01-01T00:00:00.000Z');
    INSERT INTO participant_block VALUES (0, 1);
    INSERT INTO screener_participant VALUES (1, '00000000-0000-7000-8000-000000000004', 1, 1, 'NOT_STARTED', NULL);
    INSERT INTO screener_participant_block VALUES (1, 'NOT_STARTED', 0, 1);
    INSERT INTO screener_session (id, uid, slug, screener_id, screener_participant_uid, participant_id, screener_publication_id, tag_set_id, created_at)
      VALUES (1, '00000000-0000-7000-8000-000000000005', 'slug', 1, '00000000-0000-7000-8000-000000000004', 1, 1, 1, '2026-01-01T00:00:00.000Z');
    INSERT INTO screener_session_block VALUES (1, 'ACTIVE', 'NOT_STARTED', 0, 1);
    UPDATE screener_participant SET current_session_id = 1;`,
};

/** Questions and answers, which no version before 2 wrote. */
const ANSWERS = `INSERT INTO screener_content VALUES (1, 1, '{"pages":[],"qualifyWhen":null,"thankYou":null,"thankYouByOutcome":null}');
  INSERT INTO publication_question (id, screener_publication_id, place, uid, page_uid, type, prompt)
    VALUES (1, 1, 0, 'q', 'p', 'ScreenerTextQuestion', 'Why?');
  INSERT INTO screener_response VALUES (4096, 1, 1, 1, 1, '"So"');
  INSERT INTO screener_response_block VALUES (1, 1, 0, 1);`;

/** Makes an empty file what the earlier version would have left, with a row in each table that it wrote. */
export function writeEarlier(db: Writer, what: string): void {
  const earlier = EARLIER.find((one) => one.what === what);
  assert.ok(earlier, what);
  const { kind, version, edits } = earlier;
  const left = new Set(edits);
  for (const migration of migrationsOf(kind).slice(0, version)) {
    let { sql } = migration;
    for (const edit of edits) {
      if (!sql.includes(edit[0])) continue;
      sql = sql.replace(edit[0], edit[1]);
      left.delete(edit);
    }
    db.exec(sql);
    // Rows are there before the next migration, as in a store that was used in between.
    if (migration.version === 1) db.exec(ROWS[kind]);
    if (migration.name === "002-content.sql") db.exec(ANSWERS);
  }
  assert.equal(left.size, 0, "each difference was found");
  db.exec(`PRAGMA user_version = ${version}`);
}
