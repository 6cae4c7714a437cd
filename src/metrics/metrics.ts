// What a process measures while it works. Figures that are read only with the metrics are in gauges.ts.

import { Counter, Registry } from "prom-client";
import { RequestMetrics } from "../http/wire/request-metrics.ts";
import { tally } from "../nouns/quotas/tally.ts";
import { JobMetrics } from "./jobs.ts";

export class Metrics {
  readonly registry = new Registry();
  readonly requests = new RequestMetrics(this.registry);
  readonly jobs = new JobMetrics(this.registry);

  constructor() {
    new Counter({
      name: "screening_quota_claims_total",
      help: "Places in quotas that were given to participants (granted), or for which there was no room (refused).",
      labelNames: ["result"],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [result, count] of Object.entries(tally)) this.inc({ result }, count);
      },
    });
  }

  /** All of it, in the text format of Prometheus. */
  async text(): Promise<string> {
    return `${await this.registry.metrics()}\n${this.requests.text()}`;
  }
}
