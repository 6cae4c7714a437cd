// Opens what a process owns, and closes it at the end.

import { randomUUID } from "node:crypto";
import { openControl } from "../../db/control.ts";
import { EVENT_LOOP, EVENT_LOOP_WORKSPACES } from "../../db/profiles.ts";
import { Presence } from "../../db/sqlite/lock.ts";
import { closeToOthers } from "../../db/sqlite/private.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { Workspaces } from "../../db/workspaces.ts";
import type { Config } from "../base/config.ts";
import { budgetDescriptors } from "../base/descriptors.ts";
import { FailureLimit } from "../base/failure-limit.ts";
import { Findings } from "../base/findings.ts";
import { createLog } from "../base/log.ts";
import { Parsed } from "../base/parsed.ts";
import { Turns } from "../base/turns.ts";
import { Directory } from "../cells/directory.ts";
import { startCellUpkeep } from "../cells/settle.ts";
import { makeSpool } from "../engine/files/bodies.ts";
import { SpoolBudget } from "../engine/files/spool-budget.ts";
import { JobWaiter } from "../engine/ledger/wait.ts";
import { watchedStores } from "../engine/run/stores.ts";
import { Dispatcher, threadCarrier } from "../engine/threads/dispatch.ts";
import { KeptAnswers } from "../engine/threads/kept-answers.ts";
import { readLongPage } from "../engine/threads/long-read.ts";
import { OneAtATime, unlessRunning } from "../engine/threads/one-at-a-time.ts";
import { MAX_SIDE_THREADS, Pool } from "../engine/threads/pool.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { isListBesideData } from "../erasure/list.ts";
import { EventWaiter } from "../events/feed.ts";
import { workspacesWithPending } from "../events/outbox.ts";
import { Views } from "../events/views.ts";
import type { Context } from "../http/context.ts";
import { type Mail, openMail } from "../mail/open.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { applyRetention } from "../screening/retention.ts";
import { proxyLetsBodiesThrough } from "../upkeep/ask-proxy.ts";
import { StoreChecks } from "../upkeep/check-loop.ts";
import { checksOf } from "../upkeep/checks.ts";
import { Doubts } from "../upkeep/doubts.ts";
import { checkpointWorkspace, migrateWorkspace, moveEvents, tidyStores } from "../upkeep/housekeeping.ts";
import { backupCheck, ScheduledBackups } from "../upkeep/scheduled-backup.ts";
import type { Webhooks } from "../webhooks/dispatch.ts";
import { openWebhooks } from "../webhooks/open.ts";
import { Credentials } from "../workspaces/credentials.ts";
import { installationId, nameCell } from "../workspaces/installation.ts";

/** What a web process or a worker process owns. */
export interface Process extends Context {
  /** Where other cells are. Undefined: it has no name, or no Redis. */
  directory: Directory | undefined;
  /** Sends events to webhook endpoints. */
  webhooks: Webhooks;
  mail: Mail | undefined;
  /** How many connections the process may accept. */
  maxConnections: number;
  /** Undefined where METRICS_PORT is not set. */
  metrics: Metrics | undefined;
  /** Starts the upkeep: removes what has expired, migrates old stores, records when credentials were last used. */
  startUpkeep(): void;
  /** From now on the process is not ready, so that proxies choose another one. It still serves. */
  retire(): void;
  /** Waits up to `graceMs` for running jobs, and closes everything. */
  close(graceMs?: number): Promise<void>;
}

const DOUBTS_MS = 500;
const EVENTS_MS = 500;
/** What is wrong is looked at again after this time, so that it is soon known when it is mended. */
const AGAIN_MS = 30_000;
/** The first upkeep comes when a process has served for some time: a start has the processor for who waits for it. */
const FIRST_UPKEEP_MS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Failed authentications that one address may have in a minute. */
export const MAX_FAILED_LOGINS = 300;

