// /healthz and /readyz: for the supervisor that restarts the process, and for the load balancer that sends it requests.

import * as v from "valibot";
import type { Finding } from "../base/findings.ts";
import { RELEASE } from "../base/release.ts";
import { type AnyEndpoint, defineEndpoint } from "../http/endpoint.ts";

const tag = "Health";
const Health = v.pipe(
  v.object({
    status: v.picklist(["ok", "unavailable"]),
    reasons: v.array(v.string()),
    cell: v.optional(v.pipe(v.string(), v.description("The name of the cell, if the installation is one of several"))),
    version: v.pipe(v.string(), v.description("The release of the service")),
    build: v.pipe(v.nullable(v.string()), v.description("Names the code that runs; null: it was not compiled")),
    node: v.pipe(v.string(), v.description("The version of Node.js")),
    schema: v.pipe(
      v.object({ control: v.number(), workspace: v.number() }),
      v.description("The schema versions of the stores that this release writes"),
    ),
  }),
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
            blocking: v.pipe(
              v.boolean(),
              v.description(
                "Whether this process can't serve because of it; with `writes`: whether it can't serve writes",
              ),
            ),
            workspace: v.optional(v.pipe(v.string(), v.description("The id of the workspace that it is about"))),
            job: v.optional(v.pipe(v.string(), v.description("The id of the job that it is about"))),
            blocked: v.optional(
              v.pipe(
                v.object({ since: v.string(), code: v.string(), nextTryAt: v.string() }),
                v.description("Of `job_blocked`: since when the job is set aside, why, and when it is tried again"),
              ),
            ),
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
  description: "For a supervisor, which restarts the process when it does not answer. It says which release it is of.",
  examples: {
    ok: {
      reply: {
        ...{ status: "ok", reasons: [], version: "1.1.0", build: "3f5c6141ccbb", node: "24.21.0" },
        schema: { control: 19, workspace: 21 },
      },
    },
  },
  isPublic: true,
  replies: { 200: { description: "The process is alive", schema: Health } },
  problems: [],
  handle: ({ context: { cell } }) => ({
    status: 200,
    body: JSON.stringify({ status: "ok", reasons: [], cell: cell ?? undefined, ...RELEASE }),
  }),
});

const ReadinessParameters = v.object({
  writes: v.optional(
    v.pipe(
      v.picklist(["", "true"]),
      v.description("Whether the process can serve writes, too. Without it: whether it can serve reads."),
    ),
  ),
});

const RETIRING: Finding = { code: "shutting_down", message: "The process is shutting down.", blocking: true };

const ready = defineEndpoint({
  method: "get",
  path: "/readyz",
  operationId: "getReadiness",
  tag,
  summary: "Whether the process can serve",
  description:
    "For a load balancer, which sends requests only to processes that are ready. Where nothing can be written, as on a full " +
    "disk, `/readyz` stays at 200 with the detail `read_only`, and `/readyz?writes` is 503. `details` has everything that is " +
    "wrong, for those who watch the service.",
  examples: {
    ok: { reply: { status: "ok", reasons: [], details: [] } },
    writes: { query: { writes: "true" }, reply: { status: "ok", reasons: [], details: [] } },
  },
  parameters: ReadinessParameters,
  isPublic: true,
  replies: {
    200: { description: "The process can serve", schema: Readiness },
    503: { description: "The process can't serve; `reasons` says why", schema: Readiness },
  },
  problems: [],
  async handle({ context, parameters }) {
    const isOfWrites = parameters?.writes !== undefined;
    // At once: proxies have DRAIN_DELAY_SECONDS to notice.
    const found = context.isRetiring() ? [RETIRING] : await context.findings.current();
    const details = found.map((one) => ({ ...one, blocking: one.blocking === true || (isOfWrites && !!one.blocking) }));
    const reasons = details.filter(({ blocking }) => blocking).map(({ message }) => message);
    return {
      status: reasons.length ? 503 : 200,
      body: JSON.stringify({ status: reasons.length ? "unavailable" : "ok", reasons, details }),
      headers: {
        ...(reasons.length && { "Retry-After": "5" }),
        // A drill, or a supervisor, asks by address: another process may answer there.
        ...(context.config.readyNonce !== undefined && { "X-Ready-Nonce": context.config.readyNonce }),
      },
    };
  },
});

export const healthRoutes: AnyEndpoint[] = [alive, ready];
