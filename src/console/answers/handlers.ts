// The pages with the answers to a study: the list of people, and one session, whose outcome is explained rule by rule.

import { Problem } from "../../base/problems.ts";
import { withReferences } from "../../base/references.ts";
import type { NewOverride, ScreenerResponse, ScreenerSession } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { findPublishedMarkup } from "../../nouns/content/queries.ts";
import { currentVersions } from "../../nouns/screener-participants/queries.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { unchecked } from "../shell/forms.ts";
import { offsetOf, page, redirect, type VisitorRequest } from "../shell/request.ts";
import { studyFrame } from "../study/handlers.ts";
import { MAX_VERSIONS } from "../study/version-select.tsx";
import { renderSessions } from "./page.tsx";
import type { SessionFacts } from "./session-facts.tsx";
import { renderSession, type TypedOutcome } from "./session-page.tsx";

const SESSIONS_PER_PAGE = 50;

/** The most questions that a screener can have. */
const MAX_ANSWERS = 2000;
const ANSWERS_AT_ONCE = 500;

/** GET of a study's sessions, the newest first. */
export async function showAnswers(request: VisitorRequest): Promise<Reply> {
  const { calls, context, params, query, visitor } = request;
  const { frame, screener } = await studyFrame(request);
  const chosen = { status: query.get("status") ?? "", publicationId: query.get("publicationId") ?? "" };
  const limit = SESSIONS_PER_PAGE;
  const filter = (name: string, value: string) => (value ? `&filter[${name}][eq]=${encodeURIComponent(value)}` : "");
  const filters =
    filter("screenerId", params.id!) +
    filter("status", chosen.status) +
    filter("screenerPublicationId", chosen.publicationId);
  const call = { query: `pagination[limit]=${limit}&pagination[offset]=${offsetOf(query)}${filters}` };
  const { total, offset, items } = await calls.get("listScreenerParticipants", call);
  const curl = calls.curl("listScreenerParticipants", call);
  const newest = { id: screener.id, query: `pagination[limit]=${MAX_VERSIONS}` };
  const versions = (await calls.get("listScreenerPublications", newest)).items;
  const people = context.workspaces.read(visitor.workspace_uid, (db) => {
    const versions = currentVersions(
      db,
      items.map(({ id }) => id),
    );
    // Addresses are in logs and histories: none has the id of a session.
    return items.map((one) => ({
      ...one,
      version: versions.get(one.id) ?? null,
      currentSessionId: one.currentSessionId && withReferences(db, one.currentSessionId),
    }));
  });
  const { activePublicationId: activeId } = screener;
  return page(200, renderSessions(frame, { chosen, versions, activeId, people, total, limit, offset, curl }));
}

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
  const shown = await readGiven(request, session.id);
  const isSaved = query.has("saved");
  const status = Object.keys(faults).length ? 400 : 200;
  return page(status, renderSession(frame, { session, ...shown, typed, faults, isSaved, curl }));
}

/** The answers of a session, and what they came to. */
export async function readGiven({ calls, context, visitor }: VisitorRequest, id: string): Promise<SessionFacts> {
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
  return { explanation, responses, markup };
}

/** The session of the path. @throws Problem unless it belongs to the study of the path */
async function sessionOf({ calls, params }: VisitorRequest): Promise<ScreenerSession> {
  const session = await calls.get("getScreenerSession", { id: params.session! });
  if (session.screenerId !== params.id) throw new Problem("screener_session_not_found");
  return session;
}