/** Opens everything that a process owns. `threads` is the number of threads for jobs. @throws SchemaError */
export async function openContext(config: Config, threads: number, metrics?: Metrics): Promise<Process> {
  const log = createLog(config);
  const descriptors = budgetDescriptors(Math.max(threads, 1) + MAX_SIDE_THREADS + (config.mail ? 1 : 0));
  const control = openControl(config.dataDir, EVENT_LOOP);
  for (const { path, error } of closeToOthers(config.dataDir)) log.warn({ path, err: error }, "others may read this");
  makeSpool(config.dataDir);
  const installation = installationId(control.reader);
  const cell = nameCell(control, config.cell);
  const directory = cell !== null && config.redisUrl !== undefined ? new Directory(config.redisUrl) : undefined;
  const isWorker = config.redisUrl !== undefined && threads > 0;
  const presence = new Presence(config.dataDir, `${isWorker ? "worker" : "web"}-${randomUUID()}`);
  const observer = metrics?.jobs;
  const maxOpenStores = descriptors.storesOfThread;
  const waiter = new JobWaiter(control.reader);
  const pool = new Pool(config, presence.name, control.writer, log, {
    ...{ threads, maxOpenStores, observer },
    onEnd() {
      waiter.look();
      carrier.publishEnd?.();
      mail?.mailer.sweep();
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
  const onGrown = onceAtATime(checkpointWorkspace);
  const onHeld = observer && ((ms: number) => observer.held("small_write", ms));
  const workspaces = new Workspaces(config.dataDir, {
    ...EVENT_LOOP_WORKSPACES,
    ...watchedStores(control, config.erasedDir, log),
    maxOpenStores: descriptors.storesOfEventLoop,
    onStale: onceAtATime(migrateWorkspace),
    onGrown,
    ...(onHeld && { onHeld }),
  });
  const listening = isWorker ? undefined : () => waiter.look();
  // BullMQ takes a third of the time of a start, and 24 MB.
  const carrier = config.redisUrl
    ? (await import("../engine/carriers/bullmq.ts")).bullmqCarrier(config.redisUrl, installation, log, listening)
    : threadCarrier(pool, (workspaceId) => dispatcher.kick(workspaceId));
  const dispatcher = new Dispatcher(control, presence, carrier, pool, log, observer);
  const webhooks = await openWebhooks(config, {
    ...{ control, workspaces, log, installation, threads },
    maxUnderWay: descriptors.webhooks,
  });
  const findings = new Findings(log);
  const mail = await openMail(config, {
    ...{ control, workspaces, log, findings, cell, installation, threads, maxOpenStores, onGrown, onHeld },
    sender: presence.name,
  });
  findings.register(...checksOf(config, control, carrier, config.redisUrl && !isWorker ? presence : undefined));
  const { backup } = config;
  if (backup) findings.register(backupCheck(control, backup));
  // Those that run jobs.
  const backups = backup && threads ? new ScheduledBackups({ backup, control, presence, log }) : undefined;
  const credentials = new Credentials(control.reader);
  const oneAtATime = new OneAtATime();
  const keptAnswers = new KeptAnswers(workspaces);
  const doubts = new Doubts(config.dataDir, pool, log);
  const storeChecks = new StoreChecks(config.dataDir, control, pool, log);
  const timers: NodeJS.Timeout[] = [];
  let endCell: (() => void) | undefined;
  return {
    ...{ config, log, control, workspaces, installation, cell, directory, pool, carrier, dispatcher, credentials },
    published: new Parsed(),
    waiter,
    eventWaiter: new EventWaiter(workspaces),
    webhooks,
    mail,
    failedLogins: new FailureLimit("failed-authentication", MAX_FAILED_LOGINS),
    spoolBudget: new SpoolBudget(control, config.dataDir, config.workspaceSpoolMaxBytes),
    ...{ turns: new Turns(), views: new Views() },
    maxConnections: descriptors.connections,
    findings,
    metrics,
    countWorkers: () => (config.redisUrl ? presence.countAlive("worker") : 1),
    oneAtATime,
    keptAnswers,
    readLongPage: (uid, read) => oneAtATime.run(uid, () => pool.ask(readLongPage, { workspaceUid: uid, ...read })),
    startUpkeep() {
      if (isListBesideData(config))
        log.warn({ path: config.erasedDir }, "the list of the erased is on the disk of the data: set ERASED_DIR");
      const sweep = () => {
        try {
          presence.sweep();
        } catch (error) {
          logFailure("sweep of locks")(error);
        }
      };
      const tidy = () => {
        sweep();
        pool
          .ask(tidyStores, undefined)
          .catch(logFailure("tidying"))
          .then(() => pool.ask(applyRetention, undefined))
          .catch(logFailure("retention"))
          .then(() => log.debug("upkeep done"))
          .finally(() => threads && storeChecks.check());
      };
      const lookAgain = () => storeChecks.lookAgain().finally(() => threads && storeChecks.check());
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
        if (!closing) timers.push(setTimeout(askProxy, found ? AGAIN_MS : HOUR_MS).unref());
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
        setTimeout(tidy, FIRST_UPKEEP_MS).unref(),
        setInterval(tidy, HOUR_MS).unref(),
        setInterval(lookAgain, AGAIN_MS).unref(),
        setInterval(writeUses, MINUTE_MS / 6).unref(),
        setInterval(() => backups?.look(), MINUTE_MS / 4).unref(),
        // So that the log names what nobody asks for.
        setInterval(() => findings.current(), MINUTE_MS).unref(),
      );
      endCell = startCellUpkeep({ control, presence, pool, log, directory }, config, cell, isWorker);
      sweep();
      storeChecks.lookAgain();
      backups?.look();
      if (config.trustProxy && !isWorker) askProxy();
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
      storeChecks.close();
      await backups?.close();
      await dispatcher.close();
      await doubts.close();
      await Promise.all([pool.close(graceMs), webhooks.close(graceMs), mail?.close()]);
      keptAnswers.close();
      workspaces.close();
      presence.close();
      control.close();
      log.flush();
    },
  };
}
