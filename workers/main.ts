// A worker process: takes jobs from BullMQ and runs them in its threads. Any number of them may run side by side.

import "../src/node-version.ts";
import { configOrExit } from "../src/config.ts";
import { openContext } from "../src/context.ts";
import { BullmqConsumer } from "../src/jobs/carriers/bullmq.ts";
import { onShutdown, openOrExit } from "../src/process.ts";

/** What a job gets before the process ends. The rest of 30 seconds is for a statement that can't be interrupted. */
const DRAIN_MS = 22_000;

const config = configOrExit();
if (!config.redisUrl) {
  process.stderr.write(
    "A worker takes its jobs from Redis: set REDIS_URL. Without Redis, `npm start` runs jobs itself.\n",
  );
  process.exit(1);
}
const context = openOrExit(() => openContext(config, config.workerConcurrency));
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
context.startUpkeep();
context.log.info({ concurrency: config.workerConcurrency }, "worker started");
