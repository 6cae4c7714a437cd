// /screener-publications, and a screener's own list of them

import { type AnyEndpoint, defineEndpoint, found, ok } from "../http/endpoint.ts";
import { paginated, replyWithList } from "../http/lists.ts";
import { writeOnce } from "../http/once.ts";
import { replyWithJob } from "../jobs/reply.ts";
import { submitJob } from "../jobs/submit.ts";
import { JobView } from "../jobs/view.ts";
import { invalidRequest } from "../problems.ts";
import { activatePublication, getScreener } from "../screeners/queries.ts";
import { actorRow } from "../workspaces/actors.ts";
import { NewPublication, PublicationChange } from "./input.ts";
import { publicationJob } from "./job.ts";
import {
  findPublicationJson,
  getPublication,
  listPublications,
  slicePublications,
  tagSetRow,
  updatePublication,
} from "./queries.ts";
import { PublicationView, publicationColumns } from "./view.ts";

const tag = "Publications";

const list = defineEndpoint({
  method: "get",
  path: "/screeners/:id/publications",
  operationId: "listScreenerPublications",
  tag,
  summary: "List a screener's publications",
  filters: {},
  replies: {
    200: { description: "One page, newest version first", schema: paginated("ScreenerPublication", PublicationView) },
  },
  problems: ["screener_not_found"],
  handle(request) {
    const screenerUid = request.params.id!;
    return replyWithList(request, {
      kind: "ScreenerPublication",
      name: "screener-publications",
      page: (db, { page }) => listPublications(db, getScreener(db, screenerUid).id, page),
      slices: (db) => slicePublications(db, getScreener(db, screenerUid).id),
      columns: publicationColumns,
    });
  },
});

const create = defineEndpoint({
  method: "post",
  path: "/screener-publications",
  operationId: "publishScreener",
  tag,
  summary: "Publish a screener",
  description:
    "Clones the screener's current content as its next version, which becomes the active one; the one that was active is archived.",
  isJob: true,
  body: NewPublication,
  replies: {
    201: { description: "The new publication", schema: PublicationView, headers: { Location: "Where it is" } },
    202: { description: "The job, when it is not done in time", schema: JobView, headers: { Location: "The job" } },
  },
  problems: ["screener_not_found"],
  async handle(request) {
    const job = await submitJob(request, publicationJob.kind, request.body);
    return replyWithJob(request, job, (body) => ({
      status: 201,
      body,
      headers: { Location: `/screener-publications/${JSON.parse(String(body)).id}` },
    }));
  },
});

const read = defineEndpoint({
  method: "get",
  path: "/screener-publications/:id",
  operationId: "getScreenerPublication",
  tag,
  summary: "Get a publication",
  replies: { 200: { description: "The publication", schema: PublicationView } },
  problems: ["screener_publication_not_found"],
  handle({ context, principal, params }) {
    const json = context.workspaces.read(principal.workspaceUid, (db) => findPublicationJson(db, params.id!));
    return ok(found(json, "screener_publication_not_found"));
  },
});

const change = defineEndpoint({
  method: "patch",
  path: "/screener-publications/:id",
  operationId: "changeScreenerPublication",
  tag,
  summary: "Change a publication's target, tags or status",
  description:
    "Content never changes. `status` can become ARCHIVED; an archived publication does not become active again.",
  body: PublicationChange,
  replies: { 200: { description: "The publication as it is now", schema: PublicationView } },
  problems: ["screener_publication_not_found"],
  handle(request) {
    const { body, params, principal } = request;
    return writeOnce(request, (db) => {
      const publication = getPublication(db, params.id!);
      const {
        status = publication.status,
        targetQualifiedParticipants: target = publication.target_qualified_participants,
      } = body;
      if (status === "ACTIVE" && publication.status === "ARCHIVED") {
        throw invalidRequest([
          { pointer: "/status", message: "can't become ACTIVE again; publish the screener instead" },
        ]);
      }
      const now = new Date().toISOString();
      const actor = actorRow(db, principal.actor);
      const tagSetId = body.tags ? tagSetRow(db, body.tags) : publication.tag_set_id;
      updatePublication(db, { id: publication.id, status, target, tagSetId, actor, now });
      if (status !== publication.status) {
        activatePublication(db, { id: publication.screener_id, publicationId: null, actor, now });
      }
      return ok(findPublicationJson(db, publication.uid)!);
    });
  },
});

export const publicationRoutes: AnyEndpoint[] = [list, create, read, change];
