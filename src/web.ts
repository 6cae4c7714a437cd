// The web process: serves the API. Without Redis, it also runs the jobs.

import { setTimeout as sleep } from "node:timers/promises";
import { configOrExit } from "./config.ts";
import { openContext } from "./context.ts";
import { greet } from "./greeting.ts";
import { onShutdown, openOrExit } from "./process.ts";
import { type ApiServer, startServer } from "./server.ts";

// The limits of a shutdown, for: requests that wait for a job; all requests; the clean-up after closed connections; jobs.
const MAX_WAIT_MS = 5000;
const MAX_REQUESTS_MS = 14_000;
const MAX_CLEANUP_MS = 1000;
const MAX_JOBS_MS = 10_000;

const config = configOrExit();
// With Redis, jobs run in worker processes.
const context = openOrExit(() => openContext(config, config.redisUrl ? 0 : config.workerConcurrency));
const server: ApiServer = await startServer(context).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
onShutdown(context, async () => {
  // Until proxies have noticed, requests go on coming.
  context.retire();
  await sleep(config.drainDelaySeconds * 1000);
  const closed = new Promise((resolve) => server.close(resolve));
  // Close each kept-alive connection soon after its last response.
  setInterval(() => server.closeIdleConnections(), 50).unref();
  context.waiter.hurry(MAX_WAIT_MS);
  context.eventWaiter.close();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, MAX_REQUESTS_MS))]);
  server.closeAllConnections();
  await Promise.race([server.settle(), new Promise((resolve) => setTimeout(resolve, MAX_CLEANUP_MS))]);
  await context.close(MAX_JOBS_MS);
});
context.dispatcher.start();
context.webhooks.start();
context.startUpkeep();
greet(context, server);
