// /webhook-endpoints: where events are sent.

import { whenFree } from "../../db/sqlite/when-free.ts";
import { newId } from "../base/ids.ts";
import { invalidRequest, Problem, type ProblemDetail } from "../base/problems.ts";
import { actorRow } from "../events/actors.ts";
import { changesBetween } from "../events/record.ts";
import {
  type AnyEndpoint,
  type ApiRequest,
  created,
  defineEndpoint,
  ok,
  requireMatch,
  withTag,
} from "../http/endpoint.ts";
import { defineList } from "../http/lists.ts";
import { defineRead } from "../http/reads.ts";
import { requireHere } from "../workspaces/moving.ts";
import { noteWorkspace } from "../workspaces/noted.ts";
import { writeOnce } from "../writes/write-once.ts";
import { isPublic, literalAddress } from "./address.ts";
import { EndpointChange, NewEndpoint } from "./bodies.ts";
import { deleteDeliveriesOf } from "./delivery-queries.ts";
import { WEBHOOK_NOTES } from "./noted.ts";
import { countEndpoints, deleteEndpoint, getEndpoint, insertEndpoint, skipEvents, updateEndpoint } from "./queries.ts";
import { endpointList, endpointWithSecret, webhookEndpoint } from "./resource.ts";
import { newSecret } from "./sign.ts";

const tag = "Webhooks";

/** Each is asked for work, and has connections of its own. */
const MAX_ENDPOINTS = 20;

const list = defineList(endpointList, {
  path: "/webhook-endpoints",
  operationId: "listWebhookEndpoints",
  scopes: ["admin"],
  tag,
  summary: "List webhook endpoints",
  downloads: null,
});

const create = defineEndpoint({
  method: "post",
  path: "/webhook-endpoints",
  operationId: "createWebhookEndpoint",
  scopes: ["admin"],
  tag,
  summary: "Create a webhook endpoint",
  description:
    "From now on each event of these `types` (null or none: all) is sent to `url` as a POST, signed as Standard Webhooks say: at least once; " +
    "up to 8 at the same time, or, with `ordered: true`, one after the other in the order of `sequence`. `webhook-id` is the event's id. The body is `{ type, timestamp, data }`, where `data` is the Event as " +
    "`GET /events/{id}` shows it. `secret` verifies the signatures; it is shown only here. Any 2xx within 15 s is a success. Else there " +
    "are 10 attempts in about 75 hours. A receiver that answers 410, or fails for five days, is disabled. `participant.created` and " +
    "`participant.updated` are not sent for people who are imported: an import is one event, `import.completed`, and its rows, with the ids of the " +
    "people and what was changed, are at `GET /jobs/{jobId}/rows` for a week.",
  body: NewEndpoint,
  together: notReachable,
  replies: {
    201: {
      description: "The new endpoint, with its secret",
      schema: endpointWithSecret.schema,
      headers: { Location: "Its path", ETag: "For If-Match" },
    },
  },
  examples: {
    endpoint: {
      body: { url: endpointWithSecret.example.url, types: endpointWithSecret.example.types },
      reply: endpointWithSecret.example,
    },
  },
  problems: ["webhook_endpoint_limit"],
  async handle(request) {
    const { url, types, ordered } = request.body;
    requireReachable(request, request.body);
    await note(request);
    return writeOnce(request, (db, record) => {
      if (countEndpoints(db) >= MAX_ENDPOINTS)
        throw new Problem("webhook_endpoint_limit", { detail: `A workspace has at most ${MAX_ENDPOINTS} endpoints.` });
      const uid = newId();
      const at = new Date();
      const actor = actorRow(db, request.principal.actor);
      const id = insertEndpoint(db, {
        uid,
        url,
        types: types && JSON.stringify(types),
        ordered,
        secret: newSecret(),
        actor,
        now: at.toISOString(),
      });
      const shown = webhookEndpoint.find(db, uid)!;
      const changes = changesBetween(null, shown);
      record({ type: "webhook-endpoint.created", resource: resourceOf(uid), changes, at });
      skipEvents(db, id);
      return created(endpointWithSecret.find(db, uid)!, `/webhook-endpoints/${uid}`, shown);
    });
  },
});

const read = defineRead(webhookEndpoint, {
  path: "/webhook-endpoints/:id",
  operationId: "getWebhookEndpoint",
  scopes: ["admin"],
  tag,
  summary: "Get a webhook endpoint",
  reply: "The endpoint, without its secret",
  unknown: "webhook_endpoint_not_found",
});

