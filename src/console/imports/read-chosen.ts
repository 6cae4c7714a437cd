// A chosen file as it can be shown: a table, a sheet of a workbook, or a table that was not in UTF-8 and is now.

import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Problem } from "../../base/problems.ts";
import { PREVIEW_BYTES, type Preview, previewCsv } from "../../imports/read/preview.ts";
import { startSheet, writeSheet } from "../../imports/workbook-task.ts";
import type { VisitorRequest } from "../shell/request.ts";
import type { ChosenFile, ChosenFiles } from "./chosen-files.ts";

const PREVIEW_ROWS = 10;
const WORKBOOK = Buffer.from("PK\x03\x04", "latin1");

type Context = VisitorRequest["context"];

/** Looks what a file is that was just taken in, and notes it. @returns why it can't be mapped; undefined: it can */
export async function readChosen(context: Context, files: ChosenFiles, id: string): Promise<string | undefined> {
  const { bytes, isWhole } = await files.start(id);
  if (bytes.subarray(0, WORKBOOK.length).equals(WORKBOOK)) {
    const fault = await chooseSheet(context, files, id, undefined);
    if (fault !== undefined) return fault;
  } else if (!isMarked(bytes) && !(await isUtf8(files.path(id)))) {
    const examples = await wordsInLatin(files.path(id));
    if (!examples) return `The file is neither UTF-8 nor Windows-1252. ${SAVE_AS}`;
    await toUtf8(files.path(id));
    await files.note({ ...(await files.get(id)), examples });
  }
  try {
    if (await previewOf(files, await files.get(id))) return undefined;
    return `The file has no line with headings${isWhole ? "" : ` in its first ${PREVIEW_BYTES / 1024} KiB`}.`;
  } catch (error) {
    if (error instanceof Problem) return `The file ${error.document.errors?.[0]?.message ?? error.document.detail}.`;
    throw error;
  }
}

const SAVE_AS = "In Excel, choose “Save as”, and then “CSV UTF-8” or “Excel workbook”.";

/** @returns why the sheet can't be read; undefined: it is the one that is read from now on */
export async function chooseSheet(
  context: Context,
  files: ChosenFiles,
  id: string,
  sheet: string | undefined,
): Promise<string | undefined> {
  const read = await context.pool.ask(startSheet, {
    from: files.path(id),
    maxBytes: PREVIEW_BYTES,
    ...(sheet !== undefined && { sheet }),
  });
  if ("errors" in read) {
    const said = read.errors.map(({ message }) => message).join(". ");
    return `${/^[A-Z]+\d+: /.test(said) ? "Cell" : "The file"} ${said}.`;
  }
  const { choice: _, jobId: __, ...chosen } = await files.get(id);
  await files.note({ ...chosen, workbook: read });
  return undefined;
}

/** The beginning of a file; undefined where it has no row. @throws Problem 400 when it can't be read */
export async function previewOf(files: ChosenFiles, { id, workbook }: ChosenFile): Promise<Preview | undefined> {
  if (workbook) return previewCsv(Buffer.from(workbook.start), workbook.isWhole, PREVIEW_ROWS, ",");
  const { bytes, isWhole } = await files.start(id);
  return previewCsv(bytes, isWhole, PREVIEW_ROWS);
}

/** The path of the file as a CSV in UTF-8: of a workbook, the sheet that was chosen. */
export async function tableOf(context: Context, files: ChosenFiles, chosen: ChosenFile): Promise<string> {
  const { id, workbook, choice } = chosen;
  const from = files.path(id);
  if (!workbook) return from;
  const to = files.tablePath(id);
  await rm(to, { force: true });
  const maxBytes = context.config.importMaxBytes;
  const { sheet } = workbook;
  const written = await context.pool.ask(writeSheet, { from, to, sheet, decimals: choice?.decimals, maxBytes });
  if ("errors" in written) throw new Problem("invalid_request", { detail: written.errors[0]!.message });
  return to;
}

/** Whether it begins with a byte order mark: that says what it is. */
function isMarked(bytes: Buffer): boolean {
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/.test(bytes.toString("latin1", 0, 3));
}

/** So many words are shown. */
const MAX_WORDS = 6;
/** Bytes that Windows-1252 has no sign for; and 0, which no text has. */
const NO_SIGN = /[\x00\x81\x8d\x8f\x90\x9d]/;

async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of createReadStream(path)) decoder.decode(chunk as Buffer, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_ENCODING_INVALID_ENCODED_DATA") return false;
    throw error;
  }
}

/** Words with other letters than English ones, as they are in Windows-1252; undefined: it is not that. */
async function wordsInLatin(path: string): Promise<string[] | undefined> {
  const decoder = new TextDecoder("windows-1252");
  const words = new Set<string>();
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (NO_SIGN.test(chunk.toString("latin1"))) return undefined;
    if (words.size >= MAX_WORDS) continue;
    const found = decoder.decode(chunk).matchAll(/[\p{L}\p{M}’'€-]*[^\0-\x7f][\p{L}\p{M}’'€-]*/gu);
    for (const [word] of found.take(MAX_WORDS)) words.add(word);
  }
  return [...words].slice(0, MAX_WORDS);
}

async function toUtf8(path: string): Promise<void> {
  const decoder = new TextDecoder("windows-1252");
  const decode = new Transform({
    transform: (chunk: Buffer, _, done) => done(null, Buffer.from(decoder.decode(chunk, { stream: true }))),
  });
  await pipeline(createReadStream(path), decode, createWriteStream(`${path}.utf8`));
  await rename(`${path}.utf8`, path);
}
