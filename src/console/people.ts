// The pages about one person, with a timeline, and the erasure.

import { EVENT_TYPES, type EventType } from "../events/types.ts";
import type { Reply } from "../http/reply.ts";
import { Problem } from "../problems.ts";
import type { Listed } from "./calls.ts";
import { newestOf } from "./newest.ts";
import { showPeople } from "./people-search.ts";
import { type ConsoleRoute, page, redirect, signedIn, type VisitorRequest } from "./request.ts";
import { renderErasure, renderRevocation } from "./view/erasure-page.tsx";
import { type Assignment, type Person, renderPerson, type Session } from "./view/person-page.tsx";
import type { Event } from "./view/timeline.tsx";

const SHOWN_ASSIGNMENTS = 50;
const SHOWN_EVENTS = 50;

/** GET of one person. */
export async function showPerson(request: VisitorRequest): Promise<Reply> {
  const { base, calls, params } = request;
  const id = params.id!;
  const person = await calls.get<Person>("getParticipant", { id });
  const ofPerson = `pagination[limit]=${SHOWN_ASSIGNMENTS}&filter[participantId][eq]=${person.id}`;
  const { items: assigned } = await calls.get<Listed<Omit<Assignment, "title" | "session">>>(
    "listScreenerParticipants",
    {
      query: ofPerson,
    },
  );
  const sessions = assigned.length
    ? (
        await calls.get<Listed<Session>>("listScreenerSessions", {
          query: `pagination[limit]=500&${among("screenerParticipantId", assigned)}`,
        })
      ).items
    : [];
  const assignments: Assignment[] = [];
  for (const one of assigned) {
    const { title } = await calls.get<{ title: string | null }>("getScreener", { id: one.screenerId });
    assignments.push({ ...one, title, session: sessions.find((session) => session.id === one.currentSessionId) });
  }
  const { events, total } = await eventsOf(request, [person, ...assigned, ...sessions]);
  const curl = calls.curl("getParticipant", { id });
  return page(200, renderPerson(base, signedIn(request), { person, assignments, events, total, curl }));
}

function among(field: string, resources: readonly { id: string }[]): string {
  return resources.map(({ id }) => `filter[${field}][in][]=${id}`).join("&");
}

/** So many ids a filter takes. */
const MAX_IDS = 500;

/** The last events about these resources, the newest first. */
async function eventsOf(
  { calls }: VisitorRequest,
  resources: readonly { id: string }[],
): Promise<{ events: Event[]; total: number }> {
  const filter = among("resourceId", resources.slice(0, MAX_IDS));
  const limits = { limit: SHOWN_EVENTS, offset: 0 };
  type Found = Omit<Event, "says"> & { type: EventType };
  const { total, items } = await newestOf<Found>(calls, "listEvents", filter, limits);
  return { total, events: items.map((event) => ({ ...event, says: EVENT_TYPES[event.type] })) };
}

/** GET of everything about a person, as JSON. */
export async function sendPerson({ calls, params }: VisitorRequest): Promise<Reply> {
  const reply = await calls.reply("exportParticipant", { id: params.id! });
  return { ...reply, attachment: `person-${params.id}.json` };
}

/** GET of the question whether a person is to be erased. */
export async function askErasure(request: VisitorRequest): Promise<Reply> {
  return erasurePage(request, 200, {});
}

async function erasurePage(
  request: VisitorRequest,
  status: number,
  { typed = "", fault }: { typed?: string; fault?: string },
): Promise<Reply> {
  const { base, calls, params, token } = request;
  const person = await calls.get<Person>("getParticipant", { id: params.id! });
  const curl = calls.curl("eraseParticipant", { id: person.id });
  return page(status, renderErasure(base, signedIn(request), { token, person, typed, fault, curl }));
}

/** POST: erases a person, whose id is typed in. */
export async function erase(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params } = request;
  const person = await calls.get<Person>("getParticipant", { id: params.id! });
  const typed = fields("confirm");
  if (typed.trim() !== person.externalUid)
    return erasurePage(request, 422, { typed, fault: `Type ${person.externalUid} to confirm.` });
  try {
    const headers = { prefer: "respond-async" };
    const { headers: replied } = await calls.send("eraseParticipant", { id: person.id, headers });
    return redirect(`${base}/console${replied.Location}`);
  } catch (error) {
    const jobId = error instanceof Problem ? error.document.jobId : undefined;
    if (jobId === undefined) throw error;
    return redirect(`${base}/console/jobs/${jobId}`);
  }
}

/** POST: opens a link for an assignment that has none. */
export async function makeLink({ base, calls, fields, params }: VisitorRequest): Promise<Reply> {
  // One that is open already is the reply, so a second click makes no second link.
  await calls.send("openScreenerSession", { body: { screenerParticipantId: fields("assignment") } });
  return redirect(`${base}/console/people/${params.id}`);
}

/** GET of the question whether a link is to be revoked. */
export async function askRevocation(request: VisitorRequest): Promise<Reply> {
  const { base, calls, params } = request;
  const person = await calls.get<Person>("getParticipant", { id: params.id! });
  const session = await linkOf(request);
  const curl = calls.curl("removeScreenerSession", { id: session.id });
  return page(200, renderRevocation(base, signedIn(request), { person, session, curl }));
}

/** POST: revokes a link. */
export async function revokeLink(request: VisitorRequest): Promise<Reply> {
  const { base, calls, params } = request;
  const { id } = await linkOf(request);
  await calls.send("removeScreenerSession", { id });
  return redirect(`${base}/console/people/${params.id}`);
}

/** The session of the path. @throws Problem unless it belongs to the person of the path */
async function linkOf({ calls, params }: VisitorRequest): Promise<Session> {
  const session = await calls.get<Session>("getScreenerSession", { id: params.session! });
  const { participantId } = await calls.get<{ participantId: string }>("getScreenerParticipant", {
    id: session.screenerParticipantId,
  });
  if (participantId !== params.id) throw new Problem("screener_session_not_found");
  return session;
}

export const peoplePages: readonly ConsoleRoute[] = [
  { method: "get", path: "/console/people", role: "viewer", handle: showPeople },
  { method: "get", path: "/console/people/:id", role: "viewer", handle: showPerson },
  { method: "get", path: "/console/people/:id/export.json", role: "researcher", handle: sendPerson },
  { method: "get", path: "/console/people/:id/erase", role: "admin", handle: askErasure },
  { method: "post", path: "/console/people/:id/erase", role: "admin", handle: erase },
  { method: "post", path: "/console/people/:id/links", role: "researcher", handle: makeLink },
  { method: "get", path: "/console/people/:id/links/:session/revoke", role: "admin", handle: askRevocation },
  { method: "post", path: "/console/people/:id/links/:session/revoke", role: "admin", handle: revokeLink },
];
