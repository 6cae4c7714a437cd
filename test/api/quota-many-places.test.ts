// Offers and recounts of so many places that their triggers and indexes are left out while they are written: the counts are exact, and
// the store has all of them again.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Writer } from "../../db/sqlite/connection.ts";
import { faultsOfQuotas } from "../../src/nouns/quotas/queries.ts";
import { type Client, people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { pages } from "../support/quota-pages.ts";
import { startService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";

/** Places of fewer are counted one by one. */
const PEOPLE = 5200;
const ROOM = 5100;

const wait = { Prefer: "wait=60" };
const service = await startService();

test("many places that are offered or counted again, and given back, are counted exactly", async () => {
  const client = service.workspace();
  const { body: screener } = await client.post("/screeners", { title: "Many" });
  const content = `/screeners/${screener.id}/content`;
  const full = { name: "Everybody", when: null, limit: 0 };
  const other = { name: "Others", when: { attribute: "region", equals: "North" }, mode: "COUNT", limit: 0 };
  assert.equal((await client.call("PUT", content, { body: { pages, quotas: [full, other] } })).status, 200);
  await client.post("/screener-publications", { screenerId: screener.id });
  assert.equal((await client.import(screener.id, people(PEOPLE), {}, wait)).status, 200);
  assert.equal((await client.post("/screener-sessions", { screenerId: screener.id }, wait)).status, 200);
  const quotas = () => client.all(`/screeners/${screener.id}/quotas`);
  const counts = async () =>
    Object.fromEntries((await quotas()).map(({ name, taken, held }) => [name, `${taken} + ${held}`]));
  const [everybody, others] = (await quotas()).map(({ id }) => id);
  write(client, (db) => turnAway(db, [everybody, others]));
  const schema = look(client);
  await client.patch(`/screener-quotas/${everybody}`, { limit: ROOM });

  const offered = await client.post(`/screener-quotas/${everybody}/offer`, {}, wait);
  assert.deepEqual(offered.body.summary, { offered: ROOM, skipped: PEOPLE - ROOM }, offered.text);
  assert.deepEqual(await counts(), { Everybody: `0 + ${ROOM}`, Others: `0 + ${ROOM}` });
  assert.deepEqual(look(client), schema);
  const undone = await client.post(`/jobs/${offered.body.id}/undo`, undefined, wait);
  assert.deepEqual(undone.body.summary, { rows: ROOM, reverted: ROOM, kept: 0 }, undone.text);
  assert.deepEqual(await counts(), { Everybody: "0 + 0", Others: "0 + 0" });
  assert.deepEqual(look(client), schema);

  // People who have come by a link are counted there, too.
  await client.post("/screener-links", { screenerId: screener.id, name: "Poster" });
  write(client, (db) =>
    db.exec(
      `UPDATE screener_session SET screener_link_id = 1; UPDATE screener_link SET started = ${PEOPLE}, completed = ${PEOPLE}`,
    ),
  );
  const byLink = () =>
    service.context.workspaces.read(client.workspaceId, (db) => db.get("SELECT started, completed FROM screener_link"));
  const again = await client.post(`/screener-quotas/${everybody}/offer`, {}, wait);
  assert.equal(again.body.summary.offered, ROOM, again.text);
  assert.deepEqual(byLink(), { started: PEOPLE, completed: PEOPLE - ROOM });
  await client.post(`/jobs/${again.body.id}/undo`, undefined, wait);
  assert.deepEqual(byLink(), { started: PEOPLE, completed: PEOPLE });
  assert.deepEqual(look(client), schema);

  const { body: draft } = await client.get(content);
  const all = { name: "All", when: null, limit: PEOPLE };
  const put = await client.call("PUT", content, { body: { ...draft, quotas: [...draft.quotas, all] } });
  assert.equal(put.status, 200, put.text);
  await client.post("/screener-publications", { screenerId: screener.id });
  write(client, complete);
  const newest = (await quotas()).find(({ name }) => name === "All")!.id;
  const counted = await client.post(`/screener-quotas/${newest}/recount`, {}, wait);
  assert.deepEqual(counted.body.summary, { counted: PEOPLE, skipped: 0 }, counted.text);
  assert.deepEqual(await counts(), { Everybody: "0 + 0", Others: "0 + 0", All: `${PEOPLE} + 0` });
  assert.deepEqual(look(client), schema);
  const uncounted = await client.post(`/jobs/${counted.body.id}/undo`, undefined, wait);
  assert.equal(uncounted.body.summary.reverted, PEOPLE, uncounted.text);
  assert.deepEqual(await counts(), { Everybody: "0 + 0", Others: "0 + 0", All: "0 + 0" });
  assert.deepEqual(look(client), schema);
  // A place that is given after that is counted by the triggers.
  write(client, (db) =>
    db.run(
      `INSERT INTO quota_place (uid, quota_id, participant_id, session_id, state, created_at)
       SELECT uid, (SELECT min(id) FROM screener_quota), participant_id, id, 'TAKEN', created_at FROM screener_session LIMIT 1`,
    ),
  );
  assert.deepEqual(await counts(), { Everybody: "1 + 0", Others: "0 + 0", All: "0 + 0" });
});

function write(client: Client, change: (db: Writer) => unknown): void {
  writeTo(service.context.workspaces, client.workspaceId, change);
}

/** Checks the store. @returns its schema */
function look(client: Client): object[] {
  return service.context.workspaces.read(client.workspaceId, (db) => {
    assertCounts(db);
    assert.deepEqual(faultsOfQuotas(db), []);
    assert.equal(db.value("PRAGMA integrity_check"), "ok");
    return db.all("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name");
  });
}

/** Leaves all sessions as the first of these quotas would have turned them away. */
function turnAway(db: Writer, quotas: readonly string[]): void {
  const at = new Date().toISOString();
  db.run(
    `UPDATE screener_session SET state = 'COMPLETED', outcome = 'DISQUALIFIED', outcome_reason = 'OVER_QUOTA', started_at = ?, last_active_at = ?,
       completed_at = ?, outcome_quota_ids = ?, quota_ids = ?`,
    ...[at, at, at, JSON.stringify([quotas[0]]), JSON.stringify(quotas)],
  );
  db.exec("UPDATE screener_participant SET status = 'DISQUALIFIED'");
  countAgain(db);
}

/** Leaves all sessions as if nobody had turned them away. */
function complete(db: Writer): void {
  db.exec(`UPDATE screener_session SET outcome = 'UNKNOWN', outcome_reason = NULL, outcome_quota_ids = NULL;
    UPDATE screener_participant SET status = 'UNKNOWN'`);
  countAgain(db);
}

function countAgain(db: Writer): void {
  db.exec(`DELETE FROM screener_session_block; DELETE FROM screener_participant_block;
    INSERT INTO screener_participant_block
      SELECT screener_id, status, id >> 10, count(*) FROM screener_participant GROUP BY 1, 2, 3;
    INSERT INTO screener_session_block
      SELECT screener_id, status, state, id >> 10, count(*) FROM screener_session GROUP BY 1, 2, 3, 4`);
}
