// The address to which the browser goes after the end. It may have placeholders for what is known of the session and its participant.

import * as v from "valibot";
import { isAttributeKey } from "../../base/attributes.ts";
import { lengthOf, typedAddress } from "../../base/clean-text.ts";
import { SIGNATURE } from "../signing-keys/parameter.ts";
import type { ByOutcome, Outcome } from "./content.ts";

/** The id is a part of the link. */
const SESSION_ID = "{sessionId}";
const ATTRIBUTE = "attribute:";
const NAMES = ["reference", "sessionId", "externalUid", "quotaCode"] as const;
const PLACEHOLDERS = new RegExp(`\\{(${NAMES.join("|")}|${ATTRIBUTE}[^{}]*)\\}`, "g");
const KNOWN = "{reference}, {sessionId}, {externalUid}, {quotaCode} and {attribute:KEY}";

/** What the placeholders are filled with. */
interface RedirectValues extends Record<(typeof NAMES)[number], string> {
  attribute(key: string): string;
}

const MAX_ADDRESS_LENGTH = 2000;

/** What is wrong with the address that an author has typed; undefined: nothing. */
function faultOfRedirect(address: string): string | undefined {
  if (lengthOf(address) > MAX_ADDRESS_LENGTH) return `must be at most ${MAX_ADDRESS_LENGTH} characters`;
  const { url, markers } = parsed(address);
  if (!url || /\s/.test(address.replace(PLACEHOLDERS, "")))
    return "must be a web address, such as https://panel.example.org/done?id={reference}";
  if (url.protocol !== "https:") return "must begin with https://";
  if (url.username || url.password) return "must not have a user name or password";
  const inHost = [...markers].find(([marker]) => url.host.includes(marker));
  if (inHost) return `must not have ${inHost[1]} in the name of the site`;
  const [unknown] = address.replace(PLACEHOLDERS, "").match(/\{[^{}]*\}?|\}/) ?? [];
  if (unknown !== undefined) return `has ${unknown}, but only ${KNOWN} can be filled in`;
  const wrong = [...markers.values()].find((placeholder) => !isKey(placeholder.slice(1, -1)));
  if (wrong !== undefined) return `has ${wrong}, which needs the key of an attribute of 1 to 100 characters`;
  return lengthOf(redirectOf(address)) > MAX_ADDRESS_LENGTH
    ? `must be at most ${MAX_ADDRESS_LENGTH} characters, with its special characters as %…`
    : undefined;
}

function isKey(name: string): boolean {
  return !name.startsWith(ATTRIBUTE) || isAttributeKey(keyOf(name));
}

const keyOf = (name: string) => name.slice(ATTRIBUTE.length).trim();

/** An address without faults as the URL parser writes it: it leads where it seems to lead. Its placeholders stay. */
function redirectOf(address: string): string {
  const { url, markers } = parsed(address);
  let { href } = url!;
  for (const [marker, placeholder] of markers) href = href.replaceAll(marker, placeholder);
  return href;
}

/** The address for a session. */
export function redirectTo(address: string, values: RedirectValues): string {
  const filling = (name: string) =>
    name.startsWith(ATTRIBUTE) ? values.attribute(keyOf(name)) : values[name as (typeof NAMES)[number]];
  return new URL(address.replace(PLACEHOLDERS, (_, name: string) => encoded(filling(name)))).href;
}

/** Values may come from people: none changes the address around it. Dots alone would, however they are written. */
function encoded(value: string): string {
  return /^\.+$/.test(value) ? "" : encodeURIComponent(value.toWellFormed());
}

/** Whether an address gives another site what opens the session. */
export function givesLinkAway(address: string): boolean {
  return address.includes(SESSION_ID);
}

/** Whether all sessions are led to the same address. */
function isAlike(address: string): boolean {
  return address.search(PLACEHOLDERS) < 0;
}

/** Whether the address has itself what a signature is sent as. */
function hasSignature(address: string): boolean {
  return new URL(address).searchParams.has(SIGNATURE);
}

/** The addresses to which people are led, by their pointers in the content. */
function* redirectsOf({
  redirectByOutcome = {},
  quotas = [],
}: Redirecting): Generator<[pointer: string, address: string]> {
  for (const [outcome, address] of Object.entries(redirectByOutcome))
    if (address) yield [`/redirectByOutcome/${outcome}`, address];
  for (const [index, { ending }] of quotas.entries())
    if (ending.redirect) yield [`/quotas/${index}/ending/redirect`, ending.redirect];
}

/** Of a draft. @param input as it was sent */
export function draftedRedirects(
  input:
    | { redirectByOutcome?: Parameters<typeof byOutcome>[0]; signRedirects?: boolean | null | undefined }
    | undefined,
): Pick<Redirecting, "redirectByOutcome" | "signRedirects"> {
  const redirectByOutcome = byOutcome(input?.redirectByOutcome);
  return { ...(redirectByOutcome && { redirectByOutcome }), ...(input?.signRedirects && { signRedirects: true }) };
}

interface Redirecting {
  redirectByOutcome?: ByOutcome;
  signRedirects?: true;
  quotas?: readonly { ending: { redirect: string | null } }[];
}

/** Addresses that have a signature of their own, where ours comes. */
export function signatureFaults(content: Redirecting): { pointer: string; message: string }[] {
  if (!content.signRedirects) return [];
  return [...redirectsOf(content)].flatMap(([pointer, address]) =>
    hasSignature(address)
      ? [{ pointer, message: `must not have ${SIGNATURE} in its query, because signRedirects adds it` }]
      : [],
  );
}

/** Whether the signature of an address is the same for everybody, so that one person can give it to another. */
export function hasSharedSignature(content: Redirecting): boolean {
  return Boolean(content.signRedirects) && [...redirectsOf(content)].some(([, address]) => isAlike(address));
}

/** The attributes that the addresses of a content name. */
export function attributesInRedirects(content: Redirecting): string[] {
  return [...redirectsOf(content)].flatMap(([, address]) => attributesOfRedirect(address));
}

/** The attributes that an address names. */
function attributesOfRedirect(address: string): string[] {
  return [...address.matchAll(PLACEHOLDERS)].flatMap(([, name = ""]) =>
    name.startsWith(ATTRIBUTE) ? [keyOf(name)] : [],
  );
}

/** Parses the address with a word for each placeholder: one that the parser leaves as it is, and that the address does not have. */
function parsed(address: string): { url: URL | null; markers: Map<string, string> } {
  let number = 0;
  while (address.toLowerCase().includes(`marker${number}`)) number++;
  const markers = new Map<string, string>();
  const marked = address.replace(PLACEHOLDERS, (placeholder) => {
    const marker = `marker${number}r${markers.size}s`;
    markers.set(marker, placeholder);
    return marker;
  });
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
          `An https: address, with the placeholders ${KNOWN}, whose values are encoded. {reference} is the session's reference; {sessionId} is its id, ` +
          "with which the other site can open the link",
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

/** An outcome without text counts as missing. */
export function byOutcome(
  input: { [outcome in Outcome]?: string | null | undefined } | null | undefined,
): ByOutcome | null {
  const texts = Object.entries(input ?? {}).filter(([, text]) => text !== null && text !== undefined);
  return texts.length ? Object.fromEntries(texts) : null;
}
