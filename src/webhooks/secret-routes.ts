// /webhook-endpoints/{id}/rotate-secret: another secret for an endpoint.

import { actorRow } from "../events/actors.ts";
import { changesBetween } from "../events/record.ts";
import { type AnyEndpoint, defineEndpoint, ok, requireMatch } from "../http/endpoint.ts";
import { writeOnce } from "../writes/write-once.ts";
import { SecretRotation } from "./bodies.ts";
import { getEndpoint, rotateSecret } from "./queries.ts";
import { endpointWithSecret, webhookEndpoint } from "./resource.ts";
import { newSecret } from "./sign.ts";

const tag = "Webhooks";
const HOUR_MS = 3_600_000;

const rotate = defineEndpoint({
  method: "post",
  path: "/webhook-endpoints/:id/rotate-secret",
  operationId: "rotateWebhookSecret",
  scopes: ["admin"],
  tag,
  summary: "Give a webhook endpoint a new secret",
  description:
    "For `overlapHours` (default 24; 0: the old secret counts no more) each message has two signatures, of the new secret and of the one " +
    "before, so that the receiver can change over at any time. A receiver that verifies with a library of Standard Webhooks accepts " +
    "either.",
  body: SecretRotation,
  bodyIsOptional: true,
  isConditional: true,
  replies: { 200: { description: "The endpoint, with its new secret", schema: endpointWithSecret.schema } },
  examples: {
    rotated: {
      body: { overlapHours: 24 },
      reply: { ...endpointWithSecret.example, previousSecretExpiresAt: "2026-02-01T12:00:00.000Z" },
    },
  },
  problems: ["webhook_endpoint_not_found"],
  handle(request) {
    const { body, params, principal } = request;
    return writeOnce(request, (db, record) => {
      const { id, uid } = getEndpoint(db, params.id!);
      const before = webhookEndpoint.find(db, uid)!;
      requireMatch(request, before);
      const at = new Date();
      rotateSecret(db, id, {
        secret: newSecret(),
        previousUntil: body.overlapHours ? at.getTime() + body.overlapHours * HOUR_MS : null,
        actor: actorRow(db, principal.actor),
        now: at.toISOString(),
      });
      const changes = changesBetween(before, webhookEndpoint.find(db, uid)!);
      const summary = { secret: "rotated" };
      record({ type: "webhook-endpoint.updated", resource: { type: webhookEndpoint.type, uid }, changes, summary, at });
      return ok(endpointWithSecret.find(db, uid)!);
    });
  },
});

export const webhookSecretRoutes: AnyEndpoint[] = [rotate];
