// A store with many responses, written by a few statements, as answering would have left it.

import { randomUUIDv7 } from "node:crypto";
import { openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";

const A_SESSION = 4;

/**
 * Adds people with a session each that has answered the four questions of the store's only publication, until there are
 * `count` responses. Nobody else writes meanwhile.
 */
export function fillResponses(path: string, count: number): void {
  const db = openWriter(path, { busyTimeoutMs: 10_000, checkpoints: true });
  const now = new Date().toISOString();
  const sessions = count / A_SESSION;
  // Unlike any other, and cheap: the number stands in the last digits of a UUID.
  const uid = (kind: string) => `'${randomUUIDv7().slice(0, 19)}-${kind}' || printf('%011x', n)`;
  immediate(db, () => {
    db.exec(`CREATE TEMP TABLE person (n INTEGER PRIMARY KEY);
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sessions})
      INSERT INTO person SELECT n FROM numbers;
      INSERT INTO participant (id, uid, external_uid, name, created_by, created_at, updated_by, updated_at)
        SELECT n, ${uid("a")}, 'R-' || n, 'Person ' || n, a.id, '${now}', a.id, '${now}'
        FROM person, (SELECT min(id) AS id FROM actor) AS a;
      INSERT INTO participant_block SELECT id >> 10, count(*) FROM participant GROUP BY 1;
      INSERT INTO screener_participant (id, uid, screener_id, participant_id, status)
        SELECT n, ${uid("b")}, 1, n, 'UNKNOWN' FROM person;
      INSERT INTO screener_session (id, uid, slug, screener_id, screener_participant_uid, participant_id,
          screener_publication_id, tag_set_id, state, outcome, created_at, started_at, last_active_at, completed_at)
        SELECT n, ${uid("c")}, 'slug-' || n, 1, a.uid, n, p.id, p.tag_set_id, 'COMPLETED', 'UNKNOWN', '${now}', '${now}', '${now}', '${now}'
        FROM person JOIN screener_participant AS a ON a.id = n CROSS JOIN screener_publication AS p;
      UPDATE screener_participant SET current_session_id = id;
      INSERT INTO screener_participant_block
        SELECT screener_id, status, id >> 10, count(*) FROM screener_participant GROUP BY 1, 2, 3;
      INSERT INTO screener_session_block
        SELECT screener_id, status, state, id >> 10, count(*) FROM screener_session GROUP BY 1, 2, 3, 4;
      INSERT INTO screener_response (id, screener_id, screener_publication_id, screener_session_id,
          publication_question_id, answer)
        SELECT n * 4096 + q.place, 1, q.screener_publication_id, n, q.id,
          CASE q.type WHEN 'ScreenerNumericQuestion' THEN '42' WHEN 'ScreenerTextQuestion' THEN json_quote('Town ' || n)
            ELSE '[{"text":"Tea","isWriteIn":false}]' END
        FROM person CROSS JOIN publication_question AS q ORDER BY 1;
      INSERT INTO screener_response_block
        SELECT screener_id, screener_publication_id, id >> 20, count(*) FROM screener_response GROUP BY 1, 2, 3;
      DROP TABLE person;`);
  });
  db.get("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}
