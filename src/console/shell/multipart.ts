// Forms with a file. What comes before the file is read at once, and the file as a stream: it is never whole in memory.

import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import { Problem } from "../../base/problems.ts";
import { openBody, RequestAborted } from "../../http/wire/body.ts";
import { type Fields, fieldsOf } from "./forms.ts";

const MAX_FIELDS = 50;

/** Longest field: what is pasted, for example. */
const MAX_FIELD_BYTES = 8 * 1024 * 1024;

/** A file of a form. */
export interface FormFile {
  /** As the browser calls it. */
  name: string;
  /** It fails when the request breaks off. */
  bytes: Readable;
  /** Resolves when the fields after the file are there, too. It fails as `bytes` does. */
  rest: Promise<void>;
}

/**
 * Reads a form until its file begins, or to its end if no file was chosen. The caller takes the file's bytes, or lets them flow by.
 * @param maxBytes of the whole form
 * @throws Problem 400, 408, 413 or 415
 */
export function readMultipart(
  req: IncomingMessage,
  maxBytes: number,
): Promise<{ fields: Fields; file: FormFile | undefined }> {
  const type = req.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new Problem("unsupported_media_type", { detail: "The body must be a form with a file." });
  const parser = parserOf(type);
  const given = new URLSearchParams();
  const body = openBody(req, maxBytes);
  return new Promise((resolve, reject) => {
    let file: Readable | undefined;
    const rest = Promise.withResolvers<void>();
    // Who refuses the file does not wait for it.
    rest.promise.catch(() => {});
    const fail = (error: Error) => {
      const problem = error instanceof Problem || error instanceof RequestAborted ? error : notAForm(error);
      file?.destroy(problem);
      rest.reject(problem);
      reject(problem);
    };
    parser.on("field", (name, bytes, _isNameCut, isCut) => {
      // The parser would look at each byte of a long field in turn.
      const value = Buffer.from(bytes, "latin1").toString("utf8");
      if (isCut) body.destroy(new Problem("body_too_large", { detail: `${name} is too long: send it as a file.` }));
      else if (value.includes("\0")) body.destroy(notAForm());
      else given.append(name, value);
    });
    parser.on("file", (_field, bytes, name: string | undefined) => {
      file = bytes;
      // It may fail before anybody reads it.
      bytes.on("error", () => {});
      // Without a choice, browsers send a file without a name.
      if (name) resolve({ fields: fieldsOf(given), file: { name, bytes, rest: rest.promise } });
      else bytes.resume();
    });
    parser.on("finish", () => {
      rest.resolve();
      resolve({ fields: fieldsOf(given), file: undefined });
    });
    pipeline(body, parser, (error) => {
      if (error) fail(error);
    });
  });
}

function parserOf(type: string) {
  try {
    return new Busboy({
      headers: { "content-type": type },
      // One character for each byte of a field. Browsers do not name a charset there: it is UTF-8.
      defCharset: "latin1",
      limits: { fields: MAX_FIELDS, files: 1, fieldSize: MAX_FIELD_BYTES, headerPairs: 20, headerSize: 8 * 1024 },
    });
  } catch (error) {
    throw notAForm(error);
  }
}

function notAForm(cause?: unknown): Problem {
  return new Problem("invalid_request", { cause, detail: "The form can't be read.", errors: [] });
}
