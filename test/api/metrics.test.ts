// The metrics that processes show: what they say of requests and jobs, who may read them, and what documents, board and rules
// say of them.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { openControl } from "../../db/control.ts";
import { currentVersion } from "../../db/migrate.ts";
import { ASYNC, people, UNKNOWN } from "../support/client.ts";
import { hold } from "../support/hold.ts";
import { dial, exchange } from "../support/http.ts";
import { metricsOf, readMetrics } from "../support/metrics.ts";
import { install, type ServiceProcess } from "../support/process.ts";
import { findProgram } from "../support/programs.ts";
import { carrier } from "../support/service.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url);
const KIND = "SCREENER_PARTICIPANTS_IMPORT";
const JOB = "screening_jobs_unfinished";

const installation = install({
  METRICS_PORT: "0",
  WEBHOOK_ALLOW_PRIVATE: "true",
  SMTP_URL: "smtp://127.0.0.1:9",
  MAIL_FROM: "studies@lab.example",
  ...(carrier === "redis" && { REDIS_URL: process.env.TEST_REDIS_URL! }),
});
const web = await installation.web();
/** The process that runs the jobs. */
let worker: ServiceProcess = web;

test("requests are counted under the template of their route, also those that no route has", async () => {
  const { client, screenerId } = await installation.screener(web);
  await client.get(`/screeners/${screenerId}`);
  await client.get(`/screeners/${UNKNOWN}`);
  await fetch(`${web.url}/w/${UNKNOWN}/screeners/${UNKNOWN}/${UNKNOWN}`);
  await client.call("PUT", "/screeners");
  await client.call("PROPFIND", "/nothing/at/all");
  await exchange(web.url, "NO HTTP\r\n\r\n");
  const shown = await readMetrics(web);
  const count = (method: string, route: string, status: number) =>
    shown.value("screening_http_requests_total", { method, route, status: String(status) });
  assert.equal(count("POST", "/screeners", 201), 1);
  assert.equal(count("GET", "/screeners/:id", 200), 1);
  assert.equal(count("GET", "/screeners/:id", 404), 1);
  assert.equal(count("GET", "/w/:workspace/screeners/:screener/:session", 404), 1);
  assert.equal(count("PUT", "/screeners", 405), 1);
  assert.equal(count("other", "-", 404), 1);
  assert.equal(count("-", "-", 400), 1);
  const route = { method: "GET", route: "/screeners/:id" };
  assert.equal(shown.value("screening_http_request_duration_seconds_count", route), 2);
  assert.doesNotMatch(shown.text, new RegExp(`${UNKNOWN}|${screenerId}|${client.workspaceId}`));
});

test("a request whose client breaks off is counted as that, whatever its status would have been", async () => {
  const { apiKey, apiSecret } = installation.workspace().client(web).credentials;
  const socket = await dial(web.url);
  socket.write(
    `POST /screeners HTTP/1.1\r\nHost: localhost\r\nX-Service-Api-Key: ${apiKey}\r\nX-Service-Api-Secret: ${apiSecret}\r\n` +
      "Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n",
  );
  const [answer] = await once(socket, "data");
  assert.match(String(answer), /^HTTP\/1\.1 100 /);
  socket.destroy();
  const aborted = { method: "POST", route: "/screeners", status: "aborted" };
  const count = async () => (await readMetrics(web)).value("screening_http_requests_total", aborted) === 1;
  await until(count, "it is counted");
});

test("a process says which release it is of, and what it was built from", async () => {
  const { version, build, node, schema } = (await (await fetch(`${web.url}/healthz`)).json()) as {
    version: string;
    build: string | null;
    node: string;
    schema: { control: number; workspace: number };
  };
  assert.equal(version, JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8")).version);
  assert.equal(schema.workspace, currentVersion("workspace"));
  const schemas = { control_schema: String(schema.control), workspace_schema: String(schema.workspace) };
  const labels = { version, build: build ?? "", node, ...schemas };
  assert.equal((await readMetrics(web)).value("screening_build_info", labels), 1);
});

test("metrics are on a port of their own, on loopback, and nothing else is there", async () => {
  const url = await metricsOf(web);
  assert.equal((await fetch(`${web.url}/metrics`)).status, 404);
  assert.equal((await fetch(url, { method: "POST" })).status, 405);
  for (const path of ["/", "/healthz", "/screeners"]) assert.equal((await fetch(new URL(path, url))).status, 404);
  // What listens on all addresses of the machine answers here, too.
  const refused = await new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.2", port: Number(new URL(url).port) });
    socket.once("connect", () => resolve(undefined)).once("error", resolve);
  });
  assert.equal((refused as NodeJS.ErrnoException)?.code, "ECONNREFUSED");
});

