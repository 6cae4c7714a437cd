// POST /screener-participants-import: what an import makes of people who are new, known or unchanged.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { people, UNKNOWN } from "../support/client.ts";
import { type Person, person, pointers, roster, summary, uids } from "../support/imports.ts";
import { startService } from "../support/service.ts";
import { seeded, tokenFor, writeTo } from "../support/store.ts";
import { until } from "../support/until.ts";

const service = await startService();

test("an import answers with one screener participant a row, in the payload's order", async () => {
  const { client, screenerId } = await service.screener();
  const { status, headers, body } = await client.import(screenerId, people(3).reverse());
  assert.equal(status, 200);
  assert.match(headers.get("content-type")!, /^application\/json/);
  assert.deepEqual(
    body,
    people(3)
      .reverse()
      .map(({ externalUid, email, name }, index) => ({
        _type: "ScreenerParticipant",
        id: body[index].id,
        screenerId,
        participantId: body[index].participantId,
        externalParticipantUid: externalUid,
        currentSessionId: null,
        name,
        email,
        status: "NOT_STARTED",
      })),
  );
  // New participants and assignments come into being in the payload's order, too.
  assert.deepEqual((await client.get("/screener-participants")).body.items, body);
  assert.deepEqual(await roster(client), people(3).reverse());
  assert.equal(
    new Set(body.flatMap((row: { id: string; participantId: string }) => [row.id, row.participantId])).size,
    6,
  );
  // Known and new ones, mixed.
  const mixed = [...people(2, 7), ...people(3), ...people(1, 9)].reverse();
  const again = (await client.import(screenerId, mixed)).body;
  assert.deepEqual(uids(again), uids(mixed.map(({ externalUid }) => ({ externalParticipantUid: externalUid }))));
  for (const row of body)
    assert.deepEqual(
      again.find(({ id }: { id: string }) => id === row.id),
      row,
    );
});

test("imported participants are the workspace's: created by the caller, found by id, shared by screeners", async () => {
  const client = service.workspace();
  const one = await client.screener();
  const other = await client.screener();
  const before = new Date().toISOString();
  const [row] = (await client.import(one, people(1))).body;
  const participant = (await client.get(`/participants/${row.participantId}`)).body;
  assert.equal(participant.createdBy._type, "ApplicationActor");
  assert.deepEqual(participant.updatedBy, participant.createdBy);
  assert.ok(participant.createdAt >= before && participant.createdAt <= new Date().toISOString());
  assert.equal(participant.updatedAt, participant.createdAt);
  const [again] = (await client.import(other, people(1))).body;
  assert.equal(again.participantId, row.participantId);
  assert.notEqual(again.id, row.id);
  assert.deepEqual(await summary(client), { rows: 1, created: 0, updated: 0, unchanged: 1, assigned: 1, removed: 0 });
  // Who was created by hand is matched as well.
  const made = (await client.post("/participants", person("by-hand"))).body;
  const [matched] = (await client.import(one, [{ externalUid: "by-hand" }])).body;
  assert.equal(matched.participantId, made.id);
});

test("an existing participant takes what the row says, and keeps what it leaves out", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(
    screenerId,
    ["a", "b", "c", "d"].map((uid) => person(uid)),
  );
  const { accessToken, user } = await tokenFor(service, client, "Ada");
  const before = (await client.get("/participants")).body.items;
  await until(() => new Date().toISOString() > before[0].updatedAt, "the clock goes on");
  const rows: Person[] = [
    { externalUid: "a", name: "New name" },
    { externalUid: "b", email: "new@example.org", name: null },
    { externalUid: "c", email: null, name: null },
    { externalUid: "d", email: " ", name: { first: "", last: " " } },
  ];
  const { body } = await client.import(screenerId, rows, {}, { Authorization: `Bearer ${accessToken}` });
  const after = (await client.get("/participants")).body.items;
  const updatedBy = { _type: "TenantUserActor", id: user.id, name: "Ada" };
  const { updatedAt } = after[0];
  assert.ok(updatedAt > before[0].updatedAt);
  assert.deepEqual(after, [
    { ...before[0], name: "New name", updatedBy, updatedAt },
    { ...before[1], email: "new@example.org", updatedBy, updatedAt },
    before[2],
    before[3],
  ]);
  assert.deepEqual(
    body.map(({ name, email }: Person) => [name, email]),
    after.map(({ name, email }: Person) => [name, email]),
  );
  assert.deepEqual(await summary(client), { rows: 4, created: 0, updated: 2, unchanged: 2, assigned: 0, removed: 0 });
});

