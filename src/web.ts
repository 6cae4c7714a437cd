// The web process: serves the API. With WEB_CONCURRENCY it supervises several that do.

import cluster from "node:cluster";
import { configOrExit, refuseArguments } from "./base/config.ts";

// Those that it starts itself have their number.
if (cluster.isPrimary) refuseArguments();
const config = configOrExit();
// What one of them needs, the other does not load.
if (config.webConcurrency > 1 && cluster.isPrimary) {
  const { superviseWebs } = await import("./main/web-supervisor.ts");
  superviseWebs(config);
} else {
  const { serveWeb } = await import("./main/web-process.ts");
  // The supervisor says which of them this is.
  await serveWeb(config, cluster.isWorker ? Number(process.argv[2]) : 0);
}
