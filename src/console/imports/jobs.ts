// One job: what an import or an undo will do or has done, its rows, and what can be done about it.

import { isUndo } from "../../api/job-kinds.ts";
import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import type { Job } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { unchecked } from "../shell/forms.ts";
import { hasEffects, isRetryable, numberToConfirm } from "../shell/job-words.ts";
import { page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { chosenFilesOf, jobOf } from "./choose.ts";
import type { JobView } from "./job-actions.tsx";
import { pageOf, renderJob } from "./job-page.tsx";
import { planWords } from "./plan-words.ts";

/** How long the page of an unfinished job waits for its end, and how long the browser then waits until it asks again. */
const WAIT_SECONDS = 2;
const REFRESH_SECONDS = 3;

/** GET of a job. While it is open, the browser asks again. */
export async function showJob(request: VisitorRequest): Promise<Reply> {
  return jobPage(request, 200, {});
}

async function jobPage(
  request: VisitorRequest,
  status: number,
  { typed = "", fault, refusal }: { typed?: string; fault?: string; refusal?: string },
): Promise<Reply> {
  const { base, calls, params, query, token } = request;
  const id = params.id!;
  const headers = { prefer: `wait=${WAIT_SECONDS}` };
  const job = await calls.get("getJob", { id, headers });
  // Until then the import may have to be planned anew.
  if (job.status === "SUCCEEDED") await removeChosenFile(request, job);
  const isOpen = job.finishedAt === null;
  const isWatched = isOpen && query.get("watch") !== "off";
  const view = {
    token,
    job,
    isWatched,
    title: await titleOfScreener(request, job),
    fileId: job.status !== "SUCCEEDED" && job.finishedAt !== null ? await chosenFileOf(request, job) : undefined,
    hasRows: await hasRows(request, job),
    review: await reviewOf(request, job),
    key: newId(),
    typed,
    fault,
    refusal,
    curl:
      job.status === "PLANNED"
        ? calls.curl("applyJob", { id })
        : isRetryable(job)
          ? calls.curl("retryJob", { id })
          : calls.curl("getJob", { id, ...(isOpen && { headers }) }),
  };
  const reply = page(status, renderJob(base, signedIn(request), view));
  return isWatched ? { ...reply, headers: { Refresh: String(REFRESH_SECONDS) } } : reply;
}

/** The title of the study; undefined: there is none, or not any more. */
async function titleOfScreener({ calls }: VisitorRequest, { screenerId }: Job): Promise<string | null | undefined> {
  if (screenerId === null) return undefined;
  const screener = await orUndefined(calls.get("getScreener", { id: screenerId }));
  return screener?.title;
}

async function chosenFileOf(request: VisitorRequest, { id, screenerId }: Job): Promise<string | undefined> {
  if (screenerId === null) return undefined;
  return (await chosenFilesOf(request).of(screenerId)).find(({ jobId }) => jobId === id)?.id;
}

async function removeChosenFile(request: VisitorRequest, job: Job): Promise<void> {
  const fileId = await chosenFileOf(request, job);
  if (fileId) await chosenFilesOf(request).remove(fileId);
}

/** Whether there are rows to show. Of an import that failed, only wrong ones say something. */
async function hasRows({ calls }: VisitorRequest, { id, finishedAt, kind, status }: Job): Promise<boolean> {
  if (finishedAt === null || !hasEffects(kind)) return false;
  const query = status === "FAILED" ? "filter[outcome][eq]=REJECTED" : "";
  return Boolean(await orUndefined(calls.total("listJobRows", { id, query })));
}

/** What a review decides; and the quotas with room in which places can be offered once many were rejected. */
async function reviewOf({ calls }: VisitorRequest, job: Job): Promise<JobView["review"]> {
  const { id, kind, screenerId, status, finishedAt } = job;
  if (planWords(job).effect !== "reviewed" || isUndo(kind) || finishedAt === null || screenerId === null) return null;
  const query = "pagination[limit]=1&filter[outcome][eq]=REVIEWED";
  const [row] = (await orUndefined(calls.get("listJobRows", { id, query })))?.items ?? [];
  const decision = row?.changes[0]?.to;
  if (decision !== "ACCEPTED" && decision !== "REJECTED") return null;
  if (decision === "ACCEPTED" || status !== "SUCCEEDED") return { decision, free: [] };
  const quotas = await orUndefined(calls.get("listScreenerQuotas", { id: screenerId, query: "pagination[limit]=500" }));
  const free = (quotas?.items ?? []).filter((one) => one.status === "OPEN" && one.limit !== null);
  return { decision, free: free.map(({ id, name }) => ({ id, name })) };
}

/** What a call replies with; undefined when there is no such thing, or no longer. */
export async function orUndefined<T>(reply: Promise<T>): Promise<T | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof Problem && (error.status === 404 || error.status === 410)) return undefined;
    throw error;
  }
}