test("a participant whose email or name was cleared keeps none, until a row gives one", async () => {
  const { client, screenerId } = await service.screener();
  const [row] = (await client.import(screenerId, [person("a")])).body;
  await client.patch(`/participants/${row.participantId}`, { email: null, name: null });
  const [kept] = (await client.import(screenerId, [{ externalUid: "a" }])).body;
  assert.deepEqual([kept.email, kept.name], [null, null]);
  const [given] = (await client.import(screenerId, [person("a")])).body;
  assert.deepEqual(given, row);
});

test("an import that changes nothing writes no row, in either mode", async () => {
  const { client, screenerId } = await service.screener();
  const rows = people(1500);
  const first = (await client.import(screenerId, rows)).body;
  const tables = ["participant", "participant_block", "screener_participant", "screener_participant_block"];
  const dump = () =>
    service.context.workspaces.read(client.workspaceId, (db) =>
      tables.map((table) => db.all(`SELECT ${table.endsWith("block") ? "" : "rowid, "}* FROM ${table}`)),
    );
  const before = dump();
  writeTo(service.context.workspaces, client.workspaceId, (db) => {
    db.exec("CREATE TABLE written (what TEXT NOT NULL) STRICT");
    for (const table of tables)
      for (const change of ["INSERT", "UPDATE", "DELETE"])
        db.exec(
          `CREATE TRIGGER ${table}_${change} AFTER ${change} ON ${table} BEGIN INSERT INTO written VALUES ('${change} ${table}'); END`,
        );
  });
  const sent = rows.map((row) => ({ ...row, email: ` ${row.email}`, name: { first: row.name, last: "" } }));
  for (const [participants, importMode] of [
    [rows, "FULL_SYNC"],
    [rows, "UPDATES_ONLY"],
    [sent, "FULL_SYNC"],
    [rows.map(({ externalUid }) => ({ externalUid })), "FULL_SYNC"],
  ] as const) {
    const { body } = await client.import(screenerId, [...participants], { importMode });
    assert.deepEqual(body, first);
    assert.deepEqual(await summary(client), {
      rows: 1500,
      created: 0,
      updated: 0,
      unchanged: 1500,
      assigned: 0,
      removed: 0,
    });
  }
  assert.deepEqual(dump(), before);
  const written = () =>
    service.context.workspaces.read(client.workspaceId, (db) => db.values<string>("SELECT what FROM written"));
  assert.deepEqual(written(), []);
  // One row that does change is one row that is written.
  await client.import(screenerId, [...rows.slice(1), { ...rows[0], name: "Changed" }], { importMode: "FULL_SYNC" });
  assert.deepEqual(written(), ["UPDATE participant"]);
});

test("an import into a screener that is not there answers 404, and leaves nothing", async () => {
  const client = service.workspace();
  const stranger = service.workspace();
  for (const screenerId of [UNKNOWN, "x", "", await stranger.screener()]) {
    const { status, body } = await client.import(screenerId, people(2));
    assert.deepEqual([status, body.code], [404, "screener_not_found"]);
  }
  assert.equal((await client.get("/participants")).body.total, 0);
});

