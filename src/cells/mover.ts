// The journey of a workspace to another cell, step by step (move.ts says which).

import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Control } from "../../db/control.ts";
import { raiseFence } from "../../db/fence.ts";
import { currentVersion } from "../../db/migrate.ts";
import { Doubt } from "../../db/sqlite/doubt.ts";
import { FrozenStore } from "../../db/sqlite/frozen.ts";
import type { Presence } from "../../db/sqlite/lock.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { storePath } from "../../db/store.ts";
import { spoolPath } from "../engine/files/bodies.ts";
import { resultPath } from "../engine/files/result-file.ts";
import { requeueCrashed } from "../engine/ledger/states.ts";
import { readLines } from "../erasure/list.ts";
import type { Directory } from "./directory.ts";
import { performEnding } from "./end-move.ts";
import { filesOf, withSameLedger, writeLedger } from "./ledger.ts";
import { handOver, type MoveRow, pause, stop } from "./moves.ts";
import { Target } from "./target.ts";
import { LEDGER, STORE, WAL } from "./wire.ts";

/** What a move needs of the cell that the workspace comes from. */
export interface Stores {
  dataDir: string;
  /** Where the list of the erased is. */
  erasedDir: string;
  control: Control;
  directory: Directory;
}

/** The current step, in a few words. */
export type OnStep = (step: string) => void;

export interface Copied {
  /** Bytes that were copied. */
  bytes: number;
  /** How long nothing of the workspace was served, in ms. */
  stoppedMs: number;
}

/** How long the job that runs may take to end. */
const JOB_WAIT_MS = 600_000;
/** Nothing of the workspace is served meanwhile. How long the fence may wait for the store's lock, and all until the handover. */
const LOCK_WAIT_MS = 1000;
const MAX_STOPPED_MS = 10_000;
/** How often the ledger may have changed while it was on its way. */
const MAX_LEDGERS = 10;

export class Mover {
  readonly #dataDir: string;
  readonly #erasedDir: string;
  readonly #control: Control;
  readonly #row: MoveRow;
  readonly #folder: string;
  readonly #target: Target;
  readonly #onStep: OnStep;
  /** The sizes of the files that the other cell has. */
  readonly #files: Record<string, number> = {};
  /** How the results and bodies looked before they were copied. */
  readonly #looks = new Map<string, string>();

  constructor({ dataDir, erasedDir, control, directory }: Stores, row: MoveRow, folder: string, onStep: OnStep) {
    this.#dataDir = dataDir;
    this.#erasedDir = erasedDir;
    this.#control = control;
    this.#row = row;
    this.#folder = folder;
    this.#target = new Target({ directory, ...row });
    this.#onStep = onStep;
  }

