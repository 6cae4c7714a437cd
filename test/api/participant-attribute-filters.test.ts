// Filters by attributes of participants: small and large workspaces, with and without an index.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type AttributeValue, attributesText } from "../../src/base/attributes.ts";
import { createAttributeIndex, dropAttributeIndex } from "../../src/nouns/participants/queries.ts";
import { type Client, people } from "../support/client.ts";
import { parseCsv } from "../support/csv.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();

type Values = Record<string, AttributeValue>;

/** A workspace with people who have these attributes, all of whom are assigned to a screener. */
async function fill(count: number, attributesOf: (index: number) => Values) {
  const client = service.workspace();
  const screenerId = await client.screener();
  const { status } = await client.import(screenerId, people(count), {}, { Prefer: "wait=60" });
  assert.equal(status, 200);
  // One by one through HTTP, thousands would take minutes.
  await write(client, (db) => {
    for (let index = 0; index < count; index++) {
      const text = attributesText(new Map(Object.entries(attributesOf(index))));
      db.run("UPDATE participant SET attributes = ? WHERE external_uid = ?", text, `P-${index}`);
    }
  });
  return { client, screenerId };
}

function write(client: Client, change: Parameters<typeof service.context.workspaces.write>[1]) {
  return service.context.workspaces.writeWhenFree(client.workspaceId, 5000, change);
}

/** `filter[attributes.<key>][<operator>]=<value>`, encoded as a client would. */
function filter(key: string, operator: string, ...values: string[]): string {
  const name = encodeURIComponent(`filter[attributes.${key}][${operator}]${operator.endsWith("n") ? "[]" : ""}`);
  return values.map((value) => `${name}=${encodeURIComponent(value)}`).join("&") || `${name}=`;
}

/** The numbers of the people that a list finds. */
async function found(client: Client, path: string): Promise<number[]> {
  const items = await client.all(path);
  return items.map((item) => Number((item.externalUid ?? item.externalParticipantUid).slice(2)));
}

test("a value is compared with the text of a text, a number, true or false", async () => {
  const values: AttributeValue[] = [42, "42", "042", 42.5, true, "true", false, "", "GB", "gb", 1e21, -0.1, 'a"\\\n'];
  const { client } = await fill(values.length + 1, (index) =>
    index < values.length ? { "the.key 1": values[index]!, other: "GB" } : {},
  );
  const cases: [string, string[], number[]][] = [
    ["eq", ["42"], [0, 1]],
    ["eq", ["042"], [2]],
    ["eq", ["42.0"], []],
    ["eq", ["42.5"], [3]],
    ["eq", ["true"], [4, 5]],
    ["eq", ["false"], [6]],
    ["eq", [""], [7]],
    ["eq", ["GB"], [8]],
    ["eq", ["1e+21"], [10]],
    ["eq", ["-0.1"], [11]],
    ["eq", ['a"\\\n'], [12]],
    ["eq", ['"GB"'], []],
    ["eq", ["null"], []],
    ["in", ["42", "GB", "x"], [0, 1, 8]],
    ["in", [], []],
    ["ne", ["42"], [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]],
    ["nin", ["42", "true", "GB"], [2, 3, 6, 7, 9, 10, 11, 12, 13]],
    ["nin", [], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]],
  ];
  for (const isIndexed of [false, true]) {
    if (isIndexed) await write(client, (db) => createAttributeIndex(db, "the.key 1"));
    for (const list of ["/participants", "/screener-participants"]) {
      for (const [operator, sent, expected] of cases) {
        const path = `${list}?${filter("the.key 1", operator, ...sent)}`;
        assert.deepEqual(await found(client, path), expected, `${path}, indexed: ${isIndexed}`);
      }
      const spaced = `${list}?${filter("  the.key 1 ", "eq", "GB")}`;
      assert.deepEqual(await found(client, spaced), [8]);
      assert.deepEqual(
        await found(client, `${list}?filter[attributes.other][eq]=GB&${filter("the.key 1", "ne", "42")}`),
        [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      );
      assert.deepEqual(await found(client, `${list}?${filter("no such key", "eq", "x")}`), []);
      assert.equal((await client.get(`${list}?${filter("no such key", "ne", "x")}`)).body.total, 14);
    }
  }
});

test("keys with any characters can be asked for", async () => {
  const keys = ["__proto__", "a]b", "a][eq", 'a"b', "a\\b", "it's", "[0]", "$", "#-1", "a?b", "é 😀", "x\ny", "10"];
  const client = service.workspace();
  for (const [index, key] of keys.entries()) {
    const raw = `{"externalUid":"P-${index}","email":"${index}@x","name":"x","attributes":{${JSON.stringify(key)}:"v"}}`;
    assert.equal((await client.call("POST", "/participants", { raw })).status, 201);
  }
  for (const isIndexed of [false, true]) {
    for (const [index, key] of keys.entries()) {
      if (isIndexed) await write(client, (db) => createAttributeIndex(db, key));
      for (const operator of ["eq", "in"])
        assert.deepEqual(await found(client, `/participants?${filter(key, operator, "v")}`), [index], key);
      if (isIndexed) await write(client, (db) => dropAttributeIndex(db, key));
    }
  }
});

