// The real service for a test: the web server and its workers in this process, on real SQLite files in a folder of its own.

import { mkdtempSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { type Config, readConfig } from "../../src/base/config.ts";
import { BY_SERVICE } from "../../src/events/record.ts";
import { openContext, type Process } from "../../src/main/context.ts";
import { startServer } from "../../src/main/server.ts";
import { createWorkspace } from "../../src/workspaces/create.ts";
import { Client } from "./client.ts";
import { removeFolder } from "./folder.ts";
import { afterGroup } from "./grouped.ts";
import { emptyLog } from "./store.ts";
import { until } from "./until.ts";

/** How jobs are carried: the suite runs once with each. */
export const carrier: "threads" | "redis" = process.env.CARRIER === "redis" ? "redis" : "threads";

export interface Service {
  url: string;
  config: Config;
  context: Process;
  /** A client of a new, empty workspace. */
  workspace(name?: string, isSandbox?: boolean): Client;
  /** A client of a new workspace, which has a screener. */
  screener(): Promise<{ client: Client; screenerId: string }>;
  /** Resolves when no job is waiting or under way. */
  drain(): Promise<void>;
}

export interface ServiceOptions {
  config?: Partial<Config>;
  /** Worker processes' worth of consumers, where jobs go through Redis. 0: nobody takes them. */
  workers?: number;
}

let shared: Promise<Service> | undefined;

/** The service of all files of a process that see no more of it than the workspaces they make. */
export function sharedService(): Promise<Service> {
  shared ??= start({}, afterGroup);
  return shared;
}

/** Starts the service. It ends with the test, or the file, that starts it. */
export function startService(options: ServiceOptions = {}): Promise<Service> {
  return start(options, after);
}

async function start(
  { config: overrides = {}, workers = 1 }: ServiceOptions,
  atEnd: (end: () => Promise<void>) => void,
): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), "screening-"));
  const config: Config = {
    ...readConfig({ LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? "error", PORT: "0" }),
    dataDir,
    erasedDir: join(dataDir, "erased"),
    // Receivers of tests are on this machine.
    webhookAllowPrivate: true,
    redisUrl: carrier === "redis" ? process.env.TEST_REDIS_URL : undefined,
    ...overrides,
  };
  if (carrier === "redis" && !config.redisUrl)
    throw new Error("TEST_REDIS_URL is missing: run the tests through npm test.");
  const context = await openContext(config, config.redisUrl ? 0 : config.workerConcurrency);
  const server: Server = await startServer(context);
  context.dispatcher.start();
  context.webhooks.start();
  context.mail?.mailer.start();
  const ends: (() => Promise<void>)[] = [];
  if (config.redisUrl) for (let i = 0; i < workers; i++) ends.push(await startWorker(config));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    for (const end of ends) await end();
    await context.close();
    removeFolder(dataDir);
  });
  const workspace = (name = "Test", isSandbox = false) => {
    const made = createWorkspace(context.control, context.workspaces, name, BY_SERVICE, isSandbox);
    emptyLog(context.workspaces, made.workspace.id);
    return new Client(url, made.workspace.id, { apiKey: made.apiKey, apiSecret: made.apiSecret });
  };
  return {
    url,
    config,
    context,
    workspace,
    async screener() {
      const client = workspace();
      return { client, screenerId: await client.screener() };
    },
    async drain() {
      const open = "SELECT count(*) FROM job WHERE finished_at IS NULL";
      await until(() => context.control.reader.value<number>(open) === 0, "all jobs are done", 60_000);
    },
  };
}

/** What workers/main.ts does, in this process. @returns how to end it */
async function startWorker(config: Config): Promise<() => Promise<void>> {
  const context = await openContext(config, config.workerConcurrency);
  // Most files need no Redis, and to load what speaks to it takes a quarter of their start.
  const { BullmqConsumer } = await import("../../src/engine/carriers/bullmq.ts");
  const consumer = new BullmqConsumer(config.redisUrl!, context.installation, {
    pool: context.pool,
    concurrency: config.workerConcurrency,
    log: context.log,
    onEnd: (workspaceId) => context.dispatcher.kick(workspaceId),
  });
  context.dispatcher.start();
  context.webhooks.start();
  context.mail?.mailer.start();
  return async () => {
    await consumer.close();
    await context.close();
  };
}
