// Accept-Encoding (RFC 9110, 12.5.3): what is compressed, and who can't be answered at all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { createApp } from "../../src/main/app.ts";
import { people } from "../support/client.ts";
import { type PlainAnswer, plain } from "../support/http.ts";
import { sharedService } from "../support/service.ts";
import { invited } from "../support/study.ts";
import { ABOUT, formOf, isPage, timeless } from "../support/visitor.ts";
import { populate } from "../support/world.ts";

const service = await sharedService();
const world = await populate(service);
const { client } = world;
const credentials = {
  "X-Service-Api-Key": client.credentials.apiKey,
  "X-Service-Api-Secret": client.credentials.apiSecret,
};

/** Asks with this Accept-Encoding, as it is. */
function ask(
  encoding: string,
  method: string,
  path: string,
  body?: string,
  type = "application/json",
): Promise<PlainAnswer> {
  const headers = { ...credentials, "Accept-Encoding": encoding, ...(body !== undefined && { "Content-Type": type }) };
  return plain(service.url, { method, path, headers, ...(body !== undefined && { body }) });
}

const NOTHING = [
  "identity;q=0",
  "*;q=0",
  "br, identity;q=0",
  "gzip;q=0, *;q=0.0",
  "identity; q=0.000",
  "IDENTITY;Q=0",
  "identity;q=none",
];

test("a caller that takes no coding of ours, and no answer without one, gets a 406 on every path", async () => {
  const ids: Record<string, string> = {
    "/screeners/": world.screener,
    "/screener-publications/": world.publication,
    "/participants/": world.participant,
    "/screener-participants/": world.assignment,
    "/screener-sessions/": world.session,
    "/jobs/": world.job,
    "/docs/": "swagger-ui-bundle.js",
    "/problems/": "email_taken",
  };
  const before = JSON.stringify(
    await Promise.all(
      Object.keys(ids)
        .slice(0, 6)
        .map((list) => client.get(list).then(({ body }) => body.items)),
    ),
  );
  let asked = 0;
  for (const { path, methods } of createApp(service.context).routes.stack) {
    const real = String(path).replace(/^(\/[a-z-]+\/):\w+/, (_, prefix: string) => prefix + ids[prefix]);
    // Pages for people.
    if (/^\/(?:w|console)\b/.test(real)) continue;
    for (const method of methods) {
      for (const encoding of NOTHING) {
        const body = ["POST", "PUT", "PATCH"].includes(method) ? "{}" : undefined;
        const { status, headers, text } = await ask(encoding, method, real, body);
        assert.equal(status, 406, `${encoding}: ${method} ${real}`);
        assert.equal(headers["content-encoding"], undefined);
        if (method !== "HEAD") assert.equal(JSON.parse(text).code, "not_acceptable");
        asked++;
      }
    }
  }
  assert.ok(asked > 200);
  const after = JSON.stringify(
    await Promise.all(
      Object.keys(ids)
        .slice(0, 6)
        .map((list) => client.get(list).then(({ body }) => body.items)),
    ),
  );
  assert.equal(after, before);
  // What is wrong before that is said as it is.
  assert.equal((await ask("*;q=0", "GET", "/nothing")).status, 404);
  assert.equal((await ask("*;q=0", "PUT", "/screeners")).status, 405);
  assert.equal(
    (await plain(service.url, { method: "GET", path: "/screeners", headers: { "Accept-Encoding": "*;q=0" } })).status,
    401,
  );
});

test("an import that could not be answered is not begun, and uses up no Idempotency-Key", async () => {
  const { client: other, screenerId } = await service.screener();
  const body = { screenerId, participants: people(100) };
  const headers = { "Accept-Encoding": "identity;q=0", "Idempotency-Key": "import-1" };
  const refused = await other.post("/screener-participants-import", body, headers);
  assert.deepEqual([refused.status, refused.body.code], [406, "not_acceptable"]);
  assert.deepEqual(refused.body.errors[0].pointer, "Accept-Encoding");
  assert.equal((await other.get("/jobs")).body.total, 0);
  assert.equal((await other.get("/participants")).body.total, 0);
  const again = { ...headers, "Accept-Encoding": "identity;q=0, gzip" };
  const taken = await other.post("/screener-participants-import", body, again);
  assert.deepEqual([taken.status, taken.body.length], [200, 100]);
});

