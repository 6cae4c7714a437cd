// The page with the answers of one session, whose outcome is explained rule by rule.

import { Problem } from "../../base/problems.ts";
import type { NewOverride, ScreenerResponse, ScreenerSession } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { findPublishedMarkup } from "../../nouns/content/queries.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { unchecked } from "../shell/forms.ts";
import { page, redirect, type VisitorRequest } from "../shell/request.ts";
import { studyFrame } from "../study/handlers.ts";
import { saidSignals } from "./evidence.ts";
import type { SessionFacts } from "./session-facts.tsx";
import { renderSession, type TypedOutcome } from "./session-page.tsx";

/** The most questions that a screener can have. */
const MAX_ANSWERS = 2000;
const ANSWERS_AT_ONCE = 500;

/** GET of one session. */
export function showAnswersOf(request: VisitorRequest): Promise<Reply> {
  return replyWithSession(request, { outcome: "", reason: "" }, {});
}

/** POST: sets the outcome of a session by hand. */
export async function setOutcome(request: VisitorRequest): Promise<Reply> {
  const { calls, fields, params, base } = request;
  const typed = { outcome: fields("outcome"), reason: fields("reason") };
  const body = { ...typed, outcome: unchecked<NewOverride["outcome"]>(typed.outcome) };
  await sessionOf(request);
  try {
    await calls.send("overrideScreenerSession", { id: params.session!, body });
  } catch (error) {
    return replyWithSession(request, typed, faultsOf(error, Object.keys(typed)));
  }
  return redirect(`${base}/console/studies/${params.id}/answers/${params.session}?saved`);
}

async function replyWithSession(request: VisitorRequest, typed: TypedOutcome, faults: Faults): Promise<Reply> {
  const { query } = request;
  const { frame } = await studyFrame(request);
  const session = await sessionOf(request);
  const curl = request.calls.curl("explainScreenerSession", { id: session.id });
  const shown = await readGiven(request, session);
  const isSaved = query.has("saved");
  const status = Object.keys(faults).length ? 400 : 200;
  return page(status, renderSession(frame, { session, ...shown, typed, faults, isSaved, curl }));
}

/** The answers of a session, and what they came to. */
export async function readGiven(request: VisitorRequest, session: ScreenerSession): Promise<SessionFacts> {
  const { calls, context, visitor } = request;
  const { id } = session;
  const explanation = await calls.get("explainScreenerSession", { id });
  const responses: ScreenerResponse[] = [];
  while (responses.length < MAX_ANSWERS) {
    const query = `filter[screenerSessionId][eq]=${id}&pagination[limit]=${ANSWERS_AT_ONCE}&pagination[offset]=${responses.length}`;
    const { items } = await calls.get("listScreenerResponses", { query });
    responses.push(...items);
    if (items.length < ANSWERS_AT_ONCE) break;
  }
  const { screenerPublicationId } = explanation;
  const markup = context.workspaces.read(visitor.workspace_uid, (db) => findPublishedMarkup(db, screenerPublicationId));
  return { explanation, responses, signals: await saidSignals(request, session), markup };
}

/** The session of the path. @throws Problem unless it belongs to the study of the path */
export async function sessionOf({ calls, params }: VisitorRequest): Promise<ScreenerSession> {
  const session = await calls.get("getScreenerSession", { id: params.session! });
  if (session.screenerId !== params.id) throw new Problem("screener_session_not_found");
  return session;
}
