// /healthz and /readyz: for whoever keeps the process running, and for whoever sends it work.

import * as v from "valibot";
import { currentVersion } from "../../db/migrate.ts";
import type { Context } from "../context.ts";
import { type AnyEndpoint, defineEndpoint } from "./endpoint.ts";

const tag = "Health";
const Health = v.object({ status: v.picklist(["ok", "unavailable"]), reasons: v.array(v.string()) });

const alive = defineEndpoint({
  method: "get",
  path: "/healthz",
  operationId: "getHealth",
  tag,
  summary: "Whether the process is alive",
  open: true,
  replies: { 200: { description: "It is", schema: Health } },
  problems: [],
  handle: () => ({ status: 200, body: JSON.stringify({ status: "ok", reasons: [] }) }),
});

const ready = defineEndpoint({
  method: "get",
  path: "/readyz",
  operationId: "getReadiness",
  tag,
  summary: "Whether work can be accepted and applied",
  open: true,
  replies: {
    200: { description: "It can", schema: Health },
    503: { description: "It can't, for these reasons", schema: Health },
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
    reasons.push("The store's schema is not the one that this release knows.");
  }
  const carrierReason = await carrier.check();
  if (carrierReason) reasons.push(carrierReason);
  return reasons;
}
