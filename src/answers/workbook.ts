// Writes a table of answers as a file of Excel. The whole file is made in memory, so it runs in a thread.

import { join } from "node:path";
import { withReferences } from "../base/references.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { cellOf, headingCell, MAX_WORKBOOK_CELLS, MAX_WORKBOOK_CHARACTERS, writeSheets } from "../exports/workbook.ts";
import { cellIn } from "./columns.ts";
import { findAnswers, type NoAnswers, ROWS_AT_ONCE, rowsOf, type WantedAnswers } from "./read.ts";

interface WantedWorkbook extends WantedAnswers {
  /** The name of the file, in the folder of temporary files. */
  file: string;
  /** Sessions are named by references. */
  hidesLinks: boolean;
}

export const writeAnswersWorkbook: SideTask<
  WantedWorkbook,
  { title: string | null; rows: number } | NoAnswers | "tooLarge"
> = {
  name: "write-answers-workbook",
  async perform({ dataDir, workspaces }, { file, hidesLinks, ...wanted }) {
    const found = workspaces.read(wanted.workspaceUid, (db) => db.snapshot(() => findAnswers(db, wanted)));
    if (!("ids" in found)) return found;
    const { title, columns, ids } = found;
    if ((ids.length + 1) * columns.length > MAX_WORKBOOK_CELLS) return "tooLarge";
    const data = [columns.map(({ name }) => headingCell(name))];
    const isTime = columns.map(({ name }) => name.startsWith("session.") && name.endsWith("At"));
    let characters = 0;
    for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
      const rows = workspaces.read(wanted.workspaceUid, (db) => {
        const read = rowsOf(db, ids.slice(at, at + ROWS_AT_ONCE)).map((row) =>
          columns.map((column) => cellIn(column, row)),
        );
        return hidesLinks ? (JSON.parse(withReferences(db, JSON.stringify(read))) as typeof read) : read;
      });
      for (const row of rows) {
        for (const cell of row) if (typeof cell === "string") characters += cell.length;
        data.push(row.map((cell, column) => cellOf(cell, isTime[column])));
      }
      if (characters > MAX_WORKBOOK_CHARACTERS) return "tooLarge";
    }
    await writeSheets(join(dataDir, "tmp", file), [{ sheet: "Answers", data, width: 20 }]);
    return { title, rows: data.length - 1 };
  },
};
