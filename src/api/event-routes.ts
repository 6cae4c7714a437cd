// /events: the log of a workspace, as a list and as a feed.

import * as v from "valibot";
import { exampleIds } from "../base/examples.ts";
import { Problem } from "../base/problems.ts";
import { uuid } from "../base/schemas.ts";
import { findEventId, readFeed } from "../events/queries.ts";
import { event, eventList } from "../events/resource.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint } from "../http/endpoint.ts";
import { defineList } from "../http/lists.ts";
import { defineRead } from "../http/reads.ts";
import { readPreference } from "../http/wire/request-headers.ts";
import { Event, EventFeed } from "./event-schemas.ts";

const tag = "Events";

const list = defineList(
  { ...eventList, schema: Event },
  {
    path: "/events",
    operationId: "listEvents",
    scopes: ["read"],
    tag,
    summary: "List events",
    downloads: null,
    description:
      "Everything that was changed in the workspace: by whom, when, and from what to what. What a job has changed is one event with its " +
      "counts; its rows are at `/jobs/{id}/rows`.",
    order: "oldest first",
  },
);

const read = defineRead(
  { ...event, schema: Event },
  {
    path: "/events/:id",
    operationId: "getEvent",
    scopes: ["read"],
    tag,
    summary: "Get an event",
    reply: "The event",
    unknown: "event_not_found",
  },
);

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

const FeedParameters = v.object({
  after: v.optional(
    v.pipe(uuid, v.toLowerCase(), v.description("The `cursor` of the page before. Without it: from the start")),
  ),
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,8}$/, "must be a whole number of at least 1"),
      v.transform((text) => Math.min(Number(text), MAX_LIMIT)),
      v.description(`At most ${MAX_LIMIT}; default ${DEFAULT_LIMIT}`),
    ),
  ),
});

const feed = defineEndpoint({
  method: "get",
  path: "/events/feed",
  operationId: "followEvents",
  scopes: ["read"],
  tag,
  summary: "Follow the events",
  description:
    "What came after an event, in the order of the changes. Go on with `cursor`: nothing is left out, and nothing comes twice. With " +
    "`Prefer: wait=N` the reply waits up to N seconds for the next event. 410 if the event of `after` is no longer kept, or was lost " +
    "by restoring a backup: then start anew.",
  parameters: FeedParameters,
  headers: { Prefer: "`wait=N`: how many seconds to wait if nothing came after" },
  replies: {
    200: {
      description: "The next events; none if nothing came after",
      schema: EventFeed,
      headers: { "Preference-Applied?": "`wait=N`, if the caller prefers it" },
    },
  },
  examples: {
    next: {
      query: { limit: "1" },
      reply: { _type: "EventFeed", items: [event.example], cursor: exampleIds.event, logId: exampleIds.log },
    },
  },
  problems: ["event_gone"],
  async handle({ context, principal, parameters, headers, incoming }) {
    const { after: cursor, limit = DEFAULT_LIMIT } = parameters ?? {};
    const { waitSeconds, applied } = readPreference(headers, 0);
    const { workspaceUid } = principal;
    const after = context.workspaces.read(workspaceUid, (db) => {
      if (cursor === undefined) return 0;
      const id = findEventId(db, cursor);
      if (id === undefined) throw new Problem("event_gone");
      return id;
    });
    const readOn = () => context.workspaces.read(workspaceUid, (db) => readFeed(db, after, limit));
    let page = readOn();
    if (waitSeconds && page.last === undefined) {
      await whileConnected(incoming, (gone) => context.eventWaiter.wait(workspaceUid, after, waitSeconds, gone));
      // What is read after waiting is measured, and the waiting is not.
      page = context.turns.measure(workspaceUid, readOn);
    }
    const { items, last = cursor ?? null, logId } = page;
    const head = Buffer.from('{"_type":"EventFeed","items":[');
    const tail = Buffer.from(`],"cursor":${JSON.stringify(last)},"logId":"${logId}"}`);
    return {
      status: 200,
      body: Buffer.concat([head, items, tail]),
      ...(applied?.startsWith("wait") && { headers: { "Preference-Applied": applied } }),
    };
  },
});

/** Waits for `work`. Its signal says when the caller has hung up. */
async function whileConnected(
  { socket }: Pick<ApiRequest["incoming"], "socket">,
  work: (gone: AbortSignal) => Promise<void>,
): Promise<void> {
  const gone = new AbortController();
  const hangUp = () => gone.abort();
  socket.once("close", hangUp);
  try {
    await work(gone.signal);
  } finally {
    socket.off("close", hangUp);
  }
}

// The feed first: `feed` is no id.
export const eventRoutes: AnyEndpoint[] = [list, feed, read];
