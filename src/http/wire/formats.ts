// The formats of lists, and the choice between them (content negotiation, RFC 9110, 12.5.1).

import type { ParameterizedContext } from "koa";
import { Problem } from "../../base/problems.ts";

export const MEDIA_TYPES = {
  json: "application/json",
  csv: "text/csv",
  ndjson: "application/x-ndjson",
  xliff: "application/xliff+xml",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  /** A zip: the syntax, and the data that it reads. */
  spss: "application/x-spss-syntax",
} as const;

/** What replies can be. */
export type ReplyFormat = keyof typeof MEDIA_TYPES;

/** What bodies can be. */
export type Format = Exclude<ReplyFormat, "spss">;

/** The formats of every list. The first is the default. */
export const LIST_FORMATS: readonly ("json" | "csv" | "ndjson")[] = ["json", "csv", "ndjson"];

/** Real clients send far less. To sort the preferences of a longer header would take longer than the rest of the request. */
const MAX_ACCEPT_LENGTH = 4096;

/**
 * The one of `formats` that Accept prefers. Adds `Vary: Accept` to the response.
 * @throws Problem 406 when Accept allows none of them
 */
export function negotiate(ctx: ParameterizedContext, formats: readonly ReplyFormat[]): ReplyFormat {
  ctx.vary("Accept");
  const { accept } = ctx.headers;
  if (accept === undefined || accept === "*/*") return formats[0]!;
  if (accept.length > MAX_ACCEPT_LENGTH)
    throw new Problem("not_acceptable", { detail: `Accept must have at most ${MAX_ACCEPT_LENGTH} characters.` });
  const types = formats.map((format) => MEDIA_TYPES[format]);
  // Some clients ask for UTF-8. All formats are in UTF-8.
  const accepted = ctx.accepts([...types, ...types.map((type) => `${type};charset=utf-8`)]);
  const format = formats.find((_, index) => typeof accepted === "string" && accepted.startsWith(types[index]!));
  if (!format) throw new Problem("not_acceptable", { detail: `The available formats are ${types.join(", ")}.` });
  return format;
}