  async move(presence: Presence): Promise<Copied> {
    const { workspace_uid: uid } = this.#row;
    const { writer } = this.#control;
    const path = storePath(this.#dataDir, uid);
    let store: FrozenStore | undefined;
    let isHandedOver = false;
    try {
      store = new FrozenStore(path, new Doubt(this.#dataDir, uid));
      if (store.version !== currentVersion("workspace"))
        throw new Error("The workspace's store is of another release: run migrate first.");
      this.#onStep("copying the store");
      this.#files[STORE] = await this.#target.putFile(STORE, store.open("file"));
      const sent: string[] = [];
      await this.#copyWal(store, sent);
      await this.#copyFiles();
      this.#onStep("waiting for its job");
      immediate(writer, () => pause(writer, this.#row));
      await this.#waitForJob(presence);
      await this.#copyWal(store, sent);
      await this.#copyFiles();
      this.#onStep("stopping it");
      const stopped = performance.now();
      this.#target.until(stopped + MAX_STOPPED_MS);
      immediate(writer, () => stop(writer, this.#row));
      raiseFence(path, LOCK_WAIT_MS);
      await this.#copyWal(store, sent);
      await this.#handOver();
      isHandedOver = true;
      this.#target.until(undefined);
      if (!(await this.#activate())) {
        isHandedOver = false;
        throw new Error("The other cell has forgotten the move.");
      }
      performEnding(this.#dataDir, this.#row, "ARRIVE");
      const stoppedMs = Math.round(performance.now() - stopped);
      return { bytes: Object.values(this.#files).reduce((sum, size) => sum + size, 0), stoppedMs };
    } catch (error) {
      // Else the service goes on with it.
      if (!isHandedOver) {
        store?.close();
        store = undefined;
        this.#target.until(undefined);
        performEnding(this.#dataDir, this.#row, "CANCEL");
        await this.#target.cancel().catch(() => {});
      }
      throw error;
    } finally {
      store?.close();
    }
  }

  async #activate(): Promise<boolean> {
    try {
      return await this.#target.activate();
    } catch (cause) {
      throw new Error(
        `The workspace is handed over to ${this.#row.cell}, which does not answer. The service goes on with it as soon as it does.`,
        { cause },
      );
    }
  }

  /** Copies what has come to the WAL since the last time. */
  async #copyWal(store: FrozenStore, sent: string[]): Promise<void> {
    const path = `${storePath(this.#dataDir, this.#row.workspace_uid)}-wal`;
    if (existsSync(path)) this.#files[WAL] = await this.#target.putFile(WAL, store.open("wal"), sent);
  }

  /** Copies results and bodies that have not been copied, or have changed since: an erasure changes results, too. */
  async #copyFiles(): Promise<void> {
    const { spool, results } = filesOf(this.#control.reader, this.#dataDir, this.#row.workspace_uid);
    const needed = new Map<string, string>([
      ...spool.map((job) => [`spool/${job}`, spoolPath(this.#dataDir, job)] as const),
      ...results.map((name) => [`results/${name}`, resultPath(this.#dataDir, name)] as const),
    ]);
    for (const name of Object.keys(this.#files)) if (name.includes("/") && !needed.has(name)) delete this.#files[name];
    for (const [name, path] of needed) {
      const look = lookOf(path);
      // A short body is in the ledger, and a result may have expired at this moment.
      if (look === undefined) delete this.#files[name];
      else if (this.#looks.get(name) !== look) {
        await this.#copyFile(name, path);
        this.#looks.set(name, look);
      }
    }
  }

  async #copyFile(name: string, path: string): Promise<void> {
    const file = openSync(path, "r");
    try {
      this.#files[name] = await this.#target.putFile(name, file);
    } finally {
      closeSync(file);
    }
  }

  /** The other cell gets the ledger and checks all; one transaction here says that the workspace is there. */
  async #handOver(): Promise<void> {
    const { workspace_uid: workspace } = this.#row;
    const { writer } = this.#control;
    for (let number = 1; number <= MAX_LEDGERS; number++) {
      const ledger = join(this.#folder, `${number}.sqlite`);
      writeLedger(writer, workspace, ledger, readLines(this.#erasedDir, workspace));
      await this.#copyFiles();
      await this.#copyFile(LEDGER, ledger);
      await this.#target.prepare({ files: this.#files });
      if (withSameLedger(writer, workspace, ledger, () => handOver(writer, this.#row))) return;
    }
    throw new Error("What the control store has of the workspace changes all the time.");
  }

  async #waitForJob(presence: Presence): Promise<void> {
    const running = `SELECT runner FROM job INDEXED BY job_open WHERE finished_at IS NULL AND status = 'RUNNING'
      AND workspace_id = (SELECT id FROM workspace WHERE uid = ?)`;
    for (const deadline = performance.now() + JOB_WAIT_MS; ; ) {
      const runners = this.#control.reader.values<string | null>(running, this.#row.workspace_uid);
      if (!runners.length) return;
      if (performance.now() >= deadline) throw new Error("A job of the workspace does not end.");
      // A dead one is put back by the service; without a service, it stays as it is: the other cell puts it back.
      if (!runners.some((runner) => runner !== null && presence.isAlive(runner))) return this.#putBack(runners);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** A job whose process is dead has crashed. */
  #putBack(runners: readonly (string | null)[]): void {
    const { writer } = this.#control;
    immediate(writer, () => {
      for (const runner of new Set(runners)) if (runner !== null) requeueCrashed(writer, runner);
    });
  }
}

/** What differs when a file has changed. */
function lookOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}
