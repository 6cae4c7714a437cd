// The pages about what runs: of the workspace, for its admins; and of the whole installation, for its operators.

import { measureInstallation } from "../../api/system/installation.ts";
import { systemState } from "../../api/system/state.ts";
import { askAllCells, type CellOverview } from "../../cells/overview.ts";
import type { Context } from "../../http/context.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { type ConsoleRoute, offsetOf, page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { webhookFindings } from "../webhooks/handlers.ts";
import { renderInstallation } from "./installation-page.tsx";
import { renderSystem } from "./page.tsx";

const WORKSPACES_PER_PAGE = 50;

const path = "/console/system";

export const systemPages: readonly ConsoleRoute[] = [
  { method: "get", path, role: "admin", handle: (request) => showSystem(request, {}) },
  { method: "post", path: `${path}/reset`, role: "admin", handle: resetSandbox },
  { method: "get", path: "/console/installation", role: "viewer", isForOperators: true, handle: showInstallation },
];

/** GET of what the workspace takes, and of what is wrong with what it runs on. */
async function showSystem(
  request: VisitorRequest,
  { typed = "", fault }: { typed?: string; fault?: string },
): Promise<Reply> {
  const { base, calls, context, visitor } = request;
  const [usage, state, ofWebhooks] = await Promise.all([
    calls.get("getWorkspaceUsage"),
    systemState(context),
    webhookFindings(calls),
  ]);
  // What is wrong with another workspace is for others.
  const findings = state.findings.filter(
    ({ workspace = visitor.workspace_uid }) => workspace === visitor.workspace_uid,
  );
  const curl = calls.curl("getWorkspaceUsage");
  return page(
    fault ? 422 : 200,
    renderSystem(base, signedIn(request), {
      usage,
      typed,
      fault,
      state: { ...state, findings: [...findings, ...ofWebhooks] },
      now: Date.now(),
      curl,
    }),
  );
}

/** POST: empties a sandbox. The name of the workspace is typed in. */
async function resetSandbox(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, visitor } = request;
  const typed = fields("confirm");
  if (visitor.is_sandbox && typed.trim() !== visitor.workspace_name)
    return showSystem(request, { typed, fault: `Type ${visitor.workspace_name} to confirm.` });
  const { headers } = await calls.send("resetSandbox", { headers: { prefer: "respond-async" } });
  return redirect(`${base}/console${headers.Location}`);
}

/** GET of figures of all workspaces. */
async function showInstallation(request: VisitorRequest): Promise<Reply> {
  const { base, context, query } = request;
  const limits = { limit: WORKSPACES_PER_PAGE, offset: offsetOf(query, WORKSPACES_PER_PAGE) };
  const [state, figures, cells] = await Promise.all([
    systemState(context),
    context.pool.ask(measureInstallation, limits),
    allCells(context),
  ]);
  const view = { state, cells, ...figures, ...limits, now: Date.now() };
  return page(200, renderInstallation(base, signedIn(request), view));
}

/** undefined: it is no cell. null: Redis does not answer, which is among what is wrong. */
async function allCells({ cell, config: { redisUrl } }: Context): Promise<CellOverview[] | null | undefined> {
  if (cell === null || redisUrl === undefined) return undefined;
  return askAllCells(redisUrl).catch(() => null);
}
