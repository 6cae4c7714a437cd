// The pages from which people of a study are written to: what was written, a new message with its preview and its plan, and one mailing.

import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import type { Job, Mailing, MailTest, NewMailing } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { instantIn } from "../../nouns/screeners/time-zones.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { unchecked } from "../shell/forms.ts";
import { newestOf } from "../shell/newest.ts";
import { offsetOf, page, redirect, type VisitorRequest } from "../shell/request.ts";
import { studyFrame } from "../study/handlers.ts";
import { FIELDS, type Preview, renderMessages, type Typed } from "./compose-page.tsx";
import { renderMailing } from "./mailing-page.tsx";
import { CONFIRMED_FROM, renderPlan } from "./plan-page.tsx";

const MAILINGS_PER_PAGE = 20;
const REFRESH_SECONDS = 5;

/** Two long texts, each sign of which may take nine bytes. */
export const MAX_MESSAGE_FORM_BYTES = 512 * 1024;

const pathOf = ({ base, params }: VisitorRequest) => `${base}/console/studies/${params.id}/messages`;

/** GET of what was written, with the form of a new message. */
export function showMessages(request: VisitorRequest): Promise<Reply> {
  return replyWith(request, {});
}

interface Shown {
  typed?: Typed;
  faults?: Faults;
  preview?: Preview;
  tested?: MailTest;
}

async function replyWith(request: VisitorRequest, { typed = {}, faults = {}, ...made }: Shown): Promise<Reply> {
  const { calls, context, params, query } = request;
  const { frame, screener } = await studyFrame(request);
  const read = (sent: string) => calls.get("listMailings", { query: sent });
  const filter = `filter[screenerId][eq]=${params.id}`;
  const { items, ...list } = await newestOf(read, filter, { limit: MAILINGS_PER_PAGE, offset: offsetOf(query) });
  const view = {
    ...{ mailings: items, ...list, typed, faults, ...made, key: newId() },
    canMail: context.mail !== undefined,
    timeZone: screener.timeZone,
    curl: calls.curl("listMailings", { query: filter }),
  };
  return page(Object.keys(faults).length ? 422 : 200, renderMessages(frame, view));
}

/** POST: shows a message as one person gets it, sends it to oneself, or plans the mailing. */
export async function compose(request: VisitorRequest): Promise<Reply> {
  const { fields } = request;
  const typed: Typed = Object.fromEntries(FIELDS.map((name) => [name, fields(name).trim()]));
  try {
    const make = fields("make");
    if (make === "preview") return await replyWith(request, { typed, preview: await previewOf(request, typed) });
    if (make === "test") return await replyWith(request, { typed, tested: await testOf(request, typed) });
    return await plan(request, typed);
  } catch (error) {
    return replyWith(request, { typed, faults: faultsIn(error) });
  }
}

/** Reminders and recipients have fields of their own. */
function faultsIn(error: unknown): Faults {
  const faults = faultsOf(error, [...FIELDS]);
  const renamed: Record<string, string> = {
    "/reminders/0/afterDays": "reminderDays",
    "/reminders/0/subject": "reminderSubject",
    "/reminders/0/body": "reminderBody",
    "/to/limit": "limit",
    "/participantId": "person",
  };
  return Object.fromEntries(
    Object.entries(faults).map(([name, message]) => {
      const field = renamed[name];
      return field === undefined ? [name, message] : [field, message.replace(`${name} `, "")];
    }),
  );
}

const words = ({ subject = "", body = "" }: Typed) => ({ subject, body });

async function personIdOf({ calls }: VisitorRequest, externalUid: string): Promise<string | undefined> {
  if (externalUid === "") return undefined;
  const query = `filter[externalUid][eq]=${encodeURIComponent(externalUid)}`;
  const { items } = await calls.get("listParticipants", { query });
  if (items[0]) return items[0].id;
  const errors = [{ pointer: "/person", message: "is nobody’s" }];
  throw new Problem("invalid_request", { detail: "Nobody has this id.", errors });
}

async function previewOf(request: VisitorRequest, typed: Typed): Promise<Preview> {
  const { calls, params } = request;
  const participantId = await personIdOf(request, typed.person ?? "");
  const { value } = await calls.send("previewMailing", {
    body: { screenerId: params.id!, ...words(typed), ...(participantId !== undefined && { participantId }) },
  });
  return value;
}

async function testOf({ calls, params }: VisitorRequest, typed: Typed): Promise<MailTest> {
  const { value } = await calls.send("testMailing", {
    body: { screenerId: params.id!, ...words(typed), to: typed.to ?? "" },
  });
  return value;
}

const numberOf = (typed: string) => (/^\d+$/.test(typed) ? Number(typed) : unchecked<number>(typed));

/** What was typed, as the API takes it. */
function bodyOf({ params }: VisitorRequest, typed: Typed, timeZone: string): NewMailing {
  const {
    name = "",
    kind = "",
    status = "",
    limit = "",
    at = "",
    reminderDays = "",
    reminderSubject = "",
    reminderBody = "",
  } = typed;
  return {
    ...{ screenerId: params.id!, name, kind: unchecked<NewMailing["kind"]>(kind), ...words(typed) },
    to: {
      ...(status && { status: status.split(",") as never }),
      ...(limit && { limit: numberOf(limit) }),
    },
    ...(at && { at: instantIn(timeZone, at) ?? unchecked<string>(at) }),
    ...(reminderDays && {
      reminders: [{ afterDays: numberOf(reminderDays), subject: reminderSubject, body: reminderBody }],
    }),
    dryRun: true,
  };
}

async function plan(request: VisitorRequest, typed: Typed): Promise<Reply> {
  const { calls, fields, params } = request;
  const { timeZone } = await calls.get("getScreener", { id: params.id! });
  const headers = { "idempotency-key": fields("key") || newId() };
  const { value, headers: sent } = await calls.send("createMailing", {
    body: bodyOf(request, typed, timeZone),
    headers,
  });
  const job = (value as { id?: string }).id ?? String(sent.Location).split("/").at(-1);
  return redirect(`${pathOf(request)}/plans/${job}`);
}

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

async function replyWithPlan(request: VisitorRequest, typed: string, fault: string | undefined): Promise<Reply> {
  const { calls } = request;
  const job = await planOf(request);
  if (job.status === "SUCCEEDED") return redirect(`${pathOf(request)}/${job.id}`);
  const { frame } = await studyFrame(request);
  const curl = calls.curl(job.status === "PLANNED" ? "applyJob" : "getJob", { id: job.id });
  const reply = page(fault ? 422 : 200, renderPlan(frame, { job, typed, fault, curl }));
  return job.finishedAt === null ? { ...reply, headers: { Refresh: String(REFRESH_SECONDS) } } : reply;
}

/** POST: sends what was planned. From many people on, their number is typed in. */
export async function applyPlan(request: VisitorRequest): Promise<Reply> {
  const { calls, fields } = request;
  const job = await planOf(request);
  const send = job.summary?.send ?? 0;
  const typed = fields("confirm");
  if (job.status === "PLANNED" && send >= CONFIRMED_FROM && typed.replaceAll(/[\s.,’']/g, "") !== String(send))
    return replyWithPlan(request, typed, `Type ${send} to confirm how many people are written to.`);
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
    if (action === "resumeMailing")
      await calls.send(action, { id, body: fields("resend") === "yes" ? { resendUncertain: true } : {} });
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
