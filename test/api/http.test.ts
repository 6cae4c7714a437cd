// What all paths share: methods, compression, caching; and the pages around the API.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { problemCodes, statusOf } from "../../src/base/problems.ts";
import { createApp } from "../../src/main/app.ts";
import { people } from "../support/client.ts";
import { dial, plain } from "../support/http.ts";
import { sharedService } from "../support/service.ts";
import { populate } from "../support/world.ts";

const service = await sharedService();
const world = await populate(service);
const client = world.client;

/** Every path of the API, with an id that there is, and its methods. Participants' pages: participant-page.test.ts. */
function paths(): Map<string, string[]> {
  const ids: Record<string, string> = {
    "/screeners/": world.screener,
    "/screener-publications/": world.publication,
    "/participants/": world.participant,
    "/screener-participants/": world.assignment,
    "/screener-sessions/": world.session,
    "/jobs/": world.job,
    "/docs/": "start.js",
    "/problems/": "email_taken",
  };
  const found = new Map<string, string[]>();
  for (const { path, methods } of createApp(service.context).routes.stack) {
    if (/^\/(?:w|console)\b/.test(String(path))) continue;
    const real = String(path).replace(/^(\/[a-z-]+\/):\w+/, (_, prefix: string) => prefix + ids[prefix]);
    found.set(real, [...new Set([...(found.get(real) ?? []), ...methods])]);
  }
  return found;
}

test("an unknown path is a 404, with any method and any credentials", async () => {
  for (const path of [
    "/screener",
    "/screeners/x/y/z",
    "/v1/screeners",
    "/Screeners",
    "/Screeners/x/y",
    "/W/x",
    "/docs/x.js",
    "/problems/x",
  ]) {
    for (const method of ["GET", "POST", "DELETE", "OPTIONS", "PROPFIND"]) {
      if (path.startsWith("/docs/") || path.startsWith("/problems/")) if (method !== "GET") continue;
      for (const headers of [{}, { "X-Service-Api-Key": "nonsense" }]) {
        const { status, body } = await client.call(method, path, { headers });
        assert.equal(status, 404, `${method} ${path}`);
        assert.equal(body.code, "route_not_found", `${method} ${path}`);
      }
    }
  }
});

test("a method that a path does not have is a 405 with Allow; OPTIONS answers with the same methods", async () => {
  let refused = 0;
  for (const [path, methods] of paths()) {
    const allow = [...methods, "OPTIONS"].sort().join();
    const listed = (header: string | null) => header?.split(", ").sort().join();
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((one) => !methods.includes(one))) {
      const { status, headers, body } = await client.call(method, path);
      assert.equal(status, 405, `${method} ${path}`);
      assert.equal(body.code, "method_not_allowed");
      assert.equal(listed(headers.get("allow")), allow, `${method} ${path}`);
      refused++;
    }
    // Without credentials: a client that asks for the methods has none yet.
    const options = await fetch(service.url + path, { method: "OPTIONS" });
    assert.equal(options.status, 204, path);
    assert.equal(await options.text(), "");
    assert.equal(listed(options.headers.get("allow")), allow, path);
  }
  assert.ok(refused > 40);
});

test("HEAD is answered like GET, without the body", async () => {
  for (const [path, methods] of paths()) {
    if (!methods.includes("GET")) continue;
    const get = await client.get(path, { "Accept-Encoding": "identity" });
    const head = await client.call("HEAD", path, { headers: { "Accept-Encoding": "identity" } });
    assert.equal(head.status, get.status, path);
    assert.equal(head.text, "", path);
    for (const name of ["content-type", "content-length", "cache-control", "x-service-api-version"])
      assert.equal(head.headers.get(name), get.headers.get(name), `${path}: ${name}`);
  }
  const missing = await client.call("HEAD", "/screeners/x");
  assert.deepEqual([missing.status, missing.text], [404, ""]);
  assert.equal((await fetch(`${service.url}/screeners`, { method: "HEAD" })).status, 401);
});

