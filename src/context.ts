// Opens what a process owns, and closes it at the end.

import { randomUUID } from "node:crypto";
import { type Control, openControl } from "../db/control.ts";
import type { ListResult } from "../db/list.ts";
import { Presence } from "../db/lock.ts";
import { closeToOthers } from "../db/private.ts";
import { EVENT_LOOP } from "../db/profiles.ts";
import { Workspaces } from "../db/workspaces.ts";
import { whenFree } from "../db/write.ts";
import type { Config } from "./config.ts";
import { FailureLimit } from "./failure-limit.ts";
import { bullmqCarrier } from "./jobs/carriers/bullmq.ts";
import { threadCarrier } from "./jobs/carriers/threads.ts";
import { type Carrier, Dispatcher } from "./jobs/dispatch.ts";
import { checkpointWorkspace, migrateWorkspace, tidyStores } from "./jobs/housekeeping.ts";
import { readLongPage } from "./jobs/long-read.ts";
import { Pool } from "./jobs/pool.ts";
import type { SideTask } from "./jobs/side-task.ts";
import { SpoolBudget } from "./jobs/spool-budget.ts";
import { JobWaiter } from "./jobs/wait.ts";
import { createLog, type Log } from "./log.ts";
import type { LongRead } from "./resource.ts";
import { PublishedContents } from "./screener-content/published.ts";
import { Turns } from "./turns.ts";
import { Credentials } from "./workspaces/credentials.ts";
import { installationId, WriteProbe } from "./workspaces/installation.ts";

/** What a web process or a worker process owns. */
export interface Context {
  config: Config;
  log: Log;
  control: Control;
  workspaces: Workspaces;
  /** The installation's id. It keeps installations apart that share one Redis. */
  installation: string;
  pool: Pool;
  carrier: Carrier;
  dispatcher: Dispatcher;
  credentials: Credentials;
  published: PublishedContents;
  waiter: JobWaiter;
  failedLogins: FailureLimit;
  spoolBudget: SpoolBudget;
  /** Workspaces, and lists that are streamed at the same time, take turns. */
  turns: Turns;
  writeProbe: WriteProbe;
  /** Reads a list page in a thread. One at a time for each workspace, so that other side tasks find a thread. */
  readLongPage(workspaceUid: string, read: LongRead): Promise<ListResult>;
  /** Starts the upkeep: removes what has expired, migrates old stores, records when credentials were last used. */
  startUpkeep(): void;
  isClosing(): boolean;
  /** Waits up to `graceMs` for running jobs, and closes everything. */
  close(graceMs?: number): Promise<void>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Failed authentications that one address may have in a minute. */
export const MAX_FAILED_LOGINS = 300;

/** Opens everything that a process owns. `threads` is the number of threads for jobs. @throws SchemaError */
export function openContext(config: Config, threads: number): Context {
  const log = createLog(config);
  const control = openControl(config.dataDir, EVENT_LOOP);
  for (const { path, error } of closeToOthers(config.dataDir)) log.warn({ path, err: error }, "others may read this");
  const installation = installationId(control.reader);
  const presence = new Presence(config.dataDir, randomUUID());
  const pool = new Pool(config, presence.name, control.writer, log, threads);
  let closing = false;
  const logFailure = (task: string, workspace?: string) => (error: unknown) => {
    if (closing) return;
    // A store that is not migrated is out of service.
    const level = task === migrateWorkspace.name ? "error" : "warn";
    log[level]({ err: error, ...(workspace && { workspace }) }, `${task} failed`);
  };
  // Each request for a workspace may ask for the same upkeep. One at a time is enough.
  const onceAtATime = (task: SideTask<string, void>) => {
    const running = new Set<string>();
    return (id: string) => {
      if (running.has(id)) return;
      running.add(id);
      pool
        .ask(task, id)
        .catch(logFailure(task.name, id))
        .finally(() => running.delete(id));
    };
  };
  const workspaces = new Workspaces(config.dataDir, {
    ...EVENT_LOOP,
    onStale: onceAtATime(migrateWorkspace),
    onGrown: onceAtATime(checkpointWorkspace),
  });
  const carrier = config.redisUrl
    ? bullmqCarrier(config.redisUrl, installation, log)
    : threadCarrier(pool, (workspaceId) => dispatcher.kick(workspaceId));
  const dispatcher = new Dispatcher(control, presence, carrier, pool, log);
  const credentials = new Credentials(control.reader);
  const longReads = new Map<string, Promise<ListResult>>();
  const timers: NodeJS.Timeout[] = [];
  return {
    config,
    log,
    control,
    workspaces,
    installation,
    pool,
    carrier,
    dispatcher,
    credentials,
    published: new PublishedContents(),
    waiter: new JobWaiter(control.reader),
    failedLogins: new FailureLimit("failed-authentication", MAX_FAILED_LOGINS),
    spoolBudget: new SpoolBudget(control.reader, config.workspaceSpoolMaxBytes),
    turns: new Turns(),
    writeProbe: new WriteProbe(control.writer),
    async readLongPage(workspaceUid, read) {
      const ask = () => pool.ask(readLongPage, { workspaceUid, ...read });
      const result = longReads.get(workspaceUid)?.then(ask, ask) ?? ask();
      longReads.set(workspaceUid, result);
      try {
        return await result;
      } finally {
        if (longReads.get(workspaceUid) === result) longReads.delete(workspaceUid);
      }
    },
    startUpkeep() {
      const tidy = () => {
        try {
          presence.sweep();
        } catch (error) {
          logFailure("sweep of locks")(error);
        }
        pool.ask(tidyStores, undefined).catch(logFailure("tidying"));
      };
      const writeUses = () => {
        if (!credentials.hasUses) return;
        whenFree(control.writer, 1000, () => credentials.flush(control.writer)).catch(
          logFailure("recording when credentials were used"),
        );
      };
      timers.push(setInterval(tidy, HOUR_MS).unref(), setInterval(writeUses, MINUTE_MS).unref());
      tidy();
    },
    isClosing: () => closing,
    async close(graceMs = 0) {
      closing = true;
      for (const timer of timers) clearInterval(timer);
      await dispatcher.close();
      await pool.close(graceMs);
      workspaces.close();
      presence.close();
      control.close();
      log.flush();
    },
  };
}
