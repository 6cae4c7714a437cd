// /healthz and /readyz: for the supervisor that restarts the process, and for the load balancer that sends it requests.

import * as v from "valibot";
import { currentVersion } from "../../db/migrate.ts";
import type { Context } from "../context.ts";
import { type AnyEndpoint, defineEndpoint } from "./endpoint.ts";

const tag = "Health";
const Health = v.pipe(
  v.object({ status: v.picklist(["ok", "unavailable"]), reasons: v.array(v.string()) }),
  v.title("Health"),
);
const examples = { ok: { reply: { status: "ok", reasons: [] } } };

const alive = defineEndpoint({
  method: "get",
  path: "/healthz",
  operationId: "getHealth",
  tag,
  summary: "Whether the process is alive",
  description: "For a supervisor, which restarts the process when it does not answer.",
  examples,
  isPublic: true,
  replies: { 200: { description: "The process is alive", schema: Health } },
  problems: [],
  handle: () => ({ status: 200, body: JSON.stringify({ status: "ok", reasons: [] }) }),
});

const ready = defineEndpoint({
  method: "get",
  path: "/readyz",
  operationId: "getReadiness",
  tag,
  summary: "Whether work can be accepted and applied",
  description: "For a load balancer, which sends requests only to processes that are ready.",
  examples,
  isPublic: true,
  replies: {
    200: { description: "Work can be accepted and applied", schema: Health },
    503: { description: "Work can't be accepted or applied; `reasons` says why", schema: Health },
  },
  problems: [],
  async handle({ context }) {
    const reasons = await readiness(context);
    const status = reasons.length ? 503 : 200;
    return {
      status,
      body: JSON.stringify({ status: reasons.length ? "unavailable" : "ok", reasons }),
      headers: reasons.length ? { "Retry-After": "5" } : {},
    };
  },
});

export const healthRoutes: AnyEndpoint[] = [alive, ready];

async function readiness(context: Context): Promise<string[]> {
  const { control, carrier } = context;
  const reasons: string[] = [];
  if (context.isClosing()) reasons.push("The process is shutting down.");
  const trouble = await context.writeProbe.trouble();
  if (trouble) reasons.push(trouble);
  if (control.reader.value<number>("PRAGMA user_version") !== currentVersion("control")) {
    reasons.push("The control store's schema version is not the one of this release.");
  }
  const carrierReason = await carrier.check();
  if (carrierReason) reasons.push(carrierReason);
  return reasons;
}
