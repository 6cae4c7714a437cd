// The header with which one cell proves to another where a request comes from: who has sent it, and that it is this one. It is signed
// with the secret that cells share, for one cell, one request line, and a short time.

import { createHmac, hash, timingSafeEqual } from "node:crypto";
import * as v from "valibot";

export const PASS = "x-screening-cell";

/** What every header begins with that cells have for themselves. None that a caller has sent is passed on. */
export const OF_CELLS = "x-screening-";

/** How far the clocks of two machines may differ. */
const MAX_AGE_MS = 120_000;

const Pass = v.object({
  /** The name of the cell that it is for. */
  to: v.string(),
  /** The hash of the request line. */
  line: v.string(),
  /** When it was made, in ms since 1970. */
  at: v.number(),
  /** The address of the caller. */
  address: v.string(),
  /** How often the request was passed on. */
  hops: v.number(),
});
type Pass = v.InferOutput<typeof Pass>;

/** Its purpose. */
export interface RequestLine {
  method: string;
  /** As it is sent. */
  path: string;
}

/** The header's value. */
export function signPass(
  secret: Buffer,
  { method, path }: RequestLine,
  { to, address, hops }: Pick<Pass, "to" | "address" | "hops">,
): string {
  const pass: Pass = { to, line: hashOf(method, path), at: Date.now(), address, hops };
  const text = Buffer.from(JSON.stringify(pass)).toString("base64url");
  return `${text}.${sign(secret, text).toString("base64url")}`;
}

/** Reads the header of a request. @param names of this cell @returns undefined when it is not for this request, or not ours */
export function readPass(
  secrets: readonly Buffer[],
  names: readonly string[],
  { method, path }: RequestLine,
  header: unknown,
): Pick<Pass, "address" | "hops"> | undefined {
  const [text = "", signature = "", more] = typeof header === "string" ? header.split(".") : [];
  const given = Buffer.from(signature, "base64url");
  const isSigned = secrets.some((secret) => {
    const right = sign(secret, text);
    return given.length === right.length && timingSafeEqual(given, right);
  });
  if (!isSigned || more !== undefined) return undefined;
  const pass = v.parse(Pass, JSON.parse(Buffer.from(text, "base64url").toString()));
  const isMeant = names.includes(pass.to) && pass.line === hashOf(method, path);
  return isMeant && Math.abs(Date.now() - pass.at) <= MAX_AGE_MS ? pass : undefined;
}

function hashOf(method: string, path: string): string {
  return hash("sha256", `${method} ${path}`, "base64url");
}

function sign(secret: Buffer, text: string): Buffer {
  // The secret itself opens connections: this key is for nothing else.
  return createHmac("sha256", createHmac("sha256", secret).update("pass").digest()).update(text).digest();
}
