// /screeners/{id}/content: the draft.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { exampleIds } from "../../base/examples.ts";
import { Problem } from "../../base/problems.ts";
import { type Actor, actorRow } from "../../events/actors.ts";
import { type RecordEvent, recordEvent } from "../../events/record.ts";
import { type AnyEndpoint, type ApiRequest, causeOf, defineEndpoint, ok, type Reply } from "../../http/endpoint.ts";
import { readBytes } from "../../http/wire/body.ts";
import { etagOf, matches } from "../../http/wire/etag.ts";
import { wantLeftImages } from "../../images/left.ts";
import { imagesOf } from "../../images/queries.ts";
import { positionQuotas } from "../quotas/queries.ts";
import { getScreener, type ScreenerRow, touchScreener } from "../screeners/queries.ts";
import { contentExample, contentInputExample } from "./examples.ts";
import type { Incomplete, SetAside } from "./incomplete/pieces.ts";
import { prepareDraft } from "./prepare.ts";
import { type DraftRow, findDraft, writeDraft } from "./queries.ts";
import { ContentInput, ContentView, withOwner } from "./resource.ts";

const tag = "Content";

const example = { _type: "ScreenerContent", screenerId: exampleIds.screener, ...contentExample };

/** A draft of 2,000 questions with 50 options each has about 8 MB. */
const MAX_CONTENT_BYTES = 16 * 1024 * 1024;

/** How often one request reads a draft that other authors keep changing. */
const MAX_TRIES = 5;

const read = defineEndpoint({
  method: "get",
  path: "/screeners/:id/content",
  operationId: "getScreenerContent",
  scopes: ["read"],
  tag,
  summary: "Get a screener's draft",
  description: "A screener without content has an empty draft. The `ETag` changes with every change of the draft.",
  headers: { "If-None-Match": "The ETag of the draft that the caller has" },
  replies: {
    200: { description: "The draft", schema: ContentView, headers: { ETag: "For If-Match and If-None-Match" } },
    304: { description: "The draft is the one that If-None-Match names", headers: { ETag: "Its ETag" } },
  },
  examples: { draft: { reply: example } },
  problems: ["screener_not_found"],
  handle({ context, principal, params }) {
    const { screener, draft } = context.workspaces.read(principal.workspaceUid, (db) => {
      const found = getScreener(db, params.id!);
      return { screener: found, draft: findDraft(db, found.id) };
    });
    return draftReply(screener.uid, draft);
  },
});

const write = defineEndpoint({
  method: "put",
  path: "/screeners/:id/content",
  operationId: "putScreenerContent",
  scopes: ["author"],
  tag,
  summary: "Replace a screener's draft",
  description:
    "Replaces the whole draft. Pages, questions and options that are sent with their id in the current draft keep it; all others " +
    "get a new id. Publications do not change. What `GET` has returned can be sent back as it is. A misspelt member is an error. With `allowIncomplete`, questions, quotas, assignments, rules and texts in which something is missing or " +
    "wrong are set aside, and returned as `incomplete`; such a draft can't be published. With `If-Match`, the draft is replaced only if it still has this ETag.",
  body: ContentInput,
  streamsBody: true,
  headers: { "If-Match": "The ETag of the draft to replace" },
  replies: { 200: { description: "The draft as it is now", schema: ContentView, headers: { ETag: "For If-Match" } } },
  examples: {
    draft: { body: contentInputExample, reply: example },
    guarded: {
      summary: "Send a draft back as it was read, unless somebody else has changed it",
      headers: { "If-Match": '"1"' },
      body: example,
      reply: example,
    },
  },
  problems: ["screener_not_found", "precondition_failed", "quota_rule_changed"],
  async handle(request) {
    const { context, principal, params, incoming, confirm } = request;
    const body = await readBytes(incoming, MAX_CONTENT_BYTES, confirm);
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const workspaceUid = principal.workspaceUid;
      const prepared = await context.pool.ask(prepareDraft, { workspaceUid, screenerUid: params.id!, body });
      if ("problem" in prepared) throw Problem.fromDocument(prepared.problem);
      const reply = await context.workspaces.writeWhenFree(workspaceUid, context.config.writeWaitMs, (db) => {
        const screener = getScreener(db, params.id!);
        const draft = getDraft(db, screener.id, request);
        // Another author changed the draft meanwhile, so other ids may be known. Read it again.
        if (draft.revision !== prepared.revision) return undefined;
        // An image that nothing has shown for long is removed meanwhile.
        if (imagesOf(db, prepared.images).size < prepared.images.length) return undefined;
        return replaceDraft(db, { screener, draft, by: principal.actor }, prepared, (event) =>
          recordEvent(db, causeOf(request), event),
        );
      });
      if (reply) return reply;
    }
    throw new Problem("store_busy", { headers: { "Retry-After": "1" } });
  },
});

export const contentRoutes: AnyEndpoint[] = [read, write];

/** Inside a transaction. @throws Problem 412 when If-Match names another ETag */
export function getDraft(db: Reader, screenerId: number, { headers }: Pick<ApiRequest, "headers">): DraftRow {
  const draft = findDraft(db, screenerId);
  const expected = headers["if-match"];
  if (expected !== undefined && !matches(expected, etagOf(draft.revision))) throw new Problem("precondition_failed");
  return draft;
}

interface Replacing {
  screener: Pick<ScreenerRow, "id" | "uid">;
  draft: DraftRow;
  by: Actor;
  /** What its event says besides. */
  summary?: object;
}

/** Inside a transaction: replaces a draft, and writes an event, unless it is the same. @param quotas the ids of its quotas @returns the draft as it is now */
export function replaceDraft(
  db: Writer,
  { screener, draft, by, summary }: Replacing,
  { json, incomplete, quotas }: Pick<DraftRow, "json" | "incomplete"> & { quotas: readonly string[] },
  record: RecordEvent,
): Reply<string> {
  if (draft.json === json && draft.incomplete === incomplete) return draftReply(screener.uid, draft);
  const revision = draft.revision + 1;
  writeDraft(db, screener.id, { revision, json, incomplete });
  positionQuotas(db, screener.id, quotas);
  const at = new Date();
  wantLeftImages(db, draft, { json, incomplete }, at.getTime());
  touchScreener(db, screener.id, actorRow(db, by), at.toISOString());
  const changes = [{ field: "content.revision", from: draft.revision, to: revision }];
  const resource = { type: "Screener", uid: screener.uid };
  record({ type: "screener.updated", resource, changes, at, ...(summary && { summary }) });
  return draftReply(screener.uid, { revision, json, incomplete });
}

function draftReply(screenerUid: string, { revision, json, incomplete }: DraftRow): Reply<string> {
  const complete = withOwner({ _type: "ScreenerContent", screenerId: screenerUid }, json);
  const body = incomplete === null ? complete : `${complete.slice(0, -1)},${setAsideIn(incomplete)}}`;
  return { ...ok(body), headers: { ETag: etagOf(revision) } };
}

/** The members of a draft with what is set aside. */
function setAsideIn(json: string): string {
  const pieces: Incomplete[] = (JSON.parse(json) as SetAside[]).map(({ ids: _, ...piece }) => piece);
  return `"allowIncomplete":true,"incomplete":${JSON.stringify(pieces)}`;
}
