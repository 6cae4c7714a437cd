// Reads a workbook in a thread: for an import, and to show its beginning to who chooses what its columns are.

import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import type { ProblemDetail } from "../base/problems.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { readWorkbook, type SheetChoice, WorkbookFault } from "./read/workbook.ts";

/** What can't be read, and why. */
interface Faults {
  errors: ProblemDetail[];
}

/** Writes a sheet of a workbook into a new file, as a CSV, and syncs it. */
export const writeSheet: SideTask<
  SheetChoice & { from: string; to: string; maxBytes: number },
  { sheet: string; bytes: number } | Faults
> = {
  name: "write-sheet",
  perform: (_, { from, to, maxBytes, ...choice }) =>
    orFaults(async () => {
      const { sheet, csv } = await readWorkbook(readFileSync(from), choice);
      const file = openSync(to, "wx");
      let bytes = 0;
      try {
        for (const piece of csv) {
          const buffer = Buffer.from(piece);
          bytes += buffer.length;
          if (bytes > maxBytes)
            throw new WorkbookFault([{ pointer: "", message: `has more than ${maxBytes} bytes as a CSV` }]);
          for (let at = 0; at < buffer.length; ) at += writeSync(file, buffer, at);
        }
        fsyncSync(file);
      } catch (error) {
        rmSync(to, { force: true });
        throw error;
      } finally {
        closeSync(file);
      }
      return { sheet, bytes };
    }),
};

/** So many sheets can be chosen from. */
const MAX_SHEETS = 100;

/** The beginning of a sheet as a CSV, and the names of all sheets. */
export const startSheet: SideTask<
  { from: string; sheet?: string; maxBytes: number },
  { sheet: string; sheets: string[]; start: string; isWhole: boolean } | Faults
> = {
  name: "start-sheet",
  perform: (_, { from, maxBytes, ...choice }) =>
    orFaults(async () => {
      const { sheet, sheets, csv } = await readWorkbook(readFileSync(from), choice);
      let start = "";
      for (const piece of csv) {
        // Whole lines: a line end within a cell is CR alone.
        for (const line of piece.match(/[^\n]*\n/g) ?? []) {
          if (start.length + line.length > maxBytes)
            return { sheet, sheets: sheets.slice(0, MAX_SHEETS), start, isWhole: false };
          start += line;
        }
      }
      return { sheet, sheets: sheets.slice(0, MAX_SHEETS), start, isWhole: true };
    }),
};

async function orFaults<Answer>(read: () => Promise<Answer>): Promise<Answer | Faults> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof WorkbookFault) return { errors: error.errors };
    throw error;
  }
}
