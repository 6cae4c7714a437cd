// Reads forms that browsers send.

import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import { invalidRequest, Problem } from "../../base/problems.ts";
import { readWhole } from "./body.ts";

/** Parsing takes a time that grows with the square of the number of fields. */
const MAX_FIELDS = 20_000;

const MAX_AT_ONCE_BYTES = 256 * 1024;

/** The fields of a form. @throws Problem 400, 413 or 415 for a form that no browser sends from our pages */
export async function readUrlEncoded(req: IncomingMessage, maxBytes: number): Promise<URLSearchParams> {
  const [type] = (req.headers["content-type"] ?? "").split(";");
  if (type?.trim().toLowerCase() !== "application/x-www-form-urlencoded") {
    throw new Problem("unsupported_media_type", { detail: "The body must be a form." });
  }
  const body = await readWhole(req, maxBytes);
  const text = body.toString("utf8");
  // Bytes that are not UTF-8 would become other characters, without an error.
  if (!isUtf8(body) || !isEncodedUtf8(text)) throw invalidRequest([{ pointer: "", message: "is not in UTF-8" }]);
  let separators = 0;
  // A loop over all bytes would take 0.2 s.
  for (let at = body.indexOf(0x26); at >= 0 && separators < MAX_FIELDS; at = body.indexOf(0x26, at + 1)) separators++;
  if (separators >= MAX_FIELDS) throw new Problem("body_too_large");
  // For a long form, each step takes a turn of the event loop.
  if (body.length > MAX_AT_ONCE_BYTES) await setImmediate();
  return new URLSearchParams(text);
}

export function isMultipart({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data\s*;/i.test(headers["content-type"] ?? "");
}

/** The fields of a short form in parts, without files. @throws Problem 413, 415 */
export async function readFewFields(req: IncomingMessage, maxBytes: number): Promise<[name: string, value: string][]> {
  const body = await readWhole(req, maxBytes);
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { "content-type": req.headers["content-type"]! },
    }).formData();
    return [...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  } catch (cause) {
    throw new Problem("unsupported_media_type", { cause, detail: "The form can't be read." });
  }
}

function isEncodedUtf8(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
