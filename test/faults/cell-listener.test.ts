// What cells say to each other, on the listener of their own: found when it moves, refused to strangers, and whole when either side dies.

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { Directory, MIN_PAUSE_MS, nameOf } from "../../src/cells/directory.ts";
import { TLS } from "../../src/cells/line.ts";
import { PASS, readPass, signPass } from "../../src/cells/pass.ts";
import { at, type Cell, everything, move, startCell } from "../support/cells.ts";
import { people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { newFolder } from "../support/folder.ts";
import { png } from "../support/images.ts";
import { ownRedis, ServiceProcess, type TestWorkspace } from "../support/process.ts";
import { freePort } from "../support/proxies.ts";
import { until } from "../support/until.ts";

const LISTENERS = "screening:cells:listeners";
const webOnly = (env: Record<string, string> = {}) => ({ isWithoutWorker: true, env });

// The cells of all tests but the last one.
const redis = ownRedis();
await redis.start();
const [one, two] = await Promise.all([startCell("one", webOnly(), redis), startCell("two", webOnly(), redis)]);
const directory = new Directory(redis.url);
await until(async () => (await directory.findAnew("two")).length, "the cells know each other");
const { client } = await moved(one, two);

/** A workspace with a screener that was in the first cell, and is in the second one. */
async function moved(one: Cell, two: Cell) {
  const { workspace, client } = await one.installation.screener(one.web);
  await move(one, workspace, two);
  assert.equal((await client.get("/screeners")).status, 200);
  return { workspace, client };
}

const codeOf = async (client: { get(path: string): Promise<{ status: number; body: { code?: string } }> }) => {
  const { status, body } = await client.get("/screeners");
  return status === 200 ? 200 : `${status} ${body.code}`;
};

/** Sends bytes over a connection, and reads until it ends. */
async function say(socket: Socket, text: string): Promise<string> {
  let received = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    received += chunk;
  });
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.end(text);
  await closed;
  return received;
}

function secure(port: number, secret: Buffer): TLSSocket {
  const pskCallback = () => ({ psk: secret, identity: nameOf(secret) });
  return connectTls({ ...TLS, host: "127.0.0.1", port, pskCallback, checkServerIdentity: () => undefined });
}

test("who does not know the secret gets nothing from a listener, and nothing that was meant for one", async () => {
  const port = directory.find("two")[0]!.port;
  const request = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  assert.doesNotMatch(await say(connect(port, "127.0.0.1"), request), /HTTP/);
  assert.equal(await say(secure(port, Buffer.alloc(32, 1)), request), "");
  // With it, a request needs a signature.
  assert.match(await say(secure(port, directory.secret!), request), /^HTTP\/1\.1 421 /);

  // A stranger where a process of the cell was: it is tried first.
  let seen = "";
  const stranger = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      seen += chunk.toString("latin1");
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
  }).listen(0, "127.0.0.1");
  await once(stranger, "listening");
  after(() => stranger.close());
  const { port: taken } = stranger.address() as AddressInfo;
  const store = redis.client();
  const listener = JSON.stringify({ cells: ["two"], host: "127.0.0.1", port: taken });
  await store.zadd(LISTENERS, 9e15, listener);
  after(async () => {
    await store.zrem(LISTENERS, listener);
    store.disconnect();
  });
  await until(async () => {
    assert.equal(await codeOf(client), 200);
    return seen;
  }, "the stranger was tried");
  assert.doesNotMatch(seen, /HTTP|GET|screeners/i);
  for (const secret of Object.values(client.credentials)) assert.ok(!seen.includes(secret));
});

