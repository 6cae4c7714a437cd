// What a row of an import may be: whatever is wrong is reported with its position, and nothing is imported.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, people, UNKNOWN } from "../support/client.ts";
import { importRaw, person, pointers, refused, uids } from "../support/imports.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();

test("a row needs an externalUid, and one that creates a participant an email and a name", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, [person("known")]);
  await refused(
    client,
    client.import(screenerId, [person("x"), { email: "a@b", name: "N" }, { externalUid: null }, { externalUid: " " }]),
    400,
    ["/participants/1/externalUid", "/participants/2/externalUid", "/participants/3/externalUid"],
  );
  await refused(
    client,
    client.import(screenerId, [
      { externalUid: "known" },
      { externalUid: "n1" },
      { externalUid: "n2", email: "n2@x" },
      { externalUid: "n3", name: "N" },
      { externalUid: "n4", email: null, name: "" },
      person("n5"),
    ]),
    400,
    [
      "/participants/1/email",
      "/participants/1/name",
      "/participants/2/name",
      "/participants/3/email",
      "/participants/4/email",
      "/participants/4/name",
    ],
  );
});

test("rows are read like participants: trimmed, names in two parts, limits, formats", async () => {
  const { client, screenerId } = await service.screener();
  const { body } = await client.import(screenerId, [
    { externalUid: " a ", email: "\ta@x\n", name: "  Ada  " },
    { externalUid: "b", email: "b@x", name: { first: " Grace ", last: "Hopper" } },
    { externalUid: "c", email: "c@x", name: { last: "Lovelace" }, id: UNKNOWN, more: { deep: [[]] } },
    { externalUid: "😀".repeat(255), email: `${"x".repeat(318)}@x`, name: "é".repeat(500) },
  ]);
  assert.deepEqual(
    body.map(({ externalParticipantUid, email, name }: Record<string, string>) => [
      externalParticipantUid,
      email,
      name,
    ]),
    [
      ["a", "a@x", "Ada"],
      ["b", "b@x", "Grace Hopper"],
      ["c", "c@x", "Lovelace"],
      ["😀".repeat(255), `${"x".repeat(318)}@x`, "é".repeat(500)],
    ],
  );
  await refused(
    client,
    client.import(screenerId, [
      { externalUid: 5, email: "a b@x", name: "N" },
      { externalUid: "x".repeat(256), email: `${"x".repeat(320)}@x`, name: "x".repeat(501) },
      { externalUid: "d", email: 5, name: ["N"] },
      person("fine"),
      { externalUid: "e", email: "e", name: { first: 1 } },
    ]),
    400,
    [
      "/participants/0/externalUid",
      "/participants/0/email",
      "/participants/1/externalUid",
      "/participants/1/email",
      "/participants/1/name",
      "/participants/2/email",
      "/participants/2/name",
      "/participants/4/email",
      "/participants/4/name",
    ],
  );
});

test("rows that are no objects are refused, each at its position", async () => {
  const { client, screenerId } = await service.screener();
  await refused(
    client,
    client.import(screenerId, [null, person("a"), 5, "x", [person("b")], true, {}]),
    400,
    [0, 2, 3, 4, 5].map((position) => `/participants/${position}`).concat("/participants/6/externalUid"),
  );
});

test("an externalUid or email that is in the payload twice is refused, with every position", async () => {
  const { client, screenerId } = await service.screener();
  await refused(
    client,
    client.import(screenerId, [
      person("a"),
      person("b", "same@example.org"),
      { ...person("a"), externalUid: " a " },
      person("A", "SAME@example.org"),
      person("c"),
      { externalUid: "a" },
      { externalUid: "d" },
      { externalUid: "e" },
    ]),
    400,
    [
      "/participants/0/externalUid",
      "/participants/0/email",
      "/participants/1/email",
      "/participants/2/externalUid",
      "/participants/2/email",
      "/participants/3/email",
      "/participants/5/externalUid",
    ],
  );
  // A row counts even where something else about it is wrong.
  await refused(
    client,
    client.import(
      screenerId,
      [
        person("a", "1@x"),
        { externalUid: "a", email: "none", name: 5 },
        { externalUid: 5, email: "1@X", name: "N" },
        { externalUid: "b", email: "none", name: "N" },
      ],
      { importMode: "ALL" },
    ),
    400,
    [
      "/importMode",
      "/participants/0/externalUid",
      "/participants/0/email",
      "/participants/1/email",
      "/participants/1/name",
      "/participants/1/externalUid",
      "/participants/2/externalUid",
      "/participants/2/email",
      "/participants/3/email",
    ],
  );
  // Only ASCII letters have a case, and an externalUid is matched exactly.
  const alike = [person("ä", "ä@x"), person("Ä", "Ä@x"), person("a"), person("A", "other@x")];
  assert.equal((await client.import(screenerId, alike)).status, 200);
});

