// What a process owns, opened in order and closed in reverse.

import { randomUUID } from "node:crypto";
import { type Control, openControl } from "../db/control.ts";
import { Presence } from "../db/lock.ts";
import { Workspaces, type WorkspacesOptions } from "../db/workspaces.ts";
import { whenFree } from "../db/write.ts";
import type { Config } from "./config.ts";
import { bullmqCarrier } from "./jobs/carriers/bullmq.ts";
import { threadCarrier } from "./jobs/carriers/threads.ts";
import { type Carrier, Dispatcher } from "./jobs/dispatch.ts";
import { Pool } from "./jobs/pool.ts";
import { JobWaiter } from "./jobs/wait.ts";
import { createLog, type Log } from "./log.ts";
import { PublishedContents } from "./screener-content/published.ts";
import { Credentials } from "./workspaces/credentials.ts";
import { installationId } from "./workspaces/installation.ts";

/** What every process that serves or works owns. */
export interface Context {
  config: Config;
  log: Log;
  control: Control;
  workspaces: Workspaces;
  /** The installation's id: what keeps it apart from others on one Redis. */
  installation: string;
  pool: Pool;
  carrier: Carrier;
  dispatcher: Dispatcher;
  credentials: Credentials;
  published: PublishedContents;
  waiter: JobWaiter;
  /** Begins to look after the store: what has had its time, what is out of date, when credentials were last used. */
  startUpkeep(): void;
  isClosing(): boolean;
  /** Ends what is under way, for at most `graceMs`, and closes everything. */
  close(graceMs?: number): Promise<void>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** An event loop must never wait for a lock, for the disk, nor copy a log into its file: each may take seconds. */
const NEVER_BLOCK = { busyTimeoutMs: 0, checkpoints: false, durable: "flush" } as const;

/** Opens everything that a process needs. `threads` are for jobs. */
export function openContext(config: Config, threads: number): Context {
  const log = createLog(config);
  const control = openControl(config.dataDir, NEVER_BLOCK);
  const installation = installationId(control.reader);
  const presence = new Presence(config.dataDir, randomUUID());
  const pool = new Pool(config, presence.name, control.writer, log, threads);
  const migrating = new Set<string>();
  const checkpointing = new Set<string>();
  const options: WorkspacesOptions = {
    ...NEVER_BLOCK,
    onStale: (id) => {
      // Every request for it comes by here until it is done.
      if (migrating.has(id)) return;
      migrating.add(id);
      pool
        .ask({ migrate: id })
        .catch((error: unknown) => {
          if (!closing) log.error({ err: error, workspace: id }, "migration failed");
        })
        .finally(() => migrating.delete(id));
    },
    onGrown: (id) => {
      if (checkpointing.has(id)) return;
      checkpointing.add(id);
      pool
        .ask({ checkpoint: id })
        .catch((error: unknown) => log.warn({ err: error, workspace: id }, "checkpoint failed"))
        .finally(() => checkpointing.delete(id));
    },
  };
  const workspaces = new Workspaces(config.dataDir, options);
  const carrier = config.redisUrl
    ? bullmqCarrier(config.redisUrl, installation, log)
    : threadCarrier(pool, (workspaceId) => dispatcher.kick(workspaceId));
  const dispatcher = new Dispatcher(control, presence, carrier, pool, log);
  const credentials = new Credentials(control.reader);
  const timers: NodeJS.Timeout[] = [];
  let closing = false;
  const complain = (error: unknown) => log.warn({ err: error }, "upkeep failed; it is tried again");
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
    startUpkeep() {
      const tidy = () => {
        try {
          presence.sweep();
        } catch (error) {
          complain(error);
        }
        pool.ask({ tidy: true }).catch(complain);
      };
      const writeUses = () => {
        if (!credentials.hasUses) return;
        whenFree(control.writer, 1000, () => credentials.flush(control.writer)).catch(complain);
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
