// Signatures of addresses: by which a site knows that people come from the other one, and that nobody has changed the address.
//
// What is signed is the address up to the parameter `signature`: so it is the last one that counts. A receiver needs no library.

import { createHmac, timingSafeEqual } from "node:crypto";
import { SIGNATURE } from "./parameter.ts";

/** @param secrets each gives a signature @returns the address with the signatures at the end of its query; its fragment is not signed */
export function signedAddress(address: string, secrets: readonly string[]): string {
  const [bare = "", fragment] = address.split("#", 2);
  const first = bare.includes("?") ? "&" : "?";
  const signatures = secrets.map((secret) => `${SIGNATURE}=${signatureOf(bare, secret)}`).join("&");
  return `${bare}${first}${signatures}${fragment === undefined ? "" : `#${fragment}`}`;
}

/**
 * The part of a query that its signature vouches for. @param base the address that the query belongs to
 * @returns undefined when there is no signature that is right
 */
export function signedPart(base: string, query: string, secrets: readonly string[]): string | undefined {
  const found = /(?:^|&)signature=/.exec(query);
  if (!found) return undefined;
  const part = query.slice(0, found.index);
  const sent = query.slice(found.index).split("&").flatMap(sentIn);
  const right = secrets.map((secret) => Buffer.from(signatureOf(part === "" ? base : `${base}?${part}`, secret)));
  const isRight = sent.some((one) => right.some((other) => one.length === other.length && timingSafeEqual(one, other)));
  return isRight ? part : undefined;
}

function signatureOf(text: string, secret: string): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}

function sentIn(parameter: string): Buffer[] {
  const [name, value] = parameter.split("=", 2);
  return name === SIGNATURE && value !== undefined ? [Buffer.from(value.toLowerCase())] : [];
}
