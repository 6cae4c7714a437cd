// /participants

import { type AnyEndpoint, created, defineEndpoint, found, ok } from "../http/endpoint.ts";
import { ANY_OPERATOR } from "../http/list-query.ts";
import { paginated, replyWithList } from "../http/lists.ts";
import { writeOnce } from "../http/once.ts";
import { newId } from "../ids.ts";
import { Problem } from "../problems.ts";
import { actorRow } from "../workspaces/actors.ts";
import { NewParticipant, ParticipantChange } from "./input.ts";
import {
  findParticipantJson,
  getParticipant,
  hasEmail,
  hasExternalUid,
  insertParticipant,
  listParticipants,
  sliceParticipants,
  updateParticipant,
} from "./queries.ts";
import { ParticipantView, participantColumns } from "./view.ts";

const tag = "Participants";

const list = defineEndpoint({
  method: "get",
  path: "/participants",
  operationId: "listParticipants",
  tag,
  summary: "List participants",
  filters: {
    externalUid: { operators: ANY_OPERATOR, values: "text" },
    email: { operators: ANY_OPERATOR, values: "text" },
  },
  replies: { 200: { description: "One page, oldest first", schema: paginated("Participant", ParticipantView) } },
  problems: [],
  handle(request) {
    return replyWithList(request, {
      kind: "Participant",
      name: "participants",
      page: (db, { filters, page }) => listParticipants(db, filters, page),
      slices: (db, { filters }) => sliceParticipants(db, filters),
      columns: participantColumns,
    });
  },
});

const create = defineEndpoint({
  method: "post",
  path: "/participants",
  operationId: "createParticipant",
  tag,
  summary: "Create a participant",
  body: NewParticipant,
  replies: {
    201: { description: "The new participant", schema: ParticipantView, headers: { Location: "Where it is" } },
  },
  problems: ["external_uid_taken", "email_taken"],
  handle(request) {
    const { externalUid, email, name } = request.body;
    return writeOnce(request, (db) => {
      if (hasExternalUid(db, externalUid)) throw taken("external_uid_taken", "/externalUid");
      if (hasEmail(db, email)) throw taken("email_taken", "/email");
      const uid = newId();
      const actor = actorRow(db, request.principal.actor);
      insertParticipant(db, { uid, externalUid, email, name, actor, now: new Date().toISOString() });
      return created(findParticipantJson(db, uid)!, `/participants/${uid}`);
    });
  },
});

const read = defineEndpoint({
  method: "get",
  path: "/participants/:id",
  operationId: "getParticipant",
  tag,
  summary: "Get a participant",
  replies: { 200: { description: "The participant", schema: ParticipantView } },
  problems: ["participant_not_found"],
  handle({ context, principal, params }) {
    const json = context.workspaces.read(principal.workspaceUid, (db) => findParticipantJson(db, params.id!));
    return ok(found(json, "participant_not_found"));
  },
});

const change = defineEndpoint({
  method: "patch",
  path: "/participants/:id",
  operationId: "changeParticipant",
  tag,
  summary: "Change a participant",
  description: "Send only what changes; null clears. A change of nothing leaves `updatedAt` alone.",
  body: ParticipantChange,
  replies: { 200: { description: "The participant as it is now", schema: ParticipantView } },
  problems: ["participant_not_found", "email_taken"],
  handle(request) {
    const { body, params, principal } = request;
    return writeOnce(request, (db) => {
      const participant = getParticipant(db, params.id!);
      const { email = participant.email, name = participant.name } = body;
      if (email !== null && hasEmail(db, email, participant.id)) throw taken("email_taken", "/email");
      const actor = actorRow(db, principal.actor);
      updateParticipant(db, { id: participant.id, email, name, actor, now: new Date().toISOString() });
      return ok(findParticipantJson(db, participant.uid)!);
    });
  },
});

export const participantRoutes: AnyEndpoint[] = [list, create, read, change];

function taken(code: "external_uid_taken" | "email_taken", pointer: string): Problem {
  return new Problem(code, { errors: [{ pointer, message: "is taken by another participant" }] });
}
