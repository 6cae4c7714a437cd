// The doctor: each trouble that an operator may have is one line that says what to do.

import assert from "node:assert/strict";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { openWriter } from "../../db/sqlite/open.ts";
import { storePath } from "../../db/store.ts";
import { newFolder } from "../support/folder.ts";
import { makeTooNew } from "../support/newer.ts";
import { type Installation, install, ownRedis, ServiceProcess } from "../support/process.ts";
import { invite } from "../support/study.ts";

interface Finding {
  check: string;
  level: string;
  message: string;
  advice: string;
}

/** What the doctor finds, by check, and its exit code. */
async function examine(installation: Installation, env: Record<string, string> = {}) {
  const doctor = new ServiceProcess("src/cli.ts", {
    env: { DATA_DIR: installation.dataDir, REDIS_URL: "", ...env },
    args: ["doctor", "--json"],
  });
  const { code } = await doctor.ended;
  assert.equal(doctor.stderr, "");
  const { findings } = JSON.parse(doctor.stdout) as { findings: Finding[] };
  for (const { advice, message } of findings) assert.ok(advice && message);
  const of = (check: string) =>
    findings.filter((one) => one.check === check).map(({ level, message }) => `${level}: ${message}`);
  return { code, findings, of };
}

/** A proxy that answers every request so. */
async function answering(status: number, text: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(text)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("a sound installation has no error; and the text has a line for each check", async () => {
  const installation = install();
  const web = await installation.web();
  await installation.screener(web);
  chmodSync(installation.dataDir, 0o700);
  const { code, of } = await examine(installation, { PUBLIC_URL: web.url });
  assert.equal(code, 0);
  assert.deepEqual([of("stores and files"), of("disk space")], [[], []]);
  assert.match(of("address").join("\n"), /^warning: participants' links begin with http:\/\/127\.0\.0\.1/);
  const { stdout } = await installation.cli("doctor");
  assert.match(stdout, /^ok {7}stores and files$/m);
  assert.match(
    stdout,
    /^error {4}address: http:\/\/127\.0\.0\.1:0 does not answer: .*\. What to do: start the service/m,
  );
});

test("stores that are missing, damaged, too new or nobody's are named, and files that others may read", async () => {
  const installation = install();
  const [damaged, tooNew, missing] = Array.from({ length: 3 }, () => installation.workspace());
  const path = (one: typeof damaged) => storePath(installation.dataDir, one!.id);
  writeFileSync(path(damaged), Buffer.alloc(8192, 7));
  const store = openWriter(path(tooNew), { busyTimeoutMs: 1000, checkpoints: true });
  makeTooNew(store);
  store.close();
  rmSync(path(missing));
  const orphan = storePath(installation.dataDir, "01a1fff1-dc2f-7719-8be5-9dbaa3974d77");
  writeFileSync(
    join(
      orphan.slice(0, orphan.lastIndexOf("/workspaces/")),
      "workspaces",
      path(damaged).split("/").at(-2)!,
      "x.sqlite",
    ),
    "",
  );
  chmodSync(path(tooNew), 0o644);
  const { code, of } = await examine(installation);
  assert.equal(code, 1);
  const found = of("stores and files").join("\n");
  assert.match(found, new RegExp(`error: ${path(damaged)} (is damaged|can't be read): `));
  assert.match(found, new RegExp(`error: ${path(tooNew)} has schema version 999`));
  assert.match(found, new RegExp(`error: ${path(missing)} is not there`));
  assert.match(found, /warning: \S+x\.sqlite belongs to nothing/);
  assert.match(of("permissions").join("\n"), /is open to other users of this machine/);
  const nothing = install({}, newFolder());
  assert.match((await examine(nothing)).of("stores and files").join(), /control\.sqlite is not there/);
});

test("a quota whose counts are not those of its places, or that has given more than its limit ever was, is named", async () => {
  const installation = install();
  const web = await installation.web();
  const workspace = installation.workspace();
  const client = workspace.client(web);
  const screener = await client.screener("Counted");
  const quotas = [{ name: "Everybody", when: null, limit: 1 }];
  await client.call("PUT", `/screeners/${screener}/content`, { body: { pages: [], quotas } });
  await client.post("/screener-publications", { screenerId: screener });
  const [ada] = await invite(client, screener, 1);
  await client.post(`/screener-sessions/${ada!.session}/responses`, { responses: [], complete: true });
  assert.deepEqual((await examine(installation)).of("stores and files"), []);
  await web.kill();
  const path = storePath(installation.dataDir, workspace.id);
  for (const [change, found] of [
    ["held = 3", /the quota \S+ says 1 taken and 3 held, and there are 1 taken and 0 held/],
    ["held = 0, peak_places = 0", /the quota \S+ has 1 more places than its limit ever was/],
  ] as const) {
    const store = openWriter(path, { busyTimeoutMs: 1000, checkpoints: true });
    store.run(`UPDATE screener_quota SET ${change}`);
    store.close();
    assert.match((await examine(installation)).of("stores and files")[0]!, found);
  }
});

test("Redis that is down, refuses the password or removes keys, and a lack of workers", async () => {
  const installation = install();
  installation.workspace();
  const port = await freePort();
  const redis = ownRedis("--port", String(port));
  await redis.start();
  const client = redis.client();
  await client.config("SET", "requirepass", "secret");
  client.disconnect();
  const host = `127.0.0.1:${port}`;
  const of = async (url: string) => (await examine(installation, { REDIS_URL: url })).of("Redis").join("\n");
  assert.match(await of(`redis://:wrong@${host}`), /^error: Redis can't be used: .*WRONGPASS/);
  assert.match(await of(`redis://${host}`), /^error: Redis can't be used: .*(NOAUTH|Authentication)/i);
  const right = `redis://:secret@${host}`;
  assert.equal(await of(right), "warning: no worker takes jobs: they wait");
  const worker = await installation.worker({ env: { REDIS_URL: right } });
  assert.equal(await of(right), "");
  await worker.kill("SIGTERM");
  await redis.kill();
  assert.match(await of(right), /^error: Redis can't be used: .*ECONNREFUSED/);
  const forgetful = ownRedis("--maxmemory-policy", "allkeys-lru");
  await forgetful.start();
  assert.match(await of(forgetful.url), /^error: Redis may remove jobs' tickets: its maxmemory-policy is allkeys-lru/);
});

test("an address that leads elsewhere, and a proxy that refuses large bodies", async () => {
  const installation = install();
  installation.workspace();
  const of = async (url: string) => (await examine(installation, { PUBLIC_URL: url })).of("address").join("\n");
  assert.match(await of(await answering(200, "<h1>Welcome to nginx!</h1>")), /is not answered by this service \(200\)/);
  assert.match(await of("http://127.0.0.1:1"), /error: http:\/\/127\.0\.0\.1:1 does not answer: .*ECONNREFUSED/);
  const small = createServer((request, response) => {
    const isUpload = request.method === "POST";
    response.writeHead(isUpload ? 413 : 200).end(isUpload ? "" : '{"status":"ok","reasons":[]}');
  });
  small.on("checkContinue", (_, response) => response.writeHead(413).end());
  await new Promise<void>((resolve) => small.listen(0, "127.0.0.1", resolve));
  after(() => small.close());
  const found = await of(`http://127.0.0.1:${(small.address() as AddressInfo).port}`);
  assert.match(found, /error: a proxy refuses imports of 268435456 bytes \(IMPORT_MAX_BYTES\)/);
});
