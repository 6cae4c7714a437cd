// The page with the people who have withdrawn from a study, and the erasure of what one of them has answered.

import { Problem } from "../../base/problems.ts";
import type { ScreenerParticipant } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import type { Calls } from "../shell/calls.ts";
import { offsetOf, page, redirect, type VisitorRequest } from "../shell/request.ts";
import { studyFrame } from "../study/handlers.ts";
import { sessionOf } from "./session-handlers.ts";
import { ERASE_WORD, renderAnswersErasure, renderWithdrawn, type Withdrawn } from "./withdrawn-page.tsx";

const PEOPLE_PER_PAGE = 50;

/** All who ever have. */
const WITHDRAWN = "filter[withdrawnAt][gte]=1970-01-01T00:00:00Z";

/** How many people have withdrawn from a study. */
export function countWithdrawn({ calls, params }: VisitorRequest): Promise<number> {
  return calls.total("listScreenerSessions", { query: `filter[screenerId][eq]=${params.id}&${WITHDRAWN}` });
}

/** GET of the people who have withdrawn. */
export async function showWithdrawn(request: VisitorRequest): Promise<Reply> {
  const { calls, params, query } = request;
  const { frame } = await studyFrame(request);
  const limit = PEOPLE_PER_PAGE;
  const call = {
    query:
      `filter[screenerId][eq]=${params.id}&${WITHDRAWN}` +
      `&pagination[limit]=${limit}&pagination[offset]=${offsetOf(query, limit)}`,
  };
  const { total, offset, items } = await calls.get("listScreenerSessions", call);
  const people: Withdrawn[] = [];
  for (const session of items) {
    const person = await findAssigned(calls, session.screenerParticipantId);
    people.push({ session, person });
  }
  const curl = calls.curl("listScreenerSessions", call);
  return page(200, renderWithdrawn(frame, { people, total, limit, offset, curl }));
}

/** The screener participant of a session, unless that was removed. */
async function findAssigned(calls: Calls, id: string): Promise<ScreenerParticipant | undefined> {
  return calls.get("getScreenerParticipant", { id }).catch((error) => {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  });
}

/** GET of the question whether the answers of a session are to be erased, whose participant has withdrawn. */
export function askAnswersErasure(request: VisitorRequest): Promise<Reply> {
  return answersErasurePage(request, 200, {});
}

async function answersErasurePage(
  request: VisitorRequest,
  status: number,
  { typed = "", fault }: { typed?: string; fault?: string },
): Promise<Reply> {
  const { calls } = request;
  const { frame } = await studyFrame(request);
  const session = await sessionOf(request);
  const curl = calls.curl("eraseScreenerResponses", { id: session.id });
  return page(status, renderAnswersErasure(frame, { session, typed, fault, curl }));
}

/** POST: erases the answers. A word is typed in. */
export async function eraseAnswers(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields } = request;
  const { id } = await sessionOf(request);
  const typed = fields("confirm");
  if (typed.trim().toLowerCase() !== ERASE_WORD)
    return answersErasurePage(request, 422, { typed, fault: `Type ${ERASE_WORD} to confirm.` });
  const { headers } = await calls.send("eraseScreenerResponses", { id, headers: { prefer: "respond-async" } });
  return redirect(`${base}/console${headers.Location}`);
}
