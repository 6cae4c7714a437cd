// Content codings (RFC 9110, 12.5.3): compresses responses, and finds requests whose Accept-Encoding allows no response; and decompresses requests.

import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Middleware, ParameterizedContext } from "koa";
import compress from "koa-compress";
import { Problem } from "../../base/problems.ts";
import { withCoding } from "./etag.ts";

export const MIN_COMPRESSED_BYTES = 2048;

/** For a caller that takes a response with a coding and without. */
const whereItPays = compress({
  threshold: MIN_COMPRESSED_BYTES,
  br: false,
  filter: (type) => /^text\/|json|javascript|svg/.test(type),
});

/** For a caller that takes no response without a coding. */
const always = compress({ threshold: 0, br: false, filter: () => true });

/** Compresses responses as Accept-Encoding allows. */
export const compression: Middleware = (ctx, next) => {
  ctx.vary("Accept-Encoding");
  const choice = choiceOf(ctx.headers["accept-encoding"]);
  ctx.state.takesNoCoding = choice.coding === undefined;
  return compressed(ctx, choice, next);
};

/** Compresses what `next` sets as the response. */
export async function compressed(
  ctx: ParameterizedContext,
  choice: Choice,
  next: () => Promise<unknown>,
): Promise<void> {
  const { coding, takesIdentity } = choice;
  if (coding === undefined || coding === "identity") {
    await next();
    return;
  }
  // koa-compress reads the header again, by slightly other rules.
  ctx.headers["accept-encoding"] = coding;
  await (takesIdentity ? whereItPays : always)(ctx, next);
  const etag = ctx.response.get("ETag");
  // Tags of different bytes must differ (RFC 9110, 8.8.3.3).
  if (etag && ctx.response.get("Content-Encoding")) ctx.set("ETag", withCoding(etag, coding));
}

/** Call it before anything is done. @throws Problem 406 when Accept-Encoding allows no response */
export function requireCoding(ctx: ParameterizedContext): void {
  if (!ctx.state.takesNoCoding) return;
  throw new Problem("not_acceptable", {
    detail: "Accept-Encoding allows none of gzip, deflate, zstd and identity.",
    errors: [{ pointer: "Accept-Encoding", message: "must allow one of gzip, deflate, zstd and identity" }],
  });
}

interface Choice {
  /** Undefined: the caller takes no response. */
  coding: string | undefined;
  /** Whether it takes one without a coding. */
  takesIdentity: boolean;
}

const IDENTITY: Choice = { coding: "identity", takesIdentity: true };

/** Clients send few different headers. */
const choices = new Map<string, Choice>();

/** The coding that Accept-Encoding prefers, if it allows any. */
export function choiceOf(header: string | string[] | undefined): Choice {
  if (header === undefined) return IDENTITY;
  const text = String(header);
  let choice = choices.get(text);
  if (!choice) {
    choice = chooseCoding(text);
    if (choices.size < MAX_KEPT && text.length <= MAX_KEPT_LENGTH) choices.set(text, choice);
  }
  return choice;
}

const MAX_KEPT = 100;
const MAX_KEPT_LENGTH = 200;

function chooseCoding(header: string): Choice {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice("q=".length);
    weights.set(coding === "x-gzip" ? "gzip" : coding, weight === undefined ? 1 : Number(weight));
  }
  const any = weights.get("*");
  // If the header does not name identity, identity is allowed, and any other allowed coding is better.
  const identity = weights.get("identity") ?? any ?? Number.MIN_VALUE;
  // A caller that takes anything may know only the older ones.
  const codings = weights.has("zstd") ? ["zstd", "gzip", "deflate"] : ["gzip", "deflate", "zstd"];
  let best: [coding: string | undefined, weight: number] = [undefined, 0];
  for (const coding of [...codings, "identity"]) {
    const weight = coding === "identity" ? identity : (weights.get(coding) ?? any ?? 0);
    if (weight > best[1]) best = [coding, weight];
  }
  return { coding: best[0], takesIdentity: identity > 0 };
}

/** Bytes after the end are an error. Only gzip may have several members, and what follows them is looked at in openBody. */
export function decoderFor(encoding: string | undefined): (Transform & { bytesWritten: number }) | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case "":
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate({ rejectGarbageAfterEnd: true });
    case "br":
      return createBrotliDecompress({ rejectGarbageAfterEnd: true });
    default:
      throw new Problem("unsupported_media_type", {
        detail: `Content-Encoding must be gzip, deflate, br or identity, not ${JSON.stringify(encoding)}.`,
      });
  }
}