test("long answers are compressed for clients that take that, streamed ones too", async () => {
  const other = service.workspace();
  const screener = await other.screener();
  const rows = people(1500);
  const { apiKey, apiSecret } = other.credentials;
  const credentials = { "X-Service-Api-Key": apiKey, "X-Service-Api-Secret": apiSecret };
  const ask = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    fetch(service.url + path, { method, headers: { ...credentials, ...headers }, ...(body && { body }) });
  const imported = await ask(
    "POST",
    "/screener-participants-import",
    { "Accept-Encoding": "gzip", "Content-Type": "application/json" },
    JSON.stringify({ screenerId: screener, participants: rows }),
  );
  assert.equal(imported.headers.get("content-encoding"), "gzip");
  assert.equal(((await imported.json()) as unknown[]).length, 1500);
  const headers = { ...credentials, "Accept-Encoding": "gzip" };
  const path = "/participants?pagination[limit]=500";
  const packed = await new Promise<Buffer>((resolve, reject) => {
    dial(service.url).then((socket) => {
      const chunks: Buffer[] = [];
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      socket.once("close", () => resolve(Buffer.concat(chunks)));
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      socket.write(`GET ${path} HTTP/1.0\r\n${lines.join("\r\n")}\r\n\r\n`);
    }, reject);
  });
  const end = packed.indexOf("\r\n\r\n");
  const head = packed.subarray(0, end).toString();
  assert.match(head, /^content-encoding: gzip$/im);
  assert.match(head, /^vary: .*accept-encoding/im);
  const plainly = await plain(service.url, { method: "GET", path, headers: credentials });
  assert.equal(plainly.headers["content-encoding"], undefined);
  assert.equal(gunzipSync(packed.subarray(end + 4)).toString(), plainly.text);
  assert.ok(packed.length * 4 < plainly.text.length);
  const short = await plain(service.url, { method: "GET", path: `/screeners/${screener}`, headers });
  assert.equal(short.headers["content-encoding"], undefined);
  const refusing = { ...credentials, "Accept-Encoding": "gzip;q=0, identity" };
  const asked = await plain(service.url, { method: "GET", path, headers: refusing });
  assert.equal(asked.headers["content-encoding"], undefined);
});

test("no answer of the API is kept by a cache or taken for something else, and each says its version", async () => {
  for (const [path, methods] of paths()) {
    if (!methods.includes("GET")) continue;
    const { headers } = await client.get(path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    if (!path.startsWith("/docs")) assert.equal(headers.get("cache-control"), "no-store", path);
    assert.equal(headers.get("x-service-api-version"), "1.0.0", path);
    assert.equal(headers.get("x-powered-by"), null);
  }
  assert.equal((await client.get("/nowhere")).headers.get("cache-control"), "no-store");
});

test("a problem's type leads to what it means, for every code that there is", async () => {
  for (const code of problemCodes) {
    const response = await fetch(`${service.url}/problems/${code}`);
    assert.equal(response.status, 200, code);
    const shown = (await response.json()) as { code: string; status: number; meaning: string };
    assert.deepEqual([shown.code, shown.status], [code, statusOf(code)]);
    assert.match(shown.meaning, /^[A-Z].*\.$/);
  }
  const { body } = await client.get("/screeners/x");
  assert.equal((await fetch(service.url + body.type)).status, 200);
});

test("/docs/reference shows the API without anything from outside", async () => {
  const page = await fetch(`${service.url}/docs/reference`);
  const html = await page.text();
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  assert.doesNotMatch(html, /https?:|\/\/[a-z]/, "the page names another host");
  assert.doesNotMatch(html, /<script>|onload=|javascript:/, "the page holds a script of its own");
  const assets = [...html.matchAll(/(?:src|href)="([^"]+\.\w+)"/g)].map(([, path]) => path!);
  assert.equal(assets.length, 5);
  const types: Record<string, RegExp> = { css: /^text\/css/, js: /^text\/javascript/, png: /^image\/png/ };
  for (const path of assets) {
    const asset = await fetch(service.url + path);
    assert.equal(asset.status, 200, path);
    assert.match(asset.headers.get("content-type") ?? "", types[path.split(".").pop()!]!, path);
    assert.ok((await asset.arrayBuffer()).byteLength > 100, path);
    assert.match(asset.headers.get("content-security-policy") ?? "", /default-src 'none'/, path);
  }
  const start = await (await fetch(`${service.url}/docs/start.js`)).text();
  assert.match(html, /data-description="\/openapi.json"/);
  assert.doesNotMatch(start, /https?:/);
  const policy = page.headers.get("content-security-policy") ?? "";
  const directives = policy.split(";").map((one) => one.trim());
  for (const directive of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
    assert.ok(directives.includes(directive), policy);
  assert.doesNotMatch(policy, /http|unsafe-eval|\*/);
});
