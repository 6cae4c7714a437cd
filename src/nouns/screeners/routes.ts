// /screeners.

import * as v from "valibot";
import { exampleIds, exampleJob } from "../../base/examples.ts";
import { newId } from "../../base/ids.ts";
import { invalidRequest, Problem } from "../../base/problems.ts";
import { JobReference } from "../../base/schemas.ts";
import { actorRow } from "../../events/actors.ts";
import { changesBetween } from "../../events/record.ts";
import {
  type AnyEndpoint,
  type ApiRequest,
  besideStored,
  created,
  defineEndpoint,
  requireMatch,
  withTag,
} from "../../http/endpoint.ts";
import { defineList } from "../../http/lists.ts";
import { defineRead } from "../../http/reads.ts";
import type { KeptReply } from "../../http/wire/reply.ts";
import { counted } from "../../languages/counted.ts";
import { alignKey } from "../../signals/keys.ts";
import { ALL_OFF, keptSignals } from "../../signals/settings.ts";
import { replyWithJobItself, submitJob } from "../../writes/submit-job.ts";
import { writeOnce } from "../../writes/write-once.ts";
import { deletionJob } from "./job.ts";
import {
  type Belongings,
  countBelongings,
  findScreener,
  getScreener,
  insertScreener,
  type ScreenerRow,
  updateScreener,
} from "./queries.ts";
import { faultsOfTimes, HOLD_MINUTES, NewScreener, ScreenerChange, screener, screenerList } from "./resource.ts";
import { UTC } from "./time-zones.ts";

const tag = "Screeners";

const list = defineList(screenerList, {
  path: "/screeners",
  operationId: "listScreeners",
  tag,
  summary: "List screeners",
  downloads: null,
});

const create = defineEndpoint({
  method: "post",
  path: "/screeners",
  operationId: "createScreener",
  scopes: ["author"],
  tag,
  summary: "Create a screener",
  description: "It has no content and no publication yet.",
  body: NewScreener,
  replies: {
    201: {
      description: "The new screener",
      schema: screener.schema,
      headers: { Location: "Its path", ETag: "For If-Match" },
    },
  },
  examples: {
    screener: {
      body: { title: "Hot drinks", description: "Adults who drink tea or coffee" },
      reply: { ...screener.example, activePublicationId: null },
    },
  },
  problems: [],
  handle(request) {
    const { title, description = null, acceptance = "OPEN", opensAt = null, closesAt = null } = request.body;
    const { timeZone = UTC, linkExpiresAt = null, quotaHoldMinutes = HOLD_MINUTES, review = "NONE" } = request.body;
    const signals = keptSignals(request.body.signals ?? ALL_OFF);
    const uid = newId();
    return withKey(request, uid, (db, record) => {
      const actor = actorRow(db, request.principal.actor);
      const at = new Date();
      const times = { opens_at: opensAt, closes_at: closesAt, time_zone: timeZone, link_expires_at: linkExpiresAt };
      const values = {
        title,
        description,
        acceptance,
        ...times,
        quota_hold_minutes: quotaHoldMinutes,
        review,
        signals,
        archived: 0,
      };
      insertScreener(db, { uid, ...values, actor, now: at.toISOString() });
      const json = screener.find(db, uid)!;
      const resource = { type: screener.type, uid };
      record({ type: "screener.created", resource, changes: changesBetween(null, json), at });
      return created(json, `/screeners/${uid}`, json);
    });
  },
});

const read = defineRead(screener, {
  path: "/screeners/:id",
  operationId: "getScreener",
  tag,
  summary: "Get a screener",
  reply: "The screener",
  unknown: "screener_not_found",
});

