// The page with the workspace's jobs: the newest first, or the oldest.

import type { Reply } from "../../http/wire/reply.ts";
import { offsetOf, page, signedIn, type VisitorRequest } from "../shell/request.ts";
import { renderJobs } from "./page.tsx";

const JOBS_PER_PAGE = 20;

/** GET of the jobs. */
export async function showJobs(request: VisitorRequest): Promise<Reply> {
  const { base, calls } = request;
  const isOldestFirst = request.query.get("sort") === "createdAt";
  const query = `sort=${isOldestFirst ? "" : "-"}createdAt&pagination[limit]=${JOBS_PER_PAGE}&pagination[offset]=${offsetOf(request.query, JOBS_PER_PAGE)}`;
  const { total, limit, offset, items } = await calls.get("listJobs", { query });
  const curl = calls.curl("listJobs", { query });
  return page(200, renderJobs(base, signedIn(request), { total, limit, offset, jobs: items, isOldestFirst, curl }));
}
