// A progress bar on the terminal.

import { SingleBar } from "cli-progress";

/** A progress bar, only on a terminal. */
export class Bar {
  readonly #bar: SingleBar | undefined;

  constructor(isShown: boolean) {
    const format = "{phase} [{bar}] {percentage}%";
    if (isShown && process.stderr.isTTY)
      this.#bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true, stream: process.stderr });
  }

  show(phase: string, done: number, total: number): void {
    if (!this.#bar) return;
    if (!this.#bar.isActive) this.#bar.start(total, done, { phase });
    this.#bar.setTotal(total);
    this.#bar.update(done, { phase });
  }

  stop(): void {
    this.#bar?.stop();
  }
}
