// Reads request bodies, and checks their type and size. Nothing here keeps more bytes than the limit.

import type { IncomingMessage } from "node:http";
import { type Readable, Transform } from "node:stream";
import { parseJson } from "../../base/json.ts";
import { invalidRequest, Problem } from "../../base/problems.ts";
import { decoderFor } from "./codings.ts";
import { type Format, MEDIA_TYPES } from "./formats.ts";

/** A request whose body is read: from a connection, or made by a page of ours. */
export type Incoming = Readable &
  Pick<IncomingMessage, "headers" | "complete" | "socket"> & { setTimeout(ms: number, late: () => void): unknown };

/** Latin-1 is what browsers take it for: Windows-1252, which has more signs. */
const WINDOWS_1252 = /^(?:windows-1252|cp-?1252|iso-8859-1|latin-?1)$/;

/** Charsets of Content-Type. UTF-16 needs a byte order mark, which then decides. */
const CHARSETS = {
  json: /^utf-?8$/,
  ndjson: /^utf-?8$/,
  xliff: /^utf-?8$/,
  csv: new RegExp(`^utf-?(?:8|16|16le|16be)$|${WINDOWS_1252.source}`),
  // It says so itself.
  xlsx: /^/,
};

/** The format of the request's body, by its Content-Type. @throws Problem 415 when it is none of `formats` */
export function bodyFormatOf(req: Incoming, formats: readonly Format[]): Format {
  const header = req.headers["content-type"];
  const { type, charset } = contentTypeOf(header);
  const format = formats.find((one) => type === MEDIA_TYPES[one] || (one === "json" && type?.endsWith("+json")));
  if (!format) {
    const types = formats.map((one) => MEDIA_TYPES[one]).join(", ");
    const detail = header
      ? `The body must be ${types}, not ${JSON.stringify(header)}.`
      : `Content-Type is missing; it must be ${types}.`;
    throw new Problem("unsupported_media_type", { detail });
  }
  if (charset && !CHARSETS[format].test(charset)) {
    throw new Problem("unsupported_media_type", {
      detail: `The body must be in UTF-8${format === "csv" ? " or Windows-1252" : ""}, not in ${JSON.stringify(charset)}.`,
    });
  }
  return format;
}

function contentTypeOf(header = ""): { type: string | undefined; charset: string | undefined } {
  const [type, ...parameters] = header.split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  return { type, charset: charset?.replace(/^"(.*)"$/, "$1") };
}

/** Whether the request has a body, perhaps an empty one in chunks (RFC 9112, 6). */
export function hasBody({ headers }: Incoming): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Longest pause in the middle of a body. */
const MAX_IDLE_MS = 60_000;

/**
 * The request's body, decompressed, as a stream. `limit` counts bytes both before and after decompression.
 * @throws Problem 413 past `limit`, when Content-Length says so; 415 for an unknown encoding
 *
 * The stream fails with Problem 413 past `limit`, 400 for bytes that don't decompress, 408 after a long pause; and with what
 * `confirm` throws, which is called when all has come.
 */
export function openBody(req: Incoming, limit: number, confirm = () => {}): Readable {
  const tooLarge = () => new Problem("body_too_large", { detail: `The body must be at most ${limit} bytes.` });
  if (Number(req.headers["content-length"]) > limit) throw tooLarge();
  const decoder = decoderFor(req.headers["content-encoding"]);
  const undecodable = () => invalidRequest([{ pointer: "", message: "does not decompress" }]);
  const received = new Counter(limit, tooLarge, decoder ? () => {} : confirm);
  const last = decoder
    ? new Counter(limit, tooLarge, () => {
        // The decoder refuses bytes after the end, except zeros after gzip.
        if (decoder.bytesWritten !== received.count) throw undecodable();
        confirm();
      })
    : received;
  const fail = (error: Error) => {
    last.destroy(error);
    decoder?.destroy();
    received.destroy();
  };
  // The stream may fail before its reader starts. Without a listener, that error would end the process; the reader gets
  // it later.
  last.on("error", () => {});
  // A lost connection must be an error: a stream that just ends would look like a whole body.
  req.once("close", () => {
    if (!req.complete) fail(new RequestAborted());
  });
  req.on("error", () => fail(new RequestAborted()));
  req.setTimeout(MAX_IDLE_MS, () => fail(new Problem("request_timeout", { headers: { Connection: "close" } })));
  req.pipe(received);
  if (decoder) {
    received.on("error", fail);
    decoder.on("error", () => fail(undecodable()));
    received.pipe(decoder).pipe(last);
  }
  return last;
}

/** The client closed the connection before it had sent the whole request. */
export class RequestAborted extends Error {}

/** Reads and parses a JSON body. @returns the value, and the bytes it was parsed from (decompressed) */
export async function readJson(
  req: Incoming,
  limit: number,
  confirm?: () => void,
): Promise<{ value: unknown; bytes: Buffer }> {
  const bytes = await readBytes(req, limit, confirm);
  return { value: parseJson(bytes), bytes };
}

/** Reads a body with a JSON content type, without parsing it. */
export function readBytes(req: Incoming, limit: number, confirm?: () => void): Promise<Buffer> {
  bodyFormatOf(req, ["json"]);
  return readWhole(req, limit, confirm).then((bytes) => {
    checkStart(bytes, "json", false);
    return bytes;
  });
}

