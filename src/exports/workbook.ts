// Writes an export as a file of Excel, with its codebook beside it. The whole file is made in memory, so it runs in a thread.

import { join } from "node:path";
import type { Cell as SheetCell } from "write-excel-file/node";
import type { AskedFilter, Cell } from "../base/members.ts";
import { withReferences } from "../base/references.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import type { StartedFilters } from "../nouns/sessions/started.ts";
import { CODEBOOK_HEADINGS, codebookRows } from "./codebook.ts";
import { MAX_COLUMNS, matchingIds, type NoPlan, tablePlan, type WantedTable } from "./plan.ts";
import { exportTable, SESSION_COLUMNS } from "./table.ts";

/** Each takes about 0.4 kB of memory, and 8 µs. */
export const MAX_WORKBOOK_CELLS = 300_000;

/** The limit for all texts together: they are in memory several times. */
export const MAX_WORKBOOK_CHARACTERS = 50_000_000;

/** Excel's own limit. */
const MAX_CELL_LENGTH = 32_767;

const TIME_FORMAT = "yyyy-mm-dd hh:mm:ss";
const TIME_COLUMNS: ReadonlySet<number> = new Set(
  SESSION_COLUMNS.flatMap(([heading], column) => (heading.endsWith("At") ? [column] : [])),
);

interface WantedWorkbook extends WantedTable, Omit<StartedFilters, "ids"> {
  /** What sessions are filtered by beside what SQL compares. */
  asked: readonly AskedFilter[] | undefined;
  /** The name of the file, in the folder of temporary files. */
  file: string;
  /** Sessions are named by references. */
  hidesLinks: boolean;
}

/** What was written, or why nothing was. */
type WrittenWorkbook = { title: string | null; rows: number } | NoPlan | "tooLarge";

export const writeWorkbook: SideTask<WantedWorkbook, WrittenWorkbook> = {
  name: "write-workbook",
  async perform({ dataDir, workspaces }, { workspaceUid, screenerUid, layout, file, hidesLinks, asked, ...which }) {
    const plan = workspaces.read(workspaceUid, (db) => tablePlan(db, screenerUid, layout));
    if (typeof plan === "string") return plan;
    const ids = workspaces.read(workspaceUid, (db) => db.snapshot(() => matchingIds(db, screenerUid, asked)));
    if (ids && "errors" in ids) return ids;
    const wanted = { ...which, ids };
    const { headings, rows } = workspaces.read(workspaceUid, (db) => exportTable(db, screenerUid, plan, wanted));
    if (headings.length > MAX_COLUMNS) return "tooManyColumns";
    const answers: SheetCell[][] = [headings.map(headingCell)];
    let characters = 0;
    for (;;) {
      const slice = workspaces.read(workspaceUid, (db) => {
        const read = rows.next(db);
        return read && hidesLinks ? (JSON.parse(withReferences(db, JSON.stringify(read))) as typeof read) : read;
      });
      if (!slice) break;
      for (const row of slice) {
        for (const cell of row) if (typeof cell === "string") characters += cell.length;
        answers.push(Array.from(row, (cell, column) => cellOf(cell, TIME_COLUMNS.has(column))));
      }
      if (answers.length * headings.length > MAX_WORKBOOK_CELLS || characters > MAX_WORKBOOK_CHARACTERS)
        return "tooLarge";
    }
    const codebook = [CODEBOOK_HEADINGS.map(headingCell)];
    for (const row of codebookRows(plan)) {
      for (const cell of row) characters += cell.length;
      codebook.push(row.map((cell) => cellOf(cell)));
      if (codebook.length * row.length > MAX_WORKBOOK_CELLS || characters > MAX_WORKBOOK_CHARACTERS) return "tooLarge";
    }
    await writeSheets(join(dataDir, "tmp", file), [
      { sheet: "Answers", data: answers, width: 20 },
      { sheet: "Codebook", data: codebook, width: 30 },
    ]);
    return { title: plan.title, rows: answers.length - 1 };
  },
};

interface Sheet {
  sheet: string;
  /** The first row has the headings. */
  data: SheetCell[][];
  /** Of each column, in characters. */
  width: number;
}

export async function writeSheets(path: string, sheets: readonly Sheet[]): Promise<void> {
  // Few processes ever need it.
  const { default: writeFile } = await import("write-excel-file/node");
  await writeFile(
    sheets.map(({ sheet, data, width }) => ({
      ...{ sheet, data, columns: data[0]!.map(() => ({ width })), stickyRowsCount: 1 },
    })),
  ).toFile(path);
}

export function headingCell(text: string): SheetCell {
  return { value: textOf(text), type: String, fontWeight: "bold" };
}

export function cellOf(cell: Cell, isTime = false): SheetCell {
  if (cell === null || cell === undefined || cell === "") return null;
  if (typeof cell !== "string") return cell;
  return isTime ? { value: new Date(cell), type: Date, format: TIME_FORMAT } : { value: textOf(cell), type: String };
}

function textOf(text: string): string {
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH - 1)}…` : text;
}
