// The machine of a cell is lost: deploy/drill.mjs restores the cell on another one, and clients put right what was lost.

import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startCell } from "../support/cells.ts";
import { newFolder } from "../support/folder.ts";
import { kill, litestream, litestreamEnv, replicated } from "../support/litestream-script.ts";
import { install, ServiceProcess } from "../support/process.ts";
import { freePort, startCellProxy } from "../support/proxies.ts";
import { until } from "../support/until.ts";

const WRITERS = 4;

test("a cell whose machine is lost is restored elsewhere, and clients that try again put right what is missing", async (t) => {
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const lost = await startCell("eu1", { env: { PORT: String(ports[0]) } });
  const other = await startCell("eu2", { env: { PORT: String(ports[1]) } });
  const proxy = await startCellProxy(ports, 2);
  const replica = `file://${newFolder()}`;
  const replicating = litestream("replicate", lost.installation.dataDir, replica);
  const workspace = lost.installation.workspace("Lost");
  const client = workspace.client(proxy);
  await until(() => replicating.output().includes(`${workspace.id}.sqlite`), "the workspace is replicated");
  const neighbour = other.installation.workspace("Other").client(proxy);

  /** When each write was acknowledged, by its key. */
  const acknowledged = new Map<string, number>();
  const sent = new Set<string>();
  /** When each writer last failed. */
  const failed = new Map<string, number>();
  const write = async (key: string) => {
    const body = { externalUid: key, name: key, email: `${key}@example.org` };
    sent.add(key);
    for (;;) {
      const answer = await client.post("/participants", body, { "Idempotency-Key": key }).catch(() => undefined);
      if (answer?.status === 201) break;
      assert.ok(answer === undefined || [502, 503, 504].includes(answer.status), `${answer?.status}`);
      failed.set(key.split("-")[0]!, performance.now());
      await sleep(50);
    }
    acknowledged.set(key, Date.now());
  };
  let isOver = false;
  const writers = Array.from({ length: WRITERS }, async (_, name) => {
    for (let n = 0; !isOver; n++) await write(`${name}-${n}`);
  });
  const reading = (async () => {
    const seen = new Set<number>();
    while (!isOver) seen.add((await neighbour.get("/screeners")).status);
    return seen;
  })();
  await until(() => acknowledged.size > 200, "there is something to lose");
  const old = [...acknowledged.keys()];
  await until(async () => {
    const there = new Set(await replicated<string>(replica, workspace, "SELECT external_uid FROM participant"));
    return old.every((key) => there.has(key));
  }, "all of it is replicated");

  // All at once: the processes, and Litestream.
  const killing = lost.installation.stop();
  kill(replicating.child);
  const lostAt = Date.now();
  await killing;
  // Answers that were on their way are taken, too.
  const dead = performance.now();
  await until(() => [...failed.values()].filter((at) => at > dead).length === WRITERS, "every writer gets failures");
  const before = new Map(acknowledged);
  rmSync(lost.installation.dataDir, { recursive: true, force: true });

  const restored = install({}, newFolder());
  const drilling = (more: Record<string, string>, ...args: string[]) => {
    const drill = new ServiceProcess("deploy/drill.mjs", {
      args,
      env: {
        ...litestreamEnv(restored.dataDir, replica),
        REDIS_URL: lost.env.REDIS_URL!,
        CELL: "eu1",
        HAPROXY_SOCKET: proxy.files.socket,
        HAPROXY_MAP: proxy.files.map,
        STANDS_IN: "cell_eu3",
        LOG_LEVEL: "warn",
        ...more,
      },
    });
    after(() => drill.kill("SIGTERM"));
    return drill;
  };
  // First practice, which leaves nothing; on a port where another process is ready, it is not taken for ours.
  assert.deepEqual(await drilling({}, "--check").dies(120_000), { code: 0, signal: null });
  assert.deepEqual(readdirSync(restored.dataDir), []);
  const mistaken = drilling({ PORT: String(ports[1]), HOST: "localhost" });
  assert.equal((await mistaken.dies(120_000)).code, 1);
  assert.match(mistaken.stderr, /Another process answers|EADDRINUSE|already in use/);
  const { stdout } = await other.installation.cli("cell", "list", "--json");
  assert.doesNotMatch(stdout, /drill/);
  // It has restored and checked everything by then, which is used.
  const drill = drilling({ PORT: String(ports[2]) });
  t.diagnostic((await drill.says(/^eu1 is served again after .*$/m, 120_000))[0]);
  const there = new Set(restored.stored<string>(workspace, "SELECT external_uid FROM participant"));
  const missing = [...before].filter(([key]) => !there.has(key));
  const window = missing.length ? lostAt - Math.min(...missing.map(([, at]) => at)) : 0;
  t.diagnostic(`${missing.length} of ${before.size} acknowledged writes were lost: those of the last ${window} ms`);
  assert.deepEqual(
    old.filter((key) => !there.has(key)),
    [],
  );

  // What names no cell goes to the default one, which was lost.
  await until(async () => (await fetch(`${proxy.url}/healthz`)).status === 200, "it has a stand-in");
  // A client that waits for an answer has gone on by itself. The others send again what they are not sure of.
  const mark = acknowledged.size;
  await until(() => acknowledged.size > mark + 20, "the writers go on");
  isOver = true;
  await Promise.all(writers);
  for (const key of before.keys()) await write(key);
  const rows = await client.all("/participants");
  assert.deepEqual(rows.map(({ externalUid }: { externalUid: string }) => externalUid).sort(), [...sent].sort());
  assert.deepEqual([...(await reading)], [200]);
  assert.ok((await client.all("/events")).some(({ type }: { type: string }) => type === "workspace.restored"));
});