/** The longest body that is read without a chain of streams. The chain takes longer than the rest of a small request. */
const MAX_PLAIN_BYTES = 64 * 1024;

/** Whether a body is short, and comes as it is. Node's parser makes sure that as many bytes come as Content-Length says. */
function isPlain({ headers }: Incoming, limit: number): boolean {
  const { "content-length": length, "content-encoding": coding, "transfer-encoding": transfer } = headers;
  return transfer === undefined && coding === undefined && Number(length) <= Math.min(limit, MAX_PLAIN_BYTES);
}

/** The request's body, piece by piece. @throws as `openBody` and its stream; Problem 400 when it does not begin as `format` does */
export async function* piecesOf(
  req: Incoming,
  limit: number,
  confirm: () => void,
  format: Format,
): AsyncGenerator<Buffer> {
  const pieces = isPlain(req, limit) ? [await readWhole(req, limit, confirm)] : openBody(req, limit, confirm);
  let decoder = WINDOWS_1252.test(contentTypeOf(req.headers["content-type"]).charset ?? "")
    ? new TextDecoder("windows-1252")
    : undefined;
  let isFirst = true;
  for await (const piece of pieces) {
    if (isFirst) {
      checkStart(piece, format, true);
      if (MARKED.test(piece.toString("latin1", 0, 3))) decoder = undefined;
    }
    isFirst = false;
    yield decoder ? Buffer.from(decoder.decode(piece, { stream: true })) : piece;
  }
}

/** The byte order mark decides, whatever the charset is. */
const MARKED = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/;

/** Reads a body into memory. @throws as `openBody` and its stream */
export async function readWhole(req: Incoming, limit: number, confirm = () => {}): Promise<Buffer> {
  const chunks: Buffer[] = [];
  if (isPlain(req, limit)) {
    await new Promise<void>((resolve, reject) => {
      req.on("data", (chunk: Buffer) => chunks.push(chunk));
      req.once("end", resolve);
      req.once("error", () => reject(new RequestAborted()));
      // It closes after the end, too.
      req.once("close", () => {
        if (!req.complete) reject(new RequestAborted());
      });
      req.setTimeout(MAX_IDLE_MS, () => reject(new Problem("request_timeout", { headers: { Connection: "close" } })));
    });
    confirm();
  } else for await (const chunk of openBody(req, limit, confirm)) chunks.push(chunk as Buffer);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Passes bytes on, and counts them. It fails past `limit`. */
class Counter extends Transform {
  count = 0;

  constructor(limit: number, tooLarge: () => Error, atEnd: () => void) {
    super({
      highWaterMark: 1024 * 1024,
      transform: (chunk: Buffer, _encoding, done) => {
        this.count += chunk.length;
        if (this.count > limit) done(tooLarge());
        else done(null, chunk);
      },
      flush(done) {
        try {
          atEnd();
          done();
        } catch (error) {
          done(error as Error);
        }
      },
    });
  }
}

/** So much of a body is looked at. */
const MAX_LOOK = 4096;

const WORKBOOK = Buffer.from("PK\x03\x04", "latin1");

/** The first bytes of compressed files and spreadsheets. */
const SIGNATURES: [start: Buffer, message: string][] = [
  [Buffer.from([0x1f, 0x8b]), "is compressed with gzip, which no header says; send Content-Encoding: gzip, too"],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), "is compressed with zstd; send it plain, or with gzip, deflate or br"],
  [
    WORKBOOK,
    "is an Excel or ZIP file; save the sheet as CSV, and send that; or import the workbook (.xlsx) as what it is",
  ],
  [Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), "is an old Excel file; save the sheet as CSV, and send that"],
];

/**
 * Looks at how a body begins. @param format what Content-Type says @param takesFiles whether it might be a file
 * @throws Problem 400 when it can only be something else
 */
function checkStart(start: Buffer, format: Format, takesFiles: boolean): void {
  const message = faultOf(start, format, takesFiles);
  if (message !== undefined) throw invalidRequest([{ pointer: "", message }]);
}

function faultOf(start: Buffer, format: Format, takesFiles: boolean): string | undefined {
  const isWorkbook = start.subarray(0, WORKBOOK.length).equals(WORKBOOK);
  if (format === "xlsx" && isWorkbook) return undefined;
  for (const [signature, message] of SIGNATURES)
    if (start.subarray(0, signature.length).equals(signature)) return message;
  if (format === "xlsx") return "is no workbook (.xlsx)";
  if (!takesFiles) return undefined;
  const text = start
    .subarray(0, MAX_LOOK)
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "")
    .trimStart();
  if (format === "json" && /^[^{[\n]*[,;\t][^\n]*\r?\n/.test(text))
    return "is no JSON, and looks like CSV; send Content-Type: text/csv for it";
  if (format === "json" && /^\{[^\n]*\}\r?\n\{/.test(text))
    return "has several JSON objects, a line each; send Content-Type: application/x-ndjson for it";
  if (format === "csv" && /^(?:\{\s*"|\[\s*\{)/.test(text))
    return "is no CSV, and looks like JSON; send Content-Type: application/json for it";
  return undefined;
}
