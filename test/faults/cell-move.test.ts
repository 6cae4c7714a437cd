// A workspace moves from one cell to another while it is used: all of it, once, and no request is answered wrongly.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { createServer as createTlsServer } from "node:tls";
import { openControl } from "../../db/control.ts";
import { storePath } from "../../db/store.ts";
import { Directory } from "../../src/cells/directory.ts";
import { askCell, TLS } from "../../src/cells/line.ts";
import { readList } from "../../src/erasure/list.ts";
import { at, type Cell, everything, move, startCell } from "../support/cells.ts";
import { ASYNC, people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { png } from "../support/images.ts";
import { endOf } from "../support/killed-jobs.ts";
import { install, ownRedis, ServiceProcess, type TestWorkspace } from "../support/process.ts";
import { invited, publish } from "../support/study.ts";
import { until } from "../support/until.ts";
import { populate } from "../support/world.ts";

/** So many that the body is in the spool, and the result is a file. */
const MANY = 3000;

/** The cells of the tests that kill none. */
const [one, two] = await Promise.all([startCell("one"), startCell("two")]);

test("a workspace moves with everything, there and back; its credentials and links work at both cells", async () => {
  let workspace!: TestWorkspace;
  const world = await populate({
    workspace: (name) => {
      workspace = one.installation.workspace(name);
      return at(one, workspace);
    },
  });
  const { client, screener } = world;
  const imported = await client.import(screener, people(MANY), {}, { "Idempotency-Key": "all" });
  assert.equal(imported.status, 200);
  const plan = await client.import(screener, people(MANY + 100), { dryRun: true }, ASYNC);
  await one.installation.drain();
  const [token] = JSON.parse(
    (await one.installation.cli("token", "create", "--workspace", workspace.id, "--user-name", "Ada", "--json")).stdout,
  ).accessToken.split("\n");
  assert.match(token, new RegExp(`^token_one-${workspace.id.slice(-8)}\\.`));
  const session = (await client.get(`/screener-sessions/${world.session}`)).body;
  assert.match(session.linkSlug, new RegExp(`^one-${workspace.id.slice(-8)}\\.`));
  const link = new URL(session.screenerSessionLink).pathname;
  const { body: image } = await client.post("/workspace/images", { file: (await png(30, 20)).toString("base64") });
  const seen = { _type: "ScreenerStatement", text: "Look.", image: { id: image.id, alternativeText: "A stripe" } };
  const illustrated = await publish(client, { pages: [{ title: "Look", questions: [seen] }] });
  const imageAt = async ({ url }: { url: string }) => {
    const reply = await fetch(new URL(new URL(image.url).pathname, url));
    return [reply.status, Buffer.from(await reply.arrayBuffer()).toString("base64")];
  };
  const picture = await imageAt(client);
  assert.equal(picture[0], 200);
  const before = await everything(client);

  const { stoppedMs, bytes } = await move(one, workspace, two);
  assert.ok(bytes > 100_000 && stoppedMs >= 0);
  // What was copied is removed later.
  assert.deepEqual(one.installation.control("SELECT moving FROM workspace WHERE uid = ?", workspace.id), ["MOVED"]);
  await cleaned(one, workspace);
  assert.equal(existsSync(storePath(one.installation.dataDir, workspace.id)), false);
  for (const folder of ["spool", "results"]) assert.deepEqual(readdirSync(join(one.installation.dataDir, folder)), []);
  assert.deepEqual(one.installation.control("SELECT count(*) FROM workspace WHERE uid = ?", workspace.id), [0]);
  const there = at(two, workspace);
  for (const someone of [client, there]) {
    const after = await everything(someone);
    const last = after["/events"]!.at(-1) as { type: string; changes: unknown };
    assert.deepEqual([last.type, last.changes], ["workspace.moved", [{ field: "cell", from: "one", to: "two" }]]);
    after["/events"] = withoutMoves(after["/events"]!);
    assert.deepEqual(after, before);
    assert.deepEqual(await imageAt(someone), picture);
    const { pages } = (await someone.get(`/screeners/${illustrated.screener}/content`)).body;
    assert.equal(pages[0].questions[0].image.id, image.id);
    // The page of a link, by the address that it had before.
    const page = await fetch(new URL(link, someone.url), { redirect: "manual" });
    assert.ok([200, 303].includes(page.status), `${page.status}`);
    assert.equal(
      (await fetch(`${someone.url}/screeners`, { headers: { Authorization: `Bearer ${token}` } })).status,
      200,
    );
    // Repeated, the import has been done.
    const again = await someone.import(screener, people(MANY), {}, { "Idempotency-Key": "all" });
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.deepEqual(again.body, imported.body);
  }
  // The plan's body has come along, and what an undo needs.
  const applied = await client.post(`/jobs/${plan.body.id}/apply`, {});
  assert.equal(applied.status, 200, JSON.stringify(applied.body));
  const job = (await there.all("/jobs")).find(
    ({ idempotencyKey }: { idempotencyKey: string }) => idempotencyKey === "all",
  );
  const undone = await there.post(`/jobs/${job.id}/undo`, {});
  assert.equal(undone.status, 200, JSON.stringify(undone.body));

  await move(two, workspace, one);
  const back = await everything(client);
  assert.deepEqual(await everything(there), back);
  assert.equal(one.installation.control("SELECT count(*) FROM moved_workspace")[0], 0);
  assert.equal((await client.post("/screeners", { title: "Home" })).status, 201);
});

test("while it is used, a move answers 503 for a moment; what was acknowledged is there, once", async () => {
  const { workspace, client, screenerId } = await one.installation.screener(one.web);
  await client.import(screenerId, people(20_000));
  const seen = new Set<string>();
  let isOver = false;
  let writes = 0;
  /** Sends a request again until it is answered, as a client does that heeds Retry-After. */
  const insist = async (send: () => Promise<{ status: number; body: { code?: string } }>) => {
    for (;;) {
      const { status, body } = await send();
      seen.add(`${status}${body?.code ? ` ${body.code}` : ""}`);
      if (status !== 503) return status;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const writer = async (name: number) => {
    for (let count = 0; !isOver; count++) {
      const key = `${name}-${count}`;
      const body = { externalUid: `W-${key}`, name: key, email: `${key}@example.org` };
      assert.equal(await insist(() => client.post("/participants", body, { "Idempotency-Key": key })), 201);
      writes++;
    }
  };
  const reader = async () => {
    while (!isOver) await insist(() => client.get("/participants"));
  };
  let imports = 0;
  const importer = async () => {
    for (; !isOver; imports++) {
      const rows = people(50, 100_000 + imports * 50);
      await insist(() => client.import(screenerId, rows, {}, { "Idempotency-Key": `import ${imports}` }));
    }
  };
  // A person who has a link notices nothing.
  const { link } = await invited(client);
  const total = (await client.get("/participants")).body.total;
  const pages = new Set<number>();
  const visitor = async () => {
    while (!isOver) {
      pages.add((await fetch(new URL(link.path, client.url), { redirect: "manual" })).status);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const work = Promise.all([visitor(), writer(1), writer(2), writer(3), reader(), reader(), importer()]);
  await until(() => writes > 50, "the load is on");
  const { stoppedMs } = await move(one, workspace, two);
  const mark = writes;
  await until(() => writes > mark + 50, "the load goes on");
  isOver = true;
  await work;
  // 202: an import that waited for its job while the workspace went away.
  assert.deepEqual(
    [...seen].filter((one) => !/^(200|201|202|503 (workspace_moving|store_unavailable))$/.test(one)),
    [],
  );
  assert.deepEqual([...pages], [200]);
  await two.installation.drain();
  const now = (await at(two, workspace).get("/participants")).body.total;
  assert.equal(now, total + writes + imports * 50, `stopped for ${stoppedMs} ms`);
  two.installation.read(workspace, assertCounts);
});

/** Has what was copied removed now, and waits until that is done. */
async function cleaned({ installation }: Cell, workspace: TestWorkspace): Promise<void> {
  const control = openControl(installation.dataDir, { busyTimeoutMs: 10_000, checkpoints: false });
  control.writer.run("UPDATE moved_workspace SET moved_at = 0");
  control.close();
  const rows = () => installation.control<number>("SELECT count(*) FROM workspace WHERE uid = ?", workspace.id)[0];
  await until(() => rows() === 0, "what was copied is removed");
}

/** The events of a workspace's log but those of moves. */
function withoutMoves(events: unknown[]): unknown[] {
  return events.filter((event) => (event as { type: string }).type !== "workspace.moved");
}

/** Statements of the command, just before which it is killed. */
const IN_MOVER = [
  "INSERT INTO workspace_move",
  "UPDATE workspace_move SET cell =",
  "UPDATE workspace SET moving = 'PAUSED'",
  "UPDATE workspace SET moving = 'STOPPED'",
  "UPDATE workspace_move SET status = 'HANDED_OVER'",
  "UPDATE workspace_move SET status = 'ARRIVED'",
  "INSERT OR REPLACE INTO moved_credential",
];
/** From this one on the workspace is there. */
const FIRST_AFTER = 5;

test("a mover that is killed at any step leaves the workspace whole, at one cell", async () => {
  for (const [index, sql] of IN_MOVER.entries()) {
    const { workspace, client, screenerId } = await one.installation.screener(one.web);
    const imported = await client.import(screenerId, people(500));
    assert.equal(imported.status, 200);
    const before = await everything(client);
    const mover = new ServiceProcess("src/cli.ts", {
      env: { ...one.env, KILL_SQL: sql },
      preload: ["test/support/kill-at.ts"],
      args: ["workspace", "move", workspace.id, "--to", two.web.url],
    });
    const killed = await mover.ended;
    assert.equal(killed.signal, "SIGKILL", `${sql}: ${mover.stderr}`);
    const open = "SELECT count(*) FROM workspace_move WHERE finished_at IS NULL AND status <> 'ARRIVED'";
    await until(() => one.installation.control<number>(open)[0] === 0, `${sql}: the move is settled`);
    const isMoved = index >= FIRST_AFTER;
    if (isMoved) await cleaned(one, workspace);
    const homes = [one, two].map(
      ({ installation }) =>
        installation.control<number>(
          "SELECT count(*) FROM workspace WHERE uid = ? AND moving IS NULL",
          workspace.id,
        )[0],
    );
    assert.deepEqual(homes, isMoved ? [0, 1] : [1, 0], sql);
    const home = isMoved ? two : one;
    assert.equal(existsSync(storePath((isMoved ? one : two).installation.dataDir, workspace.id)), false, sql);
    const after = await everything(client);
    after["/events"] = withoutMoves(after["/events"]!);
    assert.deepEqual(after, before, sql);
    assert.equal((await client.import(screenerId, people(10, 1000))).status, 200, sql);
    home.installation.read(workspace, assertCounts);
  }
});

test("a cell that is killed while a workspace arrives has all of it, or nothing", async () => {
  const target = install({ REDIS_URL: one.env.REDIS_URL!, CELL: "target" });
  await target.worker();
  for (const sql of ["INSERT INTO arrival", "UPDATE job SET result_bytes", "DELETE FROM moved_workspace"]) {
    const once = join(one.installation.dataDir, `killed-${sql.replaceAll(" ", "-")}`);
    const web = await target.web({
      env: { KILL_SQL: sql, KILL_ONCE: once },
      preload: ["test/support/kill-at.ts"],
    });
    const { workspace, client, screenerId } = await one.installation.screener(one.web);
    await client.import(screenerId, people(500));
    const before = await everything(client);
    const { code, stderr } = await one.installation.cli("workspace", "move", workspace.id, "--to", web.url);
    assert.equal(code, 1, `${sql}: ${stderr}`);
    assert.ok(existsSync(once), sql);
    // Nobody serves it, and no reply says that it does not exist.
    const away = await until(async () => {
      const answer = await client.get("/screeners");
      assert.deepEqual([answer.status, answer.text.includes("_not_found")], [503, false]);
      return answer.body.code === "workspace_moving" ? undefined : answer;
    }, `${sql}: the other cell is away`);
    assert.deepEqual([away.body.code, away.headers.get("Retry-After")], ["cell_away", "5"]);
    const again = await target.web({ env: { PORT: new URL(web.url).port } });
    await until(async () => (await client.get("/screeners")).status === 200, `${sql}: the workspace is served`);
    const after = await everything(workspace.client(again));
    after["/events"] = withoutMoves(after["/events"]!);
    assert.deepEqual(after, before, sql);
    target.read(workspace, assertCounts);
    await again.kill();
  }
});

test("what can't be moved stays, and it is said why", async () => {
  const { workspace, client } = await one.installation.screener(one.web);
  const refused = async (url: string, ...args: string[]) => {
    const { code, stderr } = await one.installation.cli("workspace", "move", workspace.id, "--to", url, ...args);
    assert.equal(code, 1, stderr);
    assert.equal((await client.get("/screeners")).status, 200);
    return stderr;
  };
  assert.match(await refused("http://127.0.0.1:1"), /does not answer/);
  assert.match(await refused("nowhere"), /No process of the cell nowhere has said where it listens/);
  for (const itself of [one.web.url, "one"]) assert.match(await refused(itself), /both are named one/);
  const bare = await startCell("", { isWithoutWorker: true });
  assert.match(await refused(bare.web.url), /is no cell/);
  // Nothing of it is on the port that everybody reaches.
  for (const path of ["/cell/moves", `/cell/moves/${workspace.id}/prepare`, `/cell/moves/${workspace.id}`])
    assert.equal((await fetch(two.web.url + path, { method: "POST", body: "{}" })).status, 404);
  // Among cells, too, nobody brings anything without a ticket.
  const directory = new Directory(one.env.REDIS_URL!);
  const say = async (path: string, ticket: string) => {
    const headers = ["authorization", `Bearer ${ticket}`];
    const options = { method: "POST", path, headers, body: Buffer.from("{}"), address: "", hops: 0, silenceMs: 5000 };
    const { statusCode, body } = await askCell(directory, "two", options);
    await body.dump();
    return statusCode;
  };
  for (const ticket of ["", "guessed"]) assert.equal(await say("/cell/moves", ticket), 401);
  assert.equal(await say(`/cell/moves/${workspace.id}/prepare`, ""), 404);
});

test("of two moves at once one is refused, and a workspace that is erased from is moved without the person", async () => {
  const three = await startCell("three");
  const { workspace, client, screenerId } = await one.installation.screener(one.web);
  const imported = await client.import(screenerId, people(MANY), {}, { "Idempotency-Key": "all" });
  assert.equal(imported.status, 200);
  const [person] = (await client.get("/participants")).body.items;
  const erasing = client.call("DELETE", `/participants/${person.id}`, { headers: ASYNC });
  const targets = [two, three];
  const ends = await Promise.all(
    targets.map((to) => one.installation.cli("workspace", "move", workspace.id, "--to", to.web.url)),
  );
  assert.deepEqual(ends.map(({ code }) => code).sort(), [0, 1], ends.map(({ stderr }) => stderr).join());
  const home = targets[ends.findIndex(({ code }) => code === 0)]!;
  const other = targets.find((cell) => cell !== home)!;
  assert.match(ends.find(({ code }) => code === 1)!.stderr, /is being moved already|has moved/);
  const count = ({ installation }: Cell) =>
    installation.control<number>("SELECT count(*) FROM workspace WHERE uid = ?", workspace.id)[0];
  assert.deepEqual([count(home), count(other)], [1, 0]);
  const { status, body } = await erasing;
  assert.equal(status, 202);
  const there = at(home, workspace);
  assert.equal((await endOf(there, body.id)).status, "SUCCEEDED");
  assert.equal((await there.get("/participants")).body.total, MANY - 1);
  const job = (await there.all("/jobs")).find(({ kind }: { kind: string }) => kind === "SCREENER_PARTICIPANTS_IMPORT");
  const result = await there.get(`/jobs/${job.id}/result`);
  assert.equal(result.status, 200);
  assert.ok(!JSON.stringify(result.body).includes(person.email), "the result has the person no more");
  home.installation.read(workspace, assertCounts);
  // A backup of either cell does not bring the person back.
  assert.equal(readList(join(home.installation.dataDir, "erased"), workspace.id).hashes.size, 1);
});

test("an answer that is not the other cell's says nothing of a move", async () => {
  const redis = ownRedis();
  await redis.start();
  const [one, two] = [await startCell("one", {}, redis), await startCell("two", {}, redis)];
  // A proxy that is between the cells, and loses its way when it matters.
  let isLost = false;
  let isMended = false;
  const pass = async (req: IncomingMessage, res: ServerResponse) => {
    const { authorization = "", "content-digest": digest = "" } = req.headers as Record<string, string>;
    const headers = ["authorization", authorization, ...(digest ? ["content-digest", digest] : [])];
    const options = { method: req.method!, path: req.url!, headers, address: "", hops: 0, silenceMs: 60_000 };
    const answer = await askCell(known, "two", { ...options, body: await buffer(req) });
    res.writeHead(answer.statusCode).end(await answer.body.text());
  };
  const http = createServer((req, res) => {
    isLost ||= req.url!.endsWith("/activate");
    if (isLost && !isMended) res.writeHead(404).end("<html>404</html>");
    // At the end of the test nobody answers.
    else pass(req, res).catch(() => res.destroy());
  });
  const proxy = createTlsServer({ ...TLS, pskCallback: (_, name) => known.secretCalled(name) ?? null }, (socket) =>
    http.emit("connection", socket),
  ).listen(0, "127.0.0.1");
  await new Promise((resolve) => proxy.once("listening", resolve));
  after(() => proxy.close());
  const { port } = proxy.address() as AddressInfo;
  // It replaces the cell two, which is found by the proxy alone under that name.
  const known = new Directory(redis.url);
  await until(async () => (await known.findAnew("two")).length, "the cell is announced");
  const listener = JSON.stringify({ cells: ["two"], host: "127.0.0.1", port });
  const connected = redis.client();
  await connected.zadd("screening:cells:listeners", 9e15, listener);
  connected.disconnect();
  const { workspace, client, screenerId } = await one.installation.screener(one.web);
  await client.import(screenerId, people(100));
  const { code, stderr } = await one.installation.cli("workspace", "move", workspace.id, "--to", "two");
  assert.equal(code, 1);
  assert.match(stderr, /is handed over to two, which does not answer/);
  assert.equal((await client.get("/screeners")).body.code, "workspace_moving");
  for (const args of [
    ["workspace", "suspend"],
    ["key", "list"],
    ["workspace", "delete", "--confirm", "Test"],
  ])
    assert.equal(
      (await one.installation.cli(...args, "--workspace", workspace.id)).code,
      args[1] === "list" ? 0 : 1,
      args.join(" "),
    );
  isMended = true;
  await until(
    async () => (await at(two, workspace).get("/screeners")).status === 200,
    "the service has gone on with it",
  );
});

test("a job whose process has died with the service counts as crashed where it arrives, and is done there", async () => {
  const redis = ownRedis();
  await redis.start();
  const [one, two] = [await startCell("one", {}, redis), await startCell("two", {}, redis)];
  const { workspace, client, screenerId } = await one.installation.screener(one.web);
  const { body: job } = await client.import(screenerId, people(1000), {}, ASYNC);
  await one.installation.stop();
  const control = openControl(one.installation.dataDir, { busyTimeoutMs: 10_000, checkpoints: false });
  // Killed while it ran, wherever it was when it was killed.
  control.writer.run(
    "UPDATE job SET status = 'RUNNING', runner = 'worker-gone', finished_at = NULL, crashes = 0 WHERE uid = ?",
    job.id,
  );
  control.close();
  await move(one, workspace, two);
  assert.deepEqual(two.installation.control("SELECT crashes FROM job WHERE uid = ?", job.id), [1]);
  assert.equal((await endOf(at(two, workspace), job.id)).status, "SUCCEEDED");
});
