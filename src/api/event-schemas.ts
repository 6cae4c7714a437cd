// Events as the API describes them: a schema for each type, with what it is about and what its changes name.

import * as v from "valibot";
import { EXTENSIBLE } from "../base/members.ts";
import { timestamp, uuid } from "../base/schemas.ts";
import { EventResource, event, LOG_ID_DESCRIPTION } from "../events/resource.ts";
import { EVENTS, type EventDeclaration, type EventType, eventTypes } from "../events/types.ts";
import type { SentMessage } from "../http/openapi/messages.ts";
import { changesOf } from "./event-fields.ts";

/** @returns what an event of the type has besides what all have */
function ownOf({ about, changes }: EventDeclaration, type: EventType): v.GenericSchema {
  const [first, ...others] = [about].flat() as [string, ...string[]];
  return v.object({
    type: v.literal(type),
    resource: v.intersect([
      EventResource,
      v.object({ _type: others.length ? v.picklist([first, ...others]) : v.literal(first) }),
    ]),
    changes: changesOf(first, changes),
  });
}

/** "screener.created" → "ScreenerCreated". */
const nameOf = (type: EventType) => type.replace(/(?:^|[.-])(\w)/g, (_, letter: string) => letter.toUpperCase());

const eventsOf = Object.fromEntries(
  eventTypes.map((type) => [
    type,
    v.pipe(
      v.intersect([event.schema, ownOf(EVENTS[type], type)]),
      v.title(`${nameOf(type)}Event`),
      v.description(EVENTS[type].says),
    ),
  ]),
) as unknown as Record<EventType, v.GenericSchema>;

/** An event of any type. */
export const Event = v.pipe(
  v.union(Object.values(eventsOf)),
  v.title(event.type),
  v.description("`type` says which it is. Further types may come: what all have is EventMembers"),
  v.metadata({ discriminator: { propertyName: "type" }, ...EXTENSIBLE }),
);

/** A page of the feed. */
export const EventFeed = v.pipe(
  v.object({
    _type: v.literal("EventFeed"),
    items: v.array(Event),
    cursor: v.pipe(v.nullable(uuid), v.description("The last event, to go on with as `after`. null: the log is empty")),
    logId: v.pipe(uuid, v.description(LOG_ID_DESCRIPTION)),
  }),
  v.title("EventFeed"),
);

const EventMessage = v.pipe(
  v.object({
    type: v.pipe(v.string(), v.description("The event's type. New ones may come")),
    timestamp: v.pipe(timestamp, v.description("When it happened")),
    data: Event,
  }),
  v.title("EventMessage"),
);

const { example } = event;

/** A message to receivers for each type of event. */
export const eventMessages: SentMessage[] = eventTypes.map((type) => ({
  name: type,
  operationId: `on${nameOf(type)}`,
  tag: "Webhooks",
  summary: `\`${type}\``,
  description:
    `${EVENTS[type].says} Sent to each endpoint that wants this type of event: at least once, and in order where the endpoint is \`ordered\`. Signed as ` +
    "Standard Webhooks say: verify it with one of their libraries and the endpoint's secret.",
  body: v.intersect([EventMessage, v.object({ type: v.literal(type), data: eventsOf[type] })]),
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
