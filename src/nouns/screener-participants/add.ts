// POST of one screener participant: somebody who is new, or known already.

import * as v from "valibot";
import type { Writer } from "../../../db/sqlite/connection.ts";
import { faultsOfAttributes, readNew } from "../../attribute-types/single.ts";
import { NO_ATTRIBUTES } from "../../base/attributes.ts";
import { exampleIds } from "../../base/examples.ts";
import { newId, newUnguessableId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import { id } from "../../base/schemas.ts";
import { type Actor, actorRow } from "../../events/actors.ts";
import { changesBetween, type RecordEvent } from "../../events/record.ts";
import { created, defineEndpoint, ok } from "../../http/endpoint.ts";
import { writeOnce } from "../../writes/write-once.ts";
import { findParticipantBy, insertParticipant } from "../participants/queries.ts";
import { ADDED, OnePerson, participant, type Written } from "../participants/resource.ts";
import { getScreener } from "../screeners/queries.ts";
import { findAssignmentOf, insertAssignment } from "./queries.ts";
import { assignment } from "./resource.ts";

const isSomebody = ({ externalUid, email, name }: { [member in Written]?: string | undefined }) =>
  (externalUid ?? email ?? name) !== undefined;

const Added = v.pipe(
  v.object({ screenerId: id, ...OnePerson.entries }),
  v.forward(
    v.partialCheck(
      [["externalUid"], ["email"], ["name"]],
      isSomebody,
      "is required, unless externalUid or name is given",
    ),
    ["email"],
  ),
  v.title("NewScreenerParticipant"),
);

type Person = Omit<v.InferOutput<typeof Added>, "screenerId">;

export const addParticipant = defineEndpoint({
  method: "post",
  path: "/screener-participants",
  operationId: "addScreenerParticipant",
  scopes: ["import"],
  tag: "Screener participants",
  summary: "Assign one person to a screener",
  description:
    "Send at least one of `externalUid`, `email` and `name`. A participant who has the `externalUid`, or else the `email`, is assigned as they are; " +
    "else a new one is made, without `externalUid` with one of the service. Many are imported at once by `POST /screener-participants-import`.",
  body: Added,
  together: ({ context, principal }, { attributes }) =>
    context.workspaces.read(principal.workspaceUid, (db) => faultsOfAttributes(db, attributes)),
  replies: {
    200: { description: "The screener participant, who was assigned already", schema: assignment.schema },
    201: { description: "The new screener participant", schema: assignment.schema, headers: { Location: "Its path" } },
  },
  examples: {
    person: {
      body: { screenerId: exampleIds.screener, email: "grace@example.org", name: "Grace Hopper" },
      status: 201,
      reply: {
        ...assignment.example,
        externalParticipantUid: "added-7f9c24e5-2b31-4d0a-9c55-0d3e8b6f1a42",
        currentSessionId: null,
        email: "grace@example.org",
        name: "Grace Hopper",
        status: "NOT_STARTED",
      },
    },
  },
  problems: ["screener_not_found", "email_taken"],
  handle(request) {
    const { screenerId, ...person } = request.body;
    return writeOnce(request, (db, record) => {
      const screener = getScreener(db, screenerId);
      const { id: participantId, uid: participantUid } = personOf(db, person, request.principal.actor, record);
      const known = findAssignmentOf(db, screener.id, participantId);
      if (known !== undefined) return ok(assignment.find(db, known)!);
      const uid = newId();
      insertAssignment(db, { uid, screenerId: screener.id, participantId });
      record({
        type: "screener-participant.added",
        resource: { type: assignment.type, uid },
        summary: { screenerId: screener.uid, participantId: participantUid },
      });
      return created(assignment.find(db, uid)!, `/screener-participants/${uid}`);
    });
  },
});

/** The participant who is meant, or a new one. @throws Problem email_taken when the email is that of another one than the externalUid */
function personOf(db: Writer, person: Person, by: Actor, record: RecordEvent): { id: number; uid: string } {
  const { externalUid, email = null, name = null } = person;
  const byEmail = email === null ? undefined : findParticipantBy(db, "email", email);
  const known = externalUid === undefined ? byEmail : findParticipantBy(db, "external_uid", externalUid);
  if (byEmail && byEmail.id !== known?.id)
    throw new Problem("email_taken", { errors: [{ pointer: "/email", message: "is taken by another participant" }] });
  if (known) return known;
  const uid = newId();
  const at = new Date();
  const values = {
    externalUid: externalUid ?? ADDED + newUnguessableId(),
    email,
    name,
    attributes: readNew(db, person.attributes ?? NO_ATTRIBUTES),
  };
  insertParticipant(db, { uid, values, actor: actorRow(db, by), now: at.toISOString() });
  const changes = changesBetween(null, participant.find(db, uid)!);
  record({ type: "participant.created", resource: { type: participant.type, uid }, changes, at });
  return findParticipantBy(db, "uid", uid)!;
}
