// The wrong rows of a file as they stand in it, each with its line and its errors: to be mended, and imported again.

import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { csvLines } from "../../base/csv.ts";
import type { JobRow } from "../../client/types.ts";
import { openFile } from "../../engine/files/bodies.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { NOTES } from "../../imports/read/csv-headings.ts";
import { type RawRow, RawRows } from "../../imports/read/raw-rows.ts";
import { Refusal, type VisitorRequest } from "../shell/request.ts";
import { chosenFilesOf } from "./choose.ts";
import { tableOf } from "./read-chosen.ts";

/** Other work gets its turn after so many rows, or so much text. */
const ROWS_A_TURN = 1000;
const CHARACTERS_A_TURN = 256 * 1024;

/** GET of the wrong rows of a chosen file whose import is planned. */
export async function sendWrongRows(request: VisitorRequest): Promise<Reply> {
  const { calls, context, params, visitor } = request;
  const files = chosenFilesOf(request);
  const chosen = await files.get(params.id!);
  const { jobId, name, workbook } = chosen;
  if (jobId === undefined) throw new Refusal(409, "Nobody knows yet", "Choose first what the columns of the file are.");
  const query = "filter[outcome][eq]=REJECTED";
  const { body } = await calls.reply("listJobRows", { id: jobId, query }, "ndjson");
  const rejected = body instanceof Readable ? body : Readable.from([body]);
  const turn = () => context.turns.next(visitor.workspace_uid);
  return {
    status: 200,
    type: "text/csv",
    attachment: `${name.replace(/\.\w+$/, "")} – wrong rows.csv`,
    body: Readable.from(
      wrongRows({ path: await tableOf(context, files, chosen), sheet: workbook?.sheet }, rejected, turn),
      { objectMode: false },
    ),
  };
}

type Rejected = Pick<JobRow, "line" | "errors">;

/** @param rejected a Rejected on each line, in the order of the file */
export async function* wrongRows(
  { path, sheet }: { path: string; sheet?: string | undefined },
  rejected: Readable,
  turn: () => Promise<void>,
): AsyncGenerator<string> {
  using file = openFile(path);
  const rows = new RawRows(file.read, { format: "csv", sheet });
  const delimiter = rows.delimiter ?? ",";
  const raw = rows[Symbol.iterator]();
  let rowsPassed = 0;
  let charactersPassed = 0;
  const find = async (isWanted: (row: RawRow) => boolean): Promise<string> => {
    for (let next = raw.next(); !next.done; next = raw.next()) {
      charactersPassed += next.value.text.length;
      if (++rowsPassed >= ROWS_A_TURN || charactersPassed >= CHARACTERS_A_TURN) {
        [rowsPassed, charactersPassed] = [0, 0];
        await turn();
      }
      if (isWanted(next.value)) return next.value.text;
    }
    return "";
  };
  // The first row that is not blank has the headings.
  const headings = await find(({ text }) => text.replaceAll(delimiter, "").trim() !== "");
  yield `\uFEFF${NOTES.join(delimiter)}${delimiter}${headings}\r\n`;
  for await (const json of createInterface({ input: rejected })) {
    if (!json) continue;
    const { line, errors }: Rejected = JSON.parse(json);
    const notes = csvLines([[line, errors.map(inWords).join("; ")]], delimiter).trimEnd();
    yield `${notes}${delimiter}${await find((row) => row.line === line)}\r\n`;
  }
}

function inWords({ pointer, message }: Rejected["errors"][number]): string {
  return `${pointer.split("/").slice(3).join("/")} ${message}`.trim();
}
