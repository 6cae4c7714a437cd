// /participants.

import type { Reader } from "../../../db/sqlite/connection.ts";
import { faultsOfAttributes, readChanges, readNew } from "../../attribute-types/single.ts";
import { type AttributeChanges, changeAttributes } from "../../base/attributes.ts";
import { exampleActor, exampleAudit } from "../../base/examples.ts";
import { newId } from "../../base/ids.ts";
import { invalidRequest, Problem } from "../../base/problems.ts";
import { actorRow } from "../../events/actors.ts";
import { changesBetween } from "../../events/record.ts";
import { type AnyEndpoint, created, defineEndpoint, requireMatch, withTag } from "../../http/endpoint.ts";
import { defineList } from "../../http/lists.ts";
import { defineRead } from "../../http/reads.ts";
import { writeOnce } from "../../writes/write-once.ts";
import { markOf, reasonIn } from "./do-not-contact.ts";
import {
  getParticipant,
  hasEmail,
  hasExternalUid,
  insertParticipant,
  setDoNotContact,
  updateParticipant,
} from "./queries.ts";
import { NewParticipant, ParticipantChange, participant, participantList } from "./resource.ts";

const tag = "Participants";

const list = defineList(participantList, {
  path: "/participants",
  operationId: "listParticipants",
  tag,
  summary: "List participants",
  downloads: "PARTICIPANTS",
});

const create = defineEndpoint({
  method: "post",
  path: "/participants",
  operationId: "createParticipant",
  scopes: ["import"],
  tag,
  summary: "Create a participant",
  description: "`externalUid` and `email` are unique in the workspace; emails without regard to upper and lower case.",
  body: NewParticipant,
  together: ({ context, principal }, { attributes }) =>
    context.workspaces.read(principal.workspaceUid, (db) => faultsOfAttributes(db, attributes)),
  replies: {
    201: {
      description: "The new participant",
      schema: participant.schema,
      headers: { Location: "Its path", ETag: "For If-Match" },
    },
  },
  examples: {
    participant: {
      body: { externalUid: "P-18", email: "grace@example.org", name: { first: "Grace", last: "Hopper" } },
      reply: { ...participant.example, externalUid: "P-18", email: "grace@example.org", name: "Grace Hopper" },
    },
  },
  problems: ["external_uid_taken", "email_taken"],
  handle(request) {
    return writeOnce(request, (db, record) => {
      const values = { ...request.body, attributes: readNew(db, request.body.attributes) };
      const uid = newId();
      const actor = actorRow(db, request.principal.actor);
      const at = new Date();
      if (insertParticipant(db, { uid, values, actor, now: at.toISOString() }) === undefined) {
        if (hasExternalUid(db, values.externalUid)) throw taken("external_uid_taken", "/externalUid");
        throw taken("email_taken", "/email");
      }
      const json = participant.find(db, uid)!;
      const resource = { type: participant.type, uid };
      record({ type: "participant.created", resource, changes: changesBetween(null, json), at });
      return created(json, `/participants/${uid}`, json);
    });
  },
});

const read = defineRead(participant, {
  path: "/participants/:id",
  operationId: "getParticipant",
  tag,
  summary: "Get a participant",
  reply: "The participant",
  unknown: "participant_not_found",
});

const change = defineEndpoint({
  method: "patch",
  path: "/participants/:id",
  operationId: "changeParticipant",
  scopes: ["import"],
  tag,
  summary: "Change a participant",
  description:
    "Send only the members to change. Null clears `email` and `name`, and so does white space alone. `attributes` are changed " +
    "key by key: null removes a key, and keys that are left out stay, and values are read by the workspace's types of attributes. With `doNotContact` no mailing reaches the participant; null ends that. If nothing changes, `updatedAt` stays.",
  body: ParticipantChange,
  together: ({ context, principal }, { attributes }) =>
    context.workspaces.read(principal.workspaceUid, (db) => faultsOfAttributes(db, attributes)),
  isConditional: true,
  replies: {
    200: { description: "The participant as it is now", schema: participant.schema, headers: { ETag: "For If-Match" } },
  },
  examples: {
    name: { body: { name: "Ada King" }, reply: { ...participant.example, name: "Ada King" } },
    doNotContact: {
      body: { doNotContact: { reason: "Has asked us on the phone" } },
      reply: {
        ...participant.example,
        doNotContact: { reason: "Has asked us on the phone", by: exampleActor, at: exampleAudit.updatedAt },
      },
    },
  },
  problems: ["participant_not_found", "external_uid_taken", "email_taken"],
  handle(request) {
    const { body, params, principal } = request;
    return writeOnce(request, (db, record) => {
      const { id, uid, doNotContact, ...current } = getParticipant(db, params.id!);
      const before = participant.find(db, uid)!;
      requireMatch(request, before);
      const { doNotContact: mark, ...written } = body;
      const values = withChanges(current, { ...written, attributes: changedAttributes(db, current.attributes, body) });
      if (body.externalUid !== undefined && hasExternalUid(db, body.externalUid, id))
        throw taken("external_uid_taken", "/externalUid");
      if (values.email !== null && hasEmail(db, values.email, id)) throw taken("email_taken", "/email");
      const actor = actorRow(db, principal.actor);
      const now = new Date().toISOString();
      updateParticipant(db, { id, values, actor, now });
      if (mark !== undefined && mark?.reason !== reasonIn(doNotContact))
        setDoNotContact(db, { id, mark: mark && markOf(mark.reason, principal.actor, now), actor, now });
      const after = participant.find(db, uid)!;
      const changes = changesBetween(before, after);
      const resource = { type: participant.type, uid };
      if (changes.length)
        record({ type: "participant.updated", resource, changes, at: new Date(JSON.parse(after).updatedAt) });
      return withTag(after);
    });
  },
});

export const participantRoutes: AnyEndpoint[] = [list, create, read, change];

/** The values with the changes. An undefined change leaves its value. */
function withChanges<Values extends object>(
  values: Values,
  changes: { [member in keyof Values]?: Values[member] | undefined },
): Values {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...values, ...Object.fromEntries(given) };
}

/** @throws Problem 400 if a value is none of its type, or the participant would get too many attributes */
function changedAttributes(
  db: Reader,
  current: string,
  { attributes }: { attributes?: AttributeChanges | null | undefined },
): string | undefined {
  if (attributes === undefined) return undefined;
  const { text, error } = changeAttributes(current, attributes && readChanges(db, attributes));
  if (error === undefined) return text;
  throw invalidRequest([{ pointer: "/attributes", message: `${error}, together with those that it has` }]);
}

function taken(code: "external_uid_taken" | "email_taken", pointer: string): Problem {
  return new Problem(code, { errors: [{ pointer, message: "is taken by another participant" }] });
}
