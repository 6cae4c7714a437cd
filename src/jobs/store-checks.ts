// Checks all pages of each store once a week, in a thread, one store after the other. What is wrong is kept as a finding.

import { setTimeout as sleep } from "node:timers/promises";
import type { Reader } from "../../db/connection.ts";
import { CONTROL, listDoubts } from "../../db/doubt.ts";
import { StoreRefusedError } from "../../db/refused.ts";
import { immediate } from "../../db/write.ts";
import type { Log } from "../log.ts";
import { claimCheck, noteCheck, recordFinding } from "../workspaces/store-findings.ts";
import type { Pool } from "./pool.ts";
import type { SideTask, Stores } from "./side-task.ts";

/** So many problems of a store are read; the first is told. */
const MAX_PROBLEMS = 20;

export interface StoreCheck {
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
    const problems = problemsOf(stores, store);
    const message = problems.length ? messageOf(store, problems) : null;
    immediate(writer, () => {
      recordFinding(writer, store, "CHECK", message);
      noteCheck(writer, store, Date.now());
    });
    return { store, problems, ms: Math.round(performance.now() - started) };
  },
};

function problemsOf({ control, workspaces }: Stores, store: string): string[] {
  try {
    return store === CONTROL ? findProblems(control.reader) : workspaces.read(store, findProblems);
  } catch (error) {
    if (error instanceof StoreRefusedError && error.fault !== "damaged") return [];
    return [error instanceof Error ? error.message : String(error)];
  }
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
    if (orphans) problems.push(`${table}: ${orphans} rows point to rows that do not exist`);
    if (problems.length >= MAX_PROBLEMS) break;
  }
  return problems.slice(0, MAX_PROBLEMS);
}

function messageOf(store: string, [first, ...more]: string[]): string {
  const what = store === CONTROL ? "The control store" : "The workspace's store";
  const others = more.length ? `, and ${more.length} more` : "";
  return `${what} is damaged (${first}${others}): restore it from a backup.`;
}

/** After a check, nothing is checked for so many times as long as it took, and for a second at least. */
const REST = 9;

/** Checks all stores that are due, and logs what was found. Never rejects. */
export async function checkStores(pool: Pool, log: Log, isClosing: () => boolean): Promise<void> {
  try {
    while (!isClosing()) {
      const checked = await pool.ask(checkNextStore, undefined);
      if (!checked) return;
      if (checked.problems.length) log.error(checked, "store damaged");
      else log.debug(checked, "store checked");
      await sleep(Math.max(1000, REST * checked.ms), undefined, { ref: false });
    }
  } catch (error) {
    if (!isClosing()) log.warn({ err: error }, "check of stores failed");
  }
}
