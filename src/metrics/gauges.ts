// Figures that are read when the metrics are read: the ledger, findings, webhooks, and the process itself.

import { readdir } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, type Registry } from "prom-client";
import { readLimit } from "../base/descriptors.ts";
import { RELEASE } from "../base/release.ts";
import { countBlocked } from "../engine/ledger/blocked.ts";
import { bytesKept } from "../engine/ledger/expiry.ts";
import { countUnfinished, sumSpooled } from "../engine/ledger/reports.ts";
import type { Context } from "../http/context.ts";
import type { Mail } from "../mail/open.ts";
import type { Webhooks } from "../webhooks/dispatch.ts";
import { migrationProgress } from "../workspaces/store-migrations.ts";
import { Sizes } from "./sizes.ts";

/** What is measured. */
export interface Measured extends Context {
  webhooks: Webhooks;
  mail: Mail | undefined;
}

/** Brings gauges up to date. */
type Refresh = () => void | Promise<void>;

/** What all processes of an installation see alike: its jobs, its workers, and what is wrong. */
export function installationGauges(registry: Registry, context: Context): Refresh {
  const registers = [registry];
  const { control, findings } = context;
  const jobs = new Gauge({
    name: "screening_jobs_unfinished",
    help: "Jobs that are queued or running, by kind and status. Of the installation.",
    labelNames: ["kind", "status"],
    registers,
  });
  const oldest = new Gauge({
    name: "screening_job_oldest_age_seconds",
    help: "How long the oldest unfinished job has waited or run. 0: there is none. Jobs of suspended workspaces do not count while they wait, nor do those that are set aside. Of the installation.",
    registers,
  });
  const blocked = new Gauge({
    name: "screening_jobs_blocked",
    help: "Jobs that are set aside after 15 minutes of tries, and tried every hour, by kind and code. They do not count for screening_job_oldest_age_seconds. Of the installation.",
    labelNames: ["kind", "code"],
    registers,
  });
  const migrating = new Gauge({
    name: "screening_stores_migrating",
    help: "Stores of workspaces that are being migrated. Of the installation.",
    registers,
  });
  const migrated = new Gauge({
    name: "screening_store_migration_version",
    help: "Of the stores that are being migrated, the lowest schema version that one has reached, and is to get. Of the installation.",
    labelNames: ["version"],
    registers,
  });
  const workers = new Gauge({
    name: "screening_workers",
    help: "Processes that run jobs and are alive. Of the installation.",
    registers,
  });
  const spool = new Gauge({
    name: "screening_spool_bytes",
    help: "Bodies of unfinished imports and of plans, and those that are kept of failed jobs, decompressed. Of the installation.",
    registers,
  });
  const results = new Gauge({
    name: "screening_results_bytes",
    help: "Results and rows of jobs that are kept. Of the installation.",
    registers,
  });
  const found = new Gauge({
    name: "screening_findings",
    help: "What is wrong now, by code, as in /readyz. Of the installation, and of this process.",
    labelNames: ["code"],
    registers,
  });
  return async () => {
    const unfinished = await countUnfinished(control.reader);
    const now = Date.now();
    jobs.reset();
    for (const { kind, status, count } of unfinished) jobs.set({ kind, status }, count);
    const since = Math.min(now, ...unfinished.map(({ oldestAt }) => oldestAt));
    oldest.set((now - since) / 1000);
    blocked.reset();
    for (const { kind, code, count } of countBlocked(control.reader)) blocked.set({ kind, code }, count);
    const { stores, ...versions } = migrationProgress(control.reader, now);
    migrating.set(stores);
    migrated.reset();
    for (const [version, value] of Object.entries(versions)) if (value !== undefined) migrated.set({ version }, value);
    workers.set(context.countWorkers());
    spool.set(sumSpooled(control.reader));
    results.set(bytesKept(control.reader));
    const current = await findings.current();
    found.reset();
    for (const { code } of current) found.inc({ code });
  };
}

/** Webhooks that wait, in a process that sends. */
export function webhookGauges(registry: Registry, { webhooks }: Measured): Refresh {
  if (!webhooks.sends) return () => {};
  const registers = [registry];
  const pending = new Gauge({
    name: "screening_webhook_deliveries_pending",
    help: "Webhook deliveries that are neither taken nor given up. Of the installation.",
    registers,
  });
  const oldest = new Gauge({
    name: "screening_webhook_oldest_pending_age_seconds",
    help: "Age of the oldest pending webhook delivery. A receiver that fails has three days. 0: there is none. Of the installation.",
    registers,
  });
  const overdue = new Gauge({
    name: "screening_webhook_overdue_seconds",
    help: "How long the webhook delivery that should be sent first has been due. 0: none is due. Of the installation.",
    registers,
  });
  return () => {
    const now = Date.now();
    const { count, oldestAt, dueAt } = webhooks.backlog();
    pending.set(count);
    oldest.set(Math.max(0, now - oldestAt) / 1000);
    overdue.set(Math.max(0, now - dueAt) / 1000);
  };
}

