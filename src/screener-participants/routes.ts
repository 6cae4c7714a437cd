// /screener-participants, and their import.

import * as v from "valibot";
import { exampleIds, exampleJob } from "../examples.ts";
import { type AnyEndpoint, defineEndpoint, ok } from "../http/endpoint.ts";
import { defineList } from "../http/lists.ts";
import { defineRead } from "../http/reads.ts";
import { replyWithJob } from "../writes/job-reply.ts";
import { submitSpooledJob } from "../writes/submit-job.ts";
import { writeOnce } from "../writes/write-once.ts";
import { importJob } from "./job.ts";
import { removeAssignment } from "./remove.ts";
import { assignment, assignmentList, ParticipantImport, removedAssignment } from "./resource.ts";

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
  tag,
  summary: "Remove a screener participant",
  description:
    "Removes the assignment of a participant to a screener and archives its sessions. The participant stays, and can be imported again.",
  replies: { 200: { description: "The removed screener participant", schema: removedAssignment.schema } },
  examples: { removed: { reply: removedAssignment.example } },
  problems: ["screener_participant_not_found"],
  handle(request) {
    return writeOnce(request, (db) => ok(removeAssignment(db, request.params.id!)));
  },
});

const importParticipants = defineEndpoint({
  method: "post",
  path: "/screener-participants-import",
  operationId: "importScreenerParticipants",
  tag,
  summary: "Import participants into a screener",
  description:
    "Creates and changes participants, and assigns them to the screener. If one row is wrong, nothing is imported. Rows are " +
    "matched by `externalUid`. For a participant who exists, `email` and `name` may be null or left out, and then do not " +
    "change. `FULL_SYNC` also removes the screener's participants that are not in the payload.",
  isJob: true,
  streamsBody: true,
  body: ParticipantImport,
  replies: {
    200: { description: "One screener participant per row, in the same order", schema: v.array(assignment.schema) },
  },
  examples: {
    roster: {
      body: {
        screenerId: exampleIds.screener,
        importMode: "UPDATES_ONLY",
        participants: [{ externalUid: "P-17", email: "ada@example.org", name: "Ada Lovelace" }],
      },
      reply: [assignment.example],
    },
    later: {
      summary: "Import without waiting",
      headers: { Prefer: "respond-async" },
      body: {
        screenerId: exampleIds.screener,
        participants: [{ externalUid: "P-18", email: "grace@example.org", name: "Grace Hopper" }],
      },
      status: 202,
      reply: exampleJob,
    },
  },
  problems: ["screener_not_found", "email_taken"],
  async handle(request) {
    const job = await submitSpooledJob(request, importJob, {});
    return replyWithJob(request, job, (body) => ({ status: 200, body }));
  },
});

export const assignmentRoutes: AnyEndpoint[] = [list, read, remove, importParticipants];
