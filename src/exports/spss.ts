// Writes an export for SPSS: a zip of a CSV and the syntax that reads it. The data are written as they are read, so it runs in a thread
// and takes as many rows as there are.

import { closeSync, openSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { attributeKeys } from "../base/attributes.ts";
import type { AskedFilter, Cell } from "../base/members.ts";
import { withReferences } from "../base/references.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import type { StartedFilters } from "../nouns/sessions/started.ts";
import { MAX_COLUMNS, matchingIds, type NoPlan, tablePlan } from "./plan.ts";
import type { Layout } from "./questions.ts";
import { type FoundColumn, syntaxOf, textOfRecord, timeText } from "./spss-syntax.ts";
import { type Variable, variablesOf } from "./spss-variables.ts";
import { exportTable, SESSION_COLUMNS } from "./table.ts";

const CSV = "responses.csv";
const SYNTAX = "responses.sps";

const LAYOUT: Layout = { headings: "READABLE", choices: "CODES" };

interface WantedSpss extends Omit<StartedFilters, "ids"> {
  workspaceUid: string;
  screenerUid: string;
  asked: readonly AskedFilter[] | undefined;
  /** The name of the file, in the folder of temporary files. */
  file: string;
  /** Sessions are named by references. */
  hidesLinks: boolean;
}

export const writeSpss: SideTask<WantedSpss, { title: string | null; rows: number } | NoPlan> = {
  name: "write-spss",
  perform({ dataDir, workspaces }, { workspaceUid, screenerUid, file, hidesLinks, asked, ...which }) {
    const plan = workspaces.read(workspaceUid, (db) => tablePlan(db, screenerUid, LAYOUT));
    if (typeof plan === "string") return plan;
    const ids = workspaces.read(workspaceUid, (db) => db.snapshot(() => matchingIds(db, screenerUid, asked)));
    if (ids && "errors" in ids) return ids;
    const { headings, rows, keys } = workspaces.read(workspaceUid, (db) => ({
      ...exportTable(db, screenerUid, plan, { ...which, ids }),
      keys: attributeKeys(db),
    }));
    if (headings.length > MAX_COLUMNS) return "tooManyColumns";
    const before = SESSION_COLUMNS.length + plan.headings.length + plan.quotas.length + plan.arms.length;
    const more = headings.slice(before + plan.orderHeadings.length + keys.length);
    const { variables, sets } = variablesOf(plan, keys, more);
    const found = variables.map((): FoundColumn => ({ isNumeric: true, bytes: 0, decimals: 0 }));
    const zip = openZip(join(dataDir, "tmp", file));
    try {
      let count = 0;
      const data = zip.add(CSV);
      data.write(lineOf(variables.map(({ name }) => name)));
      for (;;) {
        const slice = workspaces.read(workspaceUid, (db) => {
          const read = rows.next(db);
          return read && hidesLinks ? (JSON.parse(withReferences(db, JSON.stringify(read))) as typeof read) : read;
        });
        if (!slice) break;
        count += slice.length;
        data.write(slice.map((row) => lineOf(variables.map((one, at) => cellOf(row[at], one, found[at]!)))).join(""));
      }
      data.end();
      const syntax = zip.add(SYNTAX);
      syntax.write(syntaxOf(CSV, variables, sets, found));
      syntax.end();
      zip.end();
      return { title: plan.title, rows: count };
    } finally {
      zip.close();
    }
  },
};

function cellOf(cell: Cell, { kind }: Variable, found: FoundColumn): string {
  if (cell === null || cell === undefined || cell === "") return "";
  if (typeof cell === "number") {
    const digits = String(cell);
    found.bytes = Math.max(found.bytes, digits.length);
    found.decimals = Math.max(found.decimals, /\.(\d+)/.exec(digits)?.[1]?.length ?? 0);
    return digits;
  }
  const text = kind === "TIME" ? timeText(String(cell)) : textOfRecord(String(cell));
  found.isNumeric = false;
  found.bytes = Math.max(found.bytes, Buffer.byteLength(text));
  return text;
}

/** A record. Each text is in quotes where it needs them: a formula is no danger here, and an apostrophe would be part of the value. */
function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;
}

/** A zip that is written to a file while it is made. */
function openZip(path: string) {
  // Few threads ever need it.
  const { Zip, ZipDeflate } = createRequire(import.meta.url)("fflate") as typeof import("fflate");
  const handle = openSync(path, "wx", 0o600);
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    for (let at = 0; at < chunk.length; ) at += writeSync(handle, chunk, at);
  });
  return {
    add(name: string) {
      const entry = new ZipDeflate(name, { level: 6 });
      zip.add(entry);
      return {
        write: (text: string) => entry.push(Buffer.from(text), false),
        end: () => entry.push(new Uint8Array(), true),
      };
    },
    end: () => zip.end(),
    close: () => closeSync(handle),
  };
}