const WHAT_IS_TYPED: Record<string, string> = { reviewed: "are affected", erased: "are erased" };

/** POST: applies a plan. How many are removed, erased, or reviewed, is typed in. */
export async function applyPlan(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params } = request;
  const id = params.id!;
  const job = await calls.get("getJob", { id });
  const number = numberToConfirm(job);
  const typed = fields("removals");
  if (job.status === "PLANNED" && number > 0 && typed.replaceAll(/[\s.,’']/g, "") !== String(number)) {
    const what = WHAT_IS_TYPED[planWords(job).effect ?? ""] ?? "are removed";
    return jobPage(request, 422, { typed, fault: `Type ${number} to confirm. It is how many people ${what}.` });
  }
  await started(calls.send("applyJob", { id, headers: { prefer: "respond-async" } }), id);
  return redirect(`${base}/console/jobs/${id}`);
}

/** POST: discards a plan, or cancels a job. */
export async function cancelJob(request: VisitorRequest): Promise<Reply> {
  const { base, calls, params } = request;
  const { value } = await calls.send("cancelJob", { id: params.id! });
  await removeChosenFile(request, value);
  return redirect(`${base}${pageOf(value)?.path ?? "/console/jobs"}`);
}

/** POST: has a job run again that failed for a reason of the service's own. */
export async function retryJob(request: VisitorRequest): Promise<Reply> {
  const { base, calls, params } = request;
  const id = params.id!;
  try {
    await calls.send("retryJob", { id });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "job_not_retryable") throw error;
    return jobPage(request, 409, { refusal: error.message });
  }
  return redirect(`${base}/console/jobs/${id}`);
}

/** POST: shows what undoing a job would do. */
export async function planUndo({ base, calls, fields, params }: VisitorRequest): Promise<Reply> {
  const headers = { prefer: "respond-async", "idempotency-key": fields("key") || newId() };
  const undo = await started(calls.send("undoJob", { id: params.id!, headers, body: { dryRun: true } }));
  return redirect(`${base}/console/jobs/${undo}`);
}

/** POST: opens a link for everybody of a study who has none. */
export async function openLinks({ base, calls, fields, params }: VisitorRequest): Promise<Reply> {
  const headers = { prefer: "respond-async", "idempotency-key": fields("key") || newId() };
  const job = await started(calls.send("openScreenerSession", { headers, body: { screenerId: params.id! } }));
  return redirect(`${base}/console/jobs/${job}`);
}

/** POST: moves the links of a study that nobody has opened to the live version. */
export async function moveLinks({ base, calls, fields, params }: VisitorRequest): Promise<Reply> {
  const headers = { prefer: "respond-async", "idempotency-key": fields("key") || newId() };
  const job = await started(calls.send("moveScreenerSessions", { headers, body: { screenerId: params.id! } }));
  return redirect(`${base}/console/jobs/${job}`);
}

/** POST: shows what counting former answers into a quota would do. */
export async function planRecount({ base, calls, fields, params }: VisitorRequest): Promise<Reply> {
  const headers = { prefer: "respond-async", "idempotency-key": fields("key") || newId() };
  const job = await started(calls.send("recountScreenerQuota", { id: params.quota!, headers, body: { dryRun: true } }));
  return redirect(`${base}/console/jobs/${job}`);
}

/** POST: shows what offering the places of a quota to those who were turned away would do. */
export async function planOffer({ base, calls, fields, params }: VisitorRequest): Promise<Reply> {
  const headers = { prefer: "respond-async", "idempotency-key": fields("key") || newId() };
  const typed = fields("holdHours").trim();
  const holdHours = /^\d+$/.test(typed) ? Number(typed) : unchecked<number>(typed);
  try {
    const job = await started(
      calls.send("offerScreenerQuota", { id: params.quota!, headers, body: { holdHours, dryRun: true } }),
    );
    return redirect(`${base}/console/jobs/${job}`);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "invalid_request") throw error;
    return redirect(
      `${base}/console/studies/${params.id}/quotas/${params.quota}?hours=${encodeURIComponent(typed)}#offer`,
    );
  }
}

/** GET of names and links, as a CSV. */
export async function sendLinks({ calls, params }: VisitorRequest): Promise<Reply> {
  const { id } = await calls.get("getScreener", { id: params.id! });
  const query = `filter[screenerId][eq]=${id}&filter[status][eq]=ACTIVE`;
  return calls.reply("listScreenerSessions", { query }, "csv");
}

/** The job that a call has started. One that has failed already shows why on its own page. @param id of a job that is known */
export async function started(sent: Promise<{ headers: Record<string, string> }>, id?: string): Promise<string> {
  try {
    const { headers } = await sent;
    return id ?? jobOf(headers);
  } catch (error) {
    const jobId = error instanceof Problem ? error.document.jobId : undefined;
    if (jobId === undefined) throw error;
    return jobId;
  }
}
