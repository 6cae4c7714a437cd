// What a process measures while it works. What is asked for when somebody looks is in gauges.ts.

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
