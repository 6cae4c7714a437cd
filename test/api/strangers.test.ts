// Requests that a proxy and the service could understand differently, bodies with something behind their end, and
// credentials that end while an upload runs.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { networkOf } from "../../src/base/failure-limit.ts";
import { MAX_FAILED_LOGINS } from "../../src/main/context.ts";
import { findApiKey, revokeApiKey } from "../../src/workspaces/queries.ts";
import { type Client, people } from "../support/client.ts";
import { dial, exchange, type PlainAnswer, plain } from "../support/http.ts";
import { startService } from "../support/service.ts";
import { withScopes } from "../support/store.ts";
import { until } from "../support/until.ts";

const service = await startService();
const { client, screenerId } = await service.screener();

function spooled(): string[] {
  const folder = join(service.config.dataDir, "spool");
  return existsSync(folder) ? readdirSync(folder) : [];
}

const credentialsOf = ({ credentials }: Client) =>
  `X-Service-Api-Key: ${credentials.apiKey}\r\nX-Service-Api-Secret: ${credentials.apiSecret}\r\n`;

function refused({ status, headers, text }: PlainAnswer, pointer: string): void {
  assert.equal(status, 400, text);
  assert.equal(headers.connection, "close");
  const { code, errors } = JSON.parse(text.replace(/^[0-9a-f]+\r\n/, "").split("\r\n")[0]!);
  // What Node itself refuses names no header.
  assert.deepEqual([code, errors[0]?.pointer ?? pointer], ["invalid_request", pointer]);
}

test("two Host headers are a 400, also when they are the same, and the connection ends", async () => {
  for (const [first, second] of [
    ["a.example.org", "b.example.org"],
    ["x", "x"],
  ]) {
    for (const method of ["GET", "DELETE"]) {
      const request = `${method} /screeners HTTP/1.1\r\nHost: ${first}\r\n${credentialsOf(client)}hOST: ${second}\r\n\r\n`;
      refused(await exchange(service.url, request), "Host");
    }
  }
});

test("a Transfer-Encoding that is not chunked alone is a 400, and nothing behind it is read", async () => {
  const before = (await client.get("/screeners")).body.total;
  const json = '{"title":"Smuggled"}';
  const chunked = `${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`;
  for (const coding of ["gzip, chunked", "chunked, chunked", "identity, chunked", "gzip,chunked"]) {
    const head = `POST /screeners HTTP/1.1\r\nHost: x\r\n${credentialsOf(client)}Content-Type: application/json\r\n`;
    const request = `${head}Transfer-Encoding: ${coding}\r\n\r\n${chunked}`;
    refused(await exchange(service.url, request + request.replace(coding, "chunked")), "Transfer-Encoding");
  }
  const twice = `POST /screeners HTTP/1.1\r\nHost: x\r\n${credentialsOf(client)}Content-Type: application/json\r\n`;
  const lines = "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n";
  refused(await exchange(service.url, `${twice}${lines}\r\n${chunked}`), "Transfer-Encoding");
  assert.equal((await client.get("/screeners")).body.total, before);
  const plainly = `${twice}Connection: close\r\nTransfer-Encoding: Chunked\r\n\r\n${chunked}`;
  assert.equal((await exchange(service.url, plainly)).status, 201);
});

test("a Connection that names a header of the request is a 400, whatever the method, and the connection ends", async () => {
  const names = [
    "content-length",
    "Host",
    "transfer-encoding",
    "close, X-Service-Api-Key",
    "authorization",
    "cookie",
    "x",
  ];
  for (const named of names)
    for (const method of ["GET", "POST"]) {
      const request = (lines: string) =>
        `${method} /screeners HTTP/1.1\r\nHost: x\r\n${credentialsOf(client)}${lines}\r\n\r\n{}`;
      const line = `Connection: ${named}\r\nContent-Length: 2`;
      for (const lines of [line, `Connection: close\r\n${line}`])
        refused(await exchange(service.url, request(lines)), "Connection");
    }
  for (const known of [
    "close",
    "Close , ,Keep-Alive",
    "close, TE, trailer",
    "close, Upgrade, HTTP2-Settings",
    "close,",
  ]) {
    const request = `GET /screeners HTTP/1.1\r\nHost: x\r\n${credentialsOf(client)}Connection: ${known}\r\n\r\n`;
    assert.equal((await exchange(service.url, request)).status, 200, known);
  }
});