test("a participant's page answers the same with a page, and takes no answers", async () => {
  const { study, link } = await invited(client);
  const heading = "Your browser can’t show this page";
  const form = formOf(study, "About you", ABOUT);
  const type = "application/x-www-form-urlencoded";
  const [, asset = ""] =
    /href="([^"]+\.css)"/.exec((await ask("identity", "GET", `${link.path}?page=${study.page["About you"]}`)).text) ??
    [];
  for (const encoding of NOTHING) {
    for (const path of [link.path, `${link.path}?page=${study.page["About you"]}`, link.shortPath, asset, "/w/nothing"])
      isPage(await ask(encoding, "GET", path), 406, heading);
    isPage(await ask(encoding, "POST", link.path, form, type), 406, heading);
  }
  assert.equal((await client.get(`/screener-sessions/${link.session}`)).body.state, "NOT_STARTED");
  assert.equal((await ask("identity;q=0, gzip", "POST", link.path, form, type)).status, 303);
  assert.equal((await client.get(`/screener-sessions/${link.session}`)).body.state, "IN_PROGRESS");
});

test("a caller that takes only codings gets all with one: short answers, problems, pages and pictures too", async () => {
  const { link } = await invited(client);
  const paths = [
    `/screeners/${world.screener}`,
    "/screeners/nothing",
    "/nothing",
    "/docs",
    "/docs/favicon-32x32.png",
    "/problems/email_taken",
    "/healthz",
    "/w/nothing",
    link.path,
  ];
  for (const path of paths) {
    const headers = { ...client.credentials, ...credentials, "Accept-Encoding": "gzip, identity;q=0" };
    const response = await fetch(service.url + path, { headers });
    assert.equal(response.headers.get("content-encoding"), "gzip", path);
    const uncoded = await fetch(service.url + path, { headers: { ...headers, "Accept-Encoding": "identity" } });
    assert.equal(uncoded.headers.get("content-encoding"), null);
    assert.equal(response.status, uncoded.status, path);
    const [got, wanted] = [await response.text(), await uncoded.text()];
    const plain = (text: string) => timeless(text).replace(/req_[\w-]+/, "");
    assert.equal(plain(got), plain(wanted), path);
  }
});

test("the coding of a long answer is the one that the caller prefers", async () => {
  const { client: other, screenerId } = await service.screener();
  await other.import(screenerId, people(50));
  const wishes: Record<string, string | undefined> = {
    "": undefined,
    identity: undefined,
    br: undefined,
    "*": "gzip",
    gzip: "gzip",
    "x-gzip": "gzip",
    GZIP: "gzip",
    deflate: "deflate",
    "gzip, deflate, br, zstd": "zstd",
    "gzip, deflate, br": "gzip",
    "gzip;q=0.5, deflate": "deflate",
    "gzip;q=0.5, identity": undefined,
    "gzip;q=0.5, identity;q=0.1": "gzip",
    "gzip;q=0, identity": undefined,
    "gzip;q=0, *": "deflate",
    "*;q=0.1, identity;q=0": "gzip",
    ";;,q=0,=": undefined,
  };
  const decode: Record<string, (bytes: Buffer) => Buffer> = {
    gzip: gunzipSync,
    deflate: inflateSync,
    zstd: zstdDecompressSync,
  };
  const { text } = await other.get("/participants", { "Accept-Encoding": "identity" });
  for (const [encoding, coding] of Object.entries(wishes)) {
    const headers = {
      "X-Service-Api-Key": other.credentials.apiKey,
      "X-Service-Api-Secret": other.credentials.apiSecret,
      "Accept-Encoding": encoding,
    };
    const answer = await plain(service.url, { method: "GET", path: "/participants", headers });
    assert.deepEqual([answer.status, answer.headers["content-encoding"]], [200, coding], encoding);
    assert.match(String(answer.headers.vary), /Accept-Encoding/);
    const bytes = coding ? decode[coding]!(answer.bytes) : answer.bytes;
    assert.equal(bytes.toString(), text, encoding);
  }
});

test("a problem that is long is compressed like any other answer", async () => {
  const participants = Array.from({ length: 100 }, () => ({}));
  const body = JSON.stringify({ screenerId: world.screener, participants });
  const answer = await ask("gzip", "POST", "/screener-participants-import", body);
  assert.deepEqual([answer.status, answer.headers["content-encoding"]], [400, "gzip"]);
  assert.equal(JSON.parse(gunzipSync(answer.bytes).toString()).errors.length, 100);
});
