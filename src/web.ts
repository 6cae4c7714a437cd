// The web process: serves the API; without Redis, it also runs the jobs.

import "./node-version.ts";
import { configOrExit } from "./config.ts";
import { openContext } from "./context.ts";
import { greet } from "./greeting.ts";
import { onShutdown, openOrExit } from "./process.ts";
import { type ApiServer, startServer } from "./server.ts";

/** What a job that someone waits for gets, what a request gets, and what a job gets, before the process ends. */
const WAITERS_MS = 5000;
const REQUESTS_MS = 14_000;
const CLEARING_MS = 1000;
const JOBS_MS = 10_000;

const config = configOrExit();
// With Redis, jobs run in worker processes.
const context = openOrExit(() => openContext(config, config.redisUrl ? 0 : config.workerConcurrency));
const server: ApiServer = await startServer(context).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
onShutdown(context, async () => {
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection that is kept open is of no use any more when its last request is answered.
  setInterval(() => server.closeIdleConnections(), 50).unref();
  context.waiter.hurry(WAITERS_MS);
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, REQUESTS_MS))]);
  server.closeAllConnections();
  await Promise.race([server.settle(), new Promise((resolve) => setTimeout(resolve, CLEARING_MS))]);
  await context.close(JOBS_MS);
});
context.dispatcher.start();
context.startUpkeep();
greet(context, server);
