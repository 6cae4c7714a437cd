// Opens what a process owns, and closes it at the end.

import { randomUUID } from "node:crypto";
import { type Control, openControl } from "../db/control.ts";
import type { ListResult } from "../db/list.ts";
import { Presence } from "../db/lock.ts";
import { closeToOthers } from "../db/private.ts";
import { EVENT_LOOP, EVENT_LOOP_WORKSPACES } from "../db/profiles.ts";
import { whenFree } from "../db/when-free.ts";
import { Workspaces } from "../db/workspaces.ts";
import { startCellUpkeep } from "./cells/upkeep.ts";
import { checksOf, proxyLetsBodiesThrough } from "./checks.ts";
import type { Config } from "./config.ts";
import { budgetDescriptors } from "./descriptors.ts";
import { EventWaiter } from "./events/feed.ts";
import { workspacesWithPending } from "./events/outbox.ts";
import { FailureLimit } from "./failure-limit.ts";
import { Findings } from "./findings.ts";
import { threadCarrier } from "./jobs/carriers/threads.ts";
import { type Carrier, Dispatcher } from "./jobs/dispatch.ts";
import { Doubts } from "./jobs/doubts.ts";
import { checkpointWorkspace, migrateWorkspace, moveEvents, tidyStores } from "./jobs/housekeeping.ts";
import { readLongPage } from "./jobs/long-read.ts";
import { OneAtATime, unlessRunning } from "./jobs/one-at-a-time.ts";
import { MAX_SIDE_THREADS, Pool } from "./jobs/pool.ts";
import type { SideTask } from "./jobs/side-task.ts";
import { makeSpool } from "./jobs/spool.ts";
import { SpoolBudget } from "./jobs/spool-budget.ts";
import { checkStores } from "./jobs/store-checks.ts";
import { watchedStores } from "./jobs/stores.ts";
import { JobWaiter } from "./jobs/wait.ts";
import { createLog, type Log } from "./log.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { applyRetention } from "./participants/retention.ts";
import type { LongRead } from "./resource.ts";
import { PublishedContents } from "./screener-content/published.ts";
import { Turns } from "./turns.ts";
import type { Webhooks } from "./webhooks/dispatch.ts";
import { openWebhooks } from "./webhooks/open.ts";
import { Credentials } from "./workspaces/credentials.ts";
import { installationId, nameCell } from "./workspaces/installation.ts";

/** What a web process or a worker process owns. */
export interface Context {
  config: Config;
  log: Log;
  control: Control;
  workspaces: Workspaces;
  /** The installation's id. It keeps installations apart that share one Redis. */
  installation: string;
  /** The name of the cell; null: it has none. */
  cell: string | null;
  pool: Pool;
  carrier: Carrier;
  dispatcher: Dispatcher;
  credentials: Credentials;
  published: PublishedContents;
  waiter: JobWaiter;
  eventWaiter: EventWaiter;
  /** Sends events to webhook endpoints. */
  webhooks: Webhooks;
  failedLogins: FailureLimit;
  spoolBudget: SpoolBudget;
  /** Workspaces, and lists that are streamed at the same time, take turns. */
  turns: Turns;
  /** How many connections the process may accept. */
  maxConnections: number;
  /** What is wrong now. */
  findings: Findings;
  /** Undefined where METRICS_PORT is not set. */
  metrics: Metrics | undefined;
  /** How many processes are alive that run jobs. */
  countWorkers(): number;
  /** For side tasks that would take all threads, or too much memory, side by side. */
  oneAtATime: OneAtATime;
  /** Reads a list page in a thread; one at a time for each workspace. */
  readLongPage(workspaceUid: string, read: LongRead): Promise<ListResult>;
  /** Starts the upkeep: removes what has expired, migrates old stores, records when credentials were last used. */
  startUpkeep(): void;
  /** From now on the process is not ready, so that proxies choose another one. It still serves. */
  retire(): void;
  isRetiring(): boolean;
  /** Waits up to `graceMs` for running jobs, and closes everything. */
  close(graceMs?: number): Promise<void>;
}

const DOUBTS_MS = 500;
const EVENTS_MS = 500;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Failed authentications that one address may have in a minute. */
export const MAX_FAILED_LOGINS = 300;

