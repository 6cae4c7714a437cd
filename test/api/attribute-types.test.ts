// What attributes are: a workspace says it once, imports read by it, and rules are warned of what is a text.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../support/client.ts";
import { signedIn } from "../support/console.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();

const types = [
  { key: "weight", label: "Weight in kg", type: "NUMBER" },
  { key: "born", type: "DATE" },
  { key: "member", type: "BOOLEAN" },
  { key: "plan", type: "CHOICE", values: ["Free", "Gold"] },
  { key: "code", type: "TEXT" },
];

async function start(attributes: object[] = types) {
  const { client, screenerId } = await service.screener();
  const { status, text } = await client.call("PUT", "/workspace/attributes", { body: { attributes } });
  assert.equal(status, 200, text);
  return { client, screenerId };
}

const importCsv = (client: Client, screenerId: string, csv: string, query = "") =>
  client.call("POST", `/screener-participants-import?screenerId=${screenerId}${query}`, {
    headers: { "Content-Type": "text/csv", Prefer: "wait=60" },
    raw: csv,
  });

async function attributesOf(client: Client, externalUid: string) {
  const { body } = await client.get(`/participants?filter[externalUid][eq]=${externalUid}`);
  return body.items[0]?.attributes;
}

test("the types of a workspace's attributes are kept as they are sent, all of them at once", async () => {
  const { client } = await start();
  const read = await client.get("/workspace/attributes");
  assert.deepEqual(read.body, {
    _type: "WorkspaceAttributes",
    attributes: types
      .map((type) => ({ label: null, ...type }))
      .map(({ key, label, type, ...rest }) => ({ key, label, type, ...rest })),
  });
  const again = await client.call("PUT", "/workspace/attributes", {
    body: read.body,
    headers: { "If-Match": read.headers.get("etag")! },
  });
  assert.deepEqual([again.status, again.text], [200, read.text]);
  const stale = await client.call("PUT", "/workspace/attributes", {
    body: { attributes: [] },
    headers: { "If-Match": '"other"' },
  });
  assert.equal(stale.status, 412);
  const { status, body } = await client.call("PUT", "/workspace/attributes", {
    body: {
      attributes: [
        { key: "a", type: "CHOICE" },
        { key: "a", type: "NUMBER", values: ["x"] },
        { key: "b", type: "CHOICE", values: ["x", "X"] },
      ],
    },
  });
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map(({ pointer, message }: { pointer: string; message: string }) => [pointer, message]),
    [
      ["/attributes/0/values", "is required, with at least one value, because type is CHOICE"],
      ["/attributes/1/key", "is given twice"],
      ["/attributes/1/values", "goes only with type CHOICE"],
      ["/attributes/2/values", "has a value twice, in upper or lower case"],
    ],
  );
  const schema = await client.call("PUT", "/workspace/attributes", {
    body: { attributes: [{ key: " ", type: "MONEY" }] },
  });
  assert.deepEqual(
    schema.body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ["/attributes/0/key", "/attributes/0/type"],
  );
});

test("an import reads values by their types, with commas before decimals where the file has them", async () => {
  const { client, screenerId } = await start();
  const csv = [
    "externalUid;email;name;weight;born;member;plan;code;town",
    "p1;p1@example.org;One;72,5;1990-02-28;Yes;gold;0042;York",
    "p2;p2@example.org;Two;1.072,5;;0;FREE;7;12,5",
  ].join("\r\n");
  const sent = await importCsv(client, screenerId, `${csv}\r\n`, "&decimals=COMMA");
  assert.equal(sent.status, 200, sent.text);
  assert.deepEqual(await attributesOf(client, "p1"), {
    ...{ born: "1990-02-28", code: "0042", member: true, plan: "Gold", town: "York", weight: 72.5 },
  });
  assert.deepEqual(await attributesOf(client, "p2"), {
    ...{ code: "7", member: false, plan: "Free", town: "12,5", weight: 1072.5 },
  });
  // The same again changes nothing.
  const again = await importCsv(client, screenerId, `${csv}\r\n`, "&decimals=COMMA&dryRun=true");
  const { body: job } = await client.get(again.headers.get("location") ?? `/jobs/${again.body.id}`);
  assert.equal(job.summary.updated ?? 0, 0, JSON.stringify(job.summary));
});