test("the age of the oldest job rises while no worker lives, and what a job does is shown when it has run", async () => {
  const { client, screenerId } = await installation.screener(web);
  const options = carrier === "redis" ? ASYNC : {};
  assert.equal((await client.import(screenerId, people(3), {}, options)).status, carrier === "redis" ? 202 : 200);
  if (carrier === "redis") {
    const age = async () => (await readMetrics(web)).value("screening_job_oldest_age_seconds")!;
    const first = await age();
    await until(async () => (await age()) >= first + 1, "the oldest job is a second older");
    const shown = await readMetrics(web);
    assert.equal(shown.value("screening_workers"), 0);
    assert.equal(shown.value(JOB, { kind: KIND, status: "QUEUED" }), 1);
    assert.equal(shown.value("screening_findings", { code: "no_worker" }), 1);
    worker = await installation.worker();
    await installation.drain();
  }
  const kind = { kind: KIND };
  const shown = await until(async () => {
    const now = await readMetrics(worker);
    return now.value("screening_jobs_ended_total", { ...kind, status: "SUCCEEDED" }) === 1 ? now : undefined;
  }, "the job has ended");
  assert.equal(shown.value("screening_job_rows_total", kind), 3);
  assert.equal(shown.value("screening_job_wait_seconds_count", kind), 1);
  assert.equal(shown.value("screening_job_duration_seconds_count", kind), 1);
  assert.ok(shown.value("screening_job_wait_seconds_sum", kind)! >= (carrier === "redis" ? 1 : 0));
  assert.ok(shown.value("screening_write_lock_seconds_count", { by: "job" })! >= 1);
  assert.equal(shown.value("screening_workers"), 1);
  assert.equal(shown.value("screening_job_oldest_age_seconds"), 0);
  assert.equal(shown.value(JOB, { kind: KIND, status: "QUEUED" }), undefined);
  assert.ok((await readMetrics(web)).value("screening_write_lock_seconds_count", { by: "small_write" })! >= 1);
});

test("a plan waits since it was applied, and jobs of a suspended workspace wait on purpose", async () => {
  const { workspace, client, screenerId } = await installation.screener(web);
  const plan = await client.import(screenerId, people(2), { dryRun: true }, ASYNC);
  await installation.drain();
  const release = hold(installation.dataDir, workspace.id);
  try {
    assert.equal((await client.post(`/jobs/${plan.body.id}/apply`, {}, ASYNC)).status, 202);
    const day = "UPDATE job SET created_at = created_at - 86400000 WHERE finished_at IS NULL";
    const control = openControl(installation.dataDir, { busyTimeoutMs: 10_000, checkpoints: false });
    const age = async () => (await readMetrics(web)).value("screening_job_oldest_age_seconds")!;
    try {
      control.writer.run(day);
      assert.ok((await age()) < 3600);
      assert.equal((await client.import(screenerId, people(1), {}, ASYNC)).status, 202);
      control.writer.run(day);
      assert.ok((await age()) >= 86_400);
      const suspend = "UPDATE workspace SET suspended_at = ? WHERE uid = ?";
      control.writer.run(suspend, Date.now(), workspace.id);
      assert.ok((await age()) < 3600);
      control.writer.run(suspend, null, workspace.id);
    } finally {
      control.close();
    }
  } finally {
    release();
  }
  await installation.drain();
});

