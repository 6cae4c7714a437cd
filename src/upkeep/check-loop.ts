// When a process has stores checked (store-checks.ts), and looked at again where something was wrong.

import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Control } from "../../db/control.ts";
import { CONTROL } from "../../db/sqlite/doubt.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { storePath } from "../../db/store.ts";
import type { Log } from "../base/log.ts";
import type { Pool } from "../engine/threads/pool.ts";
import { type FindingRow, forgetCheck, listFindings } from "../workspaces/store-findings.ts";
import { checkBadFiles, checkNextStore, openRefusedStores } from "./store-checks.ts";
import { isAnyToTakeBack, takeBackInterrupted } from "./take-back.ts";

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
  /** How the files of workspaces look that have a bad one. */
  #files: Record<string, string> = {};
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
    await this.#takeBack();
    try {
      const found = listFindings(this.#control.reader);
      if (found.length) await this.#pool.ask(openRefusedStores, undefined);
      if (found.some(({ source }) => source === "FILES"))
        this.#files = await this.#pool.ask(checkBadFiles, this.#files);
      await this.#forgetReplaced(found);
    } catch (error) {
      if (!this.#isClosing) this.#log.warn({ err: error }, "check of stores failed");
    }
  }

  /** One that can't be taken back keeps nothing else from being looked at. */
  async #takeBack(): Promise<void> {
    try {
      if (!isAnyToTakeBack(this.#dataDir, this.#control.reader)) return;
      for (const workspace of await this.#pool.ask(takeBackInterrupted, undefined))
        this.#log.warn({ workspace }, "a restore that was interrupted is taken back");
    } catch (error) {
      if (!this.#isClosing) this.#log.warn({ err: error }, "a restore that was interrupted could not be taken back");
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
