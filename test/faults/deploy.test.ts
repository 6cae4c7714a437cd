// The files in deploy/: proxies that carry large imports, streams and participants' links; units that are hardened.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { type RequestOptions, request } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { BadDisk } from "../support/bad-disk.ts";
import { people } from "../support/client.ts";
import { install, type ServiceProcess } from "../support/process.ts";
import { findOrInstall } from "../support/programs.ts";
import { AUTHORITY, freePort, startDeployed, TLS_NAME } from "../support/proxies.ts";
import { invited } from "../support/study.ts";
import { until } from "../support/until.ts";

const MIB = 1024 * 1024;
/** A little less than IMPORT_MAX_BYTES. */
const IMPORT_MIB = 250;
const ROWS = 500;

for (const which of ["nginx", "haproxy"] as const) {
  test(`${which}: an import of ${IMPORT_MIB} MiB, the whole list, a participant's link, and the caller's address`, async () => {
    const targets = [await freePort(), await freePort()] as const;
    const { http, https } = await startDeployed(which, targets);
    const env = { TRUST_PROXY: "true", PUBLIC_URL: `https://${TLS_NAME}:${https}` };
    const installation = install({ REDIS_URL: "", ...env });
    const webs: ServiceProcess[] = [];
    for (const port of targets) webs.push(await installation.web({ env: { PORT: String(port) } }));
    const { client, screenerId } = await installation.screener({ url: `http://127.0.0.1:${targets[0]}` });
    const secrets = {
      "X-Service-Api-Key": client.credentials.apiKey,
      "X-Service-Api-Secret": client.credentials.apiSecret,
    };
    const send = (options: RequestOptions, body?: Iterable<Buffer>) => ask(https, options, body);

    // Others are led to the encrypted port.
    const plain = await fetch(`http://127.0.0.1:${http}/healthz`, { redirect: "manual", headers: { Host: TLS_NAME } });
    assert.equal(plain.status, 308);
    assert.match(plain.headers.get("location") ?? "", /^https:\/\/[^/]+\/healthz$/);

    const imported = await send(
      {
        method: "POST",
        path: "/screener-participants-import",
        headers: { ...secrets, "Content-Type": "application/json", Prefer: "wait=120" },
      },
      payload(screenerId),
    );
    assert.equal(imported.status, 200, imported.text.slice(0, 500));
    assert.equal(JSON.parse(imported.text).length, ROWS);

    const list = await send({ path: "/participants", headers: { ...secrets, Accept: "application/x-ndjson" } });
    assert.equal(list.status, 200);
    assert.equal(list.text.trimEnd().split("\n").length, ROWS);

    // The service refuses wrong credentials by the address of their sender. What callers say of it is not believed.
    for (const [index, address] of ["203.0.113.1", "203.0.113.2"].entries()) {
      const wrong = { "X-Service-Api-Key": "wrong", "X-Service-Api-Secret": "wrong", "X-Forwarded-For": address };
      assert.equal((await send({ path: `/participants?${index}`, headers: wrong })).status, 401);
    }
    const refused = () => webs.flatMap(({ log }) => log).filter(({ status }) => status === 401);
    await until(() => refused().length === 2, "both are in the log");
    assert.deepEqual(
      refused().map(({ address }) => address),
      ["127.0.0.1", "127.0.0.1"],
    );
    const { link } = await invited(client);
    const session = (await client.get(`/screener-sessions/${link.session}`)).body;
    assert.equal(session.screenerSessionLink, env.PUBLIC_URL + link.path);
    // Restarted one after the other, as an upgrade does.
    for (const [index, port] of targets.entries()) {
      assert.equal((await webs[index]!.kill("SIGTERM")).code, 0);
      for (let n = 0; n < 10; n++) assert.equal((await send({ path: "/healthz" })).status, 200);
      const again = await installation.web({ env: { PORT: String(port) } });
      webs[index] = again;
      const isServing = async () => {
        assert.equal((await send({ path: "/jobs", headers: secrets })).status, 200);
        return again.log.some(({ route }) => route === "/jobs");
      };
      await until(isServing, "the proxy has the process back");
    }

    const { status, text } = await send({ path: link.path });
    assert.equal(status, 200);
    // Its form leads through the proxy.
    const action = /<form [^>]*action="([^"]+)"/.exec(text)?.[1];
    assert.equal(new URL(action!, env.PUBLIC_URL).href, env.PUBLIC_URL + link.path);
  });
}

