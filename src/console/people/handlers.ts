// The pages about one person, with a timeline, and the erasure.

import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import type { ScreenerSession } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { namesOfQuotas } from "../quotas/words.tsx";
import { type EventInWords, unlessGone, wordsOf } from "../shell/event-words.tsx";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { newestOf } from "../shell/newest.ts";
import { type ConsoleRoute, page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { renderErasure, renderRevocation } from "./erasure-page.tsx";
import { mailOf } from "./mail-of.ts";
import { manyPages } from "./many.ts";
import type { TypedNote } from "./notes.tsx";
import { type Assignment, renderPerson } from "./person-page.tsx";
import { sendPeople, showPeople } from "./search.ts";

const SHOWN_ASSIGNMENTS = 200;
const SHOWN_EVENTS = 50;
const SHOWN_NOTES = 500;

/** GET of one person. */
const showPerson = (request: VisitorRequest) => replyWithPerson(request, { typed: "" });

async function replyWithPerson(
  request: VisitorRequest,
  note: TypedNote,
  { reason, faults }: TypedMark = { reason: "", faults: {} },
): Promise<Reply> {
  const { base, calls, params } = request;
  const id = params.id!;
  const person = await calls.get("getParticipant", { id });
  const ofPerson = `pagination[limit]=${SHOWN_ASSIGNMENTS}&filter[participantId][eq]=${person.id}`;
  const { items: assigned, total: assignmentsTotal } = await calls.get("listScreenerParticipants", { query: ofPerson });
  const sessions = assigned.length
    ? (
        await calls.get("listScreenerSessions", {
          query: `pagination[limit]=500&${among("screenerParticipantId", assigned)}`,
        })
      ).items
    : [];
  const assignments: Assignment[] = [];
  for (const one of assigned) {
    const { title } = await calls.get("getScreener", { id: one.screenerId });
    const session = sessionOf(one, sessions);
    const fullQuotas = await namesOfQuotas(calls, session?.outcomeQuotaIds ?? []);
    assignments.push({ ...one, title, session, fullQuotas });
  }
  const { events, total } = await eventsOf(request, [person, ...assigned, ...sessions]);
  const open = `filter[participantId][eq]=${person.id}&filter[state][eq]=OPEN`;
  const requests = (await calls.get("listParticipantRequests", { query: open })).items;
  const ofNotes = `pagination[limit]=${SHOWN_NOTES}&filter[participantId][eq]=${person.id}`;
  const notes = (await calls.get("listParticipantNotes", { query: ofNotes })).items;
  const suppression = person.email === null ? undefined : await suppressionOf(request, person.email);
  const curl = calls.curl("getParticipant", { id });
  const contact = { person, suppression, reason, faults, ...(await mailOf(request, id)) };
  const view = { ...contact, assignments, assignmentsTotal, requests, notes, note, key: newId(), events, total, curl };
  const isRefused = note.fault !== undefined || Object.keys(faults).length > 0;
  return page(isRefused ? 422 : 200, renderPerson(base, signedIn(request), view));
}

/** Why a person is not to be contacted, as it was typed, and what is wrong with it. */
interface TypedMark {
  reason: string;
  faults: Faults;
}

async function suppressionOf({ calls }: VisitorRequest, email: string) {
  const query = `filter[address][eq]=${encodeURIComponent(email)}`;
  return (await calls.get("listMailSuppressions", { query })).items[0];
}

/** POST: nobody may write to the person, or they may again. */
async function changeContact(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params } = request;
  const id = params.id!;
  const reason = fields("doNotContact");
  if (fields("mark") === "address") {
    // Only an admin may: the call says so. It may have been done a moment before.
    await unlessGone(calls.send("deleteMailSuppression", { id: fields("suppression") }));
    return redirect(`${base}/console/people/${id}#contact`);
  }
  try {
    await calls.send("changeParticipant", { id, body: { doNotContact: fields("mark") === "end" ? null : { reason } } });
  } catch (error) {
    return replyWithPerson(request, { typed: "" }, { reason, faults: faultsOf(error, ["doNotContact"]) });
  }
  return redirect(`${base}/console/people/${id}`);
}

/** The session that an assignment is about now; or the last one, if the person has withdrawn from it. */
function sessionOf(
  { id, currentSessionId }: Pick<Assignment, "id" | "currentSessionId">,
  sessions: readonly ScreenerSession[],
): ScreenerSession | undefined {
  const current = sessions.find((one) => one.id === currentSessionId);
  if (current) return current;
  const last = sessions.findLast((one) => one.screenerParticipantId === id && one.status !== "REMOVED");
  return last && last.withdrawnAt !== null ? last : undefined;
}

function among(field: string, resources: readonly { id: string }[]): string {
  return resources.map(({ id }) => `filter[${field}][in][]=${id}`).join("&");
}

/** How many ids a filter takes. */
const MAX_IDS = 500;

