// The pages with who has answered a study: the list, and one session, whose outcome is explained rule by rule.

import type { Reply } from "../http/reply.ts";
import { Problem } from "../problems.ts";
import type { Listed } from "./calls.ts";
import { type Faults, faultsOf } from "./faults.ts";
import { offsetOf, page, redirect, type VisitorRequest } from "./request.ts";
import { studyFrame } from "./study.ts";
import { type Assignment, renderSessions } from "./view/answers-page.tsx";
import {
  type Explanation,
  type Response,
  renderSession,
  type Session,
  type TypedOutcome,
} from "./view/session-page.tsx";

const SESSIONS_PER_PAGE = 50;

/** The most questions that a screener can have. */
const MAX_ANSWERS = 2000;
const ANSWERS_AT_ONCE = 500;

/** GET of a study's sessions, the newest first. */
export async function showAnswers(request: VisitorRequest): Promise<Reply> {
  const { calls, params, query } = request;
  const { frame } = await studyFrame(request);
  const status = query.get("status") ?? "";
  const limit = SESSIONS_PER_PAGE;
  const filters = [
    `filter[screenerId][eq]=${encodeURIComponent(params.id!)}`,
    ...(status ? [`filter[status][eq]=${encodeURIComponent(status)}`] : []),
  ].join("&");
  const call = { query: `pagination[limit]=${limit}&pagination[offset]=${offsetOf(query)}&${filters}` };
  const { total, offset, items } = await calls.get<Listed<Assignment>>("listScreenerParticipants", call);
  const curl = calls.curl("listScreenerParticipants", call);
  return page(200, renderSessions(frame, { status, assignments: items, total, limit, offset, curl }));
}

/** GET of one session. */
export function showAnswersOf(request: VisitorRequest): Promise<Reply> {
  return replyWithSession(request, { outcome: "", reason: "" }, {});
}

/** POST: sets the outcome of a session by hand. */
export async function setOutcome(request: VisitorRequest): Promise<Reply> {
  const { calls, fields, params, base } = request;
  const typed = { outcome: fields("outcome"), reason: fields("reason") };
  await sessionOf(request);
  try {
    await calls.send("overrideScreenerSession", { id: params.session!, body: typed });
  } catch (error) {
    return replyWithSession(request, typed, faultsOf(error, Object.keys(typed)));
  }
  return redirect(`${base}/console/studies/${params.id}/answers/${params.session}?saved`);
}

async function replyWithSession(request: VisitorRequest, typed: TypedOutcome, faults: Faults): Promise<Reply> {
  const { calls, params, query } = request;
  const { frame } = await studyFrame(request);
  const id = params.session!;
  const session = await sessionOf(request);
  const explanation = await calls.get<Explanation>("explainScreenerSession", { id });
  const responses: Response[] = [];
  while (responses.length < MAX_ANSWERS) {
    const query = `filter[screenerSessionId][eq]=${session.id}&pagination[limit]=${ANSWERS_AT_ONCE}&pagination[offset]=${responses.length}`;
    const { items } = await calls.get<Listed<Response>>("listScreenerResponses", { query });
    responses.push(...items);
    if (items.length < ANSWERS_AT_ONCE) break;
  }
  const curl = calls.curl("explainScreenerSession", { id });
  const isSaved = query.has("saved");
  const status = Object.keys(faults).length ? 400 : 200;
  return page(status, renderSession(frame, { session, explanation, responses, typed, faults, isSaved, curl }));
}

/** The session of the path. @throws Problem unless it belongs to the study of the path */
async function sessionOf({ calls, params }: VisitorRequest): Promise<Session> {
  const session = await calls.get<Session>("getScreenerSession", { id: params.session! });
  if (session.screenerId !== params.id) throw new Problem("screener_session_not_found");
  return session;
}
