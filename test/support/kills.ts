// Kills a process of the service at a moment that a test chooses while it runs: by a statement that it is about to run
// (kill-at.ts), by what it does with its files or connections (bad-disk.ts), or by the clock. The service knows nothing of it.

import { renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { BadDisk, type Moment } from "./bad-disk.ts";
import type { ProcessOptions, ServiceProcess } from "./process.ts";

/** The moment of a kill. `nth`: so many of them, from when the test says it. */
export type Kill = { sql: string; nth: number } | Moment | { ms: number };

export class Killer {
  readonly #disk: BadDisk;
  readonly #file: string;
  readonly #isShared: boolean;

  /** @param isShared whether several processes have the data directory */
  constructor(dataDir: string, isShared = false) {
    this.#disk = new BadDisk(dataDir, isShared);
    this.#isShared = isShared;
    this.#file = `${this.#disk.folder}/statement`;
    this.#disk.settle();
  }

  /** For the processes that may be killed. */
  get options(): ProcessOptions {
    return { preload: ["test/support/kill-at.ts"], env: { ...this.#disk.env, KILL_FILE: this.#file } };
  }

  /** Kills the process that gets to this moment first; by the clock, the first of them. */
  async kill(kill: Kill, victim: ServiceProcess): Promise<void> {
    if ("sql" in kill) {
      // A process must not read half of it.
      writeFileSync(`${this.#file}.new`, `${kill.nth} ${kill.sql}`);
      renameSync(`${this.#file}.new`, this.#file);
    } else if ("on" in kill) this.#disk.kill(kill);
    else {
      await sleep(kill.ms);
      victim.signal("SIGKILL");
    }
  }

  /**
   * Ends the killing, and what was written stays. Of a data directory that is not shared no process must be left: what they
   * have not synced, the next one may sync, and the disk would not know of it.
   */
  stop(): void {
    this.#disarm();
    if (!this.#isShared) this.#disk.settle();
  }

  /** Ends the killing with a power cut: what was not synced is lost. No process must be left. */
  cutPower(): void {
    this.#disarm();
    this.#disk.cutPower();
  }

  #disarm(): void {
    rmSync(this.#file, { force: true });
    this.#disk.heal();
  }
}

/** Draws a whole number from 1 to `most`. */
export type UpTo = (most: number) => number;

export function upToOf(draw: () => number): UpTo {
  return (most) => 1 + Math.floor(draw() * most);
}