test("a signature is good for one request, one cell and two minutes", async (t) => {
  await directory.refresh();
  const port = directory.find("two")[0]!.port;
  const secret = directory.secret!;
  const line = { method: "GET", path: "/screeners" };
  const caller = { to: "two", address: "192.0.2.7", hops: 1 };
  const { apiKey, apiSecret } = client.credentials;
  const ask = (pass: string, path = line.path) =>
    say(
      secure(port, secret),
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Service-Api-Key: ${apiKey}\r\nX-Service-Api-Secret: ${apiSecret}\r\n${PASS}: ${pass}\r\nConnection: close\r\n\r\n`,
    );
  const logged = two.web.log.length;
  const pass = signPass(secret, line, caller);
  assert.match(await ask(pass), /^HTTP\/1\.1 200 /);
  // Its address counts, and not what else says one.
  await until(
    () => two.web.log.slice(logged).some(({ address, route }) => route === "/screeners" && address === "192.0.2.7"),
    "the log has the caller's address",
  );
  for (const [wrong, path] of [
    [pass, "/participants"],
    [signPass(secret, line, { ...caller, to: "three" })],
    [signPass(secret, { ...line, method: "POST" }, caller)],
    [signPass(Buffer.alloc(32, 1), line, caller)],
    [`${pass}.`],
    [pass.replace(/..$/, "")],
    ["e30."],
    [""],
  ] as const)
    assert.match(await ask(wrong, path), /^HTTP\/1\.1 421 /);
  // The clock of the other machine.
  const now = Date.now();
  for (const [later, isGood] of [
    [119_000, true],
    [-119_000, true],
    [121_000, false],
    [-121_000, false],
  ] as const) {
    const clock = t.mock.method(Date, "now", () => now + later);
    const early = signPass(secret, line, caller);
    clock.mock.restore();
    assert.equal(readPass([secret], ["two"], line, early) !== undefined, isGood, `${later}`);
  }
  // From outside nobody says where they come from.
  const headers = { "X-Service-Api-Key": apiKey, "X-Service-Api-Secret": "wrong", [PASS]: pass };
  const forged = await fetch(`${one.web.url}/screeners`, { headers: { ...headers, "X-Forwarded-For": "192.0.2.8" } });
  assert.equal(forged.status, 401);
  await until(
    () => two.web.log.slice(logged).some(({ status, address }) => status === 401 && address === "127.0.0.1"),
    "it is logged",
  );
});

test("an answer that comes before the end of a body is passed on, and so are large bodies and answers", async () => {
  const { apiKey, apiSecret } = client.credentials;
  const headers = {
    "X-Service-Api-Key": apiKey,
    "X-Service-Api-Secret": apiSecret,
    "Content-Type": "application/json",
  };
  const post = (body: Blob | ReadableStream) =>
    fetch(`${client.url}/screeners`, { method: "POST", headers, body, duplex: "half" } as RequestInit);
  const large = Buffer.alloc(3_000_000, " ");
  for (let n = 0; n < 5; n++)
    for (const body of [new Blob([large]), new Blob([large]).stream()]) {
      const answer = await post(body);
      assert.deepEqual([answer.status, (await answer.json()).code], [413, "body_too_large"]);
    }
  const description = "ä".repeat(10_000);
  for (let n = 0; n < 20; n++) {
    const json = new Blob([JSON.stringify({ title: `${n}`, description })]);
    assert.equal((await post(n % 2 ? json : json.stream())).status, 201);
  }
  const { items } = (await client.get("/screeners")).body;
  assert.equal(items.filter((item: { description: string }) => item.description === description).length, 20);
});

test("what any cache may keep is passed on without what is left to who has asked", async () => {
  const { body } = await client.post("/workspace/images", { file: (await png(24, 16)).toString("base64") });
  const { status, headers } = await fetch(one.web.url + new URL(body.url).pathname);
  assert.equal(status, 200);
  assert.match(headers.get("cache-control")!, /^public/);
  assert.deepEqual([headers.get("ratelimit"), headers.get("ratelimit-policy")], [null, null]);
});

test("several processes of a cell: each has a listener, or all share the port that is given", async () => {
  for (const [name, env, listeners] of [
    ["several", { WEB_CONCURRENCY: "2" }, 2],
    ["shared", { WEB_CONCURRENCY: "2", CELL_LISTEN: `127.0.0.1:${await freePort()}` }, 1],
  ] as const) {
    const cell = await startCell(name, webOnly(env), redis);
    await until(async () => {
      await directory.refresh();
      return directory.find(name).length === listeners;
    }, "all are announced");
    const { client } = await moved(one, cell);
    for (let n = 0; n < 10; n++) assert.equal(await codeOf(client), 200);
    const [child] = readFileSync(`/proc/${cell.web.pid}/task/${cell.web.pid}/children`, "utf8")
      .trim()
      .split(" ")
      .map(Number);
    process.kill(child!, "SIGKILL");
    for (let n = 0; n < 20; n++) assert.match(String(await codeOf(client)), /^(200|503 store_unavailable)$/);
    await cell.installation.stop();
  }
});

test("without Redis requests are passed on, and the cells find each other by the same secret when it has lost everything", async () => {
  const secret = directory.secret!;
  await redis.kill();
  for (let n = 0; n < 5; n++) assert.equal(await codeOf(client), 200);
  await redis.start();
  const lost = redis.client();
  after(() => lost.disconnect());
  await until(() => lost.get("screening:cells:secret"), "a cell has put its secret back");
  const found = new Directory(redis.url);
  await until(async () => {
    await found.refresh();
    return found.find("one").length && found.find("two").length;
  }, "both have said where they are");
  // The first cell may have looked just before. Once its pause is over, the next request has it look again.
  await sleep(MIN_PAUSE_MS + 100);
  assert.equal(await codeOf(client), 200);
  assert.ok(found.secret!.equals(secret));
});

test("a dead cell is said to be away, and is found again elsewhere; one that is alive is not forgotten by mistake", async () => {
  const refused = await one.installation.cli("cell", "forget", "two");
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /The cell two is alive, and has \d workspaces?\..* --confirm two/);
  await two.web.kill();
  assert.equal(await codeOf(client), "503 cell_away");
  const forgotten = await one.installation.cli("cell", "forget", "two");
  assert.equal(forgotten.code, 0, forgotten.stderr);
  assert.equal(await codeOf(client), "503 cell_away");
  const again = await two.installation.web({ env: { CELL: "newname" } });
  await until(
    async () => (await codeOf(client)) === 200,
    "it is found at its new address, though it was given a new name",
  );
  // It says that it goes: nobody tries it any more.
  await directory.refresh();
  assert.equal(directory.find("newname").length, 1);
  await again.kill("SIGTERM");
  await directory.refresh();
  assert.deepEqual(directory.find("newname"), []);
  assert.equal((await one.installation.cli("cell", "forget", "one", "--confirm", "one")).code, 0);
  assert.equal((await one.installation.cli("cell", "forget", "nobody")).code, 1);
  await one.installation.stop();
});

/** What the command says while it moves: at each of these, processes are killed. */
const STEPS = ["asking the other cell", "copying the store", "waiting for its job", "stopping it"];

test("either side is killed while a workspace moves: it is whole, in one cell", async () => {
  const [one, two] = await Promise.all([startCell("one"), startCell("two")]);
  const startAgain = async (cell: Cell) => {
    [cell.web] = await Promise.all([cell.installation.web(), cell.installation.worker()]);
  };
  const sides: Record<string, (mover: ServiceProcess) => Promise<unknown>> = {
    "the cell that it goes to": async () => {
      await two.installation.stop();
      await startAgain(two);
    },
    "the cell that it comes from": async () => {
      await one.installation.stop();
      await startAgain(one);
    },
    "the cell that it comes from, and the command": async (mover) => {
      await Promise.all([mover.kill(), one.installation.stop()]);
      await startAgain(one);
    },
    both: async (mover) => {
      await Promise.all([mover.kill(), one.installation.stop(), two.installation.stop()]);
      await Promise.all([one, two].map(startAgain));
    },
  };
  let moves = 0;
  for (const [side, kill] of Object.entries(sides))
    for (const step of STEPS) {
      const what = `${side}, at "${step}"`;
      const { workspace, client, screenerId } = await one.installation.screener(one.web);
      assert.equal((await client.import(screenerId, people(300))).status, 200, what);
      const before = await everything(client);
      const args = ["workspace", "move", workspace.id, "--to", "two"];
      const waits = join(newFolder(), "waits");
      const mover = new ServiceProcess("src/cli.ts", {
        env: { ...one.env, PAUSE_STEP: step, PAUSE_FILE: waits },
        preload: ["test/support/pause-step.ts"],
        args,
      });
      await until(() => existsSync(waits) || mover.end, what);
      assert.equal(mover.end, undefined, `${what}: the move is under way`);
      assert.deepEqual(isMoving(one, workspace), ["COPYING"], what);
      await kill(mover);
      rmSync(waits, { force: true });
      await mover.ended;
      const open = "SELECT count(*) FROM workspace_move WHERE finished_at IS NULL AND status <> 'ARRIVED'";
      await until(() => one.installation.control<number>(open)[0] === 0, `${what}: the move is settled`);
      const homesNow = () => [one, two].map((cell) => isAt(cell, workspace));
      // The cell that was killed settles it a moment after its start.
      await until(() => homesNow().includes(1), `${what}: it is in a cell`);
      const homes = homesNow();
      assert.deepEqual(homes.toSorted(), [0, 1], `${what}: ${mover.stderr}`);
      if (homes[1]) moves++;
      const home = homes[1] ? two : one;
      // By the cell that it was in, which passes requests on.
      const there = at(one, workspace);
      await until(async () => (await codeOf(there)) === 200, `${what}: it is served`);
      const after = await everything(there);
      after["/events"] = after["/events"]!.filter((event) => (event as { type: string }).type !== "workspace.moved");
      assert.deepEqual(after, before, what);
      assert.equal((await there.import(screenerId, people(10, 1000))).status, 200, what);
      home.installation.read(workspace, assertCounts);
    }
  assert.ok(moves > 0, "some have moved all the same");
});

/** The status of a move that has not ended. */
function isMoving({ installation }: Cell, { id }: TestWorkspace): string[] {
  return installation.control("SELECT status FROM workspace_move WHERE workspace_uid = ? AND finished_at IS NULL", id);
}

function isAt({ installation }: Cell, workspace: TestWorkspace): number {
  const sql = "SELECT count(*) FROM workspace WHERE uid = ? AND moving IS NULL";
  return installation.control<number>(sql, workspace.id)[0]!;
}