/** The files of the installation. */
export function fileGauges(registry: Registry, { config, log }: Context): Refresh {
  const registers = [registry];
  const sizes = new Sizes(config.dataDir, log);
  const stores = new Gauge({
    name: "screening_store_bytes",
    help: "Files of stores, without their WALs: control, or all workspaces together. Up to a minute old. Of the installation.",
    labelNames: ["store"],
    registers,
  });
  const wals = new Gauge({
    name: "screening_wal_bytes",
    help: "WALs of stores: control, or all workspaces together. Up to a minute old. Of the installation.",
    labelNames: ["store"],
    registers,
  });
  const longest = new Gauge({
    name: "screening_wal_longest_bytes",
    help: "The longest WAL of a store: control, or a workspace's. Up to a minute old. Of the installation.",
    labelNames: ["store"],
    registers,
  });
  const free = new Gauge({
    name: "screening_disk_free_bytes",
    help: "What is free on the disk of DATA_DIR. Up to a minute old. Of the installation.",
    registers,
  });
  const size = new Gauge({
    name: "screening_disk_size_bytes",
    help: "The size of the disk of DATA_DIR. Up to a minute old. Of the installation.",
    registers,
  });
  return () => {
    const measured = sizes.latest();
    for (const store of ["control", "workspaces"] as const) {
      const of = measured?.[store];
      stores.set({ store }, of?.storeBytes ?? Number.NaN);
      wals.set({ store }, of?.walBytes ?? Number.NaN);
      longest.set({ store }, of?.longestWalBytes ?? Number.NaN);
    }
    free.set(measured?.freeBytes ?? Number.NaN);
    size.set(measured?.diskBytes ?? Number.NaN);
  };
}

/** How often the event loop is looked at. What is shorter is not seen. */
const LOOP_RESOLUTION_MS = 20;

/** The process itself. Names of what every process has are those that Prometheus' clients use. */
export function processGauges(registry: Registry, { workspaces }: Context): Refresh {
  const registers = [registry];
  const cpu = new Counter({
    name: "process_cpu_seconds_total",
    help: "Processor time of the process, with its threads.",
    registers,
  });
  const memory = new Gauge({
    name: "process_resident_memory_bytes",
    help: "Memory of the process, with its threads.",
    registers,
  });
  const started = new Gauge({
    name: "process_start_time_seconds",
    help: "When the process was started, in seconds since 1970.",
    registers,
  });
  const open = new Gauge({ name: "process_open_fds", help: "Open file descriptors of the process.", registers });
  const limit = new Gauge({
    name: "process_max_fds",
    help: "How many file descriptors the process may have open.",
    registers,
  });
  const openStores = new Gauge({
    name: "screening_open_stores",
    help: "Stores of workspaces that the event loop has open.",
    registers,
  });
  const lag = new Gauge({
    name: "nodejs_eventloop_lag_p99_seconds",
    help: "99th percentile of the event loop's delays, since somebody last looked.",
    registers,
  });
  const build = new Gauge({
    name: "screening_build_info",
    help: "Always 1: which release the process is of, and what it was built from.",
    labelNames: ["version", "build", "node", "control_schema", "workspace_schema"],
    registers,
  });
  const { version, schema, node } = RELEASE;
  build.set(
    {
      ...{ version, node, build: RELEASE.build ?? "" },
      ...{ control_schema: String(schema.control), workspace_schema: String(schema.workspace) },
    },
    1,
  );
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  let used = 0;
  started.set(Math.round(performance.timeOrigin) / 1000);
  limit.set(readLimit());
  return async () => {
    const { user, system } = process.cpuUsage();
    cpu.inc((user + system) / 1e6 - used);
    used = (user + system) / 1e6;
    memory.set(process.memoryUsage.rss());
    lag.set(lagOf(loop));
    loop.reset();
    openStores.set(workspaces.openStores);
    // Only Linux shows them.
    open.set((await readdir("/proc/self/fd").catch(() => [])).length || Number.NaN);
  };
}

/** Delays are measured from one look at the loop to the next: without the time between them. */
function lagOf(loop: ReturnType<typeof monitorEventLoopDelay>): number {
  return loop.count ? Math.max(0, loop.percentile(99) / 1e9 - LOOP_RESOLUTION_MS / 1000) : 0;
}
