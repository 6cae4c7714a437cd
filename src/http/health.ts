// /healthz and /readyz: for the supervisor that restarts the process, and for the load balancer that sends it requests.

import * as v from "valibot";
import type { Finding } from "../findings.ts";
import { type AnyEndpoint, defineEndpoint } from "./endpoint.ts";

const tag = "Health";
const Health = v.pipe(
  v.object({ status: v.picklist(["ok", "unavailable"]), reasons: v.array(v.string()) }),
  v.title("Health"),
);
const Readiness = v.pipe(
  v.object({
    status: v.picklist(["ok", "unavailable"]),
    reasons: v.pipe(v.array(v.string()), v.description("Why this process can't serve")),
    details: v.pipe(
      v.array(
        v.pipe(
          v.object({
            code: v.pipe(v.string(), v.description("Stable: `no_worker`, `disk_nearly_full`, …")),
            message: v.string(),
            blocking: v.pipe(v.boolean(), v.description("Whether this process can't serve because of it")),
            workspace: v.optional(v.pipe(v.string(), v.description("The id of the workspace that it is about"))),
          }),
          v.title("HealthDetail"),
        ),
      ),
      v.description("Everything that is wrong now, also what keeps nobody from being served"),
    ),
  }),
  v.title("Readiness"),
);

const alive = defineEndpoint({
  method: "get",
  path: "/healthz",
  operationId: "getHealth",
  tag,
  summary: "Whether the process is alive",
  description: "For a supervisor, which restarts the process when it does not answer.",
  examples: { ok: { reply: { status: "ok", reasons: [] } } },
  isPublic: true,
  replies: { 200: { description: "The process is alive", schema: Health } },
  problems: [],
  handle: () => ({ status: 200, body: JSON.stringify({ status: "ok", reasons: [] }) }),
});

const RETIRING: Finding = { code: "shutting_down", message: "The process is shutting down.", blocking: true };

const ready = defineEndpoint({
  method: "get",
  path: "/readyz",
  operationId: "getReadiness",
  tag,
  summary: "Whether the process can serve",
  description:
    "For a load balancer, which sends requests only to processes that are ready. `details` has everything that is wrong, " +
    "for whoever watches the service.",
  examples: { ok: { reply: { status: "ok", reasons: [], details: [] } } },
  isPublic: true,
  replies: {
    200: { description: "The process can serve", schema: Readiness },
    503: { description: "The process can't serve; `reasons` says why", schema: Readiness },
  },
  problems: [],
  async handle({ context }) {
    // At once: proxies have DRAIN_DELAY_SECONDS to notice.
    const details = context.isRetiring() ? [RETIRING] : await context.findings.current();
    const reasons = details.filter(({ blocking }) => blocking).map(({ message }) => message);
    return {
      status: reasons.length ? 503 : 200,
      body: JSON.stringify({ status: reasons.length ? "unavailable" : "ok", reasons, details }),
      headers: reasons.length ? { "Retry-After": "5" } : {},
    };
  },
});

export const healthRoutes: AnyEndpoint[] = [alive, ready];
