// The page that says how many people of the workspace fit a study, and how many of them can be written to.

import type { Reply } from "../../http/wire/reply.ts";
import { page, type VisitorRequest } from "../shell/request.ts";
import { studyFrame } from "../study/handlers.ts";
import { renderFeasibility } from "./page.tsx";

/** GET of it. */
export async function showFeasibility(request: VisitorRequest): Promise<Reply> {
  const { calls, params } = request;
  const { frame } = await studyFrame(request);
  const call = { id: params.id!, body: {} };
  const { value } = await calls.send("assessScreenerFeasibility", call);
  return page(200, renderFeasibility(frame, value, calls.curl("assessScreenerFeasibility", call)));
}
