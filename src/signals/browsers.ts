// How browsers and blocks of addresses are compared: by a cookie that a study signs, and by hashes that its key makes.

import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";
import ipaddr from "ipaddr.js";

/** Each screener has a cookie of its own. */
export const browserCookie = (screenerUid: string) => `browser-${screenerUid}`;

const ID_BYTES = 16;
const SIGNATURE_LENGTH = 22;

/** What a cookie says of a browser that has none: a number by chance, which says nothing of the browser. */
export function newBrowser(key: KeyObject): string {
  const id = randomBytes(ID_BYTES).toString("base64url");
  return `${id}.${signatureOf(key, id)}`;
}

/** What a cookie says; undefined: the study has not signed it. */
export function browserIn(cookie: string | undefined, key: KeyObject): string | undefined {
  if (cookie === undefined) return undefined;
  const [id = "", signature = ""] = cookie.split(".", 2);
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(key, id))];
  return given.length === right.length && timingSafeEqual(given, right) ? id : undefined;
}

function signatureOf(key: KeyObject, id: string): string {
  return createHmac("sha256", key).update(`cookie ${id}`).digest("base64url").slice(0, SIGNATURE_LENGTH);
}

export interface VisitorMarks {
  browser?: number;
  address?: number;
}

/** The hashes by which a browser, and the block of its address, are compared. */
export function visitorMarks(key: KeyObject, cookie: string | undefined, address: string): VisitorMarks {
  const [browser, block] = [browserIn(cookie, key), blockOf(address)];
  return {
    ...(browser !== undefined && { browser: markOf(key, `browser ${browser}`) }),
    ...(block !== undefined && { address: markOf(key, `address ${block}`) }),
  };
}

/** 52 bits, as SQLite and JavaScript have exactly. */
function markOf(key: KeyObject, what: string): number {
  return Number.parseInt(createHmac("sha256", key).update(what).digest("hex").slice(0, 13), 16);
}

const BLOCK_BYTES = { ipv4: 3, ipv6: 7 };

/** The /24 of an IPv4 address, or the /56 of an IPv6 address: what a provider gives to a household. */
function blockOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  return parsed.toByteArray().slice(0, BLOCK_BYTES[parsed.kind()]).join(".");
}