test("a filter without a key, or one that is given twice, is refused", async () => {
  const client = service.workspace();
  for (const list of ["/participants", "/screener-participants"]) {
    for (const [query, message] of [
      [
        "filter[attributes][eq]=x",
        /^is not a filter of this list; .*filter\[attributes\.\{key\}\] with eq, ne, in, nin/,
      ],
      ["filter[attributes.][eq]=x", /^is not a/],
      ["filter[attributes.%20][eq]=x", /^is not a filter/],
      ["filter[attributes.a][like]=x", /^is not a filter/],
      ["filter[email.a][eq]=x", /^is not a/],
      ["filter[attributes.a][eq]=x&filter[attributes.%20a][eq]=y", /^is given twice$/],
      ["filter[attributes.a%00][eq]=x", /^holds U\+0000$/],
      ["filter[attributes.a][eq][]=x", /^takes one value/],
    ] as const) {
      const { status, body } = await client.get(`${list}?${query}`);
      assert.equal(status, 400, query);
      assert.match(body.errors[0].message, message, query);
    }
  }
  assert.equal((await client.get("/screeners?filter[attributes.a][eq]=x")).status, 400);
});

test("in a large workspace totals, pages and files are right, with and without an index", async () => {
  const COUNT = 6000;
  // 5,400 share a country, which is more than an index finds one by one.
  const attributesOf = (index: number): Values => ({
    ...(index % 10 && { country: "GB" }),
    ...(index % 500 === 7 && { country: "LI" }),
    ...(index % 3 === 0 && { level: index % 9 }),
  });
  const { client, screenerId } = await fill(COUNT, attributesOf);
  const other = await client.screener("Another");
  await client.import(other, people(40, 100));
  const all = Array.from(
    { length: COUNT },
    (_, index) => ({ index, ...attributesOf(index) }) as Values & { index: number },
  );
  const cases: [query: string, holds: (one: Values & { index: number }) => boolean][] = [
    [filter("country", "eq", "GB"), ({ country }) => country === "GB"],
    [filter("country", "eq", "LI"), ({ country }) => country === "LI"],
    [filter("country", "in", "LI", "FR"), ({ country }) => country === "LI"],
    [filter("country", "ne", "GB"), ({ country }) => country !== "GB"],
    [filter("country", "ne", "LI"), ({ country }) => country !== "LI"],
    [filter("country", "nin", "LI", "GB"), ({ country }) => country === undefined],
    [
      `${filter("country", "eq", "LI")}&${filter("level", "in", "0", "3")}`,
      ({ country, level }) => country === "LI" && (level === 0 || level === 3),
    ],
  ];
  for (const indexed of [[], ["country"], ["country", "level"]]) {
    for (const key of indexed) await write(client, (db) => createAttributeIndex(db, key));
    for (const [query, holds] of cases) {
      const expected = all.filter(holds).map(({ index }) => index);
      const what = `${query}, indexed: ${indexed}`;
      for (const list of ["/participants?", `/screener-participants?filter[screenerId][eq]=${screenerId}&`]) {
        const offset = Math.max(expected.length - 7, 0);
        const { body } = await client.get(`${list}${query}&pagination[offset]=${offset}&pagination[limit]=5`);
        assert.equal(body.total, expected.length, what);
        const shown = body.items.map((item: { externalUid?: string; externalParticipantUid: string }) =>
          Number((item.externalUid ?? item.externalParticipantUid).slice(2)),
        );
        assert.deepEqual(shown, expected.slice(offset, offset + 5), what);
        assert.equal((await client.get(`${list}${query}&pagination[offset]=${COUNT}`)).body.items.length, 0);
        const { text } = await client.get(list + query, { Accept: "application/x-ndjson" });
        const lines = text
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line));
        assert.deepEqual(
          lines.map((item) => Number((item.externalUid ?? item.externalParticipantUid).slice(2))),
          expected,
          what,
        );
      }
      // Two screeners, so some people are there twice.
      const both = await client.get(`/screener-participants?${query}`);
      const twice = expected.filter((index) => index >= 100 && index < 140).length;
      assert.equal(both.body.total, expected.length + twice, what);
      // A filter that names few rows goes first.
      const one = expected.at(-1)!;
      assert.deepEqual(await found(client, `/participants?${query}&filter[externalUid][eq]=P-${one}`), [one]);
      const none = all.find((other) => !holds(other))!.index;
      const assigned = `/screener-participants?${query}&filter[externalParticipantUid][in]=`;
      assert.deepEqual(await found(client, `${assigned}P-${none}`), []);
      assert.deepEqual(await found(client, `${assigned}P-${one}&filter[screenerId][eq]=${screenerId}`), [one]);
    }
  }
});

test("a table has a column for each key of the workspace, after all others and sorted", async () => {
  const client = service.workspace();
  const rows: [string, unknown][] = [
    ["P-0", { country: "GB", "a,b": "=1+1", constructor: true }],
    ["P-1", { age: 42, country: null }],
    ["P-2", {}],
  ];
  const screenerId = await client.screener();
  for (const [externalUid, attributes] of rows)
    await client.post("/participants", { externalUid, email: `${externalUid}@x`, name: "x", attributes });
  await client.import(
    screenerId,
    people(3).map(({ externalUid }) => ({ externalUid })),
  );
  await client.call("POST", "/screener-publications", { body: { screenerId } });
  await client.post("/screener-sessions", { screenerId });
  const headings = ["attributes.a,b", "attributes.age", "attributes.constructor", "attributes.country"];
  const cells = [
    ["'=1+1", "", "true", "GB"],
    ["", "42", "", ""],
    ["", "", "", ""],
  ];
  for (const list of ["/participants", "/screener-participants", "/screener-sessions"]) {
    const [head = [], ...lines] = parseCsv((await client.get(list, { Accept: "text/csv" })).text);
    assert.deepEqual(head.slice(-4), headings, list);
    assert.deepEqual(
      lines.map((line) => line.slice(-4)),
      cells,
      list,
    );
    const { text } = await client.get(list, { Accept: "application/x-ndjson" });
    assert.deepEqual(JSON.parse(text.split("\n")[1]!).attributes, { age: 42 }, list);
  }
  const empty = await service.workspace().get("/participants", { Accept: "text/csv" });
  assert.doesNotMatch(empty.text, /attributes/);
});
