// The pages with what people have asked for at their links: a list of tasks, and one of them, with what does it.

import { Problem } from "../../base/problems.ts";
import type { Participant, ParticipantRequest } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { includesRole } from "../../workspaces/rights.ts";

import type { Faults } from "../shell/faults.ts";
import { faultsOf } from "../shell/faults.ts";
import { byTime } from "../shell/newest.ts";
import { type ConsoleRoute, page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { type Asked, renderRequest, renderRequests } from "./page.tsx";

const path = "/console/requests";

export const requestPages: readonly ConsoleRoute[] = [
  { method: "get", path, role: "researcher", handle: showRequests },
  { method: "get", path: `${path}/:id`, role: "researcher", handle: (request) => showRequest(request, "", {}) },
  { method: "post", path: `${path}/:id`, role: "researcher", handle: closeRequest },
];

const REQUESTS_PER_PAGE = 50;

/** GET of the list: what is open, or what is done (`?state=DONE`). */
async function showRequests(request: VisitorRequest): Promise<Reply> {
  const { base, calls, query } = request;
  const state = query.get("state") === "DONE" ? "DONE" : "OPEN";
  const read = (sent: string) => calls.get("listParticipantRequests", { query: sent });
  // Who has waited longest comes first.
  const order = { query, limit: REQUESTS_PER_PAGE, usual: "createdAt" } as const;
  const { items, query: sent, ...list } = await byTime(read, `filter[state][eq]=${state}`, order);
  const asked: Asked[] = [];
  for (const one of items) asked.push(await withNames(request, one));
  const view = { state, asked, ...list, curl: calls.curl("listParticipantRequests", { query: sent }) } as const;
  return page(200, renderRequests(base, signedIn(request), view));
}

async function withNames({ calls }: VisitorRequest, one: ParticipantRequest): Promise<Asked> {
  const person: Participant = await calls.get("getParticipant", { id: one.participantId });
  const study = one.screenerId === null ? null : await calls.get("getScreener", { id: one.screenerId });
  return { ...one, person, study };
}

async function showRequest(request: VisitorRequest, note: string, faults: Faults): Promise<Reply> {
  const { base, calls, params } = request;
  const asked = await withNames(request, await calls.get("getParticipantRequest", { id: params.id! }));
  const curl = calls.curl("closeParticipantRequest", { id: asked.id });
  const status = Object.keys(faults).length ? 422 : 200;
  return page(status, renderRequest(base, signedIn(request), { asked, note, faults, curl }));
}

/** POST: marks it as done. An erasure that is not done needs a reason. */
async function closeRequest(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params, visitor } = request;
  const { kind } = await calls.get("getParticipantRequest", { id: params.id! });
  const note = fields("note").trim();
  if (kind === "ERASURE" && !includesRole(visitor.role, "admin")) throw new Problem("insufficient_scope");
  if (kind === "ERASURE" && note === "") return showRequest(request, note, { note: "must not be empty" });
  // Headers are read as Latin 1, and this one is UTF-8.
  const headers = note ? { "x-action-note": Buffer.from(note).toString("latin1") } : {};
  try {
    await calls.send("closeParticipantRequest", { id: params.id!, headers });
  } catch (error) {
    const { "X-Action-Note": fault, ...others } = faultsOf(error, []);
    return showRequest(request, note, { ...others, ...(fault && { note: fault.replace("X-Action-Note ", "") }) });
  }
  return redirect(`${base}${path}/${params.id}`);
}
