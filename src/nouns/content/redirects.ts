// The address to which the browser goes after the end. It may have placeholders for the names of the session.

import * as v from "valibot";
import { lengthOf, typedAddress } from "../../base/clean-text.ts";

/** The placeholders: the reference, which opens nothing, and the id, which is a part of the link. */
const REFERENCE = "{reference}";
const SESSION_ID = "{sessionId}";

/** The names of a session. */
export interface SessionNames {
  reference: string;
  sessionId: string;
}

const MAX_ADDRESS_LENGTH = 2000;

/** What is wrong with the address that an author has typed; undefined: nothing. */
function faultOfRedirect(address: string): string | undefined {
  if (lengthOf(address) > MAX_ADDRESS_LENGTH) return `must be at most ${MAX_ADDRESS_LENGTH} characters`;
  const { url, markers } = parsed(address);
  if (!url || /\s/.test(address)) return "must be a web address, such as https://panel.example.org/done?id={reference}";
  if (url.protocol !== "https:") return "must begin with https://";
  if (url.username || url.password) return "must not have a user name or password";
  if (markers.some((marker) => url.host.includes(marker)))
    return `must not have ${REFERENCE} or ${SESSION_ID} in the name of the site`;
  const [unknown] = filled(address, { reference: "", sessionId: "" }).match(/\{[^{}]*\}?|\}/) ?? [];
  if (unknown !== undefined) return `has ${unknown}, but only ${REFERENCE} and ${SESSION_ID} can be filled in`;
  return lengthOf(redirectOf(address)) > MAX_ADDRESS_LENGTH
    ? `must be at most ${MAX_ADDRESS_LENGTH} characters, with its special characters as %…`
    : undefined;
}

/** An address without faults as the URL parser writes it: it leads where it seems to lead. Its placeholders stay. */
function redirectOf(address: string): string {
  const { url, markers } = parsed(address);
  const [reference = "", sessionId = ""] = markers;
  return url!.href.replaceAll(reference, REFERENCE).replaceAll(sessionId, SESSION_ID);
}

/** The address for a session. */
export function redirectTo(address: string, names: SessionNames): string {
  return new URL(filled(address, names)).href;
}

/** Whether an address gives another site what opens the session. */
export function givesLinkAway(address: string): boolean {
  return address.includes(SESSION_ID);
}

function filled(address: string, { reference, sessionId }: SessionNames): string {
  return address.replaceAll(REFERENCE, reference).replaceAll(SESSION_ID, sessionId);
}

/** Parses the address with a word for each placeholder: one that the parser leaves as it is, and that the address does not have. */
function parsed(address: string): { url: URL | null; markers: string[] } {
  let number = 0;
  while (address.toLowerCase().includes(`marker${number}`)) number++;
  const markers = [`marker${number}r`, `marker${number}s`];
  const marked = filled(address, { reference: markers[0]!, sessionId: markers[1]! });
  return { url: URL.parse(marked.replaceAll(/[{}]/g, "0")), markers };
}

/** As authors send it. */
export const redirect = v.optional(
  v.nullable(
    v.pipe(
      v.string("must be a string"),
      v.metadata({
        minLength: 1,
        maxLength: 2000,
        examples: ["https://panel.example.org/done?id={reference}"],
        description:
          "An https: address; {reference} stands for the session's reference. {sessionId} stands for its id, with which the other site can open the link",
      }),
      v.transform(typedAddress),
      v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
        const fault = faultOfRedirect(value);
        if (fault === undefined) return redirectOf(value);
        addIssue({ message: fault });
        return NEVER;
      }),
    ),
  ),
);
