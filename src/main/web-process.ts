// A process that serves the API. Without Redis, it also runs the jobs.

import cluster from "node:cluster";
import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../base/config.ts";
import { openMetrics, showMetrics } from "../metrics/open.ts";
import { createApp } from "./app.ts";
import { openContext, type Process } from "./context.ts";
import { greet } from "./greeting.ts";
import { cannotOpen, exitWith, onShutdown } from "./process.ts";
import { type ApiServer, startCellServer, startServer } from "./server.ts";

// The limits of a shutdown, for: requests that wait for a job; all requests; the clean-up after closed connections; jobs.
const MAX_WAIT_MS = 5000;
const MAX_REQUESTS_MS = 14_000;
const MAX_CLEANUP_MS = 1000;
const MAX_JOBS_MS = 10_000;

/**
 * Serves the API until the process is asked to end.
 * @param number of the process, from 0: of several, each shows its metrics on a port of its own, and one has the first steps and bull-board
 */
export async function serveWeb(installed: Config, number: number): Promise<void> {
  const config = number ? { ...installed, ...besideTheFirst(installed, number) } : installed;
  const metrics = await openMetrics(config);
  // With Redis, jobs run in worker processes.
  const context = await openContext(config, config.redisUrl ? 0 : config.workerConcurrency, metrics).catch(cannotOpen);
  await showMetrics(context).catch(exitWith);
  const app = createApp(context);
  const server: ApiServer = await startServer(context, app).catch(exitWith);
  const inner = context.directory && (await startCellServer(context, app).catch(exitWith));
  const board = await openBoard(context).catch(exitWith);
  onShutdown(context, async () => {
    board?.close();
    board?.closeAllConnections();
    // Until proxies have noticed, requests go on coming.
    context.retire();
    await Promise.all([context.directory?.leave(), sleep(config.drainDelaySeconds * 1000)]);
    const closed = Promise.all([server, inner?.tls].map((one) => one && new Promise((resolve) => one.close(resolve))));
    const servers = inner ? [server, inner.http] : [server];
    // Close each kept-alive connection soon after its last response.
    setInterval(() => {
      for (const one of servers) one.closeIdleConnections();
    }, 50).unref();
    context.waiter.hurry(MAX_WAIT_MS);
    context.eventWaiter.close();
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, MAX_REQUESTS_MS))]);
    for (const one of servers) one.closeAllConnections();
    await Promise.race([
      Promise.all(servers.map((one) => one.settle())),
      new Promise((resolve) => setTimeout(resolve, MAX_CLEANUP_MS)),
    ]);
    await context.close(MAX_JOBS_MS);
  });
  context.dispatcher.start();
  context.webhooks.start();
  context.mail?.mailer.start();
  context.startUpkeep();
  if (!number) greet(context, server);
  cluster.worker?.send("It serves.");
}

/** What the others have of their own. */
function besideTheFirst({ metricsPort }: Config, number: number): Partial<Config> {
  return { bullBoardPort: undefined, metricsPort: metricsPort && metricsPort + number };
}

/** Starts bull-board, if that is wanted: without, its code is not loaded. @throws Error when the port is taken */
async function openBoard({ config, installation, log }: Process): Promise<Server | undefined> {
  const { bullBoardPort: port, redisUrl, reusePort } = config;
  if (port === undefined || redisUrl === undefined) return undefined;
  const { startBoard } = await import("./board.ts");
  const opened = await startBoard({ redisUrl, port, reusePort }, installation).catch((cause: Error) => {
    throw new Error(`bull-board can't listen on BULL_BOARD_PORT: ${cause.message}`, { cause });
  });
  log.info({ url: `http://localhost:${port}` }, "bull-board listens");
  return opened;
}