test("random imports do exactly what a plain model of the rules does", async () => {
  const client = service.workspace();
  const random = seeded(11);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const screeners = [await client.screener(), await client.screener()];
  const known = new Map<string, { email: string; name: string }>();
  const assigned = new Map(screeners.map((id) => [id, [] as string[]]));
  const lower = (email: string) => email.toLowerCase();
  const seen = new Map<number, number>();
  for (let round = 0; round < 120; round++) {
    const screenerId = pick(screeners);
    const importMode = pick(["FULL_SYNC", "UPDATES_ONLY"]);
    const rows = Array.from({ length: Math.floor(random() * 6) }, () => {
      const externalUid = pick(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]);
      const letter = pick(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]);
      const email = random() < 0.2 ? undefined : random() < 0.8 ? `${letter}@x` : `${letter.toUpperCase()}@x`;
      return { externalUid, email, name: random() < 0.2 ? undefined : pick(["N", "M"]) };
    });
    const unique = rows.filter(
      (row, index) => random() < 0.1 || rows.findIndex((one) => one.externalUid === row.externalUid) === index,
    );
    const { status, body } = await client.import(screenerId, unique, { importMode });

    const twice = (of: (row: (typeof rows)[number]) => string | undefined) => (row: (typeof rows)[number]) =>
      of(row) !== undefined && unique.filter((one) => of(one) === of(row)).length > 1;
    const at = (field: string, is: (row: (typeof rows)[number]) => boolean) =>
      unique.flatMap((row, index) => (is(row) ? [`/participants/${index}/${field}`] : []));
    const duplicates = [
      ...at(
        "externalUid",
        twice((row) => row.externalUid),
      ),
      ...at(
        "email",
        twice((row) => row.email && lower(row.email)),
      ),
    ];
    const lacking = [
      ...at("email", (row) => !known.has(row.externalUid) && row.email === undefined),
      ...at("name", (row) => !known.has(row.externalUid) && row.name === undefined),
    ];
    const taken = at("email", ({ externalUid, email }) =>
      [...known].some(([uid, holder]) => {
        if (!email || uid === externalUid || lower(holder.email) !== lower(email)) return false;
        const given = unique.find((row) => row.externalUid === uid)?.email;
        return given === undefined || lower(given) === lower(email);
      }),
    );
    const [expectedStatus, errors] = duplicates.length
      ? [400, duplicates]
      : lacking.length
        ? [400, lacking]
        : taken.length
          ? [409, taken]
          : [200, []];
    assert.equal(status, expectedStatus, JSON.stringify({ unique, known: [...known], body }));
    seen.set(status, (seen.get(status) ?? 0) + 1);
    if (status !== 200) {
      assert.deepEqual(pointers(body).sort(), errors.sort());
      assert.equal(body.errorCount, errors.length);
      continue;
    }
    const counts = { rows: unique.length, created: 0, updated: 0, unchanged: 0, assigned: 0, removed: 0 };
    let here = assigned.get(screenerId)!;
    for (const { externalUid, email, name } of unique) {
      const before = known.get(externalUid);
      const after = { email: email ?? before!.email, name: name ?? before!.name };
      if (!before) counts.created++;
      else if (before.email === after.email && before.name === after.name) counts.unchanged++;
      else counts.updated++;
      known.set(externalUid, after);
    }
    if (importMode === "FULL_SYNC") {
      const staying = here.filter((uid) => unique.some((row) => row.externalUid === uid));
      counts.removed = here.length - staying.length;
      here = staying;
    }
    for (const { externalUid } of unique) {
      if (here.includes(externalUid)) continue;
      here.push(externalUid);
      counts.assigned++;
    }
    assigned.set(screenerId, here);
    assert.deepEqual(
      body.map((row: Person & { externalParticipantUid: string }) => [row.externalParticipantUid, row.email, row.name]),
      unique.map(({ externalUid }) => [externalUid, known.get(externalUid)!.email, known.get(externalUid)!.name]),
    );
    assert.deepEqual(await summary(client), counts);
    assert.deepEqual(
      await roster(client),
      [...known].map(([externalUid, rest]) => ({ externalUid, ...rest })),
    );
    const list = (await client.get(`/screener-participants?filter[screenerId][eq]=${screenerId}`)).body;
    assert.deepEqual([list.total, uids(list.items)], [here.length, here]);
  }
  assert.ok(seen.get(200)! > 20 && seen.get(400)! > 20 && seen.get(409)! > 10, JSON.stringify([...seen]));
});

test("a screener's id can't smuggle SQL into a job", async () => {
  const client = service.workspace();
  await client.screener();
  const elsewhere = join(service.config.dataDir, "smuggled.sqlite");
  const sql = `ATTACH '${elsewhere}' AS x; CREATE TABLE x.t (a); --`;
  for (const id of ["'", `x"' AS json; ${sql}`, `x"') AS json FROM plan AS q; ${sql}`, `x"' || '" AS json; ${sql}`]) {
    const { status, body } = await client.import(id, people(1));
    assert.deepEqual([status, body.code], [404, "screener_not_found"]);
  }
  assert.equal(existsSync(elsewhere), false);
});
