// A payload that can't be read is refused at the position where it breaks, and nothing is imported.

import assert from "node:assert/strict";
import { test } from "node:test";
import { people } from "../support/client.ts";
import { importRaw, person, pointers, refused } from "../support/imports.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();

test("a payload that gives its participants twice is refused, whatever they are", async () => {
  const { client, screenerId } = await service.screener();
  const row = JSON.stringify(person("a"));
  for (const twice of [
    `"participants":[${row}],"participants":[]`,
    `"participants":[],"participants":[${row}]`,
    `"participants":[],"\\u0070articipants":[${row}]`,
    `"participants":[${row}],"participants":null`,
  ]) {
    await refused(client, importRaw(client, `{"screenerId":"${screenerId}",${twice}}`), 400, ["/participants"]);
  }
});

test("a payload without its list, or with bad settings, is refused with all that is wrong", async () => {
  const { client, screenerId } = await service.screener();
  for (const participants of ['{"a":1}', "null", '"x"', "5", "true", "{}"]) {
    const raw = `{"screenerId":"${screenerId}","participants":${participants}}`;
    await refused(client, importRaw(client, raw), 400, ["/participants"]);
  }
  await refused(client, importRaw(client, `{"screenerId":"${screenerId}"}`), 400, ["/participants"]);
  for (const importMode of ["full_sync", "", 5, {}, []]) {
    await refused(client, client.import(screenerId, [], { importMode }), 400, ["/importMode"]);
  }
  const bad = { screenerId: 5, importMode: "ALL", participants: [null, person("a")] };
  const { status, body } = await client.post("/screener-participants-import", bad);
  assert.equal(status, 400);
  assert.deepEqual(pointers(body).sort(), ["/importMode", "/participants/0", "/screenerId"]);
  for (const raw of ["[]", "null", "5", '"x"', `[{"screenerId":"${screenerId}","participants":[]}]`]) {
    await refused(client, importRaw(client, raw), 400, [""]);
  }
});

test("JSON that breaks is pinpointed: in its row, or around the rows", async () => {
  const { client, screenerId } = await service.screener();
  const row = JSON.stringify(person("x"));
  const around = (participants: string) => `{"screenerId":"${screenerId}","participants":[${participants}]}`;
  const cases: [string, string][] = [
    ["", ""],
    [" \n", ""],
    ["{", ""],
    ["}", ""],
    ["not json", ""],
    [`{"screenerId":"${screenerId}","participants":[`, ""],
    [`{"screenerId":"${screenerId}","participants":[${row}`, ""],
    [`{"screenerId":"${screenerId}","participants":[${row}]`, ""],
    [`{"screenerId":"${screenerId}","participants":[${row}}`, ""],
    [`{"screenerId":"${screenerId}" "participants":[${row}]}`, ""],
    [`{"screenerId":"${screenerId}",participants:[${row}]}`, ""],
    [`{"screenerId":"${screenerId}","participants":[${row}],}`, ""],
    [`${around(row)} {}`, ""],
    [`${around(row)}]`, ""],
    [`${around(row)}\0`, ""],
    [around(`{"externalUid":"x`), ""],
    [around(`${row},`), "/participants/1"],
    [around(`,${row}`), "/participants/0"],
    [around(`${row},,${row}`), "/participants/1"],
    [around(","), "/participants/0"],
    [around(`${row} ${row}`), "/participants/0"],
    [around(`${row},${row},{externalUid:"x"},${row}`), "/participants/2"],
    [around(`${row},{"externalUid":"x",}`), "/participants/1"],
    [around(`${row},{'externalUid':'x'}`), "/participants/1"],
    [around(`${row},{"externalUid":"a\nb"}`), "/participants/1"],
    [around(`${row},{"externalUid":"\\x"}`), "/participants/1"],
    [around(`${row},{"externalUid":"\\u12"}`), "/participants/1"],
    [around(`${row},undefined`), "/participants/1"],
    [around(`${row},NaN,${row}`), "/participants/1"],
    [around(`${row}/* comment */`), "/participants/0"],
    [around(`${row},{"a":[1,2}]}`), "/participants/1"],
  ];
  for (const [raw, pointer] of cases) await refused(client, importRaw(client, raw), 400, [pointer]);
  assert.equal((await client.get("/participants")).body.total, 0);
});

test("JSON that breaks deep in a long payload is pinpointed as well", async () => {
  const { client, screenerId } = await service.screener();
  const rows = people(40_000).map((row) => JSON.stringify(row));
  const raw = (position: number, text: string) =>
    `{"screenerId":"${screenerId}","participants":[${rows.with(position, text).join(",")}]}`;
  assert.ok(raw(0, "").length > 2.5 * 1024 * 1024);
  for (const [position, text] of [
    [39_999, "{]}"],
    [25_000, '{"externalUid":x}'],
    [30_001, ""],
  ] as const) {
    await refused(client, importRaw(client, raw(position, text)), 400, [`/participants/${position}`]);
  }
  const wrong = raw(31_234, '{"externalUid":"a","email":"none"}');
  await refused(client, importRaw(client, wrong), 400, ["/participants/31234/email"]);
  await refused(client, importRaw(client, raw(39_999, rows[7]!)), 400, [
    "/participants/7/externalUid",
    "/participants/7/email",
    "/participants/39999/externalUid",
    "/participants/39999/email",
  ]);
});

test("what is not UTF-8 is refused", async () => {
  const { client, screenerId } = await service.screener();
  const bytes = (text: string, bad: number[]) => {
    const [start, end] = text.split("?");
    return Buffer.concat([Buffer.from(start!), Buffer.from(bad), Buffer.from(end!)]);
  };
  for (const bad of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
    const row = `{"screenerId":"${screenerId}","participants":[{"externalUid":"a","email":"a@x","name":"a?b"}]}`;
    const { status, body } = await importRaw(client, bytes(row, bad));
    assert.equal(status, 400);
    assert.match(pointers(body)[0]!, /^\/participants/);
    const around = `{"screenerId":"${screenerId}","x":"?","participants":[]}`;
    await refused(client, importRaw(client, bytes(around, bad)), 400, [""]);
  }
  assert.equal((await client.get("/participants")).body.total, 0);
});
