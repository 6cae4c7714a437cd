// Content codings (RFC 9110, 12.5.3): compresses responses, and finds requests whose Accept-Encoding allows no response.

import type { Middleware, ParameterizedContext } from "koa";
import compress from "koa-compress";
import { Problem } from "../problems.ts";
import { withCoding } from "./etag.ts";

const MIN_COMPRESSED_BYTES = 2048;

/** For a caller that takes a response with a coding and without. */
const whereItPays = compress({
  threshold: MIN_COMPRESSED_BYTES,
  br: false,
  filter: (type) => /^text\/|json|javascript|svg/.test(type),
});

/** For a caller that takes no response without a coding. */
const always = compress({ threshold: 0, br: false, filter: () => true });

/** Compresses responses as Accept-Encoding allows. */
export const compression: Middleware = async (ctx, next) => {
  ctx.vary("Accept-Encoding");
  const header = ctx.headers["accept-encoding"];
  if (header === undefined) return next();
  const { coding, takesIdentity } = chooseCoding(header);
  ctx.state.takesNoCoding = coding === undefined;
  if (coding === undefined || coding === "identity") return next();
  // koa-compress reads the header again, by slightly other rules.
  ctx.headers["accept-encoding"] = coding;
  await (takesIdentity ? whereItPays : always)(ctx, next);
  const etag = ctx.response.get("ETag");
  // Tags of different bytes must differ (RFC 9110, 8.8.3.3).
  if (etag && ctx.response.get("Content-Encoding")) ctx.set("ETag", withCoding(etag, coding));
};

/** Call it before anything is done. @throws Problem 406 when Accept-Encoding allows no response */
export function requireCoding(ctx: ParameterizedContext): void {
  if (!ctx.state.takesNoCoding) return;
  throw new Problem("not_acceptable", {
    detail: "Accept-Encoding allows none of gzip, deflate, zstd and identity.",
    errors: [{ pointer: "Accept-Encoding", message: "must allow one of gzip, deflate, zstd and identity" }],
  });
}

/** The coding that `header` prefers, if it allows any; and whether it allows a response without one. */
function chooseCoding(header: string): { coding: string | undefined; takesIdentity: boolean } {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice("q=".length);
    weights.set(coding === "x-gzip" ? "gzip" : coding, weight === undefined ? 1 : Number(weight));
  }
  const any = weights.get("*");
  // Where nothing is said of identity, it is allowed, and everything else that is allowed is better.
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
