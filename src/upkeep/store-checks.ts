// Checks all pages of each store, and the files of its jobs, once a week, in a thread, one store after the other. What is wrong is kept as a finding.

import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Control } from "../../db/control.ts";
import { SchemaError } from "../../db/migrate.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { CONTROL, listDoubts } from "../../db/sqlite/doubt.ts";
import { isDamage, StoreRefusedError } from "../../db/sqlite/refused.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { immediate, isTransient } from "../../db/sqlite/write.ts";
import { storePath } from "../../db/store.ts";
import type { Log } from "../base/log.ts";
import { type BadFile, checkFilesOf, filesOf } from "../engine/files/file-checks.ts";
import type { Pool } from "../engine/threads/pool.ts";
import type { SideTask, Stores } from "../engine/threads/side-task.ts";
import {
  claimCheck,
  type FindingRow,
  forgetCheck,
  listFindings,
  noteCheck,
  recordFinding,
} from "../workspaces/store-findings.ts";

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
    const problems = problemsOf(stores, store);
    if (!problems) return { store, problems: [], ms: 0 };
    const message = problems.length ? messageOf(store, problems) : null;
    const files =
      store === CONTROL ? [] : checkFilesOf(stores.dataDir, store, filesOf(stores.control.reader, store)).map(lineOf);
    immediate(writer, () => {
      recordFinding(writer, store, "CHECK", message);
      recordFinding(writer, store, "FILES", files.length ? filesMessageOf(files) : null);
      noteCheck(writer, store, Date.now());
    });
    return { store, problems: [...problems, ...files], ms: Math.round(performance.now() - started) };
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

function lineOf({ path, message }: BadFile): string {
  return `${path}: ${message}`;
}

function filesMessageOf([first, ...more]: string[]): string {
  return `A file of the workspace's jobs is bad (${first}${more.length ? `, and ${more.length} more` : ""}).`;
}

/** After a check, nothing is checked for so many times as long as it took, and for a second at least. */
const REST = 9;

/** How long a check waits for the control store. */
const WAIT_MS = 1000;

/** What a process does for it. */
export class StoreChecks {
  readonly #dataDir: string;
  readonly #control: Control;
  readonly #pool: Pool;
  readonly #log: Log;
  /** Which files the stores were, by workspace, when damage was found. */
  readonly #damaged = new Map<string, { foundAt: number; ino: number }>();
  #isChecking = false;
  #isClosing = false;

  constructor(dataDir: string, control: Control, pool: Pool, log: Log) {
    this.#dataDir = dataDir;
    this.#control = control;
    this.#pool = pool;
    this.#log = log;
  }

  /** Checks all stores that are due, and logs what was found. Never rejects. */
  async check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      while (!this.#isClosing) {
        const checked = await this.#pool.ask(checkNextStore, undefined);
        if (!checked) return;
        if (checked.problems.length) {
          this.#log.error(checked, "store damaged");
          await this.#forgetReplaced(listFindings(this.#control.reader));
        } else this.#log.debug(checked, "store checked");
        await sleep(Math.max(1000, REST * checked.ms), undefined, { ref: false });
      }
    } catch (error) {
      if (!this.#isClosing) this.#log.warn({ err: error }, "check of stores failed");
    } finally {
      this.#isChecking = false;
    }
  }

  /** Looks again at what was wrong, if anything was. Never rejects. */
  async lookAgain(): Promise<void> {
    try {
      const found = listFindings(this.#control.reader);
      if (found.length) await this.#pool.ask(openRefusedStores, undefined);
      await this.#forgetReplaced(found);
    } catch (error) {
      if (!this.#isClosing) this.#log.warn({ err: error }, "check of stores failed");
    }
  }

  /** When a damaged store was replaced by another file, nothing waits for the check of that file, which may take long. */
  async #forgetReplaced(found: FindingRow[]): Promise<void> {
    const { writer } = this.#control;
    for (const { workspace_uid: uid, source, found_at: foundAt } of found) {
      if (source !== "CHECK" || uid === CONTROL) continue;
      const ino = statSync(storePath(this.#dataDir, uid), { throwIfNoEntry: false })?.ino;
      if (ino === undefined) continue;
      const known = this.#damaged.get(uid);
      this.#damaged.set(uid, { foundAt, ino });
      // What was found since then was found in that file.
      if (known?.foundAt === foundAt && known.ino !== ino)
        await whenFree(writer, WAIT_MS, () => forgetCheck(writer, uid));
    }
  }

  close(): void {
    this.#isClosing = true;
  }
}