for (const which of ["nginx", "haproxy"] as const) {
  test(`${which}: writes go to the process that can write, reads to both, and without one the service says why`, async () => {
    const ports = [await freePort(), await freePort()] as const;
    const installation = install({ REDIS_URL: "unix:///nowhere/redis.sock", TRUST_PROXY: "true" });
    const disk = new BadDisk(installation.dataDir);
    const sound = await installation.web({ env: { PORT: String(ports[0]) } });
    const failing = await installation.web({ env: { ...disk.env, PORT: String(ports[1]) } });
    const { client, workspace } = await installation.screener(sound);
    // For one of them alone, the disk is full.
    disk.fail({ on: "write", code: "ENOSPC", path: "/tmp/try-", always: true });
    disk.fail({ on: "write", code: "ENOSPC", path: ".sqlite", always: true });
    assert.equal((await workspace.client(failing).post("/participants", people(1)[0])).status, 503);
    const { https } = await startDeployed(which, ports);
    const headers = {
      "X-Service-Api-Key": client.credentials.apiKey,
      "X-Service-Api-Secret": client.credentials.apiSecret,
      "Content-Type": "application/json",
    };
    const read = () => ask(https, { path: "/participants", headers });
    const write = (nth: number) =>
      ask(https, { method: "POST", path: "/participants", headers }, [Buffer.from(JSON.stringify(people(1, nth)[0]))]);
    const served = ({ log }: ServiceProcess, method: string) =>
      log.filter((line) => line.route === "/participants" && line.method === method);
    // It has asked both by then.
    await until(async () => (await read()).status === 200 && served(failing, "GET").length, "both serve reads");
    let n = 0;
    const writeMany = async () => {
      for (const end = n + 4; n < end; ) if ((await write(n++)).status !== 201) return false;
      return true;
    };
    await until(writeMany, "it has noticed");
    await failing.hasLogged();
    const written = served(failing, "POST").length;
    for (let round = 0; round < 3; round++) {
      assert.ok(await writeMany());
      assert.equal((await read()).status, 200);
    }
    await failing.hasLogged();
    assert.equal(served(failing, "POST").length, written);
    await sound.hasLogged();
    assert.ok(served(sound, "GET").length);
    await sound.kill();
    await until(async () => (await write(n++)).text.includes('"code":"store_full"'), "the service says why");
    assert.equal((await read()).status, 200);
    disk.heal();
    await until(async () => (await write(n++)).status === 201, "it is written again");
  });
}

test("nginx asks whether a process is ready without announcing the body of the request that waits for it", async () => {
  const asked: string[][] = [];
  const process = createServer((req, res) => {
    if (req.url!.startsWith("/readyz")) asked.push(req.rawHeaders);
    req.resume().once("end", () => res.end("{}"));
  }).listen(0, "127.0.0.1");
  await once(process, "listening");
  after(() => process.close());
  const { port } = process.address() as AddressInfo;
  const { https } = await startDeployed("nginx", [port, port]);
  const write = (headers: Record<string, string>) =>
    ask(https, { method: "POST", path: "/participants", headers }, [Buffer.from("{}")]);
  for (const headers of [{ "Content-Length": "2" }, { "Transfer-Encoding": "chunked" }])
    assert.equal((await write(headers)).status, 200);
  assert.ok(asked.length);
  assert.doesNotMatch(asked.flat().join("\n"), /content-length|transfer-encoding/i);
});

interface Answered {
  status: number | undefined;
  text: string;
}

/** A request to the proxy, as a client on another machine sends it. */
function ask(port: number, options: RequestOptions, body: Iterable<Buffer> = []): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, servername: TLS_NAME, ca: AUTHORITY, ...options },
      async (response) => {
        resolve({
          status: response.statusCode,
          text: (await buffer(response)).toString(),
        });
      },
    );
    sent.once("error", reject);
    const pieces = body[Symbol.iterator]();
    const write = () => {
      for (let next = pieces.next(); !next.done; next = pieces.next()) {
        if (!sent.write(next.value)) {
          sent.once("drain", write);
          return;
        }
      }
      sent.end();
    };
    write();
  });
}

/** An import with much space between its rows. */
function* payload(screenerId: string): Generator<Buffer> {
  const space = Buffer.alloc(Math.floor((IMPORT_MIB * MIB) / ROWS) - 200, " ");
  yield Buffer.from(`{"screenerId":"${screenerId}","participants":[`);
  for (let row = 0; row < ROWS; row++) {
    const person = { externalUid: `P-${row}`, name: `Person ${row}`, email: `p${row}@example.org` };
    yield Buffer.from(`${row ? "," : ""}${JSON.stringify(person)}`);
    yield space;
  }
  yield Buffer.from("]}");
}

test("the units leave a process little to do besides its work", async () => {
  findOrInstall(["systemd-analyze"], "systemd");
  const units = readdirSync("deploy/systemd").filter((name) => name.endsWith(".service"));
  assert.deepEqual(units.sort(), [
    "screening-backup.service",
    "screening-web@.service",
    "screening-worker@.service",
    "screening.service",
  ]);
  for (const unit of units) {
    // Its exit code is 1 above the threshold, in tenths.
    const args = ["security", "--offline=yes", "--threshold=20", join("deploy/systemd", unit)];
    const { stdout } = await promisify(execFile)("systemd-analyze", args);
    assert.match(stdout, /Overall exposure level for \S+: [01]\.\d/);
  }
});

test("a unit waits until its process can serve, and says why if it cannot", async () => {
  const port = await freePort();
  const wait = (seconds: number) =>
    promisify(execFile)(process.execPath, ["deploy/systemd/wait-until-ready.mjs", String(seconds)], {
      env: { ...process.env, PORT: String(port), HOST: "0.0.0.0" },
    });
  await assert.rejects(
    wait(0.2),
    ({ code, stderr }) => code === 1 && /did not answer 200 in 0\.2 seconds: .*ECONNREFUSED/.test(stderr),
  );
  const waiting = wait(60);
  await install({ REDIS_URL: "" }).web({ env: { PORT: String(port) } });
  await waiting;
});