test("U+0000 and lone surrogates are refused where they are, known field or not", async () => {
  const { client, screenerId } = await service.screener();
  const row = (uid: string, more = "") => `{"externalUid":"${uid}","email":"x${uid.length}@x","name":"N"${more}}`;
  const raw = (rows: string[], more = "") => `{"screenerId":"${screenerId}"${more},"participants":[${rows.join(",")}]}`;
  await refused(client, importRaw(client, raw([row("a"), row("b\\u0000c")])), 400, ["/participants/1/externalUid"]);
  await refused(client, importRaw(client, raw([row("\\ud83d"), row("\\ude00\\ud83d")])), 400, [
    "/participants/0/externalUid",
    "/participants/1/externalUid",
  ]);
  await refused(client, importRaw(client, raw([row("a", ',"more":{"deep":["x","\\u0000"]}')])), 400, [
    "/participants/0/more/deep/1",
  ]);
  await refused(client, importRaw(client, raw([row("a", ',"\\ud800":1')])), 400, ["/participants/0"]);
  await refused(client, importRaw(client, raw([row("a")], ',"more":"\\u0000"')), 400, ["/more"]);
  const { status, body } = await importRaw(client, raw([row("\\ud83d\\ude00"), row("\\\\u0000")]));
  assert.equal(status, 200);
  assert.deepEqual(uids(body), ["😀", "\\u0000"]);
});

test("a hundred errors are listed, in the rows' order, and all are counted", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, people(300));
  const listed = (of: (position: number) => string) => Array.from({ length: 100 }, (_, position) => of(position));
  const cases: [Promise<Answer>, number, number, string[]][] = [
    // Formats.
    [
      client.import(
        screenerId,
        people(250, 1000).map(({ externalUid }) => ({ externalUid, email: "none", name: 5 })),
      ),
      400,
      500,
      listed((index) => `/participants/${index >> 1}/${index % 2 ? "name" : "email"}`),
    ],
    // Twice in the payload: each of the two.
    [
      client.import(screenerId, [...people(130, 500), ...people(130, 500)]),
      400,
      520,
      listed((index) => `/participants/${index >> 1}/${index % 2 ? "email" : "externalUid"}`),
    ],
    // Missing for a new participant.
    [
      client.import(
        screenerId,
        people(170, 900).map(({ externalUid }) => ({ externalUid })),
      ),
      400,
      340,
      listed((index) => `/participants/${index >> 1}/${index % 2 ? "name" : "email"}`),
    ],
    // Someone else's.
    [
      client.import(
        screenerId,
        people(150).map((row) => ({ ...row, externalUid: `Q-${row.externalUid}` })),
      ),
      409,
      150,
      listed((index) => `/participants/${index}/email`),
    ],
    [
      client.import(
        screenerId,
        people(101).map((row) => ({ ...row, externalUid: `Q-${row.externalUid}` })),
      ),
      409,
      101,
      listed((index) => `/participants/${index}/email`),
    ],
  ];
  for (const [answer, expectedStatus, count, expected] of cases) {
    const { status, body } = await answer;
    assert.equal(status, expectedStatus);
    assert.equal(body.errorCount, count);
    assert.deepEqual(pointers(body), expected);
  }
  assert.equal((await client.get("/participants")).body.total, 300);
});

test("errors of different kinds are reported together, in the rows' order", async () => {
  const { client, screenerId } = await service.screener();
  const bad = people(60).map((row) => `{"externalUid":"${row.externalUid}","email":"none","name":"\\u0000"}`);
  const around = `{"screenerId":"${screenerId}","participants":[${bad.join(",")}]}`;
  const { body } = await importRaw(client, around);
  assert.equal(body.errorCount, 120);
  assert.deepEqual(
    pointers(body).map((pointer) => pointer.split("/")[2]),
    Array.from({ length: 100 }, (_, index) => String(index >> 1)),
  );
  const raw = `{"screenerId":"${screenerId}","participants":[${[
    '{"externalUid":"a","email":"none","name":"N"}',
    JSON.stringify(person("twice", "1@x")),
    "7",
    '{"externalUid":"b","email":"2@x","name":"\\u0000"}',
    JSON.stringify(person("twice", "3@x")),
  ].join(",")}]}`;
  await refused(client, importRaw(client, raw), 400, [
    "/participants/0/email",
    "/participants/1/externalUid",
    "/participants/2",
    "/participants/3/name",
    "/participants/4/externalUid",
  ]);
});

test("a row of more than 1 MiB is refused at its position, before it fills the memory", async () => {
  const { client, screenerId } = await service.screener();
  const huge = { ...person("huge"), more: "x".repeat(1.5 * 1024 * 1024) };
  await refused(client, client.import(screenerId, [person("a"), person("b"), huge, person("c")]), 400, [
    "/participants/2",
  ]);
  await refused(client, client.import(screenerId, [...people(20_000), huge]), 400, ["/participants/20000"]);
  const around = { more: "x".repeat(1.5 * 1024 * 1024) };
  await refused(client, client.import(screenerId, [person("a")], around), 400, [""]);
  // What is large and ignored, and within bounds, is no trouble.
  const large = { ...person("large"), more: "x".repeat(900 * 1024) };
  assert.equal((await client.import(screenerId, [person("a"), large, person("c")])).status, 200);
});