if (carrier === "redis") {
  test("a worker that dies with a job, and a job that is tried again, are counted", async () => {
    const { workspace, client, screenerId } = await installation.screener(web);
    const release = hold(installation.dataDir, workspace.id);
    // Longer than what the ledger keeps itself.
    const { body } = await client.import(screenerId, people(1500), {}, ASYNC);
    const status = "SELECT status FROM job WHERE uid = ?";
    await until(() => installation.control(status, body.id)[0] === "RUNNING", "the job runs");
    await worker.kill();
    await until(
      async () => (await readMetrics(web)).value("screening_job_crashes_total") === 1,
      "its death is noticed",
    );
    assert.equal((await readMetrics(web)).value("screening_workers"), 0);
    release();
    const spooled = join(installation.dataDir, "spool", body.id);
    renameSync(spooled, `${spooled}-away`);
    worker = await installation.worker();
    await until(
      async () => (await readMetrics(worker)).value("screening_job_retries_total", { kind: KIND })! >= 1,
      "the job is tried again",
    );
    renameSync(`${spooled}-away`, spooled);
    // The ledger knows of its end a moment earlier than the worker's metrics.
    await until(
      async () => (await readMetrics(worker)).value("screening_job_rows_total", { kind: KIND }) === 1500,
      "its rows are counted",
    );
  });
}

test("webhooks that wait are shown by the process that sends them", async () => {
  const client = installation.workspace().client(web);
  // Nobody listens there.
  const { status } = await client.post("/webhook-endpoints", { url: "http://127.0.0.1:1/", types: null });
  assert.equal(status, 201);
  await client.post("/participants", people(1)[0]);
  const shown = await until(async () => {
    const now = await readMetrics(worker);
    return now.value("screening_webhook_oldest_pending_age_seconds")! > 0 ? now : undefined;
  }, "a delivery waits");
  assert.ok(shown.value("screening_webhook_deliveries_pending")! >= 1);
});

