// The origins of sites that may show participants' pages in their frames.

import * as v from "valibot";
import { shortArray } from "../base/schemas.ts";

const MAX_FRAME_ANCESTORS = 20;
const MAX_LENGTH = 300;

/** The parser takes signs into a name that would end it, and begin something else, in the header that has it: `;` and `,`, say. */
const NAME = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*\.?|\[[\da-f:]+\])$/;

/** Names of the machine itself: sites in development. */
const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

const origin = v.pipe(
  v.string("must be a string"),
  v.metadata({ maxLength: MAX_LENGTH, examples: ["https://portal.example.org"] }),
  v.transform((text) => text.trim()),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const fault = faultOfOrigin(value);
    if (fault === undefined) return new URL(value).origin;
    addIssue({ message: fault });
    return NEVER;
  }),
);

export const FrameAncestors = v.optional(
  v.pipe(
    shortArray(origin, MAX_FRAME_ANCESTORS),
    v.transform((origins) => [...new Set(origins)]),
    v.description(
      "The origins of sites that may show participants' pages in their frames, and none of another kind. Where the service itself has no https, also http://localhost",
    ),
  ),
);

function faultOfOrigin(text: string): string | undefined {
  const url = text.length > MAX_LENGTH ? null : URL.parse(text);
  // A wildcard would let in whoever gets a name under the site's. The parser takes one for a name.
  if (!url || !NAME.test(url.hostname) || text.includes("*"))
    return "must be an origin such as https://portal.example.org";
  if (url.protocol !== "https:" && !isLocal(url)) return "must begin with https://";
  if (url.username || url.password) return "must not have a user or a password";
  return /^[a-z]+:\/\/[^/?#\\]+$/i.test(text) ? undefined : "must be an origin alone, without a path";
}

function isLocal({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && LOCAL.has(hostname);
}

/** Whether an origin may count only in development, where the service has no https itself. */
export function isForDevelopment(origin: string): boolean {
  return origin.startsWith("http:");
}
