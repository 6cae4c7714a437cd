// Many people in a store of an earlier release, without the hours that its imports would take: with a person's name, an email, an assignment to
// the store's first screener, perhaps a session, and the counts of lists.

import { createHash } from "node:crypto";
import Database from "better-sqlite3";

/** Adds people to a workspace's file, whose processes have ended. In the order of their ids they are in no order in any index. */
export function addCrowd(path: string, count: number, { withSessions = false } = {}): void {
  const db = new Database(path);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = OFF");
  db.pragma("cache_size = -400000");
  db.function("hashed", { deterministic: true }, (i) => createHash("md5").update(`${i}`).digest("hex"));
  db.function("uuid", { deterministic: true }, (i) => uuid(Number(i)));
  const last = ["participant", "screener_participant", "screener_session"].map(
    (table) => db.prepare(`SELECT coalesce(max(id), 0) FROM ${table}`).pluck().get() as number,
  );
  const from = Math.max(...last);
  const numbers = `WITH RECURSIVE n (i) AS (SELECT ${from} + 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${from + count})`;
  db.transaction(() => {
    db.exec(`INSERT INTO participant (id, uid, external_uid, email, name, created_by, created_at, updated_by, updated_at)
      ${numbers} SELECT i, uuid(i), 'R-' || substr(hashed(i), 1, 8) || i, substr(hashed(-i), 1, 12) || i || '@example.org',
        'Ada Lovelace ' || substr(hashed(i), 1, 4), 1, '2026-11-20T10:00:00.000Z', 1, '2026-11-20T10:00:00.000Z' FROM n`);
    db.exec(`INSERT INTO screener_participant (id, uid, screener_id, participant_id, status)
      ${numbers} SELECT i, uuid(-i), (SELECT min(id) FROM screener), i, 'NOT_STARTED' FROM n`);
    db.exec(`DELETE FROM participant_block;
      INSERT INTO participant_block (block, n) SELECT id >> 10, count(*) FROM participant GROUP BY 1;
      DELETE FROM screener_participant_block;
      INSERT INTO screener_participant_block (screener_id, status, block, n)
      SELECT screener_id, status, id >> 10, count(*) FROM screener_participant GROUP BY 1, 2, 3`);
    if (withSessions)
      db.exec(`INSERT INTO screener_session (id, uid, slug, screener_id, screener_participant_uid, participant_id, screener_publication_id, tag_set_id, created_at)
          ${numbers} SELECT i, uuid(i), substr(hashed(i), 1, 22), s.id, uuid(-i), i, p.id, p.tag_set_id, '2026-11-20T10:00:00.000Z'
          FROM n CROSS JOIN (SELECT min(id) AS id FROM screener) AS s
          JOIN screener_publication AS p ON p.id = (SELECT min(id) FROM screener_publication WHERE screener_id = s.id);
        UPDATE screener_participant SET current_session_id = id WHERE id > ${from};
        DELETE FROM screener_session_block;
        INSERT INTO screener_session_block (screener_id, status, state, block, n)
        SELECT screener_id, status, state, id >> 10, count(*) FROM screener_session GROUP BY 1, 2, 3, 4`);
  })();
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
}

/** A UUID of version 7: ids that were made one after the other are in order. */
function uuid(i: number): string {
  const time = (0x19aa00000000 + Math.abs(i)).toString(16).padStart(12, "0");
  const rest = createHash("md5").update(`${i}`).digest("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
}
