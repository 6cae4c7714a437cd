// The search for people: who is found by which words, in all states of the index.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rewriteSearchOf } from "../../db/people-search.ts";
import { tidy } from "../../src/upkeep/housekeeping.ts";
import type { Client } from "../support/client.ts";
import { people } from "../support/client.ts";
import { seeded } from "../support/seeded.ts";
import { sharedService } from "../support/service.ts";
import { storesOf, writeTo } from "../support/store.ts";
import { publish } from "../support/study.ts";

const service = await sharedService();
const wait = { Prefer: "wait=60" };
const content = { pages: [{ questions: [{ _type: "ScreenerTextQuestion", prompt: "Why?", required: false }] }] };

const PEOPLE = [
  ["P-17", "anna@example.org", "Anna Groß"],
  ["P-170", "bernd.gross@example.org", "Bernd Fischer"],
  ["P-2", "c@fisch.example", "Céline Łukasz"],
  ["X-3", "d@example.org", "Zoë O’Neill-Fischer"],
  ["X-4", "e@example.org", "田中太郎"],
  ["X-5", "f@example.org", "김민수"],
  ["X-6", "g@example.org", "ΝΊΚΟΣ Παππάς"],
  ["X-7", "h@example.org", "हिन्दी नाम"],
].map(([externalUid, email, name]) => ({ externalUid: externalUid!, email: email!, name: name! }));

const WANTED: [asked: string, externalUids: string[]][] = [
  ["fischer", ["P-170", "X-3"]],
  ["FISCH", ["P-170", "P-2", "X-3"]],
  ["fisch bernd", ["P-170"]],
  ["bernd fisch", ["P-170"]],
  ["gross", ["P-17", "P-170"]],
  ["groß", ["P-17", "P-170"]],
  ["GROSS", ["P-17", "P-170"]],
  ["celine", ["P-2"]],
  ["lukasz", ["P-2"]],
  ["Łuk", ["P-2"]],
  ["zoe", ["X-3"]],
  ["neill", ["X-3"]],
  ["P-17", ["P-17", "P-170"]],
  ["p 2", ["P-2"]],
  ["17", ["P-17", "P-170"]],
  ["anna@example.org", ["P-17"]],
  ["bernd.gross@", ["P-170"]],
  ["bern.gross", []],
  ["an@example.org", []],
  ["@example.or", PEOPLE.map(({ externalUid }) => externalUid).filter((one) => one !== "P-2")],
  ["太郎", ["X-4"]],
  ["민수", ["X-5"]],
  ["νικος", ["X-6"]],
  ["παππας", ["X-6"]],
  ["हिन्दी", ["X-7"]],
  ["ischer", []],
  ["example nobody", []],
  ['"fischer" OR anna* NEAR(', []],
];

async function find(client: Client, asked: string, more = ""): Promise<string[]> {
  const { status, body, text } = await client.get(
    `/participants?filter[search][matches]=${encodeURIComponent(asked)}${more}`,
  );
  assert.equal(status, 200, text);
  assert.equal(body.total, body.items.length);
  return body.items.map(({ externalUid }: { externalUid: string }) => externalUid);
}

async function assertFound(client: Client): Promise<void> {
  for (const [asked, externalUids] of WANTED) assert.deepEqual(await find(client, asked), externalUids, asked);
}

test("people are found by any words of name, email and external id, before the index has them and when it has", async () => {
  const client = service.workspace();
  for (const one of PEOPLE) assert.equal((await client.post("/participants", one)).status, 201);
  await assertFound(client);
  tidy(storesOf(service));
  await assertFound(client);
  const indexed = service.context.workspaces.read(client.workspaceId, (db) =>
    db.value("SELECT indexed_until FROM participant_search_state"),
  );
  assert.equal(indexed, PEOPLE.length);
});

test("so many people that a thread looks for them are found, before the index has them and when it has, by a study, too", async () => {
  const client = service.workspace();
  const { screener } = await publish(client, content);
  const crowd = people(6000).map((one, index) => ({ ...one, name: index % 2000 === 7 ? "Zoë Müller" : one.name }));
  assert.equal((await client.import(screener, crowd, {}, wait)).status, 200);
  const wanted = crowd.filter(({ name }) => name === "Zoë Müller").map(({ externalUid }) => externalUid);
  const byStudy = `/screener-participants?filter[screenerId][eq]=${screener}&filter[search][matches]=`;
  const check = async () => {
    assert.deepEqual(await find(client, "muller zoe"), wanted);
    const { status, body, text } = await client.get(`${byStudy}zoe`);
    assert.equal(status, 200, text);
    const uids = body.items.map((one: { externalParticipantUid: string }) => one.externalParticipantUid);
    assert.deepEqual(uids, wanted);
  };
  await check();
  tidy(storesOf(service));
  await check();
});

