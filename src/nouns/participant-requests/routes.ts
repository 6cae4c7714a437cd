// /participant-requests: what participants have asked for at their links.

import { exampleActor } from "../../base/examples.ts";
import { requireScope } from "../../http/auth.ts";
import { type AnyEndpoint, defineEndpoint, ok } from "../../http/endpoint.ts";
import { defineList } from "../../http/lists.ts";
import { defineRead } from "../../http/reads.ts";
import { writeOnce } from "../../writes/write-once.ts";
import { closeRequest, getRequest } from "./queries.ts";
import { participantRequest, requestList } from "./resource.ts";

const tag = "Participants";

const list = defineList(requestList, {
  path: "/participant-requests",
  operationId: "listParticipantRequests",
  tag,
  summary: "List what participants have asked for",
  downloads: "PARTICIPANT_REQUESTS",
  description:
    "Participants ask at their personal links for their data (`DATA`) or to be erased (`ERASURE`). `filter[state][eq]=OPEN` gives what is " +
    "to be done: `GET /participants/{id}/export`, or `DELETE /participants/{id}`, which takes the participant's requests with it.",
});

const read = defineRead(participantRequest, {
  path: "/participant-requests/:id",
  operationId: "getParticipantRequest",
  tag,
  summary: "Get what a participant has asked for",
  reply: "The request",
  unknown: "participant_request_not_found",
});

const close = defineEndpoint({
  method: "post",
  path: "/participant-requests/:id/close",
  operationId: "closeParticipantRequest",
  scopes: ["import"],
  tag,
  summary: "Mark what a participant has asked for as done",
  description:
    "The participant sees so at the link, with the time, and can ask again. It takes `import`; for an `ERASURE`, which is closed by hand " +
    "only where the participant is not erased, `admin`. Closing it again changes nothing.",
  replies: { 200: { description: "The request, as closed", schema: participantRequest.schema } },
  examples: {
    closed: {
      reply: {
        ...participantRequest.example,
        state: "DONE",
        closedBy: exampleActor,
        closedAt: "2026-02-02T09:00:00.000Z",
      },
    },
  },
  problems: ["participant_request_not_found"],
  handle(request) {
    const { params, principal } = request;
    return writeOnce(request, (db, record) => {
      const row = getRequest(db, params.id!);
      if (row.kind === "ERASURE") requireScope(principal, ["admin"]);
      closeRequest(db, row, principal.actor, record);
      return ok(participantRequest.find(db, row.uid)!);
    });
  },
});

export const participantRequestRoutes: AnyEndpoint[] = [list, read, close];
