// Clients that ask for much and stop reading: their connections end, and until then they hold little.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { test } from "node:test";
import { MAX_OPEN_STREAMS } from "../../src/http/wire/open-streams.ts";
import { ASYNC, type Client, people } from "../support/client.ts";
import { hold } from "../support/hold.ts";
import { dial } from "../support/http.ts";
import { type Installation, install, type TestWorkspace, type WebProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

const READERS = 150;
const ROWS = 60_000;
const MIB = 1024 * 1024;

/** Asks, and never reads. */
async function stall(client: Client, path: string, accept: string): Promise<Socket> {
  const socket = await dial(client.url);
  socket.pause();
  const { apiKey, apiSecret } = client.credentials;
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\nX-Service-Api-Key: ${apiKey}\r\nX-Service-Api-Secret: ${apiSecret}\r\n\r\n`,
  );
  return socket;
}

function rssOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1024;
}

/** Resolves when the process has logged that so many readers are gone. @returns the most memory that it had until then */
async function mostUntilGone(web: WebProcess, readers: number): Promise<number> {
  let most = 0;
  const areGone = () => {
    most = Math.max(most, rssOf(web.pid));
    return web.log.filter(({ msg, aborted }) => msg === "request" && aborted).length >= readers;
  };
  // As long again each time that the system takes a little more for them.
  await until(areGone, "they are gone", 240_000);
  return most;
}

/** For each 20 readers another key. */
async function clientsFor(readers: number, installation: Installation, workspace: TestWorkspace, web: WebProcess) {
  const clients: Client[] = [];
  for (let n = 0; n < readers / MAX_OPEN_STREAMS; n++) clients.push(await installation.anotherClient(workspace, web));
  return clients;
}

/** Resolves when the first upkeep has come to its end: its thread takes memory, too. */
const afterUpkeep = (web: WebProcess) =>
  until(() => web.log.some(({ msg }) => msg === "upkeep done"), "the upkeep has come to its end");

const CSV_READERS = 120;
const MAX_HELD_MB = 150;

/** What `npm run web` and the units have V8 do. Without it V8 keeps 100 MB more for new objects. */
const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const AS_STARTED = { NODE_OPTIONS: /--max-semi-space-size=\d+/.exec(scripts.web)![0] };

test("120 readers that stop reading a CSV of 60,000 people cost the process little", async (t) => {
  const installation = install({ LOG_LEVEL: "debug" });
  const web = await installation.web({ preload: ["test/support/short-minutes.ts"], env: AS_STARTED });
  const { workspace, client, screenerId } = await installation.screener(web);
  await client.import(screenerId, people(ROWS), {}, ASYNC);
  await installation.drain();
  const clients = await clientsFor(CSV_READERS, installation, workspace, web);
  await afterUpkeep(web);
  const idle = rssOf(web.pid);
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let n = 0; n < CSV_READERS; n++)
    sockets.push(await stall(clients[Math.floor(n / MAX_OPEN_STREAMS)]!, "/participants", "text/csv"));
  assert.equal((await client.get("/participants")).status, 200);
  // Most of it is garbage of what was read for them, which V8 has had no reason to collect.
  const held = ((await mostUntilGone(web, CSV_READERS)) - idle) / 1e6;
  t.diagnostic(`${Math.round(held)} MB for ${CSV_READERS} readers`);
  assert.ok(held < MAX_HELD_MB, `${Math.round(held)} MB`);
});

test("150 readers that stop reading hold little, and are gone soon; those who wait for a job or read slowly stay", async (t) => {
  const installation = install({ LOG_LEVEL: "debug" });
  const web = await installation.web({ preload: ["test/support/short-minutes.ts"] });
  const { workspace, client, screenerId } = await installation.screener(web);
  // More than the system takes for a client that reads nothing.
  const rows = people(ROWS).map((person) => ({ ...person, attributes: { note: "x".repeat(300) } }));
  const accepted = await client.import(screenerId, rows, {}, ASYNC);
  await installation.drain();
  const result = `/jobs/${accepted.body.id}/result`;
  assert.equal((await client.get(result)).body.length, ROWS);
  const clients = await clientsFor(READERS, installation, workspace, web);
  await afterUpkeep(web);
  const idle = rssOf(web.pid);
  const sockets: Socket[] = [];
  for (let n = 0; n < READERS; n++) {
    const of = clients[Math.floor(n / MAX_OPEN_STREAMS)]!;
    sockets.push(n % 2 ? await stall(of, result, "application/json") : await stall(of, "/participants", "text/csv"));
  }
  assert.equal((await client.get("/participants")).status, 200);

  const locked = await installation.screener(web);
  const release = hold(installation.dataDir, locked.workspace.id);
  const waiting = locked.client.import(locked.screenerId, people(1), {}, { Prefer: "wait=300" });
  // Somebody who takes a little now and then is not taken for one of them.
  const slow = await stall(client, result, "application/json");
  const sip = setInterval(() => slow.read(100_000), 1600);
  t.after(() => {
    clearInterval(sip);
    for (const socket of [...sockets, slow]) socket.destroy();
  });
  const held = (await mostUntilGone(web, READERS)) - idle;
  t.diagnostic(`${Math.round(held / MIB)} MiB for ${READERS} readers`);
  assert.ok(held < 350 * MIB, `${Math.round(held / MIB)} MiB`);
  // Nor is somebody who has waited as long for a job.
  release();
  const { status, body } = await waiting;
  assert.deepEqual([status, body.length], [200, 1]);
  assert.ok(!slow.destroyed && !slow.readableEnded);
  for (const socket of [...sockets, slow]) socket.destroy();
  // What they had open is free again.
  for (const one of clients) {
    const again = await stall(one, result, "application/json");
    again.resume();
    const [head] = await once(again, "data");
    assert.match(String(head), /^HTTP\/1\.1 200 /);
    again.destroy();
  }
});
