// The routes of imports: files, their plans, jobs, and links.

import type { ConsoleRoute } from "../shell/request.ts";
import { discardFile, planFile, showImport, showMapping, takeFile, takeSheet } from "./choose.ts";
import {
  applyPlan,
  cancelJob,
  moveLinks,
  openLinks,
  planOffer,
  planRecount,
  planUndo,
  retryJob,
  sendLinks,
  showJob,
} from "./jobs.ts";
import { sendRows, showRows } from "./rows.ts";
import { sendWrongRows } from "./wrong-rows.ts";

export const importPages: readonly ConsoleRoute[] = [
  { method: "get", path: "/console/studies/:id/import", role: "researcher", handle: showImport },
  { method: "post", path: "/console/studies/:id/import", role: "researcher", handle: takeFile, takesFile: true },
  { method: "get", path: "/console/studies/:id/links.csv", role: "researcher", handle: sendLinks },
  { method: "post", path: "/console/studies/:id/links", role: "researcher", handle: openLinks },
  { method: "post", path: "/console/studies/:id/move", role: "researcher", handle: moveLinks },
  { method: "post", path: "/console/studies/:id/quotas/:quota/recount", role: "researcher", handle: planRecount },
  { method: "post", path: "/console/studies/:id/quotas/:quota/offer", role: "researcher", handle: planOffer },
  { method: "get", path: "/console/files/:id", role: "researcher", handle: showMapping },
  { method: "post", path: "/console/files/:id", role: "researcher", handle: planFile },
  { method: "post", path: "/console/files/:id/sheet", role: "researcher", handle: takeSheet },
  { method: "post", path: "/console/files/:id/discard", role: "researcher", handle: discardFile },
  { method: "get", path: "/console/files/:id/wrong-rows.csv", role: "researcher", handle: sendWrongRows },
  { method: "get", path: "/console/jobs/:id", role: "viewer", handle: showJob },
  { method: "get", path: "/console/jobs/:id/rows", role: "viewer", handle: showRows },
  { method: "get", path: "/console/jobs/:id/rows.csv", role: "viewer", handle: sendRows },
  { method: "post", path: "/console/jobs/:id/apply", role: "researcher", handle: applyPlan },
  { method: "post", path: "/console/jobs/:id/cancel", role: "researcher", handle: cancelJob },
  { method: "post", path: "/console/jobs/:id/retry", role: "researcher", handle: retryJob },
  { method: "post", path: "/console/jobs/:id/undo", role: "researcher", handle: planUndo },
];
