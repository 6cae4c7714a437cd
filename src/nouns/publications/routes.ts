// /screener-publications, and a screener's own list of them.

import * as v from "valibot";
import { exampleIds, exampleJob } from "../../base/examples.ts";
import { invalidRequest } from "../../base/problems.ts";
import { closedObject } from "../../base/schemas.ts";
import { actorRow } from "../../events/actors.ts";
import { changesBetween } from "../../events/record.ts";
import { type AnyEndpoint, besideStored, defineEndpoint, ok, requireMatch, withTag } from "../../http/endpoint.ts";
import { defineList, workspaceSource } from "../../http/lists.ts";
import { defineRead } from "../../http/reads.ts";
import { etagOf, versionsNamed } from "../../http/wire/etag.ts";
import { replyWithJob, submitJob } from "../../writes/submit-job.ts";
import { writeOnce } from "../../writes/write-once.ts";
import { contentExample } from "../content/examples.ts";
import { findPublishedJson, publishedQuotaIds } from "../content/queries.ts";
import { ContentView, PublishedContentView, withOwner } from "../content/resource.ts";
import { getDraft, replaceDraft } from "../content/routes.ts";
import { activatePublication, getScreener, getScreenerUid } from "../screeners/queries.ts";
import { publicationJob } from "./job.ts";
import { PUBLISHING_PROBLEMS } from "./publish.ts";
import { findPublication, getPublication, tagSetRow, updatePublication } from "./queries.ts";
import { faultsOfStatus, NewPublication, PublicationChange, publication, publicationList } from "./resource.ts";
import { watchTarget } from "./target.ts";

const tag = "Publications";

const list = defineList(
  publicationList,
  {
    path: "/screeners/:id/publications",
    operationId: "listScreenerPublications",
    tag,
    summary: "List a screener's publications",
    downloads: null,
    order: "newest version first",
    problems: ["screener_not_found"],
  },
  (request) => workspaceSource(request).read((db) => getScreener(db, request.params.id!).id),
);

const create = defineEndpoint({
  method: "post",
  path: "/screener-publications",
  operationId: "publishScreener",
  scopes: ["author"],
  tag,
  summary: "Publish a screener",
  description:
    "Copies the screener's draft as its next version, which becomes the active publication. The active one before it is archived. " +
    "A target or tags that are left out are those of the screener's latest publication; null means none. " +
    "A screener without questions can be published: the job then has the warning `no_questions`. " +
    "With `If-Match`, the draft is published only if it has this ETag at the moment when it is copied. " +
    "The publication keeps the translations that the draft has then.",
  isJob: true,
  body: NewPublication,
  headers: { "If-Match": "The ETag of the draft to publish" },
  replies: {
    201: {
      description: "The new publication",
      schema: publication.schema,
      headers: { Location: "Its path", Link: "The path of the job, as `rel=monitor`" },
    },
  },
  examples: {
    publication: {
      body: {
        screenerId: exampleIds.screener,
        targetQualifiedParticipants: 100,
        tags: [{ category: "Region", value: "North" }],
      },
      reply: publication.example,
    },
    guarded: {
      summary: "Publish a draft that was read, unless somebody has changed it since",
      headers: { "If-Match": '"1"' },
      body: { screenerId: exampleIds.screener },
      reply: { ...publication.example, targetQualifiedParticipants: null, tags: [] },
    },
    later: {
      summary: "Publish without waiting",
      headers: { Prefer: "respond-async" },
      body: { screenerId: exampleIds.screener },
      status: 202,
      reply: { ...exampleJob, kind: "SCREENER_PUBLICATION" },
    },
  },
  problems: [...PUBLISHING_PROBLEMS],
  async handle(request) {
    const ifMatch = request.headers["if-match"];
    const revisions = ifMatch === undefined ? undefined : versionsNamed(ifMatch);
    const job = await submitJob(request, publicationJob, { ...request.body, revisions });
    return replyWithJob(request, job, (body) => ({
      status: 201,
      body,
      headers: { Location: `/screener-publications/${JSON.parse(String(body)).id}` },
    }));
  },
});

const read = defineRead(publication, {
  path: "/screener-publications/:id",
  operationId: "getScreenerPublication",
  tag,
  summary: "Get a publication",
  reply: "The publication",
  unknown: "screener_publication_not_found",
});

