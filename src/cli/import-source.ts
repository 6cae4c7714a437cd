// The options of the command `import`, and the file that it reads: a sheet of a workbook, or a table that is not in UTF-8, becomes a CSV
// in UTF-8 first.

import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { TextDecoderStream } from "node:stream/web";
import type { DateOrder, Decimals } from "../attribute-types/values.ts";
import { readWorkbook, WorkbookFault } from "../imports/read/workbook.ts";
import type {
  FILE_FORMATS,
  ImportFile,
  MatchKey,
  MaxRemovals,
} from "../nouns/screener-participants/import-settings.ts";

/** Those of tables that are not in UTF-8. */
export const ENCODINGS = ["windows-1252"] as const;

export interface Options {
  workspace: string;
  screener: string;
  fullSync?: true;
  dryRun?: true;
  map: NonNullable<ImportFile["columns"]>;
  maxRemovals: MaxRemovals;
  skipErrors?: true;
  expectedRows?: number;
  includeJoined?: true;
  matchBy?: MatchKey;
  decimals?: Decimals;
  dates?: DateOrder;
  sheet?: string;
  encoding?: (typeof ENCODINGS)[number];
  allow: readonly string[];
  yes?: true;
  json?: true;
  note?: string;
}

/** The settings of a job that plans the import. */
export function settingsOf(options: Options, { format, sheet }: Pick<ImportFile, "format" | "sheet">): ImportFile {
  const { screener, fullSync, map, skipErrors, maxRemovals, expectedRows, includeJoined, matchBy, decimals, dates } =
    options;
  return {
    format,
    screenerId: screener,
    importMode: fullSync ? "FULL_SYNC" : "UPDATES_ONLY",
    dryRun: true,
    // It would not count where nobody is removed.
    ...(fullSync && { maxRemovals }),
    onRowError: skipErrors ? "SKIP" : "REJECT_ALL",
    expectedRows,
    includeJoined,
    matchBy,
    decimals,
    dates,
    sheet,
    columns: map,
  };
}

const WORKBOOK = ".xlsx";

const FORMATS: Record<string, (typeof FILE_FORMATS)[number]> = {
  ".csv": "csv",
  ".tsv": "csv",
  ".txt": "csv",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
  [WORKBOOK]: "csv",
};

/** What is read, and as what. */
export interface Source extends Pick<ImportFile, "format" | "sheet"> {
  path: string;
}

/** How the file is read. @throws Error when its name says no format, or the options do not fit it */
export function formatOf(file: string, { decimals, dates, sheet, encoding }: Options): ImportFile["format"] {
  const ending = extname(file).toLowerCase();
  const format = FORMATS[ending];
  if (!format) throw new Error(`${file} must end in ${Object.keys(FORMATS).join(", ")}.`);
  if (format !== "csv")
    for (const [name, value] of Object.entries({ decimals, dates }))
      if (value) throw new Error(`--${name} is only for .csv, .tsv, .txt and ${WORKBOOK}.`);
  if (sheet !== undefined && ending !== WORKBOOK) throw new Error(`--sheet is only for ${WORKBOOK}.`);
  if (encoding && (ending === WORKBOOK || format !== "csv"))
    throw new Error("--encoding is only for .csv, .tsv and .txt.");
  return format;
}

/** Calls `use` with the file as it is read; what is made for that is removed afterwards. @throws Error when it is no workbook */
export async function withSource<Result>(
  file: string,
  options: Options,
  use: (source: Source) => Promise<Result>,
): Promise<Result> {
  const format = formatOf(file, options);
  const isWorkbook = extname(file).toLowerCase() === WORKBOOK;
  if (!isWorkbook && !options.encoding) return use({ path: file, format });
  const folder = mkdtempSync(join(tmpdir(), "screening-import-"));
  try {
    const path = join(folder, "table.csv");
    if (!isWorkbook) {
      const text = Readable.toWeb(createReadStream(file)).pipeThrough(new TextDecoderStream(options.encoding));
      await pipeline(text, createWriteStream(path));
      return await use({ path, format });
    }
    const { sheet, csv } = await readWorkbook(readFileSync(file), options).catch((error) => {
      throw error instanceof WorkbookFault ? new Error(saying(file, error)) : error;
    });
    await pipeline(Readable.from(csv), createWriteStream(path));
    return await use({ path, format, sheet });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function saying(file: string, { errors }: WorkbookFault): string {
  const messages = errors.map(({ message }) => message);
  return messages.length === 1
    ? `${file} ${messages[0]}.`
    : `${file}:\n${messages.map((one) => `  ${one}`).join("\n")}`;
}
