// The page with what was done in the workspace: by whom, when, and what has changed. It is the log of events.

import { EVENTS, eventTypes } from "../../events/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { instantIn, timeZoneOf, UTC } from "../../nouns/screeners/time-zones.ts";
import { unlessGone, wordsOf } from "../shell/event-words.tsx";
import { newestOf } from "../shell/newest.ts";
import { offsetOf, page, signedIn, type VisitorRequest } from "../shell/request.ts";
import { KINDS, renderActivity } from "./page.tsx";

const EVENTS_PER_PAGE = 50;

/** GET of the activity, the newest first. */
export async function showActivity(request: VisitorRequest): Promise<Reply> {
  const { base, calls, query } = request;
  const asked = {
    kind: KINDS.find(({ kind }) => kind === query.get("kind"))?.kind ?? "",
    from: dayOf(query.get("from")),
    to: dayOf(query.get("to")),
    // The days are those of the reader: a script says where that is.
    zone: timeZoneOf(query.get("zone") ?? UTC) ?? UTC,
  };
  const filters = new URLSearchParams();
  const kind = KINDS.find((one) => one.kind === asked.kind);
  if (kind) {
    const types = eventTypes.filter((type) => EVENTS[type].kind === kind.kind);
    types.forEach((type, at) => {
      filters.set(`filter[type][in][${at}]`, type);
    });
  }
  if (asked.from) filters.set("filter[createdAt][gte]", instantIn(asked.zone, `${asked.from}T00:00`)!);
  if (asked.to) filters.set("filter[createdAt][lt]", instantIn(asked.zone, `${dayAfter(asked.to)}T00:00`)!);
  const limits = { limit: EVENTS_PER_PAGE, offset: offsetOf(query, EVENTS_PER_PAGE) };
  const found = await newestOf((query) => calls.get("listEvents", { query }), filters.toString(), limits);
  const events = await wordsOf(request, found.items);
  const jobs = await jobsThere(
    request,
    events.flatMap(({ jobId }) => jobId ?? []),
  );
  const curl = calls.curl("listEvents", { query: found.query });
  return page(
    200,
    renderActivity(base, signedIn(request), { asked, events, jobs, total: found.total, ...limits, curl }),
  );
}

/** Those of the jobs that are there. */
async function jobsThere({ calls }: VisitorRequest, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for (const id of new Set(ids)) if (await unlessGone(calls.get("getJob", { id }))) there.add(id);
  return there;
}

/** A day as a form sends it; empty if it is none. */
function dayOf(text: string | null): string {
  return text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : "";
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, day.length);
}
