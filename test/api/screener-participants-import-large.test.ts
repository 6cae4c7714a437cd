// Large imports work on whole tables: they build the indexes of participants anew, and empty the table of assignments. Nobody
// sees anything of it, and the store has the same schema.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { createAttributeIndex } from "../../src/nouns/participants/queries.ts";
import { people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { refused, summary } from "../support/imports.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const service = await startService();
const { workspaces, config } = service.context;
const ROWS = 6000;

test("after an import of many new people the store has its indexes, as they were, and they find everybody", async () => {
  const { client, screenerId } = await service.screener();
  const look = (sql: string) => workspaces.read(client.workspaceId, (db) => db.values<string>(sql));
  const schema = () => look("SELECT concat(name, ' ', rootpage > 0, ' ', sql) FROM sqlite_schema ORDER BY name");
  await client.import(screenerId, [{ externalUid: "first", email: "first@example.org", name: "First" }]);
  await workspaces.writeWhenFree(client.workspaceId, config.writeWaitMs, (db) => createAttributeIndex(db, "country"));
  const before = schema();
  const version = look("PRAGMA schema_version");
  const rows = people(ROWS).map((row, index) => ({ ...row, attributes: { country: `C${index % 3000}` } }));
  const { status } = await client.import(screenerId, rows);
  assert.equal(status, 200);
  assert.notDeepEqual(look("PRAGMA schema_version"), version, "indexes were built anew");
  // The one on names is built when the import has ended.
  await until(() => isDeepStrictEqual(schema(), before), "all are built");
  assert.deepEqual(schema(), before);
  assert.deepEqual(look("PRAGMA integrity_check"), ["ok"]);
  assert.deepEqual(look("PRAGMA foreign_key_check"), []);
  const found = async (filter: string) => (await client.get(`/participants?${filter}`)).body.total;
  assert.deepEqual(
    [await found("filter[externalUid][eq]=P-4711"), await found("filter[email][eq]=PERSON4711@example.org")],
    [1, 1],
  );
  assert.equal(await found("filter[attributes.country][eq]=C11"), 2);
  assert.equal((await client.post("/participants", { ...rows[7], externalUid: "other" })).status, 409);

  // A second import that is smaller than the first leaves the indexes alone. Everybody is found by them.
  const built = look("PRAGMA schema_version");
  await client.import(screenerId, [...rows, ...people(ROWS - 10, ROWS)]);
  assert.deepEqual(look("PRAGMA schema_version"), built);
  assert.deepEqual(await summary(client), {
    rows: 2 * ROWS - 10,
    created: ROWS - 10,
    updated: 0,
    unchanged: ROWS,
    assigned: ROWS - 10,
    removed: 0,
  });
});

test("a large import that is refused leaves the indexes alone", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, [{ externalUid: "first", email: "person5@example.org", name: "First" }]);
  const version = () => workspaces.read(client.workspaceId, (db) => db.value("PRAGMA schema_version"));
  const before = version();
  await refused(client, client.import(screenerId, people(ROWS)), 409, ["/participants/5/email"]);
  assert.equal(version(), before);
});

test("an import that removes nearly everybody leaves the others as they are, and its undo brings all back", async () => {
  const { client, screenerId } = await service.screener();
  const other = await client.screener();
  await client.post("/screener-publications", { screenerId });
  await client.import(screenerId, people(10));
  assert.equal((await client.post("/screener-sessions", { screenerId })).body.length, 10);
  await client.import(screenerId, people(ROWS));
  await client.import(other, people(5, 3));
  const lists = () =>
    Promise.all(["/screener-participants", "/screener-sessions", "/participants"].map((path) => client.all(path)));
  const before = await lists();
  const synced = await client.import(screenerId, [...people(4, 4), ...people(3, ROWS)], { importMode: "FULL_SYNC" });
  assert.equal(synced.status, 200);
  assert.deepEqual(await summary(client), {
    rows: 7,
    created: 3,
    updated: 0,
    unchanged: 4,
    assigned: 3,
    removed: ROWS - 4,
  });
  const [assigned, sessions, everybody] = await lists();
  const stays = (item: { screenerId: string; externalParticipantUid: string }) =>
    item.screenerId === other || ["P-4", "P-5", "P-6", "P-7"].includes(item.externalParticipantUid);
  assert.deepEqual(assigned!.slice(0, -3), before[0]!.filter(stays));
  assert.deepEqual(
    assigned!.slice(-3).map(({ externalParticipantUid }) => externalParticipantUid),
    people(3, ROWS).map(({ externalUid }) => externalUid),
  );
  assert.deepEqual(
    sessions!.map(({ status }) => status),
    ["ARCHIVED", "ARCHIVED", "ARCHIVED", "ARCHIVED", "ACTIVE", "ACTIVE", "ACTIVE", "ACTIVE", "ARCHIVED", "ARCHIVED"],
  );
  assert.deepEqual(everybody!.slice(0, -3), before[2]);
  workspaces.read(client.workspaceId, assertCounts);
  const jobs = (await client.get("/jobs?pagination[limit]=500")).body.items;
  const { id } = jobs.at(-1);
  const rows = `/jobs/${id}/rows?pagination[limit]=1`;
  assert.equal((await client.get(`${rows}&filter[outcome][eq]=REMOVED`)).body.total, ROWS - 4);
  assert.equal((await client.get(`${rows}&filter[externalUid][eq]=P-4711`)).body.total, 1);
  assert.equal((await client.post(`/jobs/${id}/undo`, {})).status, 200);
  assert.deepEqual(await lists(), before);
  workspaces.read(client.workspaceId, assertCounts);
});