test("the documentation has every metric that is shown, and no other; board and rules name only these", async () => {
  const shown = new Map([...(await readMetrics(web)).types, ...(await readMetrics(worker)).types]);
  const rows = read("docs/metrics.md").matchAll(/^\| `(\w+)` \| (counter|gauge|histogram) \|/gm);
  assert.deepEqual(Object.fromEntries([...rows].map(([, name, type]) => [name, type])), Object.fromEntries(shown));
  for (const file of ["deploy/grafana.json", "deploy/alerts.yml", "docs/metrics.md"]) {
    const named = [...read(file).matchAll(/\b(?:screening|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name);
    assert.ok(named.length > 10, file);
    for (const name of named)
      assert.ok(shown.has(name) || shown.has(name.replace(/_(?:bucket|sum|count)$/, "")), `${file}: ${name}`);
  }
  for (const { text } of [await readMetrics(web), await readMetrics(worker)])
    for (const [, name] of text.matchAll(/^# TYPE (\w+)/gm)) assert.match(text, new RegExp(`^# HELP ${name} \\S`, "m"));
});

test("promtool finds nothing wrong with metrics, rules and the board's queries; alerts fire in trouble, and only then", async (t) => {
  const { panels } = JSON.parse(read("deploy/grafana.json")) as { panels: { targets: { expr: string }[] }[] };
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  assert.ok(queries.length > 20);
  const promtool = findProgram("promtool");
  if (!promtool) {
    t.diagnostic("promtool is not on this machine, so it checks nothing (on Debian: apt-get install prometheus).");
    return;
  }
  const check = (args: string[], input = "") => {
    const { status, stdout, stderr } = spawnSync(promtool, args, { cwd: ROOT, input, encoding: "utf8" });
    assert.equal(status, 0, `${args.join(" ")}: ${stdout}${stderr}`);
  };
  check(["check", "rules", "deploy/alerts.yml"]);
  for (const one of new Set([web, worker])) check(["check", "metrics"], (await readMetrics(one)).text);
  const rules = queries.map((query) => ({
    record: "query",
    expr: query.replaceAll("$__rate_interval", "5m").replaceAll("$job", "screening"),
  }));
  check(["check", "rules", yaml("board", { groups: [{ name: "board", rules }] })]);
  const tests = [trouble, health].map((series, index) => ({
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: "1h",
        exp_samples: index ? [] : alerts.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
      },
    ],
  }));
  const ruleFile = new URL("deploy/alerts.yml", ROOT).pathname;
  check(["test", "rules", yaml("alerts", { rule_files: [ruleFile], evaluation_interval: "1m", tests })]);
});

const alerts = [...read("deploy/alerts.yml").matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name!);
const ALL = 'job="screening",instance="a"';

/** Values of an hour at which every alert fires: what comes each minute. */
const trouble: Record<string, string> = {
  [`up{${ALL}}`]: "0x60",
  [`screening_workers{${ALL}}`]: "0x60",
  [`screening_job_oldest_age_seconds{${ALL}}`]: "1000x60",
  [`screening_jobs_blocked{${ALL},kind="PARTICIPANT_ERASURE",code="store_refused"}`]: "1x60",
  [`screening_job_crashes_total{${ALL}}`]: "0+1x60",
  [`screening_http_requests_total{${ALL},route="/screeners",status="500"}`]: "0+10x60",
  [`screening_http_requests_total{${ALL},route="/screeners",status="200"}`]: "0+100x60",
  [`screening_http_connections_dropped_total{${ALL}}`]: "0+1x60",
  [`nodejs_eventloop_lag_p99_seconds{${ALL}}`]: "0.5x60",
  [`screening_disk_free_bytes{${ALL}}`]: "5x60",
  [`screening_disk_size_bytes{${ALL}}`]: "100x60",
  [`screening_wal_longest_bytes{${ALL},store="workspaces"}`]: "300000000x60",
  [`process_open_fds{${ALL}}`]: "95x60",
  [`process_max_fds{${ALL}}`]: "100x60",
  [`screening_webhook_overdue_seconds{${ALL}}`]: "1000x60",
  [`screening_mail_overdue_seconds{${ALL}}`]: "1000x60",
  [`screening_mail_attempts_total{${ALL},state="UNCERTAIN"}`]: "0+1x60",
  [`screening_mail_attempts_total{${ALL},state="SENT"}`]: "0+10x60",
  [`screening_mail_bounces_total{${ALL},kind="hard"}`]: "0+1x60",
  [`screening_review_oldest_pending_age_seconds{${ALL}}`]: "700000x60",
  [`screening_findings{${ALL},code="store_damaged"}`]: "1x60",
  [`screening_backup_age_seconds{${ALL}}`]: "200000x60",
  [`screening_findings{${ALL},code="mail_relay_fails"}`]: "1x60",
};

/** Values at which none does, though it is busy. */
const health: Record<string, string> = {
  [`up{${ALL}}`]: "1x60",
  [`screening_workers{${ALL}}`]: "1x60",
  [`screening_job_oldest_age_seconds{${ALL}}`]: "100x60",
  [`screening_job_crashes_total{${ALL}}`]: "1x60",
  [`screening_http_requests_total{${ALL},route="/readyz",status="503"}`]: "0+10x60",
  [`screening_http_requests_total{${ALL},route="/screeners",status="200"}`]: "0+100x60",
  [`screening_http_connections_dropped_total{${ALL}}`]: "1x60",
  [`nodejs_eventloop_lag_p99_seconds{${ALL}}`]: "0.02x60",
  [`screening_disk_free_bytes{${ALL}}`]: "50x60",
  [`screening_disk_size_bytes{${ALL}}`]: "100x60",
  [`screening_wal_longest_bytes{${ALL},store="workspaces"}`]: "16777216x60",
  [`process_open_fds{${ALL}}`]: "80x60",
  [`process_max_fds{${ALL}}`]: "100x60",
  [`screening_webhook_overdue_seconds{${ALL}}`]: "5x60",
  [`screening_mail_overdue_seconds{${ALL}}`]: "60x60",
  [`screening_mail_attempts_total{${ALL},state="UNCERTAIN"}`]: "7x60",
  [`screening_mail_attempts_total{${ALL},state="SENT"}`]: "0+100x60",
  [`screening_mail_bounces_total{${ALL},kind="hard"}`]: "0+1x60",
  [`screening_review_oldest_pending_age_seconds{${ALL}}`]: "600000x60",
  [`screening_findings{${ALL},code="disk_nearly_full"}`]: "1x60",
  [`screening_backup_age_seconds{${ALL}}`]: "80000x60",
};

/** Writes a file for promtool: JSON is YAML. @returns its path */
function yaml(name: string, content: object): string {
  const file = join(installation.dataDir, `${name}.yml`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function read(file: string): string {
  return readFileSync(new URL(file, ROOT), "utf8");
}
