// /screener-participants

import { type AnyEndpoint, defineEndpoint, ok } from "../../http/endpoint.ts";
import { defineList } from "../../http/lists.ts";
import { defineRead } from "../../http/reads.ts";
import { writeOnce } from "../../writes/write-once.ts";
import { removeAssignment } from "./remove.ts";
import { assignment, assignmentList, removedAssignment } from "./resource.ts";

const tag = "Screener participants";

const list = defineList(assignmentList, {
  path: "/screener-participants",
  operationId: "listScreenerParticipants",
  tag,
  summary: "List screener participants",
});

const read = defineRead(assignment, {
  path: "/screener-participants/:id",
  operationId: "getScreenerParticipant",
  tag,
  summary: "Get a screener participant",
  reply: "The screener participant",
  unknown: "screener_participant_not_found",
});

const remove = defineEndpoint({
  method: "delete",
  path: "/screener-participants/:id",
  operationId: "removeScreenerParticipant",
  scopes: ["import"],
  tag,
  summary: "Remove a screener participant",
  description:
    "Removes the assignment of a participant to a screener and archives its sessions. The participant stays, and can be imported again.",
  replies: { 200: { description: "The removed screener participant", schema: removedAssignment.schema } },
  examples: { removed: { reply: removedAssignment.example } },
  problems: ["screener_participant_not_found"],
  handle(request) {
    return writeOnce(request, (db, record) => ok(removeAssignment(db, request.params.id!, record)));
  },
});

export const assignmentRoutes: AnyEndpoint[] = [list, read, remove];
