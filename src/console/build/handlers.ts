// The builder's page, and what its script asks for: the draft, which it also saves.

import { listKnown } from "../../attribute-types/queries.ts";
import type { IncompletePiece } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { MAX_QUOTAS } from "../../nouns/content/content.ts";
import { getScreener } from "../../nouns/screeners/queries.ts";
import { translatedTo } from "../../nouns/translations/queries.ts";
import { SentFile } from "../shell/calls.ts";
import { islandOf } from "../shell/islands.ts";
import { newestOf } from "../shell/newest.ts";
import { page, type VisitorRequest } from "../shell/request.ts";
import { MAX_SHOWN_BYTES } from "../study/draft.ts";
import { withFieldWords } from "../study/field-words.ts";
import { studyFrame } from "../study/handlers.ts";
import { imagesIn, lookIn } from "../study/look.ts";
import { renderBuild } from "./page.tsx";

/** GET of the page. */
export async function showBuild(request: VisitorRequest): Promise<Reply> {
  const { base, token, calls, context, visitor } = request;
  const { frame } = await studyFrame(request);
  const attributes = context.workspaces.read(visitor.workspace_uid, listKnown);
  const languages = context.workspaces.read(visitor.workspace_uid, (db) =>
    translatedTo(db, getScreener(db, frame.id).id),
  );
  // For the preview.
  await lookIn(request);
  const script = `${base}/console/assets/${islandOf("builder.js").file}`;
  const curl = calls.curl("putScreenerContent", { id: frame.id, headers: { "if-match": '"…"' }, body: { pages: [] } });
  const images = imagesIn(request);
  const given = await givenTo(request);
  return page(200, renderBuild(frame, { script, token, attributes, images, languages, curl, given }));
}

/** JSON of the draft and of the live quotas, as the builder begins with them. */
async function givenTo(request: VisitorRequest): Promise<string> {
  const { headers, body: draft } = await readDraft(request);
  const { items } = await request.calls.get("listScreenerQuotas", {
    id: request.params.id!,
    query: `pagination[limit]=${MAX_QUOTAS}`,
  });
  const quotas = items.map(({ id, limit, taken, held }) => ({ id, limit, taken, held }));
  // The draft is put in as it came: long ones are not read here.
  return `${JSON.stringify({ etag: headers?.ETag, quotas }).slice(0, -1)},"draft":${draft}}`;
}

/** GET of the draft, as the API has it, but for the words of what is wrong with it. */
export async function readDraft({ calls, params }: VisitorRequest): Promise<Reply> {
  const reply = await calls.reply("getScreenerContent", { id: params.id! });
  if (typeof reply.body !== "string" || !reply.body.includes('"incomplete":')) return reply;
  if (Buffer.byteLength(reply.body) > MAX_SHOWN_BYTES) return reply;
  return { ...reply, body: JSON.stringify(inBuilderWords(JSON.parse(reply.body))) };
}

function inBuilderWords<Draft extends { incomplete?: IncompletePiece[] }>(draft: Draft): Draft {
  return draft.incomplete ? { ...draft, incomplete: withFieldWords(draft.incomplete) } : draft;
}

/** How many of a study's last events are looked at for one about its draft. */
const EVENTS_LOOKED_AT = 20;

/** GET of who has changed the draft last, and when; null if that is long ago, or the visitor may not see it. */
export async function readLastChange({ calls, params }: VisitorRequest): Promise<Reply> {
  await calls.get("getScreener", { id: params.id! });
  const filters = new URLSearchParams({ "filter[type][eq]": "screener.updated", "filter[resourceId][eq]": params.id! });
  const read = (query: string) => calls.get("listEvents", { query });
  const { items } = await newestOf(read, filters.toString(), { limit: EVENTS_LOOKED_AT, offset: 0 });
  const found = items.find(({ changes }) => changes.some(({ field }) => field === "content.revision"));
  const name = found && "name" in found.actor ? found.actor.name : "Somebody";
  return { status: 200, body: JSON.stringify(found ? { name, at: found.createdAt } : null) };
}

/** POST of the draft, as JSON: replaces the one that If-Match names. */
export async function saveDraft({ calls, params, ctx }: VisitorRequest): Promise<Reply> {
  const { req } = ctx;
  const { status, headers, value } = await calls.send("putScreenerContent", {
    id: params.id!,
    // Without it, what somebody else has written would be lost.
    headers: { "if-match": String(req.headers["if-match"] ?? '""') },
    body: new SentFile("application/json", req),
  });
  return { status, headers, body: JSON.stringify(inBuilderWords(value)) };
}

/** POST of an image, as JSON. */
export async function sendImage({ calls, ctx }: VisitorRequest): Promise<Reply> {
  const { status, value } = await calls.send("createImage", { body: new SentFile("application/json", ctx.req) });
  return { status, body: JSON.stringify(value) };
}
