// Measures, and serves the metrics, in a process that has a METRICS_PORT. Other processes do not load the modules for it: 4 MB, 20 ms.

import type { Config } from "../base/config.ts";
import type { Measured } from "./gauges.ts";
import type { Metrics } from "./metrics.ts";

/** The metrics of the process. Undefined if METRICS_PORT is not set. */
export async function openMetrics({ metricsPort }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { Metrics } = await import("./metrics.ts");
  return new Metrics();
}

/** Serves the metrics, if there are any. @throws Error, a sentence that says why it can't */
export async function showMetrics(context: Measured & { metrics: Metrics | undefined }): Promise<void> {
  if (!context.metrics) return;
  const { serveMetrics } = await import("./server.ts");
  await serveMetrics(context, context.metrics);
}
