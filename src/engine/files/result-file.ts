// Opens the files below results/. One that is there but can't be read is damaged: no later try can read it.

import { statSync } from "node:fs";
import { join } from "node:path";
import { locate, type Reader, type Writer } from "../../../db/sqlite/connection.ts";
import { openScratchReader, openScratchWriter } from "../../../db/sqlite/open.ts";
import { isDamage } from "../../../db/sqlite/refused.ts";
import { Problem } from "../../base/problems.ts";

/** The content of the file is not what was written. */
export class ResultDamagedError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "ResultDamagedError";
  }
}

export function resultPath(dataDir: string, file: string): string {
  return join(dataDir, "results", file);
}

/** Lends a result file to `look`. @throws ResultDamagedError; Error ENOENT when it is not there; or why it is away */
export function readResultFile<T>(path: string, look: (file: Reader) => T): T {
  return lend(path, openScratchReader, look);
}

/** Lends a result file to `change`, after all its pages were looked at. @throws as readResultFile */
export function changeResultFile<T>(path: string, change: (file: Writer) => T): T {
  return lend(path, openScratchWriter, (file) => {
    checkPages(file);
    return change(file);
  });
}

/**
 * What is wrong with a result file, whose pages are all read; undefined: nothing.
 * @param needed tables and views that it must have @throws Error ENOENT, or why it is away
 */
export function findDamage(path: string, needed: readonly string[] = []): string | undefined {
  try {
    readResultFile(path, (file) => {
      checkPages(file);
      const missing = needed.find(
        (name) => file.value("SELECT 1 FROM sqlite_schema WHERE name = ?", name) === undefined,
      );
      if (missing !== undefined) throw new ResultDamagedError(`it has no ${missing}`);
    });
    return undefined;
  } catch (error) {
    if (error instanceof ResultDamagedError) return error.message;
    throw error;
  }
}

/** Whether SQLite says that the content of a file is damaged. */
function isAboutContent(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(String(error.code));
}

/** The problem of a job whose approved plan can't be read any more; or else `thrown`. @throws the error of a file that is away */
export function planDamage(
  dataDir: string,
  { plan, result_file }: { plan: string | null; result_file: string | null },
  thrown: unknown,
): unknown {
  if (plan === null || result_file === null || !isAboutContent(thrown)) return thrown;
  const path = resultPath(dataDir, result_file);
  const found = findDamage(path, ["plan", "job_row"]);
  return found === undefined ? thrown : new Problem("result_damaged", { cause: new Error(`${path}: ${found}`) });
}

/** 410: why the rows or the result of a job can't be read. @param reason a ResultDamagedError's message */
export function damagedResult(reason: string, cause?: unknown): Problem {
  return new Problem("job_result_gone", {
    cause,
    detail: `The file with the job's result and rows is damaged (${reason}), so that they can't be read any more. What the job did stays.`,
  });
}

/** Opens a result file to be read slice by slice. `first` is what `look` returned. The caller closes it. @throws as readResultFile */
export function openResultFile<T>(path: string, look: (file: Reader) => T): { file: Reader; first: T } {
  return open(path, openScratchReader, look);
}

function lend<T, Db extends Reader>(path: string, openFile: (path: string) => Db, look: (file: Db) => T): T {
  const { file, first } = open(path, openFile, look);
  file.close();
  return first;
}

function open<T, Db extends Reader>(
  path: string,
  openFile: (path: string) => Db,
  look: (file: Db) => T,
): { file: Db; first: T } {
  let file: Db | undefined;
  try {
    file = openFile(path);
    // SQLite takes a file of no bytes for an empty store.
    if (file.value("SELECT 1 FROM sqlite_schema LIMIT 1") === undefined) throw new ResultDamagedError("it is empty");
    return { file, first: look(file) };
  } catch (error) {
    file?.close();
    throw explanationOf(error, path);
  }
}

/** Whether `error` says that a file is not there. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** @param name of a table or a view @throws ResultDamagedError when the file does not have it */
export function checkHas(file: Reader, name: string): void {
  if (file.value("SELECT 1 FROM sqlite_schema WHERE name = ?", name) === undefined)
    throw new ResultDamagedError(`it has no ${name}`);
}

function checkPages(file: Reader): void {
  const [found] = file.values<string>("PRAGMA quick_check(1)");
  if (found !== "ok") throw new ResultDamagedError(found ?? "it has no pages");
}

function explanationOf(error: unknown, path: string): unknown {
  if (isDamage(error))
    return new ResultDamagedError((error as Error).message.replace(` (${path})`, ""), { cause: error });
  // SQLite does not say that a file is not there, and the driver has no code for a folder that is not.
  if (error instanceof TypeError || (error instanceof Error && "code" in error && error.code === "SQLITE_CANTOPEN"))
    statSync(path);
  return locate(error, path);
}
