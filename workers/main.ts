// A worker process: takes jobs from BullMQ and runs them in its threads. There may be any number of worker processes.

import { configOrExit, isNowhere, refuseArguments, UNKNOWN_PORT } from "../src/base/config.ts";
import { BullmqConsumer } from "../src/engine/carriers/bullmq.ts";
import { openContext } from "../src/main/context.ts";
import { cannotOpen, exitWith, onShutdown } from "../src/main/process.ts";
import { openMetrics, showMetrics } from "../src/metrics/open.ts";

/** How long running jobs may continue. The process ends within 30 s; the rest is for a statement that can't be stopped. */
const DRAIN_MS = 22_000;

refuseArguments();
const config = configOrExit();
if (!config.redisUrl) {
  process.stderr.write(
    "A worker takes its jobs from Redis: set REDIS_URL. Without Redis, `npm start` also runs the jobs.\n",
  );
  process.exit(1);
}
// It sends mail with links, and does not listen itself.
if (config.mail && isNowhere(config.publicUrl)) process.stderr.write(`${UNKNOWN_PORT}\n`);
const metrics = await openMetrics(config);
const context = await openContext(config, config.workerConcurrency, metrics).catch(cannotOpen);
await showMetrics(context).catch(exitWith);
const consumer = new BullmqConsumer(config.redisUrl, context.installation, {
  pool: context.pool,
  concurrency: config.workerConcurrency,
  log: context.log,
  onEnd: (workspaceId) => context.dispatcher.kick(workspaceId),
});
onShutdown(context, async () => {
  await consumer.close();
  await context.close(DRAIN_MS);
});
context.dispatcher.start();
context.webhooks.start();
context.mail?.mailer.start();
context.startUpkeep();
context.log.info({ concurrency: config.workerConcurrency }, "worker started");
