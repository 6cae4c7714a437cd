// What is sent to receivers, as the API's description shows it.

import * as v from "valibot";
import { timestamp } from "../base/schemas.ts";
import { event } from "../events/resource.ts";
import { EVENTS, eventTypes } from "../events/types.ts";
import type { SentMessage } from "../http/openapi/messages.ts";

const { example } = event;

const EventMessage = v.pipe(
  v.object({
    type: v.pipe(v.string(), v.description("The event's type. New ones may come")),
    timestamp: v.pipe(timestamp, v.description("When it happened")),
    data: event.schema,
  }),
  v.title("EventMessage"),
);

/** A message for each type of event. */
export const eventMessages: SentMessage[] = eventTypes.map((type) => ({
  name: type,
  operationId: `on${type.replace(/(?:^|[.-])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
  tag: "Webhooks",
  summary: `\`${type}\``,
  description:
    `${EVENTS[type].says} Sent to each endpoint that wants this type of event: at least once, and in order where the endpoint is \`ordered\`. Signed as ` +
    "Standard Webhooks say: verify it with one of their libraries and the endpoint's secret.",
  body: v.intersect([EventMessage, v.object({ type: v.literal(type) })]),
  ...(type === example.type && { example: { type, timestamp: example.createdAt, data: example } }),
  headers: {
    "webhook-id": "The event's id. It is the same each time this event is sent.",
    "webhook-timestamp": "When this attempt was made, in seconds since 1970.",
    "webhook-signature":
      "`v1,` and the signature, in Base64. While a secret is replaced, two with a space between them.",
  },
  answers: {
    "2XX": "It is taken.",
    "410": "The receiver is gone: its endpoint is disabled.",
    default: "It is sent again later: 10 times in about 75 hours. `Retry-After` is heeded. Redirects are not followed.",
  },
}));