test("anything behind the end of a compressed body is a 400, in one piece or late", async () => {
  const small = JSON.stringify({ title: "Packed" });
  const large = JSON.stringify({ screenerId, participants: people(3) });
  const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  const garbage = [Buffer.from("garbage"), Buffer.alloc(8), Buffer.alloc(1), Buffer.from([0x1f]), Buffer.from("\n")];
  const jobs = (await client.get("/jobs")).body.total;
  for (const [coding, compress] of Object.entries(codings)) {
    for (const [path, json] of [
      ["/screeners", small],
      ["/screener-participants-import", large],
    ] as const) {
      const head = { "Content-Type": "application/json", "Content-Encoding": coding };
      for (const tail of garbage) {
        const raw = Buffer.concat([compress(json), tail]);
        const what = `${coding} and ${tail.toString("hex")} to ${path}`;
        const { status, body } = await client.call("POST", path, { raw, headers: head });
        assert.deepEqual([status, body.code], [400, "invalid_request"], what);
        const late = await inPieces(path, coding, [compress(json), tail]);
        assert.equal(late.status, 400, `${what}, late`);
      }
      const { status } = await client.call("POST", path, { raw: compress(json), headers: head });
      assert.equal(status, path === "/screeners" ? 201 : 200, `${coding} alone`);
    }
  }
  // Two members of gzip are one body (RFC 1952, 2.2).
  const raw = Buffer.concat([gzipSync(small.slice(0, 5)), gzipSync(small.slice(5))]);
  const headers = { "Content-Type": "application/json", "Content-Encoding": "gzip" };
  assert.equal((await client.call("POST", "/screeners", { raw, headers })).status, 201);
  await service.drain();
  assert.equal((await client.get("/jobs")).body.total, jobs + 3);
  await until(() => spooled().length === 0, "the spool is empty");
});

/** Sends a body whose pieces the service gets one by one. */
async function inPieces(path: string, coding: string, pieces: Uint8Array[]): Promise<{ status: number }> {
  const body = new ReadableStream({
    async start(controller) {
      for (const piece of pieces) {
        controller.enqueue(piece);
        await sleep(20);
      }
      controller.close();
    },
  });
  const { apiKey, apiSecret } = client.credentials;
  const response = await fetch(service.url + path, {
    method: "POST",
    headers: {
      "X-Service-Api-Key": apiKey,
      "X-Service-Api-Secret": apiSecret,
      "Content-Type": "application/json",
      "Content-Encoding": coding,
    },
    body,
    duplex: "half",
  } as RequestInit);
  await response.text();
  return response;
}

