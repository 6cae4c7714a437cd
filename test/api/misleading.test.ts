// Requests that are nearly right: the answer says what would be right.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Answer } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { populate } from "../support/world.ts";

const service = await sharedService();
const { client, screener } = await populate(service);
const messages = ({ body }: Answer) => body.errors.map(({ message }: { message: string }) => message).join("\n");

test("a filter without its operator says which there are", async () => {
  for (const [query, said] of [
    [
      "filter[externalUid]=P-1",
      "needs an operator, such as filter[externalUid][eq]; there are eq, ne, in, nin, startsWith",
    ],
    ["externalUid=P-1", "needs an operator, such as filter[externalUid][eq]; there are eq, ne, in, nin, startsWith"],
    [
      "filter[attributes.country]=GB",
      "needs an operator, such as filter[attributes.country][eq]; there are eq, ne, in, nin",
    ],
    ["attributes=GB", "needs an operator, such as filter[attributes.{key}][eq]; there are eq, ne, in, nin"],
    ["limit=20", "is written pagination[limit]"],
    ["nonsense=1", "is not a parameter of this list"],
  ] as const) {
    const answer = await client.get(`/participants?${query}`);
    assert.deepEqual([answer.status, messages(answer)], [400, said], query);
  }
});

test("several values with commas are refused, and said as they are written; one value may have a comma", async () => {
  for (const [path, name] of [
    ["/participants", "externalUid"],
    ["/screener-participants", "status"],
    ["/screener-sessions", "id"],
  ] as const)
    for (const operator of ["in", "nin"]) {
      const answer = await client.get(`${path}?filter[${name}][${operator}]=a,b`);
      assert.equal(answer.status, 400);
      assert.ok(messages(answer).includes(`filter[${name}][${operator}][]=a&filter[${name}][${operator}][]=b`));
    }
  const person = { externalUid: "Smith, J.", email: "smith@example.org", name: "J. Smith" };
  assert.equal((await client.post("/participants", person)).status, 201);
  for (const filter of ["[in][]", "[eq]"]) {
    const { body } = await client.get(`/participants?filter[externalUid]${filter}=${encodeURIComponent("Smith, J.")}`);
    assert.equal(body.total, 1, filter);
  }
});

test("a plus that the query has turned into a space is named", async () => {
  const path = "/events?filter[createdAt][gte]=2026-01-31T12:00:00";
  const lost = await client.get(`${path}+01:00`);
  assert.equal(lost.status, 400);
  assert.match(messages(lost), /write %2B$/);
  assert.equal((await client.get(`${path}%2B01:00`)).status, 200);
});

test("bodies that are not what their headers say are distinguished", async () => {
  const json = Buffer.from(JSON.stringify({ screenerId: screener, participants: [] }));
  const sheet = "externalUid,email\r\nP-1,p1@example.org\r\n";
  const lines = '{"externalUid":"P-1"}\n{"externalUid":"P-2"}\n';
  const importPath = "/screener-participants-import";
  const file = `${importPath}?screenerId=${screener}`;
  const long = `${sheet}${"P-2,p2@example.org\r\n".repeat(10_000)}`;
  for (const [path, type, raw, said] of [
    [importPath, "application/json", gzipSync(json), /gzip.*send Content-Encoding: gzip/],
    [file, "text/csv", gzipSync(sheet), /gzip.*send Content-Encoding: gzip/],
    ["/participants", "application/json", gzipSync("{}"), /gzip.*send Content-Encoding: gzip/],
    [`/screeners/${screener}/content`, "application/json", gzipSync("{}"), /gzip.*send Content-Encoding: gzip/],
    [importPath, "application/json", sheet, /looks like CSV; send Content-Type: text\/csv/],
    [importPath, "application/json", long, /looks like CSV; send Content-Type: text\/csv/],
    [importPath, "application/json", lines, /send Content-Type: application\/x-ndjson/],
    [file, "text/csv", json, /looks like JSON; send Content-Type: application\/json/],
    [file, "text/csv", Buffer.from("PK\x03\x04rest of it", "latin1"), /Excel or ZIP file; save the sheet as CSV/],
  ] as const) {
    const method = path.endsWith("content") ? "PUT" : "POST";
    const answer = await client.call(method, path, { headers: { "Content-Type": type }, raw });
    assert.equal(answer.status, 400, answer.text);
    assert.match(messages(answer), said, `${path} ${type}`);
  }
  const jobs = await client.get("/jobs?filter[status][eq]=FAILED");
  assert.equal(jobs.body.total, 0, "none of them was accepted");
});

test("a path that is nearly one says which", async () => {
  for (const [path, said] of [
    ["/v1/screeners", "Paths do not begin with /v1: did you mean /screeners?"],
    ["/api/v1/screeners/x/content", "Paths do not begin with /api/v1: did you mean /screeners/x/content?"],
    ["/screener", "There is nothing at this path: did you mean /screeners?"],
    ["/Screeners", "There is nothing at this path: did you mean /screeners?"],
    ["/v1/nonsense", "There is nothing at this path."],
    ["/screeners/x/y/z", "There is nothing at this path."],
  ] as const) {
    const { status, body } = await client.get(path);
    assert.deepEqual([status, body.code, body.detail], [404, "route_not_found", said]);
  }
});

test("an attribute's key may have any character that a key may have", async () => {
  const keys = ["a\u2028b", "a\u2029b", "a\nb", "a]b", "a.b", "a[b]", "ä b"];
  const attributes = Object.fromEntries(keys.map((key) => [key, "yes"]));
  const person = { externalUid: "keys", email: "keys@example.org", name: "Keys", attributes };
  assert.equal((await client.post("/participants", person)).status, 201);
  for (const key of keys) {
    const name = encodeURIComponent(`attributes.${key}`);
    const answer = await client.get(`/participants?filter[${name}][eq]=yes`);
    assert.deepEqual([answer.status, answer.body.total], [200, 1], `${JSON.stringify(key)} ${answer.text}`);
    const parameter = encodeURIComponent(`columns[${key}]`);
    const csv = await client.call(
      "POST",
      `/screener-participants-import?screenerId=${screener}&dryRun=true&${parameter}=externalUid`,
      {
        headers: { "Content-Type": "text/csv" },
        raw: `"${key}"\nkeys\n`,
      },
    );
    assert.equal(csv.status, 200, `${JSON.stringify(key)} ${csv.text}`);
  }
});