const change = defineEndpoint({
  method: "patch",
  path: "/screeners/:id",
  operationId: "changeScreener",
  scopes: ["author"],
  tag,
  summary: "Change a screener",
  description:
    "Send only the members to change. Null clears a member. If nothing changes, `updatedAt` stays. A screener that is PAUSED or " +
    "CLOSED, before `opensAt` or from `closesAt` on, takes no answers and opens no sessions; so does one whose links have expired " +
    "(`linkExpiresAt`). Sessions go on where they were when it opens again, or its links expire later. `archived` changes nothing " +
    "of that: the console's list leaves an archived screener out.",
  body: ScreenerChange,
  together: besideStored(findScreener, faultsOfTimes),
  isConditional: true,
  replies: {
    200: { description: "The screener as it is now", schema: screener.schema, headers: { ETag: "For If-Match" } },
  },
  examples: { clear: { body: { description: null }, reply: { ...screener.example, description: null } } },
  problems: ["screener_not_found"],
  handle(request) {
    const { body, params, principal } = request;
    return withKey(request, params.id!, (db, record) => {
      const current = getScreener(db, params.id!);
      const before = screener.find(db, current.uid)!;
      requireMatch(request, before);
      const { title = current.title, description = current.description, acceptance = current.acceptance } = body;
      const { opensAt = current.opens_at, closesAt = current.closes_at } = body;
      const { timeZone = current.time_zone, linkExpiresAt = current.link_expires_at } = body;
      const { quotaHoldMinutes = current.quota_hold_minutes, review = current.review } = body;
      const signals = body.signals ? keptSignals(body.signals) : current.signals;
      const archived = body.archived === undefined ? current.archived : Number(body.archived);
      const wrong = faultsOfTimes(current, body);
      if (wrong.length) throw invalidRequest(wrong);
      const actor = actorRow(db, principal.actor);
      const at = new Date();
      const times = { opens_at: opensAt, closes_at: closesAt, time_zone: timeZone, link_expires_at: linkExpiresAt };
      const values = {
        title,
        description,
        acceptance,
        ...times,
        quota_hold_minutes: quotaHoldMinutes,
        review,
        signals,
        archived,
      };
      updateScreener(db, { id: current.id, ...values, actor, now: at.toISOString() });
      const after = screener.find(db, current.uid)!;
      const changes = changesBetween(before, after);
      const resource = { type: screener.type, uid: current.uid };
      if (changes.length) record({ type: "screener.updated", resource, changes, at });
      return withTag(after);
    });
  },
});

/** A write, after which the screener has the key that its signals need; or none, when it is closed. */
async function withKey(request: ApiRequest, uid: string, change: Parameters<typeof writeOnce>[1]): Promise<KeptReply> {
  const { context, principal } = request;
  const reply = await writeOnce(request, change);
  try {
    await alignKey(context, principal.workspaceUid, uid);
  } catch (error) {
    // The write is done. The upkeep looks again within the hour.
    context.log.warn({ requestId: request.requestId, err: error }, "screener_key");
  }
  return reply;
}

const remove = defineEndpoint({
  method: "delete",
  path: "/screeners/:id",
  operationId: "deleteScreener",
  scopes: ["admin"],
  tag,
  summary: "Delete a screener with everything",
  description:
    "Deletes the screener with its content, publications, screener participants, sessions and answers. Nothing brings them " +
    "back. Participants stay. It is asked for twice: without `confirm` nothing happens, and the answer says how much would go. " +
    "It waits behind the jobs that were accepted before.",
  isJob: true,
  parameters: v.object({
    confirm: v.optional(v.pipe(v.string(), v.description("The screener's title; or its id, if it has no title"))),
  }),
  replies: {
    200: { description: "The job, which is done", schema: JobReference, headers: { Location: "The path of the job" } },
  },
  examples: {
    confirmed: {
      query: { confirm: screener.example.title as string },
      reply: {
        ...exampleJob,
        kind: deletionJob.kind,
        status: "SUCCEEDED",
        screenerId: exampleIds.screener,
        summary: { publications: 1, screenerParticipants: 1, sessions: 1, responses: 4 },
        finishedAt: "2026-01-31T12:00:00.300Z",
      },
    },
  },
  problems: ["screener_not_found", "confirmation_required"],
  async handle(request) {
    const { context, principal, params, parameters } = request;
    const uid = context.workspaces.read(principal.workspaceUid, (db) => {
      const row = getScreener(db, params.id!);
      if (parameters?.confirm?.trim() !== (row.title ?? row.uid)) throw unconfirmed(row, countBelongings(db, row.id));
      return row.uid;
    });
    return replyWithJobItself(request, await submitJob(request, deletionJob, { screenerId: uid }));
  },
});

function unconfirmed({ uid, title }: ScreenerRow, belongings: Belongings): Problem {
  const { publications, screenerParticipants, sessions, responses } = belongings;
  const name = title === null ? "without a title" : JSON.stringify(title);
  return new Problem("confirmation_required", {
    detail:
      `This would delete the screener ${name} with ${counted(publications, "publication", "publications")}, ` +
      `${counted(screenerParticipants, "screener participant", "screener participants")}, ${counted(sessions, "session", "sessions")} and ` +
      `${counted(responses, "answer", "answers")}. To do it, send confirm=${encodeURIComponent(title ?? uid)}.`,
  });
}

export const screenerRoutes: AnyEndpoint[] = [list, create, read, change, remove];
