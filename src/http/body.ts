// Request bodies: what they may be, how large, and how they are read. Nothing here holds more than its limit.

import type { IncomingMessage } from "node:http";
import { type Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { parseJson } from "../json.ts";
import { invalidRequest, Problem } from "../problems.ts";

/** @throws Problem 415 unless the request says that its body is JSON in UTF-8 */
export function requireJson(req: IncomingMessage): void {
  const header = req.headers["content-type"];
  const [type, ...parameters] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (type !== "application/json" && !type?.endsWith("+json")) {
    const detail = header
      ? `The body must be application/json, not ${JSON.stringify(header)}.`
      : "Content-Type is missing; it must be application/json.";
    throw new Problem("unsupported_media_type", { detail });
  }
  if (charset && !/^"?utf-?8"?$/.test(charset)) {
    throw new Problem("unsupported_media_type", {
      detail: `The body must be in UTF-8, not in ${JSON.stringify(charset)}.`,
    });
  }
}

/** How long a sender may say nothing in the middle of a body. */
const IDLE_MS = 60_000;

/**
 * The request's body, decompressed, as a stream that fails with a Problem: 413 past `limit` bytes (counted both as
 * they come in and after decompression), 415 for an unknown encoding, 400 for bytes that don't decompress, 408 when
 * nothing comes any more.
 */
export function openBody(req: IncomingMessage, limit: number): Readable {
  const tooLarge = () => new Problem("body_too_large", { detail: `The body must be at most ${limit} bytes.` });
  if (Number(req.headers["content-length"]) > limit) throw tooLarge();
  const decoder = decoderFor(req.headers["content-encoding"]);
  const received = counter(limit, tooLarge);
  const last = decoder ? counter(limit, tooLarge) : received;
  const fail = (error: Error) => {
    last.destroy(error);
    decoder?.destroy();
    received.destroy();
  };
  // It may fail before anyone reads from it, who then finds the error there; unheard, it would end the process.
  last.on("error", () => {});
  // A client that goes away ends the stream with an error, never with what looks like a whole body.
  req.once("close", () => {
    if (!req.complete) fail(new RequestAborted());
  });
  req.on("error", () => fail(new RequestAborted()));
  req.setTimeout(IDLE_MS, () => fail(new Problem("request_timeout", { headers: { Connection: "close" } })));
  // Only of a body that is wanted to its end: else the connection's own timeout is set by then.
  last.once("end", () => req.setTimeout(0));
  req.pipe(received);
  if (decoder) {
    received.on("error", fail);
    decoder.on("error", () => fail(invalidRequest([{ pointer: "", message: "does not decompress" }])));
    received.pipe(decoder).pipe(last);
  }
  return last;
}

/** The client went away before its request was whole. */
export class RequestAborted extends Error {}

/** Reads a body of JSON. @returns the parsed value, and the bytes as they were sent (decompressed) */
export async function readJson(req: IncomingMessage, limit: number): Promise<{ value: unknown; bytes: Buffer }> {
  const bytes = await readBytes(req, limit);
  return { value: parseJson(bytes), bytes };
}

/** Reads a body that says that it is JSON, and leaves it to others to see whether it is. */
export async function readBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  requireJson(req);
  const chunks: Buffer[] = [];
  for await (const chunk of openBody(req, limit)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function counter(limit: number, tooLarge: () => Error): Transform {
  let count = 0;
  return new Transform({
    highWaterMark: 1024 * 1024,
    transform(chunk: Buffer, _encoding, done) {
      count += chunk.length;
      if (count > limit) done(tooLarge());
      else done(null, chunk);
    },
  });
}

function decoderFor(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case "":
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      throw new Problem("unsupported_media_type", {
        detail: `Content-Encoding must be gzip, deflate, br or identity, not ${JSON.stringify(encoding)}.`,
      });
  }
}
