// What callers send about webhooks.

import * as v from "valibot";
import { typedAddress } from "../base/clean-text.ts";
import { closedObject, instant, nearest, overlapHours, shortArray } from "../base/schemas.ts";
import { eventTypes } from "../events/types.ts";
import { ENDPOINT_STATUSES } from "./resource.ts";

const MAX_URL_LENGTH = 2048;

const url = v.pipe(
  v.string("must be a string"),
  v.metadata({ format: "uri", maxLength: MAX_URL_LENGTH }),
  v.transform(typedAddress),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const fault = faultOfUrl(value);
    if (fault === undefined) return new URL(value).href;
    addIssue({ message: fault });
    return NEVER;
  }),
);

/** Why something can't be the URL of an endpoint. Where it leads is another question (address.ts). */
function faultOfUrl(text: string): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters`;
  if (!URL.canParse(text)) return "must be a URL";
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return "must begin with https:// or http://";
  if (username || password) return "must not have a user or a password: others could read them";
  return hash ? "must not have a fragment" : undefined;
}

const eventType = v.pipe(
  v.string("must be a type of event"),
  v.metadata({ enum: [...eventTypes] }),
  v.check(
    (name) => (eventTypes as string[]).includes(name),
    ({ input }) => {
      const near = nearest(input, eventTypes);
      return near === undefined ? "is not a type of event" : `is not a type of event; did you mean ${near}?`;
    },
  ),
);

/** The types of events that an endpoint gets, each once. null: all. */
const types = v.nullable(
  v.pipe(
    shortArray(eventType, eventTypes.length, "must name at least one type; null means all"),
    v.transform((names) => [...new Set(names)]),
  ),
);

const status = v.picklist(ENDPOINT_STATUSES, `must be one of ${ENDPOINT_STATUSES.join(", ")}`);

const ordered = v.pipe(
  v.boolean("must be true or false"),
  v.description(
    "true: one message after the other, in the order of `sequence`; the next waits until the one before is taken or has failed for good. " +
      "false: up to 8 at the same time",
  ),
);

export const NewEndpoint = v.pipe(
  closedObject({ url, types: v.optional(types, null), ordered: v.optional(ordered, false) }),
  v.title("NewWebhookEndpoint"),
);

export const EndpointChange = v.pipe(
  closedObject({
    url: v.optional(url),
    types: v.optional(types),
    ordered: v.optional(ordered),
    status: v.optional(status),
  }),
  v.title("WebhookEndpointChange"),
);

export const SecretRotation = v.pipe(
  closedObject({ overlapHours: overlapHours("How long events are signed with the old secret, too") }),
  v.title("WebhookSecretRotation"),
);

export const Replay = v.pipe(
  closedObject({
    from: v.pipe(instant, v.description("Events from this time on")),
    to: v.optional(v.pipe(instant, v.description("Events before this time. Default: now"))),
  }),
  v.forward(
    v.partialCheck([["from"], ["to"]], ({ from, to }) => to === undefined || from < to, "must be after from"),
    ["to"],
  ),
  v.title("WebhookReplayRequest"),
);