test("a study's people are found, together with other filters, in pages and in whole lists", async () => {
  const client = service.workspace();
  const { screener } = await publish(client, content);
  const other = await publish(client, content);
  assert.equal((await client.import(other.screener, PEOPLE, {}, wait)).status, 200);
  assert.equal((await client.import(screener, PEOPLE.slice(1).toReversed(), {}, wait)).status, 200);
  const filter = `filter[screenerId][eq]=${screener}&filter[search][matches]`;
  const { body } = await client.get(`/screener-participants?${filter}=fisch`);
  const uids = body.items.map((one: { externalParticipantUid: string }) => one.externalParticipantUid);
  assert.deepEqual([body.total, uids], [3, ["X-3", "P-2", "P-170"]]);
  const second = await client.get(`/screener-participants?${filter}=fisch&pagination[offset]=1&pagination[limit]=1`);
  assert.deepEqual([second.body.total, second.body.items], [3, [body.items[1]]]);
  const all = await client.get(`/screener-participants?${filter}=gross`);
  assert.equal(all.body.total, 1);
  for (const [status, total] of [
    ["NOT_STARTED", 3],
    ["QUALIFIED", 0],
  ] as const) {
    const some = await client.get(`/screener-participants?${filter}=fisch&filter[status][eq]=${status}`);
    assert.equal(some.body.total, total);
  }
  const lines = (
    await client.call("GET", `/screener-participants?${filter}=fisch`, { headers: { accept: "application/x-ndjson" } })
  ).text;
  assert.deepEqual(
    lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).externalParticipantUid),
    uids,
  );
  const csv = (
    await client.call("GET", "/participants?filter[search][matches]=fisch", { headers: { accept: "text/csv" } })
  ).text;
  assert.equal(csv.trim().split("\r\n").length, 4);
  const refused = await client.get(`/participants?${filter}=fisch`);
  assert.equal(refused.status, 400);
  assert.match(
    refused.body.errors[0].message,
    /\/screener-participants, which takes filter\[screenerId\] and filter\[search\]/,
  );
  assert.deepEqual(await find(client, "fisch", "&filter[email][startsWith]=d@"), ["X-3"]);
  assert.deepEqual(await find(client, "fisch", "&filter[externalUid][ne]=X-3"), ["P-170", "P-2"]);
});

test("the total of a search is exact up to 1,000, and says that there are more", async () => {
  const client = service.workspace();
  const { screener } = await publish(client, content);
  const crowd = people(1000);
  assert.equal((await client.import(screener, crowd, {}, wait)).status, 200);
  const total = async (asked: string) =>
    (await client.get(`/participants?filter[search][matches]=${asked}`)).body.total;
  assert.equal(await total("example"), 1000);
  assert.equal((await client.import(screener, people(3, 1000), {}, wait)).status, 200);
  assert.equal(await total("example"), 1001);
  const last = await client.get("/participants?filter[search][matches]=example&pagination[offset]=1002");
  assert.deepEqual(
    last.body.items.map(({ externalUid }: { externalUid: string }) => externalUid),
    [people(1, 1002)[0]!.externalUid],
  );
});

test("a search without a word, or with too many, is refused", async () => {
  const client = service.workspace();
  for (const [asked, message] of [
    ["", "must have a letter or a digit"],
    [" --@ ", "must have a letter or a digit"],
    [Array.from({ length: 21 }, (_, index) => `w${index}`).join(" "), "must have at most 20 words"],
  ]) {
    const { status, body } = await client.get(`/participants?filter[search][matches]=${encodeURIComponent(asked!)}`);
    assert.equal(status, 400);
    assert.deepEqual(body.errors, [{ pointer: "filter[search][matches]", message }]);
  }
});

test("who was imported, changed, removed and brought back is found as now, whatever the index has of them", async () => {
  const client = service.workspace();
  const { screener } = await publish(client, content);
  const random = seeded("search");
  const draw = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const NAMES = ["Anna", "Anne", "Ännchen", "Groß", "Gross", "Fischer", "Fisch"];
  const name = () => `${draw(NAMES)} ${draw(NAMES)}`;
  const words = (text: string) =>
    text
      .toLowerCase()
      .normalize("NFD")
      .replaceAll(/[\u0300-\u036f]/g, "")
      .replaceAll("ß", "ss")
      .split(" ");
  const check = async () => {
    const everybody = await client.all("/participants");
    for (const asked of ["ann", "anna", "fisch", "gross", "groß fisch", "annchen"]) {
      const wanted = everybody.filter((one) =>
        words(asked).every((word) => words(one.name).some((own) => own.startsWith(word))),
      );
      const found = await client.get(`/participants?pagination[limit]=500&filter[search][matches]=${asked}`);
      assert.deepEqual(found.body.items, wanted, asked);
    }
  };
  const imports: string[] = [];
  for (let round = 0; round < 12; round++) {
    const rows = people(40, Math.floor(random() * 60)).map((one) => ({ ...one, name: name() }));
    const imported = await client.import(screener, rows, {}, wait);
    assert.equal(imported.status, 200);
    imports.push(imported.headers.get("location")!);
    const everybody = await client.all("/participants");
    await client.patch(`/participants/${draw(everybody).id}`, { name: name() });
    if (random() < 0.4) await client.call("DELETE", `/participants/${everybody.at(-1).id}`, { headers: wait });
    if (random() < 0.4) await client.call("DELETE", `/participants/${draw(everybody).id}`, { headers: wait });
    // An undo, and the undo of it.
    if (random() < 0.5) {
      const undone = await client.post(`${imports.pop()}/undo`, {}, wait);
      if (random() < 0.5) await client.post(`${undone.headers.get("location")}/undo`, {}, wait);
    }
    await check();
    if (random() < 0.3) tidy(storesOf(service));
  }
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run("UPDATE participant_search_state SET leftovers = 1"),
  );
  rewriteSearchOf(service.context.workspaces, client.workspaceId);
  await check();
  const problems = service.context.workspaces.read(client.workspaceId, (db) => db.values("PRAGMA integrity_check"));
  assert.deepEqual(problems, ["ok"]);
});
