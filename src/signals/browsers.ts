// How browsers and blocks of addresses are compared: by a cookie that a study signs, and by hashes that its key makes.

import { randomUUID, timingSafeEqual } from "node:crypto";
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import type { KeyedHash } from "./keyed-hash.ts";

/** Each screener has a cookie of its own. */
export const browserCookie = (screenerUid: string) => `browser-${screenerUid}`;

const SIGNATURE_LENGTH = 22;
/** Bytes of a hash that have the signature's bits. */
const SIGNATURE_BYTES = 17;
/** The digits of a hash from which its mark comes: 52 bits, as SQLite and JavaScript have exactly, after what the signature shows. */
const MARK_FROM = 48;
const MARK_TO = 61;

/** Of each key, cookies that nobody has got yet. They go with the key. */
const READY = new WeakMap<KeyedHash, string[]>();
/** The first hash after other work takes ten times as long as those that follow it: so many are made together. */
const MADE_TOGETHER = 16;

/** What a cookie says of a browser that has none: a number by chance, which says nothing of the browser. */
export function newBrowser(key: KeyedHash): string {
  let ready = READY.get(key);
  if (!ready?.length) {
    ready = Array.from({ length: MADE_TOGETHER }, () => makeBrowser(key));
    READY.set(key, ready);
  }
  return ready.pop()!;
}

function makeBrowser(key: KeyedHash): string {
  // Node draws many of these at once; other bytes by chance take as long as a hash.
  const id = Buffer.from(randomUUID().replaceAll("-", ""), "hex").toString("base64url");
  return `${id}.${signedBy(key(`cookie ${id}`))}`;
}

/** The mark of the browser that a cookie names; undefined: the study has not signed it. One hash is the signature and, in another part, the mark. */
export function browserIn(cookie: string | undefined, key: KeyedHash): number | undefined {
  if (cookie === undefined) return undefined;
  const [id = "", signature = ""] = cookie.split(".", 2);
  const hash = key(`cookie ${id}`);
  const [given, right] = [Buffer.from(signature), Buffer.from(signedBy(hash))];
  return given.length === right.length && timingSafeEqual(given, right) ? markOf(hash) : undefined;
}

function signedBy(hash: string): string {
  return Buffer.from(hash.slice(0, 2 * SIGNATURE_BYTES), "hex")
    .toString("base64url")
    .slice(0, SIGNATURE_LENGTH);
}

/** What a browser sends as a cookie. @param header all that it sends */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const own = header?.split(";").find((one) => one.trimStart().startsWith(`${name}=`));
  return own?.slice(own.indexOf("=") + 1).trim();
}

export interface VisitorMarks {
  browser?: number;
  address?: number;
}

/** The hashes by which a browser, and the block of its address, are compared. */
export function visitorMarks(key: KeyedHash, cookie: string | undefined, address: string): VisitorMarks {
  const [browser, block] = [browserIn(cookie, key), blockOf(address)];
  return {
    ...(browser !== undefined && { browser }),
    ...(block !== undefined && { address: markOf(key(`address ${block}`)) }),
  };
}

function markOf(hash: string): number {
  return Number.parseInt(hash.slice(MARK_FROM, MARK_TO), 16);
}

const BLOCK_BYTES = { ipv4: 3, ipv6: 7 };

/** The /24 of an IPv4 address, or the /56 of an IPv6 address: what a provider gives to a household. */
function blockOf(address: string): string | undefined {
  // The same, in a tenth of the time: most are of this kind.
  if (isIPv4(address)) return address.slice(0, address.lastIndexOf("."));
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  return parsed.toByteArray().slice(0, BLOCK_BYTES[parsed.kind()]).join(".");
}
