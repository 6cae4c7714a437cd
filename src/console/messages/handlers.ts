// The pages of a mailing: its plan, and how far it is.

import { Problem } from "../../base/problems.ts";
import type { Job, Mailing } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { unlessGone } from "../shell/event-words.tsx";
import { countsOf } from "../shell/job-words.ts";
import { offsetOf, page, redirect, type VisitorRequest } from "../shell/request.ts";
import { studyFrame } from "../study/handlers.ts";
import { pathOf } from "./compose.ts";
import { renderMailing } from "./mailing-page.tsx";
import { CHOICES, CONFIRMED_FROM, type PlannedPeople, renderPlan } from "./plan-page.tsx";

const REFRESH_SECONDS = 5;

/** GET of a plan: to whom it goes, and to whom not and why. */
export function showPlan(request: VisitorRequest): Promise<Reply> {
  return replyWithPlan(request, "", undefined);
}

/** The plan of the path. @throws Problem unless it belongs to the study of the path */
async function planOf({ calls, params }: VisitorRequest): Promise<Job> {
  const job = await calls.get("getJob", { id: params.job! });
  if (job.kind !== "MAILING_PLANNING" || job.screenerId !== params.id) throw new Problem("job_not_found");
  return job;
}

const ROWS_PER_PAGE = 50;

/** The people of a plan whom the address asks for. */
async function peopleOf({ calls, query }: VisitorRequest, id: string): Promise<PlannedPeople> {
  const chosen = CHOICES.find((one) => one === query.get("who")) ?? "";
  const by = chosen === "" ? "" : `&filter[${chosen === "SEND" ? "outcome" : "reason"}][eq]=${chosen}`;
  const offset = offsetOf(query, ROWS_PER_PAGE);
  const sent = `pagination[limit]=${ROWS_PER_PAGE}&pagination[offset]=${offset}${by}`;
  const { items, total } = await calls.get("listJobRows", { id, query: sent });
  const rows: PlannedPeople["rows"] = [];
  for (const { participantId, reason } of items)
    rows.push({
      reason,
      person: participantId === null ? undefined : await unlessGone(calls.get("getParticipant", { id: participantId })),
    });
  return { chosen, rows, total, limit: ROWS_PER_PAGE, offset };
}

async function replyWithPlan(request: VisitorRequest, typed: string, fault: string | undefined): Promise<Reply> {
  const { calls } = request;
  const job = await planOf(request);
  if (job.status === "SUCCEEDED") return redirect(`${pathOf(request)}/${job.id}`);
  const { frame } = await studyFrame(request);
  const people = job.status === "PLANNED" ? await peopleOf(request, job.id) : undefined;
  const curl = calls.curl(job.status === "PLANNED" ? "applyJob" : "getJob", { id: job.id });
  const reply = page(fault ? 422 : 200, renderPlan(frame, { job, people, typed, fault, curl }));
  return job.finishedAt === null ? { ...reply, headers: { Refresh: String(REFRESH_SECONDS) } } : reply;
}

/** POST: sends what was planned. From many people on, their number is typed in. */
export async function applyPlan(request: VisitorRequest): Promise<Reply> {
  const { calls, fields } = request;
  const job = await planOf(request);
  const { send = 0 } = countsOf(job);
  const typed = fields("confirm");
  if (job.status === "PLANNED" && send >= CONFIRMED_FROM && typed.replaceAll(/[\s.,’']/g, "") !== String(send))
    return replyWithPlan(request, typed, `Type ${send} to confirm. It is how many people get the message.`);
  await calls.send("applyJob", { id: job.id });
  return redirect(`${pathOf(request)}/${job.id}`);
}

/** GET of one mailing. While it is sent, the browser asks again. */
export async function showMailing(request: VisitorRequest): Promise<Reply> {
  const { calls, query } = request;
  const mailing = await mailingOf(request);
  const { frame } = await studyFrame(request);
  const isWatched = (mailing.status === "SENDING" || mailing.status === "SCHEDULED") && query.get("watch") !== "off";
  const curl = calls.curl("getMailing", { id: mailing.id });
  const reply = page(200, renderMailing(frame, { mailing, isWatched, curl }));
  return isWatched ? { ...reply, headers: { Refresh: String(REFRESH_SECONDS) } } : reply;
}

/** The mailing of the path. @throws Problem unless it belongs to the study of the path */
async function mailingOf({ calls, params }: VisitorRequest): Promise<Mailing> {
  const mailing = await calls.get("getMailing", { id: params.mailing! });
  if (mailing.screenerId !== params.id) throw new Problem("mailing_not_found");
  return mailing;
}

const ACTIONS = { pause: "pauseMailing", resume: "resumeMailing", stop: "stopMailing" } as const;

/** POST: pauses a mailing, resumes or stops it. */
export async function changeMailing(request: VisitorRequest): Promise<Reply> {
  const { calls, fields } = request;
  const { id } = await mailingOf(request);
  const asked = fields("act");
  const action = Object.hasOwn(ACTIONS, asked) ? ACTIONS[asked as keyof typeof ACTIONS] : undefined;
  try {
    const resends = fields("resend");
    if (action === "resumeMailing")
      await calls.send(action, { id, body: resends === "" ? {} : { resendUncertain: resends === "yes" } });
    else if (action) await calls.send(action, { id });
  } catch (error) {
    // It ended a moment before: the page says so.
    if (!(error instanceof Problem) || error.code !== "mailing_ended") throw error;
  }
  return redirect(`${pathOf(request)}/${id}`);
}

/** GET of the messages of a mailing, as a CSV. */
export async function sendMessages(request: VisitorRequest): Promise<Reply> {
  const { id } = await mailingOf(request);
  return request.calls.reply("listMailingMessages", { id }, "csv");
}