test("a value that is none of its type is a wrong row, and says why", async () => {
  const { client, screenerId } = await start();
  const wrong = await importCsv(
    client,
    screenerId,
    [
      "externalUid,email,name,weight,born,member,plan",
      'p1,p1@example.org,One,"72,5",28.2.1990,perhaps,Silver',
      "p2,p2@example.org,Two,heavy,1990-02-30,,",
      "",
    ].join("\n"),
  );
  assert.equal(wrong.status, 400);
  assert.deepEqual(
    wrong.body.errors.map(({ pointer, message }: { pointer: string; message: string }) => [pointer, message]),
    [
      [
        "/participants/0/attributes/weight",
        'must be a number, because the attribute is a NUMBER; if the file has commas before decimals, say so (line 2, p1: "72,5")',
      ],
      [
        "/participants/0/attributes/born",
        'must be a date such as 1990-02-28, because the attribute is a DATE; if the file begins with the day or the month, say so (line 2, p1: "28.2.1990")',
      ],
      [
        "/participants/0/attributes/member",
        'must be true or false, because the attribute is a BOOLEAN (line 2, p1: "perhaps")',
      ],
      ["/participants/0/attributes/plan", 'must be one of "Free", "Gold" (line 2, p1: "Silver")'],
      [
        "/participants/1/attributes/weight",
        'must be a number, because the attribute is a NUMBER (line 3, p2: "heavy")',
      ],
      [
        "/participants/1/attributes/born",
        'must be a date such as 1990-02-28, because the attribute is a DATE (line 3, p2: "1990-02-30")',
      ],
    ],
  );
  const { status, body } = await client.import(screenerId, [
    { externalUid: "p3", email: "p3@example.org", name: "Three", attributes: { weight: {}, member: true, plan: null } },
  ]);
  assert.equal(status, 400);
  assert.deepEqual([body.errors.length, body.errors[0].pointer], [1, "/participants/0/attributes/weight"]);
});

test("a single write reads values by their types, or says what is none of its type", async () => {
  const { client, screenerId } = await start();
  const sent = { weight: "72.5", member: "yes", plan: "GOLD", code: 42, town: "York" };
  const kept = { code: "42", member: true, plan: "Gold", town: "York", weight: 72.5 };
  const made = await client.post("/participants", {
    externalUid: "p1",
    email: "p1@example.org",
    name: "One",
    attributes: sent,
  });
  assert.deepEqual([made.status, made.body.attributes], [201, kept], made.text);
  const path = `/participants/${made.body.id}`;
  const changed = await client.call("PATCH", path, { body: { attributes: { weight: "80", town: null, born: null } } });
  assert.deepEqual(changed.body.attributes, { code: "42", member: true, plan: "Gold", weight: 80 });
  const added = await client.post("/screener-participants", { screenerId, externalUid: "p2", attributes: sent });
  assert.equal(added.status, 201, added.text);
  assert.deepEqual(await attributesOf(client, "p2"), kept);

  const wrong = { weight: "72,5", born: "1990-02-30", "a/b": 1 };
  const errors = [
    {
      pointer: "/attributes/weight",
      message: "must be a number, because the attribute is a NUMBER; decimals come after a point",
    },
    {
      pointer: "/attributes/born",
      message: "must be a date such as 1990-02-28, because the attribute is a DATE",
    },
  ];
  for (const [method, to, body] of [
    ["POST", "/participants", { externalUid: "p3", email: "p3@example.org", name: "Three" }],
    ["PATCH", path, {}],
    ["POST", "/screener-participants", { screenerId, externalUid: "p3" }],
  ] as const) {
    const refused = await client.call(method, to, { body: { ...body, attributes: wrong } });
    assert.equal(refused.status, 400, refused.text);
    assert.deepEqual(
      refused.body.errors.toSorted((one: { pointer: string }, other: { pointer: string }) =>
        other.pointer.localeCompare(one.pointer),
      ),
      errors,
    );
  }
  assert.equal(await attributesOf(client, "p3"), undefined);
});

test("an import warns of texts that look like numbers where a rule compares numbers, until the attribute is one", async () => {
  const { client, screenerId } = await start([]);
  const put = await client.call("PUT", `/screeners/${screenerId}/content`, {
    body: {
      pages: [],
      qualifyWhen: {
        all: [
          { attribute: "weight", atLeast: 50 },
          { attribute: "town", is: "York" },
        ],
      },
    },
  });
  assert.equal(put.status, 200, put.text);
  const csv = 'externalUid,email,name,weight,town\np1,p1@example.org,One,"72,5","1,5"\np2,p2@example.org,Two,60,2\n';
  const warningsOf = async (query: string) => {
    const { status, headers, text } = await importCsv(client, screenerId, csv, `&dryRun=true${query}`);
    assert.equal(status, 200, text);
    const { body } = await client.get(headers.get("location")!);
    return ((body.warnings ?? []) as { code: string }[]).filter(({ code }) => code === "attribute_not_number");
  };
  const [warning, ...others] = await warningsOf("");
  assert.deepEqual(others, []);
  assert.deepEqual(warning, {
    code: "attribute_not_number",
    message:
      'A rule compares the attribute "weight" as a number, and in 1 row it is a text that only looks like one, such as "72,5": the rule holds for none of these. Say that the attribute is a NUMBER, and how the file writes decimals.',
    attribute: "weight",
    rows: 1,
  });
  await client.call("PUT", "/workspace/attributes", { body: { attributes: [{ key: "weight", type: "NUMBER" }] } });
  assert.deepEqual(await warningsOf("&decimals=COMMA"), []);
});

