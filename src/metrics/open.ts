// Begins to measure, and shows it, in a process that has a METRICS_PORT. Others do not load what that needs: 4 MB, and 20 ms.

import type { Config } from "../base/config.ts";
import type { Measured } from "./gauges.ts";
import type { Metrics } from "./metrics.ts";

/** What the process measures with. Undefined where METRICS_PORT is not set. */
export async function openMetrics({ metricsPort }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { Metrics } = await import("./metrics.ts");
  return new Metrics();
}

/** Shows what the process measures, if it does. @throws Error, a sentence that says why it can't */
export async function showMetrics(context: Measured & { metrics: Metrics | undefined }): Promise<void> {
  if (!context.metrics) return;
  const { serveMetrics } = await import("./server.ts");
  await serveMetrics(context, context.metrics);
}