const change = defineEndpoint({
  method: "patch",
  path: "/webhook-endpoints/:id",
  operationId: "changeWebhookEndpoint",
  scopes: ["admin"],
  tag,
  summary: "Change a webhook endpoint's URL, types, order or status",
  description:
    "Send only the members to change. A DISABLED endpoint gets nothing. When it is ENABLED again, the deliveries that were pending go on, " +
    "and it gets the events that come; those of the time between are sent by `POST /webhook-endpoints/{id}/replay`.",
  body: EndpointChange,
  together: notReachable,
  isConditional: true,
  replies: {
    200: {
      description: "The endpoint as it is now",
      schema: webhookEndpoint.schema,
      headers: { ETag: "For If-Match" },
    },
  },
  examples: {
    disable: {
      summary: "Disable the endpoint",
      body: { status: "DISABLED" },
      reply: { ...webhookEndpoint.example, status: "DISABLED" },
    },
  },
  problems: ["webhook_endpoint_not_found"],
  async handle(request) {
    const { body, params, principal } = request;
    requireReachable(request, body);
    if (body.status === "ENABLED") await note(request);
    return writeOnce(request, (db, record) => {
      const current = getEndpoint(db, params.id!);
      const { uid } = current;
      const before = webhookEndpoint.find(db, uid)!;
      requireMatch(request, before);
      const { url = current.url, status = current.status } = body;
      const types = body.types === undefined ? current.types : body.types && JSON.stringify(body.types);
      const ordered = body.ordered === undefined ? current.ordered : body.ordered ? 1 : 0;
      const isDestinationKept = ordered === current.ordered && url === current.url;
      if (isDestinationKept && status === current.status && types === current.types) return withTag(before);
      const at = new Date();
      const actor = actorRow(db, principal.actor);
      updateEndpoint(db, current, { url, types, ordered, status, actor, now: at.toISOString() });
      const after = webhookEndpoint.find(db, uid)!;
      const changes = changesBetween(before, after);
      record({ type: "webhook-endpoint.updated", resource: resourceOf(uid), changes, at });
      return withTag(after);
    });
  },
});

const remove = defineEndpoint({
  method: "delete",
  path: "/webhook-endpoints/:id",
  operationId: "deleteWebhookEndpoint",
  scopes: ["admin"],
  tag,
  summary: "Delete a webhook endpoint",
  description: "Deletes it with its secret and its deliveries. Nothing more is sent to it.",
  isConditional: true,
  replies: { 200: { description: "The endpoint, as it was", schema: webhookEndpoint.schema } },
  examples: { deleted: { reply: webhookEndpoint.example } },
  problems: ["webhook_endpoint_not_found"],
  async handle(request) {
    const { context, params, principal } = request;
    const { workspaces, config } = context;
    const { id, uid } = workspaces.read(principal.workspaceUid, (db) => {
      const current = getEndpoint(db, params.id!);
      // Before anything of it goes.
      requireMatch(request, webhookEndpoint.find(db, current.uid)!);
      return current;
    });
    // In short transactions: there may be a million of them.
    const removeSome = () =>
      workspaces.writeWhenFree(principal.workspaceUid, config.writeWaitMs, (db) => deleteDeliveriesOf(db, id));
    while (await removeSome());
    return writeOnce(request, (db, record) => {
      const current = getEndpoint(db, uid);
      const json = webhookEndpoint.find(db, uid)!;
      requireMatch(request, json);
      while (deleteDeliveriesOf(db, id));
      deleteEndpoint(db, current);
      record({ type: "webhook-endpoint.deleted", resource: resourceOf(uid), changes: changesBetween(json, null) });
      return ok(json);
    });
  },
});

function resourceOf(uid: string): { type: string; uid: string } {
  return { type: webhookEndpoint.type, uid };
}

/** @throws Problem 400 */
function requireReachable(request: ApiRequest, body: Addressed): void {
  const wrong = notReachable(request, body);
  if (wrong.length) throw invalidRequest(wrong);
}

interface Addressed {
  url?: string | undefined;
}

/** Names are looked up when something is sent; an address says at once where it leads. */
function notReachable({ context }: Pick<ApiRequest, "context">, { url }: Addressed): ProblemDetail[] {
  const literal = url === undefined ? undefined : literalAddress(new URL(url));
  if (literal === undefined || context.config.webhookAllowPrivate || isPublic(literal)) return [];
  return [{ pointer: "/url", message: "must lead to a public address" }];
}

/** From now on the workspace is looked at. */
async function note({ context, principal }: Pick<ApiRequest, "context" | "principal">): Promise<void> {
  const { control, config } = context;
  await whenFree(control.writer, config.writeWaitMs, () => {
    requireHere(control.writer, principal);
    noteWorkspace(control.writer, WEBHOOK_NOTES, principal.workspaceUid);
  });
}

export const webhookEndpointRoutes: AnyEndpoint[] = [list, create, read, change, remove];
