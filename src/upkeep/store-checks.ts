// Checks all pages of a store, the files of its jobs, and who is in it: the side tasks. check-loop.ts says when. What is wrong is kept as a finding.

import { SchemaError } from "../../db/migrate.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { CONTROL, listDoubts } from "../../db/sqlite/doubt.ts";
import { isDamage, StoreRefusedError } from "../../db/sqlite/refused.ts";
import { immediate, isTransient } from "../../db/sqlite/write.ts";
import { type BadFile, checkFilesOf, filesOf, lookOfFiles } from "../engine/files/file-checks.ts";
import type { SideTask, Stores } from "../engine/threads/side-task.ts";
import { countBack } from "../erasure/back.ts";
import { readList } from "../erasure/list.ts";
import { counted } from "../languages/counted.ts";
import { claimCheck, listFindings, noteCheck, recordFinding } from "../workspaces/store-findings.ts";

/** How many problems of a store are read; the first is reported. */
const MAX_PROBLEMS = 20;

interface StoreCheck {
  /** The workspace's id, or `control`. */
  store: string;
  /** Empty when all is well. */
  problems: string[];
  ms: number;
}

/** Checks the store that waits longest, if one is due. */
export const checkNextStore: SideTask<undefined, StoreCheck | undefined> = {
  name: "check-store",
  perform(stores) {
    const { writer } = stores.control;
    const store = immediate(writer, () => claimCheck(writer, Date.now()));
    if (store === undefined || listDoubts(stores.dataDir).includes(store)) return undefined;
    const started = performance.now();
    // First, because the pages may take long.
    const back = store === CONTROL ? [] : checkBack(stores, store);
    const problems = problemsOf(stores, store);
    if (!problems) return { store, problems: back, ms: 0 };
    const message = problems.length ? messageOf(store, problems) : null;
    const files = store === CONTROL ? [] : checkFiles(stores, store);
    immediate(writer, () => {
      recordFinding(writer, store, "CHECK", message);
      noteCheck(writer, store, Date.now());
    });
    return { store, problems: [...back, ...problems, ...files], ms: Math.round(performance.now() - started) };
  },
};

/** Records who of the erased is back in a store. @returns what it has recorded, if anything */
function checkBack({ control, workspaces, erasedDir }: Stores, store: string): string[] {
  const { reader, writer } = control;
  const list = readList(erasedDir, store);
  let count: number | undefined = 0;
  try {
    if (list.hashes.size) count = countBack(reader, store, list, (look) => workspaces.read(store, look));
  } catch (error) {
    // That it can't be read is found elsewhere.
    if (
      !(error instanceof StoreRefusedError || error instanceof SchemaError) &&
      !isTransient(error) &&
      !isDamage(error)
    )
      throw error;
    count = undefined;
  }
  if (count === undefined) return [];
  const message = count ? backMessageOf(count) : null;
  immediate(writer, () => recordFinding(writer, store, "ERASED", message));
  return message === null ? [] : [message];
}

/** Records which files of a workspace's jobs are bad. @returns a line for each */
function checkFiles({ control: { reader, writer }, dataDir }: Stores, store: string): string[] {
  const bad = checkFilesOf(dataDir, store, filesOf(reader, store)).map(lineOf);
  immediate(writer, () => recordFinding(writer, store, "FILES", bad.length ? filesMessageOf(bad) : null));
  return bad;
}

/** Reads the files of those workspaces anew that had a bad one, where a file has changed. By workspace: how their files look. */
export const checkBadFiles: SideTask<Record<string, string>, Record<string, string>> = {
  name: "check-bad-files",
  perform(stores, known) {
    const { reader } = stores.control;
    const looks: Record<string, string> = {};
    for (const { workspace_uid: uid, source } of listFindings(reader)) {
      if (source !== "FILES") continue;
      looks[uid] = lookOfFiles(stores.dataDir, uid, filesOf(reader, uid));
      if (looks[uid] !== known[uid]) checkFiles(stores, uid);
    }
    return looks;
  },
};

/** Opens the stores anew that were refused: what is mended is no finding any more, also where nobody asks for that workspace. */
export const openRefusedStores: SideTask<undefined, void> = {
  name: "open-refused-stores",
  perform({ control: { reader }, workspaces }) {
    const refused = listFindings(reader).filter(({ source }) => source === "OPENING" || source === "ACCESS");
    for (const uid of new Set(refused.map(({ workspace_uid }) => workspace_uid))) {
      try {
        workspaces.forget(uid);
        workspaces.read(uid, (db) => db.value("SELECT 1 FROM store"));
      } catch (error) {
        if (!isTransient(error) && !(error instanceof SchemaError)) throw error;
      }
    }
  },
};

/** Undefined: it can't be checked now. */
function problemsOf({ control, workspaces }: Stores, store: string): string[] | undefined {
  try {
    return store === CONTROL ? findProblems(control.reader) : workspaces.read(store, findProblems);
  } catch (error) {
    // A page that the disk does not give is lost. What is away, belongs to somebody else or is busy says nothing of the pages.
    const isLost =
      error instanceof StoreRefusedError ? error.fault === "damaged" : isDamage(error) || isReadFailure(error);
    return isLost ? [(error as Error).message] : undefined;
  }
}

function isReadFailure(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^SQLITE_IOERR(_READ|_SHORT_READ|_CORRUPTFS)?$/.test(`${error.code}`)
  );
}

/** Table by table: a thread can be ended between two statements, but not in one. */
function findProblems(db: Reader): string[] {
  const tables = db.values<string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rootpage");
  const problems: string[] = [];
  for (const table of ["sqlite_schema", ...tables]) {
    const name = table.replaceAll("'", "''");
    const found = db.values<string>(`PRAGMA integrity_check('${name}')`).filter((line) => line !== "ok");
    const orphans = db.value<number>("SELECT count(*) FROM pragma_foreign_key_check(?)", table) ?? 0;
    problems.push(...found.map((line) => `${table}: ${line}`));
    if (orphans) problems.push(`${table}: ${counted(orphans, "row points", "rows point")} to rows that do not exist`);
    if (problems.length >= MAX_PROBLEMS) break;
  }
  return problems.slice(0, MAX_PROBLEMS);
}

function messageOf(store: string, [first, ...more]: string[]): string {
  const what = store === CONTROL ? "The control store" : "The workspace's store";
  const others = more.length ? `, and ${more.length} more` : "";
  return `${what} is damaged (${first}${others}): restore it from a backup.`;
}

function backMessageOf(count: number): string {
  return `${count} of the people who were erased are in the workspace's store again: an older file was put back. \`workspace accept-store\` erases them again.`;
}

function lineOf({ path, message }: BadFile): string {
  return `${path}: ${message}`;
}

function filesMessageOf([first, ...more]: string[]): string {
  return `A file of the workspace's jobs is bad (${first}${more.length ? `, and ${more.length} more` : ""}).`;
}
