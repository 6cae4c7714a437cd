// How the payload of an import may be written and sent: in any order, with any characters, compressed, up to the limit.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { people } from "../support/client.ts";
import { importRaw, type Person, person, summary, uids } from "../support/imports.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const service = await startService();

test("a payload of many megabytes, in many characters and escapes, comes back exactly", async () => {
  const { client, screenerId } = await service.screener();
  const odd = [
    '"quote"',
    "back\\slash",
    "}],{[",
    "日本語",
    "😀👩‍👩‍👧",
    "tab\tline\n",
    "\u2028\u2029\u0001\u007f",
    "é".repeat(90),
    "\\u0000",
  ];
  const rows = Array.from({ length: 30_000 }, (_, index) => ({
    externalUid: `${index}·${odd[index % odd.length]!.trim()}`,
    email: `ünï${index}@exämple.org`,
    name: `x${odd[(index * 7) % odd.length]}|${index}|${odd[(index * 11) % odd.length]!}.`,
  }));
  // Every other row is written in escapes and with white space.
  const written = rows.map((row, index) => {
    if (index % 2) return JSON.stringify(row);
    const escaped = JSON.stringify(row).replace(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    return index % 4 ? escaped : `\n\t ${escaped.replace(',"email":', ' ,\r\n "email" : ')}  `;
  });
  const raw = `{"importMode":"FULL_SYNC","participants":[${written.join(",")}],"screenerId":"${screenerId}"}`;
  assert.ok(Buffer.byteLength(raw) > 20 * 256 * 1024);
  const { status, body } = await importRaw(client, raw);
  assert.equal(status, 200);
  assert.equal(body.length, rows.length);
  for (const [index, { externalParticipantUid, email, name }] of body.entries()) {
    assert.deepEqual({ externalUid: externalParticipantUid, email, name }, rows[index]);
  }
  for (const offset of [0, 14_750, 29_500]) {
    const page = (await client.get(`/participants?pagination[limit]=500&pagination[offset]=${offset}`)).body;
    assert.equal(page.total, rows.length);
    assert.deepEqual(
      page.items.map(({ externalUid, email, name }: Person) => ({ externalUid, email, name })),
      rows.slice(offset, offset + 500),
    );
  }
  // Compressed, it is the same: nothing changes.
  const compressed = await importRaw(client, gzipSync(raw), { "Content-Encoding": "gzip" });
  assert.equal(compressed.status, 200);
  assert.deepEqual(compressed.body, body);
  assert.deepEqual(await summary(client), {
    rows: 30_000,
    created: 0,
    updated: 0,
    unchanged: 30_000,
    assigned: 0,
    removed: 0,
  });
});

test("the keys of a payload may come in any order, and with any white space", async () => {
  const { client, screenerId } = await service.screener();
  const row = (uid: string) => JSON.stringify(person(uid));
  const payloads = [
    `{"participants":[${row("a")}],"importMode":"UPDATES_ONLY","screenerId":"${screenerId}"}`,
    `{"importMode":null,"screenerId":"${screenerId}","participants":[${row("b")}]}`,
    `\n{\t"participants"\r\n:\n\n[ \n${row("c")} ,${row("d")}\t] ,"screenerId" : "${screenerId}" } \n`,
    `{"\\u0070articipants":[${row("e")}],"screenerId":"${screenerId}"}`,
  ];
  for (const raw of payloads) {
    const { status, text } = await importRaw(client, raw);
    assert.equal(status, 200, `${raw}\n${text}`);
  }
  const items = (await client.get("/screener-participants")).body.items;
  assert.equal(uids(items).join(""), "abcde");
});

test("a member that an import does not know is refused, with the nearest one that it knows", async () => {
  const { client, screenerId } = await service.screener();
  const rest = `"screenerId":"${screenerId}","participants":[${JSON.stringify(person("a"))}]}`;
  for (const [begin, expected] of [
    [`{"dryrun":true,`, [["/dryrun", "is not known; did you mean dryRun?"]]],
    [`{"importModee":"FULL_SYNC",`, [["/importModee", "is not known; did you mean importMode?"]]],
    [
      `{"a":[1,[2]],"b":{"participants":[{"externalUid":"no"}]},`,
      [
        ["/a", "is not known"],
        ["/b", "is not known"],
      ],
    ],
    [`{"x":"\\"participants\\":[",`, [["/x", "is not known"]]],
    [`{"participants ":[2],`, [["/participants ", "is not known; did you mean participants?"]]],
  ] as const) {
    const { status, body } = await importRaw(client, begin + rest);
    assert.equal(status, 400, begin);
    assert.deepEqual(
      body.errors.map(({ pointer, message }: { pointer: string; message: string }) => [pointer, message]),
      expected,
    );
  }
  assert.equal((await client.get("/participants")).body.total, 0);
});

test("a key that comes twice in a row counts as JSON.parse counts it: the last one", async () => {
  const { client, screenerId } = await service.screener();
  const raw = `{"screenerId":"x","participants":[{"externalUid":"a","email":"1@x","name":"N","email":"2@x","externalUid":"b"}],"screenerId":"${screenerId}"}`;
  const { status, body } = await importRaw(client, raw);
  assert.equal(status, 200);
  assert.deepEqual([body[0].externalParticipantUid, body[0].email], ["b", "2@x"]);
});

test("a payload must say what it is, and how it is compressed", async () => {
  const { client, screenerId } = await service.screener();
  const raw = JSON.stringify({ screenerId, participants: people(1) });
  for (const headers of [
    { "Content-Type": "text/plain" },
    { "Content-Type": "application/xml" },
    { "Content-Encoding": "zstd" },
    { "Content-Encoding": "gzip, gzip" },
  ]) {
    const { status, body } = await importRaw(client, raw, headers);
    assert.deepEqual([status, body.code], [415, "unsupported_media_type"], JSON.stringify(headers));
  }
  for (const bytes of [raw, gzipSync(raw).subarray(0, 40), Buffer.from("")]) {
    const { status, body } = await importRaw(client, bytes, { "Content-Encoding": "gzip" });
    assert.deepEqual([status, body.code], [400, "invalid_request"]);
  }
  assert.equal((await client.get("/jobs")).body.total, 0);
  assert.equal((await client.get("/participants")).body.total, 0);
});

test("a payload larger than its limit is refused, as it comes and when it unfolds, and leaves nothing behind", async () => {
  const small = await startService({ config: { importMaxBytes: 20_000 } });
  const { client, screenerId } = await small.screener();
  const fitting = (bytes: number) => {
    const bare = JSON.stringify({ screenerId, participants: people(2) });
    return bare.padEnd(bytes);
  };
  assert.equal((await importRaw(client, fitting(20_000))).status, 200);
  const zipped = gzipSync(fitting(20_001));
  assert.ok(zipped.length < 1000);
  for (const answer of [
    await importRaw(client, fitting(20_001)),
    await importRaw(client, zipped, { "Content-Encoding": "gzip" }),
    await importRaw(client, gzipSync(fitting(20_000_000)), { "Content-Encoding": "gzip" }),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [413, "body_too_large"]);
  }
  assert.equal((await importRaw(client, gzipSync(fitting(20_000)), { "Content-Encoding": "gzip" })).status, 200);
  assert.equal((await client.get("/jobs")).body.total, 2);
  await small.drain();
  const spool = join(small.config.dataDir, "spool");
  await until(() => !existsSync(spool) || !readdirSync(spool).length, "the spool is empty");
});