/** What a browser would send of the form: the fields of each row in their order. */
function rowsOf(html: string): Record<"key" | "label" | "type" | "values", string[]> {
  const all = (form: RegExp) => [...html.matchAll(form)].map(([, value = ""]) => value);
  return {
    key: all(/<input[^>]* name="key"(?: value="([^"]*)")?[^>]*>/g),
    label: all(/<input[^>]* name="label"(?:[^>]* value="([^"]*)")?[^>]*>/g),
    type: all(/<select[^>]* name="type"[^>]*>.*?<\/select>/gs).map(() => ""),
    values: all(/<textarea[^>]* name="values"[^>]*>([^<]*)<\/textarea>/g),
  };
}

test("an admin says in the console what attributes are, and the mapping of a file asks for its decimals", async () => {
  const { client, screenerId } = await start([]);
  const person = { externalUid: "p0", email: "p0@example.org", name: "Zero", attributes: { weight: "61" } };
  assert.equal((await client.post("/participants", person)).status, 201);
  const browser = await signedIn(service, client.workspaceId, "admin", "attributes@attribute-types.example.org");
  const page = await browser.get("/console/attributes");
  assert.match(page.text, /<bdi>weight<\/bdi>[\s\S]*<bdi>61<\/bdi>/);
  const tag = /name="tag" value="([^"]*)"/.exec(page.text)![1]!.replaceAll("&quot;", '"');
  const rows = rowsOf(page.text);
  assert.deepEqual(rows.key, ["weight", "", ""]);
  rows.key[1] = "plan";
  rows.type = ["NUMBER", "CHOICE", ""];
  const refused = await browser.post("/console/attributes", { tag, ...rows });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /plan: The list is required, with at least one value/);
  rows.values[1] = "free\r\ngold";
  rows.label[0] = "Weight in kg";
  assert.match((await browser.post("/console/attributes", { tag, ...rows })).text, /Saved\./);
  assert.deepEqual((await client.get("/workspace/attributes")).body.attributes, [
    { key: "weight", label: "Weight in kg", type: "NUMBER" },
    { key: "plan", label: null, type: "CHOICE", values: ["free", "gold"] },
  ]);
  // Somebody who had opened the page before loses nothing of that.
  assert.match(
    (await browser.post("/console/attributes", { tag, ...rows })).text,
    /Somebody else has changed the types/,
  );

  const study = `/console/studies/${screenerId}/import`;
  const boundary = "----b";
  const part = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${value}\r\n`;
  const csv = "externalUid;email;name;weight\np1;p1@example.org;One;72,5\n";
  const chosen = await browser.send(
    "POST",
    study,
    { "Content-Type": `multipart/form-data; boundary=${boundary}`, ...browser.ours },
    `${part('"token"', await browser.token(study))}${part('"pasted"', csv)}--${boundary}--\r\n`,
  );
  assert.equal(chosen.status, 303, chosen.text);
  const mapping = String(chosen.headers.location);
  const { text } = await browser.get(mapping);
  assert.match(text, /How the file writes decimals[\s\S]*<option value="COMMA" selected/);
  const planned = await browser.post(mapping, {
    ...{ key: "", mode: "UPDATES_ONLY", decimals: "COMMA" },
    column: ["externalUid", "email", "name", "attributes"],
  });
  const job = String(planned.headers.location).split("/").at(-1)!;
  await service.drain();
  const { body } = await client.post(`/jobs/${job}/apply`, {});
  await service.drain();
  assert.equal((await client.get(`/jobs/${body.id ?? job}`)).body.status, "SUCCEEDED", JSON.stringify(body));
  assert.deepEqual(await attributesOf(client, "p1"), { weight: 72.5 });
});

test("an event names the attributes that are others now by their keys, and their order where that is all", async () => {
  const { client } = await start();
  const [weight, , ...others] = types;
  const put = (attributes: object[]) => client.call("PUT", "/workspace/attributes", { body: { attributes } });
  const lastChanges = async () => (await client.all("/events")).at(-1).changes;
  await put([{ ...weight, label: "Weight" }, ...others]);
  assert.deepEqual(await lastChanges(), [
    {
      field: "attributes.weight",
      from: { label: "Weight in kg", type: "NUMBER" },
      to: { label: "Weight", type: "NUMBER" },
    },
    { field: "attributes.born", from: { label: null, type: "DATE" }, to: null },
  ]);
  await put([...others, { ...weight, label: "Weight" }]);
  const keys = others.map(({ key }) => key);
  assert.deepEqual(await lastChanges(), [{ field: "attributes", from: ["weight", ...keys], to: [...keys, "weight"] }]);
});
