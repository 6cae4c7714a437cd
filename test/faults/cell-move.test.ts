// A workspace moves from one cell to another while it is used: all of it, once, and no request is answered wrongly.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { openControl } from "../../db/control.ts";
import { storePath } from "../../db/store.ts";
import { at, type Cell, everything, move, startCell } from "../support/cells.ts";
import { ASYNC, people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { endOf } from "../support/killed-jobs.ts";
import { ServiceProcess, type TestWorkspace } from "../support/process.ts";
import { invited } from "../support/study.ts";
import { until } from "../support/until.ts";
import { populate } from "../support/world.ts";

/** So many that the body is in the spool, and the result is a file. */
const MANY = 3000;

test("a workspace moves with everything, there and back; its credentials and links work at both cells", async () => {
  const [one, two] = [await startCell("one"), await startCell("two")];
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
  const [one, two] = [await startCell("one"), await startCell("two")];
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
  const [one, two] = [await startCell("one"), await startCell("two")];
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
  const one = await startCell("one");
  for (const sql of ["INSERT INTO arrival", "UPDATE job SET result_bytes", "DELETE FROM moved_workspace"]) {
    const once = join(one.installation.dataDir, `killed-${sql.replaceAll(" ", "-")}`);
    const two = await startCell("two", {
      env: { KILL_SQL: sql, KILL_ONCE: once },
      preload: ["test/support/kill-at.ts"],
    });
    const { workspace, client, screenerId } = await one.installation.screener(one.web);
    await client.import(screenerId, people(500));
    const before = await everything(client);
    const { code, stderr } = await one.installation.cli("workspace", "move", workspace.id, "--to", two.web.url);
    assert.equal(code, 1, `${sql}: ${stderr}`);
    assert.ok(existsSync(once), sql);
    // Nobody serves it, and nobody is told that it is not there.
    const { status, body } = await client.get("/screeners");
    assert.deepEqual([status, body.code], [503, "workspace_moving"]);
    const again = await two.installation.web({ env: { PORT: new URL(two.web.url).port } });
    await until(async () => (await client.get("/screeners")).status === 200, `${sql}: the workspace is served`);
    const after = await everything(at({ ...two, web: again }, workspace));
    after["/events"] = withoutMoves(after["/events"]!);
    assert.deepEqual(after, before, sql);
    two.installation.read(workspace, assertCounts);
    await two.installation.stop();
  }
});

test("what can't be moved stays, and it is said why", async () => {
  const [one, two] = [await startCell("one"), await startCell("two")];
  const { workspace, client } = await one.installation.screener(one.web);
  const refused = async (url: string, ...args: string[]) => {
    const { code, stderr } = await one.installation.cli("workspace", "move", workspace.id, "--to", url, ...args);
    assert.equal(code, 1, stderr);
    assert.equal((await client.get("/screeners")).status, 200);
    return stderr;
  };
  assert.match(await refused("http://127.0.0.1:1"), /does not answer/);
  assert.match(await refused(one.web.url), /both are named one/);
  const bare = await startCell("");
  assert.match(await refused(bare.web.url), /is no cell/);
  // Without a ticket nobody brings anything, and a ticket is valid once.
  for (const ticket of ["", "guessed"]) {
    const headers = { Authorization: `Bearer ${ticket}` };
    assert.equal((await fetch(`${two.web.url}/cell/moves`, { method: "POST", headers, body: "{}" })).status, 401);
  }
  assert.equal((await fetch(`${two.web.url}/cell/moves/${workspace.id}/prepare`, { method: "POST" })).status, 404);
});

test("of two moves at once one is refused, and a workspace that is erased from is moved without the person", async () => {
  const [one, two, three] = [await startCell("one"), await startCell("two"), await startCell("three")];
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
});

test("an answer that is not the other cell's says nothing of a move", async () => {
  const [one, two] = [await startCell("one"), await startCell("two")];
  // A proxy that is between the cells, and loses its way when it matters.
  let isLost = false;
  let isMended = false;
  const pass = async (req: IncomingMessage, res: ServerResponse) => {
    const body = await buffer(req);
    const { authorization = "", "content-digest": digest = "" } = req.headers as Record<string, string>;
    const headers = { Authorization: authorization, ...(digest && { "Content-Digest": digest }) };
    const answer = await fetch(two.web.url + req.url, { method: req.method!, headers, body: new Uint8Array(body) });
    res.writeHead(answer.status).end(await answer.text());
  };
  const proxy = createServer((req, res) => {
    isLost ||= req.url!.endsWith("/activate");
    if (isLost && !isMended) res.writeHead(404).end("<html>404</html>");
    // At the end of the test nobody answers.
    else pass(req, res).catch(() => res.destroy());
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => proxy.once("listening", resolve));
  after(() => proxy.close());
  const { workspace, client, screenerId } = await one.installation.screener(one.web);
  await client.import(screenerId, people(100));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { code, stderr } = await one.installation.cli("workspace", "move", workspace.id, "--to", url);
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