const change = defineEndpoint({
  method: "patch",
  path: "/screener-publications/:id",
  operationId: "changeScreenerPublication",
  scopes: ["author"],
  tag,
  summary: "Change a publication's target, tags or status",
  description:
    "Send only the members to change. `status` can become ARCHIVED, but not ACTIVE again. The content never changes.",
  body: PublicationChange,
  together: besideStored(findPublication, faultsOfStatus),
  isConditional: true,
  replies: {
    200: {
      description: "The publication as it is now",
      schema: publication.schema,
      headers: { ETag: "For If-Match" },
    },
  },
  examples: {
    target: {
      summary: "Remove the target",
      body: { targetQualifiedParticipants: null },
      reply: { ...publication.example, targetQualifiedParticipants: null },
    },
    archive: {
      summary: "Archive the publication",
      body: { status: "ARCHIVED" },
      reply: { ...publication.example, status: "ARCHIVED" },
    },
  },
  problems: ["screener_publication_not_found"],
  handle(request) {
    const { body, params, principal } = request;
    return writeOnce(request, (db, record) => {
      const current = getPublication(db, params.id!);
      const before = publication.find(db, current.uid)!;
      requireMatch(request, before);
      const { status = current.status, targetQualifiedParticipants: target = current.target_qualified_participants } =
        body;
      const wrong = faultsOfStatus(current, body);
      if (wrong.length) throw invalidRequest(wrong);
      const at = new Date();
      const now = at.toISOString();
      const actor = actorRow(db, principal.actor);
      const tagSetId = body.tags === undefined ? current.tag_set_id : tagSetRow(db, body.tags ?? []);
      return watchTarget(db, current.id, record, () => {
        updatePublication(db, { id: current.id, status, target, tagSetId, actor, now });
        if (status !== current.status) {
          activatePublication(db, { id: current.screener_id, publicationId: null, actor, now });
        }
        const after = publication.find(db, current.uid)!;
        const changes = changesBetween(before, after);
        const resource = { type: publication.type, uid: current.uid };
        if (changes.length) record({ type: "screener-publication.updated", resource, changes, at });
        return withTag(after);
      });
    });
  },
});

/** Published content never changes. Raise this number when the form of its JSON changes. */
const CONTENT_FORM = 2;

const content = defineEndpoint({
  method: "get",
  path: "/screener-publications/:id/content",
  operationId: "getScreenerPublicationContent",
  scopes: ["read", "respond"],
  tag: "Content",
  summary: "Get a publication's content",
  description: "The content of a publication never changes.",
  headers: { "If-None-Match": "The ETag of the content that the caller has" },
  replies: {
    200: { description: "The published content", schema: PublishedContentView, headers: { ETag: "For If-None-Match" } },
    304: { description: "If-None-Match names the content", headers: { ETag: "Its ETag" } },
  },
  examples: {
    content: {
      reply: {
        _type: "ScreenerPublicationContent",
        screenerId: exampleIds.screener,
        screenerPublicationId: exampleIds.publication,
        version: 1,
        ...contentExample,
      },
    },
  },
  problems: ["screener_publication_not_found"],
  handle({ context, principal, params }) {
    return context.workspaces.read(principal.workspaceUid, (db) => {
      const { id, uid, screener_id, version } = getPublication(db, params.id!);
      const owner = {
        _type: "ScreenerPublicationContent",
        screenerId: getScreenerUid(db, screener_id),
        screenerPublicationId: uid,
        version,
      };
      const headers = { ETag: etagOf(CONTENT_FORM) };
      return { ...ok(withOwner(owner, findPublishedJson(db, id))), headers };
    });
  },
});

const restore = defineEndpoint({
  method: "post",
  path: "/screener-publications/:id/restore",
  operationId: "restoreScreenerPublication",
  scopes: ["author"],
  tag: "Content",
  summary: "Put a publication's content into the draft",
  description:
    "Replaces the whole draft of its screener. Pages, questions and options have the ids that they have in the publication. Nothing is " +
    "published. With `If-Match`, the draft is replaced only if it still has this ETag.",
  body: v.pipe(closedObject({}), v.title("ScreenerPublicationRestore")),
  bodyIsOptional: true,
  headers: { "If-Match": "The ETag of the draft to replace" },
  replies: { 200: { description: "The draft as it is now", schema: ContentView, headers: { ETag: "For If-Match" } } },
  examples: {
    restored: { body: {}, reply: { _type: "ScreenerContent", screenerId: exampleIds.screener, ...contentExample } },
  },
  problems: ["screener_publication_not_found", "precondition_failed"],
  handle(request) {
    return writeOnce(request, (db, record) => {
      const { id, uid, screener_id: screenerId, version } = getPublication(db, request.params.id!);
      const screener = { id: screenerId, uid: getScreenerUid(db, screenerId) };
      const draft = getDraft(db, screenerId, request);
      const summary = { screenerPublicationId: uid, version };
      const replacing = { screener, draft, by: request.principal.actor, summary };
      return replaceDraft(
        db,
        replacing,
        { json: findPublishedJson(db, id), incomplete: null, quotas: publishedQuotaIds(db, id) },
        record,
      );
    });
  },
});

export const publicationRoutes: AnyEndpoint[] = [list, create, read, content, change, restore];