test("JSON that is nested too deep is refused by its depth; what is in texts does not count", async () => {
  const deep = "[".repeat(1_000_000);
  for (const raw of [
    deep,
    `{"title":${deep}`,
    `${'{"a":'.repeat(150_000)}1`,
    `{"title":"x","y":${deep.slice(500_000)}`,
  ]) {
    const { status, body } = await client.call("POST", "/screeners", { raw });
    assert.deepEqual([status, body.detail], [400, "The body is nested more than 100 deep."]);
  }
  const nested = (depth: number) => `{"title":"x","y":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  assert.equal((await client.call("POST", "/screeners", { raw: nested(99) })).status, 201);
  assert.equal((await client.call("POST", "/screeners", { raw: nested(100) })).status, 400);
  const texts = { title: "x", description: `${"[{".repeat(2000)}"\\`, y: Array(300).fill(['"[{', {}]) };
  assert.equal((await client.post("/screeners", texts)).status, 201);
});

test("an upload that began before its key was revoked is refused at its end, and leaves nothing", async () => {
  const jobs = (await client.get("/jobs")).body.total;
  const screeners = (await client.get("/screeners")).body.total;
  const { control } = service.context;
  for (const [method, path, body] of [
    ["POST", "/screener-participants-import", { screenerId, participants: people(2000) }],
    ["POST", "/screeners", { title: "Late" }],
    ["PUT", `/screeners/${screenerId}/content`, { pages: [] }],
  ] as const) {
    const leaver = await withScopes(service, client, ["admin"]);
    const json = JSON.stringify(body);
    const head =
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${credentialsOf(leaver)}` +
      `Content-Type: application/json\r\nContent-Length: ${json.length}\r\nExpect: 100-continue\r\n\r\n`;
    const isImport = path.endsWith("import");
    // What is longer than 64 KiB goes to the spool.
    const begin = isImport ? 100_000 : 10;
    const answer = await exchangeInTwo(head + json.slice(0, begin), json.slice(begin), async () => {
      if (isImport) await until(() => spooled().length > 0, "the upload has begun");
      const { id } = findApiKey(control.reader, leaver.credentials.apiKey)!;
      await whenFree(control.writer, 5000, () => revokeApiKey(control.writer, id, Date.now()));
    });
    assert.equal(answer.status, 401, `${method} ${path}: ${answer.text}`);
  }
  await until(() => spooled().length === 0, "the spool is empty");
  assert.equal((await client.get("/jobs")).body.total, jobs);
  assert.equal((await client.get("/screeners")).body.total, screeners);
});

/** Sends the first bytes, does something, and sends the others. */
async function exchangeInTwo(first: string, second: string, between: () => Promise<void>): Promise<PlainAnswer> {
  const socket = await dial(service.url);
  let received = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text;
  });
  socket.write(first);
  await until(() => received.includes("100 Continue"), "the service has the head, and has found the key");
  await between();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(second);
  await closed;
  return {
    status: Number(/^HTTP\/1\.1 ([2-5]\d\d)/m.exec(received)?.[1]),
    headers: {},
    text: received,
    bytes: Buffer.from(received),
  };
}

test("failures from one IPv6 network are counted together, and other networks are not slowed down", async () => {
  const proxied = await startService({ config: { trustProxy: true } });
  const guess = async (address: string) =>
    (await plain(proxied.url, { method: "GET", path: "/jobs", headers: { "X-Forwarded-For": address } })).status;
  for (let from = 0; from < MAX_FAILED_LOGINS; from++)
    assert.equal(await guess(`2001:db8:1:2:${(from * 7919).toString(16).slice(-4)}::${from.toString(16)}`), 401);
  assert.equal(await guess("2001:db8:1:2:ffff:ffff:ffff:ffff"), 429);
  assert.equal(await guess("2001:db8:1:3::1"), 401);
  assert.equal(await guess("192.0.2.1"), 401);
});

test("an IPv6 address counts as its /64; one that stands for an IPv4 address as that", () => {
  const networks: Record<string, string> = {
    "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
    "2001:0DB8:0001:0002::": "2001:db8:1:2::/64",
    "2001:db8::1": "2001:db8:0:0::/64",
    "::1": "0:0:0:0::/64",
    "::": "0:0:0:0::/64",
    "fe80::1%eth0": "fe80:0:0:0::/64",
    "::ffff:192.0.2.1": "0:0:0:0:0:ffff:c000:201",
    "::ffff:192.0.2.2": "0:0:0:0:0:ffff:c000:202",
    "192.0.2.1": "192.0.2.1",
    unknown: "unknown",
    "": "",
  };
  for (const [address, network] of Object.entries(networks)) assert.equal(networkOf(address), network, address);
});
