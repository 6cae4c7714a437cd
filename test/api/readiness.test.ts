// /healthz and /readyz: what a supervisor, a proxy and an operator learn from them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { currentVersion } from "../../db/migrate.ts";
import { makeNewer, makeTooNew } from "../support/newer.ts";
import { ownRedis } from "../support/process.ts";
import { freePort } from "../support/proxies.ts";
import { type Service, startService } from "../support/service.ts";
import { until } from "../support/until.ts";

interface Readiness {
  status: number;
  body: {
    status: string;
    reasons: string[];
    details: { code: string; message: string; blocking: boolean; workspace?: string }[];
  };
  headers: Headers;
}

async function readiness(service: Service, path = "/readyz"): Promise<Readiness> {
  const response = await fetch(service.url + path);
  return { status: response.status, body: (await response.json()) as Readiness["body"], headers: response.headers };
}

/** Resolves when /readyz has a detail of this code. */
function finds(service: Service, code: string): Promise<Readiness> {
  return until(async () => {
    const answer = await readiness(service);
    return answer.body.details.some((one) => one.code === code) ? answer : undefined;
  }, `it finds ${code}`);
}

function isWell(service: Service): Promise<boolean> {
  return until(async () => (await readiness(service)).body.details.length === 0, "nothing is wrong");
}

test("a process that is well says so", async () => {
  const service = await startService();
  await isWell(service);
  const { status, body } = await readiness(service);
  assert.deepEqual([status, body], [200, { status: "ok", reasons: [], details: [] }]);
  const health = await fetch(`${service.url}/healthz`);
  const { status: alive, reasons, version, build, node, schema } = await health.json();
  assert.deepEqual([health.status, alive, reasons, node], [200, "ok", [], process.versions.node]);
  assert.equal(version, JSON.parse(readFileSync("package.json", "utf8")).version);
  assert.deepEqual(schema, { control: currentVersion("control"), workspace: currentVersion("workspace") });
  // With coverage the tests run the TypeScript files.
  assert.equal(build, process.env.TEST_BUILD ? basename(process.env.TEST_BUILD).slice(0, 12) : null);
});

test("a process that can't write is ready for reads, not for writes, says why, and is alive", async () => {
  const service = await startService();
  const { writer } = service.context.control;
  writer.exec("ALTER TABLE installation RENAME TO gone");
  try {
    const { status, body } = await finds(service, "read_only");
    const [detail] = body.details;
    assert.deepEqual([status, body.status, body.reasons, detail!.blocking], [200, "ok", [], false]);
    assert.match(
      detail!.message,
      /^The control store can't be written: no such table: \w+\. Writes are refused, reads go on\.$/,
    );
    for (const path of ["/readyz?writes", "/readyz?writes=true"]) {
      const writes = await readiness(service, path);
      assert.deepEqual(
        [writes.status, writes.body.status, writes.body.reasons, writes.body.details],
        [503, "unavailable", [detail!.message], [{ ...detail, blocking: true }]],
      );
      assert.ok(writes.headers.get("retry-after"));
    }
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  } finally {
    writer.exec("ALTER TABLE gone RENAME TO installation");
  }
  const takeBack = makeTooNew(writer);
  const { status, body } = await finds(service, "control_schema");
  assert.equal(status, 503);
  assert.match(body.reasons.join(), /schema version 999/);
  takeBack();
  await isWell(service);
});

test("a process whose control store a newer release has expanded is ready, and says so in a detail", async () => {
  const service = await startService();
  const takeBack = makeNewer(service.context.control.writer);
  const { status, body } = await finds(service, "control_schema");
  assert.deepEqual([status, body.status, body.reasons], [200, "ok", []]);
  assert.match(body.details[0]!.message, /newer release .* schema version 999/);
  takeBack();
  await isWell(service);
  assert.equal((await readiness(service, "/readyz?writes")).status, 200);
});

test("what was reported of a workspace is a detail until it is over, and the process is ready", async () => {
  const service = await startService();
  const finding = { code: "store_lost", message: "Its file is gone.", blocking: false, workspace: "w-1" };
  service.context.findings.report(finding);
  const { status, body } = await finds(service, "store_lost");
  assert.deepEqual([status, body.reasons], [200, []]);
  assert.deepEqual(
    body.details.filter(({ code }) => code === "store_lost"),
    [finding],
  );
  service.context.findings.clear(finding);
  await isWell(service);
});

test("a disk without space for the largest import is nearly full", async () => {
  const service = await startService({ config: { importMaxBytes: 2 ** 60 } });
  const { status, body } = await finds(service, "disk_nearly_full");
  assert.deepEqual([status, body.reasons], [200, []]);
  assert.match(
    body.details[0]!.message,
    /^The disk of DATA_DIR is nearly full: \d+ of \d+ MiB are free\. An import may need \d+ MiB/,
  );
});

test("without a worker, or without Redis, a web process still serves, and says that jobs wait", async () => {
  const service = await startService({ config: { redisUrl: "unix:///nowhere/redis.sock" }, workers: 0 });
  const { status, body } = await finds(service, "redis_unavailable");
  assert.equal(status, 200);
  assert.deepEqual(body.details.map(({ code }) => code).sort(), ["no_worker", "redis_unavailable"]);
  assert.deepEqual(body.reasons, []);
});

test("no worker is missed while one is alive", async () => {
  const redis = ownRedis();
  await redis.start();
  const service = await startService({ config: { redisUrl: redis.url }, workers: 1 });
  await isWell(service);
});

test("a wrong password of Redis, and a missing one, are named", async () => {
  const port = await freePort();
  const redis = ownRedis("--port", String(port), "--bind", "127.0.0.1");
  await redis.start();
  const admin = redis.client();
  await admin.config("SET", "requirepass", "right");
  admin.disconnect();
  for (const redisUrl of [redis.url, `redis://:wrong@127.0.0.1:${port}`]) {
    const service = await startService({ config: { redisUrl }, workers: 0 });
    const { status, body } = await finds(service, "redis_refuses");
    assert.equal(status, 200);
    const { message } = body.details.find(({ code }) => code === "redis_refuses")!;
    assert.equal(message, "Redis refuses the user or the password of REDIS_URL; jobs are accepted and wait.");
    assert.doesNotMatch(JSON.stringify(body), /wrong/);
  }
  const service = await startService({ config: { redisUrl: `redis://:right@127.0.0.1:${port}` }, workers: 1 });
  await isWell(service);
});