/** Opens everything that a process owns. `threads` is the number of threads for jobs. @throws SchemaError */
export async function openContext(config: Config, threads: number, metrics?: Metrics): Promise<Context> {
  const log = createLog(config);
  const descriptors = budgetDescriptors(Math.max(threads, 1) + MAX_SIDE_THREADS);
  const control = openControl(config.dataDir, EVENT_LOOP);
  for (const { path, error } of closeToOthers(config.dataDir)) log.warn({ path, err: error }, "others may read this");
  makeSpool(config.dataDir);
  const installation = installationId(control.reader);
  const cell = nameCell(control, config.cell);
  const isWorker = config.redisUrl !== undefined && threads > 0;
  const presence = new Presence(config.dataDir, `${isWorker ? "worker" : "web"}-${randomUUID()}`);
  const observer = metrics?.jobs;
  const maxOpenStores = descriptors.storesOfThread;
  const waiter = new JobWaiter(control.reader);
  const pool = new Pool(config, presence.name, control.writer, log, {
    ...{ threads, maxOpenStores, observer },
    onEnd() {
      waiter.look();
      carrier.tellEnd?.();
    },
  });
  let retiring = false;
  let closing = false;
  const logFailure = (task: string, workspace?: string) => (error: unknown) => {
    if (closing) return;
    // A store that is not migrated is out of service.
    const level = task === migrateWorkspace.name ? "error" : "warn";
    log[level]({ err: error, ...(workspace && { workspace }) }, `${task} failed`);
  };
  // Each request for a workspace may ask for the same upkeep.
  const onceAtATime = (task: SideTask<string, void>) =>
    unlessRunning((id) => pool.ask(task, id).catch(logFailure(task.name, id)));
  const workspaces = new Workspaces(config.dataDir, {
    ...EVENT_LOOP_WORKSPACES,
    ...watchedStores(control, log),
    maxOpenStores: descriptors.storesOfEventLoop,
    onStale: onceAtATime(migrateWorkspace),
    onGrown: onceAtATime(checkpointWorkspace),
    ...(observer && { onHeld: (ms) => observer.held("small_write", ms) }),
  });
  const listening = isWorker ? undefined : () => waiter.look();
  // BullMQ takes a third of the time of a start, and 24 MB.
  const carrier = config.redisUrl
    ? (await import("./jobs/carriers/bullmq.ts")).bullmqCarrier(config.redisUrl, installation, log, listening)
    : threadCarrier(pool, (workspaceId) => dispatcher.kick(workspaceId));
  const dispatcher = new Dispatcher(control, presence, carrier, pool, log, observer);
  const webhooks = await openWebhooks(config, {
    ...{ control, workspaces, log, installation, threads },
    maxUnderWay: descriptors.webhooks,
  });
  const findings = new Findings(log);
  findings.register(...checksOf(config, control, carrier, config.redisUrl && !isWorker ? presence : undefined));
  const credentials = new Credentials(control.reader);
  const oneAtATime = new OneAtATime();
  const doubts = new Doubts(config.dataDir, pool, log);
  const timers: NodeJS.Timeout[] = [];
  let endCell: (() => void) | undefined;
  return {
    config,
    log,
    control,
    workspaces,
    installation,
    cell,
    pool,
    carrier,
    dispatcher,
    credentials,
    published: new PublishedContents(),
    waiter,
    eventWaiter: new EventWaiter(workspaces),
    webhooks,
    failedLogins: new FailureLimit("failed-authentication", MAX_FAILED_LOGINS),
    spoolBudget: new SpoolBudget(control, config.dataDir, config.workspaceSpoolMaxBytes),
    turns: new Turns(),
    maxConnections: descriptors.connections,
    findings,
    metrics,
    countWorkers: () => (config.redisUrl ? presence.countAlive("worker") : 1),
    oneAtATime,
    readLongPage: (uid, read) => oneAtATime.run(uid, () => pool.ask(readLongPage, { workspaceUid: uid, ...read })),
    startUpkeep() {
      let checking: Promise<void> | undefined;
      const tidy = () => {
        try {
          presence.sweep();
        } catch (error) {
          logFailure("sweep of locks")(error);
        }
        pool
          .ask(tidyStores, undefined)
          .catch(logFailure("tidying"))
          .then(() => pool.ask(applyRetention, undefined))
          .catch(logFailure("retention"))
          .finally(() => {
            if (threads) checking ??= checkStores(pool, log, () => closing).finally(() => (checking = undefined));
          });
      };
      const writeUses = () => {
        if (!credentials.hasUses) return;
        whenFree(control.writer, 1000, () => credentials.flush(control.writer)).catch(
          logFailure("recording when credentials were used"),
        );
      };
      const askProxy = async () => {
        const found = await proxyLetsBodiesThrough(config);
        if (found) findings.report(found);
        else findings.clear({ code: "proxy_refuses_bodies" });
      };
      let moving: Promise<void> | undefined;
      const moveWaiting = () => {
        try {
          if (!moving && workspacesWithPending(control.reader).length)
            moving = pool
              .ask(moveEvents, undefined)
              .catch(logFailure("moving events"))
              .finally(() => (moving = undefined));
        } catch (error) {
          logFailure("moving events")(error);
        }
      };
      timers.push(
        setInterval(moveWaiting, EVENTS_MS).unref(),
        setInterval(() => doubts.settle(), DOUBTS_MS).unref(),
        setInterval(tidy, HOUR_MS).unref(),
        setInterval(writeUses, MINUTE_MS).unref(),
        // So that the log names what nobody asks for.
        setInterval(() => findings.current(), MINUTE_MS).unref(),
      );
      endCell = startCellUpkeep({ control, presence, pool, log }, config, cell, isWorker);
      tidy();
      if (config.trustProxy && !isWorker) {
        timers.push(setInterval(askProxy, HOUR_MS).unref());
        askProxy();
      }
    },
    retire() {
      retiring = true;
    },
    isRetiring: () => retiring,
    async close(graceMs = 0) {
      retiring = true;
      closing = true;
      for (const timer of timers) clearInterval(timer);
      endCell?.();
      await dispatcher.close();
      await doubts.close();
      await Promise.all([pool.close(graceMs), webhooks.close(graceMs)]);
      workspaces.close();
      presence.close();
      control.close();
      log.flush();
    },
  };
}
