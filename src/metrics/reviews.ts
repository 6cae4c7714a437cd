// For how long the session that waits longest for a review has waited. An installation may have thousands of stores, so a thread looks, at most
// every five minutes: a scrape gets what was found last, at once.

import { Gauge, type Registry } from "prom-client";
import type { Context } from "../http/context.ts";
import { lookWhoIsReviewed } from "../reviews/oldest.ts";

const KEEP_MS = 5 * 60_000;

export function reviewGauge(registry: Registry, { pool, log }: Pick<Context, "pool" | "log">): () => void {
  const gauge = new Gauge({
    name: "screening_review_oldest_pending_age_seconds",
    help: "How long the session that waits longest for a review has waited. 0: none waits. Up to five minutes old. Of the installation, without suspended workspaces.",
    registers: [registry],
  });
  let latest: number | null | undefined;
  let begunAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - begunAt >= KEEP_MS) {
      begunAt = now;
      pool.ask(lookWhoIsReviewed, undefined).then(
        (found) => {
          latest = found;
        },
        (err: unknown) => {
          latest = undefined;
          log.warn({ err }, "reviews could not be looked at");
        },
      );
    }
    gauge.set(latest === undefined ? Number.NaN : latest === null ? 0 : Math.max(0, Date.now() - latest) / 1000);
  };
}