/** The last events about these resources, the newest first. */
async function eventsOf(
  request: VisitorRequest,
  resources: readonly { id: string }[],
): Promise<{ events: EventInWords[]; total: number }> {
  const filter = among("resourceId", resources.slice(0, MAX_IDS));
  const limits = { limit: SHOWN_EVENTS, offset: 0 };
  const { total, items } = await newestOf((query) => request.calls.get("listEvents", { query }), filter, limits);
  return { total, events: await wordsOf(request, items) };
}

/** GET of everything about a person, as JSON. */
async function sendPerson({ calls, params }: VisitorRequest): Promise<Reply> {
  const reply = await calls.reply("exportParticipant", { id: params.id! });
  return { ...reply, attachment: `person-${params.id}.json` };
}

/** GET of the question whether a person is to be erased. */
async function askErasure(request: VisitorRequest): Promise<Reply> {
  return erasurePage(request, 200, {});
}

async function erasurePage(
  request: VisitorRequest,
  status: number,
  { typed = "", fault }: { typed?: string; fault?: string },
): Promise<Reply> {
  const { base, calls, params, token } = request;
  const person = await calls.get("getParticipant", { id: params.id! });
  const curl = calls.curl("eraseParticipant", { id: person.id });
  return page(status, renderErasure(base, signedIn(request), { token, person, typed, fault, curl }));
}

/** POST: erases a person, whose id is typed in. */
async function erase(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params } = request;
  const person = await calls.get("getParticipant", { id: params.id! });
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

/** POST: writes a note on a person. */
async function writeNote(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params } = request;
  const typed = fields("note");
  const headers = { "idempotency-key": fields("key") || newId() };
  try {
    await calls.send("createParticipantNote", { headers, body: { participantId: params.id!, note: typed } });
  } catch (error) {
    return replyWithPerson(request, { typed, fault: Object.values(faultsOf(error, ["note"]))[0]! });
  }
  return redirect(`${base}/console/people/${params.id}#notes`);
}

/** POST: deletes a note on the person of the path. */
async function deleteNote({ base, calls, params }: VisitorRequest): Promise<Reply> {
  const { id, participantId } = await calls.get("getParticipantNote", { id: params.note! });
  if (participantId !== params.id) throw new Problem("participant_note_not_found");
  await calls.send("deleteParticipantNote", { id });
  return redirect(`${base}/console/people/${params.id}#notes`);
}

/** POST: opens a link for an assignment that has none. */
async function makeLink({ base, calls, fields, params }: VisitorRequest): Promise<Reply> {
  // One that is open already is the reply, so a second click makes no second link.
  await calls.send("openScreenerSession", { body: { screenerParticipantId: fields("assignment") } });
  return redirect(`${base}/console/people/${params.id}`);
}

/** GET of the question whether a link is to be revoked. */
async function askRevocation(request: VisitorRequest): Promise<Reply> {
  const { base, calls, params } = request;
  const person = await calls.get("getParticipant", { id: params.id! });
  const session = await linkOf(request);
  const curl = calls.curl("removeScreenerSession", { id: session.id });
  return page(200, renderRevocation(base, signedIn(request), { person, session, curl }));
}

/** POST: revokes a link. */
async function revokeLink(request: VisitorRequest): Promise<Reply> {
  const { base, calls, params } = request;
  const { id } = await linkOf(request);
  await calls.send("removeScreenerSession", { id });
  return redirect(`${base}/console/people/${params.id}`);
}

/** The session of the path. @throws Problem unless it belongs to the person of the path */
async function linkOf({ calls, params }: VisitorRequest): Promise<ScreenerSession> {
  const session = await calls.get("getScreenerSession", { id: params.session! });
  const { participantId } = await calls.get("getScreenerParticipant", { id: session.screenerParticipantId });
  if (participantId !== params.id) throw new Problem("screener_session_not_found");
  return session;
}

export const peoplePages: readonly ConsoleRoute[] = [
  ...manyPages,
  { method: "get", path: "/console/people", role: "viewer", handle: showPeople },
  { method: "get", path: "/console/people.csv", role: "researcher", handle: sendPeople },
  { method: "get", path: "/console/people/:id", role: "viewer", handle: showPerson },
  { method: "get", path: "/console/people/:id/export.json", role: "researcher", handle: sendPerson },
  { method: "get", path: "/console/people/:id/erase", role: "admin", handle: askErasure },
  { method: "post", path: "/console/people/:id/erase", role: "admin", handle: erase },
  { method: "post", path: "/console/people/:id/contact", role: "researcher", handle: changeContact },
  { method: "post", path: "/console/people/:id/notes", role: "researcher", handle: writeNote },
  { method: "post", path: "/console/people/:id/notes/:note/deletion", role: "researcher", handle: deleteNote },
  { method: "post", path: "/console/people/:id/links", role: "researcher", handle: makeLink },
  { method: "get", path: "/console/people/:id/links/:session/revoke", role: "admin", handle: askRevocation },
  { method: "post", path: "/console/people/:id/links/:session/revoke", role: "admin", handle: revokeLink },
];
