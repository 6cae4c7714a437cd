// The formats that lists come in, and which of them a request wants (content negotiation, RFC 9110, 12.5.1).

import type { ParameterizedContext } from "koa";
import { Problem } from "../problems.ts";

/** Each format's media type. */
export const MEDIA_TYPES = {
  json: "application/json",
  csv: "text/csv",
  ndjson: "application/x-ndjson",
} as const;

export type Format = keyof typeof MEDIA_TYPES;

/** Of every list. The first is what a request gets that does not care. */
export const LIST_FORMATS: readonly Format[] = ["json", "csv", "ndjson"];

/** No client has so much to say; sorting what it likes would take longer than all the rest. */
const MAX_ACCEPT_LENGTH = 4096;

/**
 * The one of `formats` that the request likes best. Says in the answer that it hangs on Accept.
 * @throws Problem 406 when it takes none of them
 */
export function negotiate(ctx: ParameterizedContext, formats: readonly Format[]): Format {
  ctx.vary("Accept");
  const { accept } = ctx.headers;
  if (accept === undefined || accept === "*/*") return formats[0]!;
  if (accept.length > MAX_ACCEPT_LENGTH)
    throw new Problem("not_acceptable", { detail: "Accept is too long to go through." });
  const types = formats.map((format) => MEDIA_TYPES[format]);
  // All of them are UTF-8, for clients that say so.
  const accepted = ctx.accepts([...types, ...types.map((type) => `${type};charset=utf-8`)]);
  const format = formats.find((_, index) => typeof accepted === "string" && accepted.startsWith(types[index]!));
  if (!format) throw new Problem("not_acceptable", { detail: `This comes as ${types.join(", ")}.` });
  return format;
}
