// What a process measures while it works. Figures that are read only with the metrics are in gauges.ts.

import { Registry } from "prom-client";
import { RequestMetrics } from "../http/wire/request-metrics.ts";
import { JobMetrics } from "./jobs.ts";

export class Metrics {
  readonly registry = new Registry();
  readonly requests = new RequestMetrics(this.registry);
  readonly jobs = new JobMetrics(this.registry);

  /** All of it, in the text format of Prometheus. */
  async text(): Promise<string> {
    return `${await this.registry.metrics()}\n${this.requests.text()}`;
  }
}
