// Findings: what is wrong with the service now. Parts of the service register checks here, or report what has happened.
// /readyz shows it, and the log names it once.

import type { Log } from "./log.ts";

export interface Finding {
  /** Stable, in snake_case. */
  code: string;
  /** What is wrong and what to do, as sentences. Everybody can read it: no secrets, and nothing about people. */
  message: string;
  /** Whether this process can't serve meanwhile; `writes`: it serves reads. */
  blocking: boolean | "writes";
  /** The id of the workspace that it is about. */
  workspace?: string;
  /** The id of the job that it is about, and why that is set aside. */
  job?: string;
  blocked?: { since: string; code: string; nextTryAt: string };
}

/** Looks for something. It must be cheap, and must not block the event loop. */
export type Check = () => Found | Promise<Found>;

type Found = Finding | Finding[] | undefined;

const KEEP_MS = 1000;

export class Findings {
  readonly #log: Log;
  readonly #checks: Check[] = [];
  readonly #reported = new Map<string, Finding>();
  #last: { at: number; found: Promise<Finding[]> } | undefined;
  #logged = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Adds a check. It runs each time that the findings are read. */
  register(...checks: Check[]): void {
    this.#checks.push(...checks);
  }

  /** Reports something that stays until it is cleared. */
  report(finding: Finding): void {
    this.#reported.set(keyOf(finding), finding);
    this.#last = undefined;
  }

  /** Ends a finding that was reported. */
  clear(finding: Pick<Finding, "code" | "workspace">): void {
    if (this.#reported.delete(keyOf(finding))) this.#last = undefined;
  }

  /** Everything that is wrong now. Any client may ask, so a result is kept for a second. */
  current(): Promise<Finding[]> {
    if (!this.#last || performance.now() - this.#last.at >= KEEP_MS) {
      this.#last = { at: performance.now(), found: this.#look() };
    }
    return this.#last.found;
  }

  async #look(): Promise<Finding[]> {
    const found = await Promise.all(
      this.#checks.map(async (check) => {
        try {
          return await check();
        } catch (error) {
          return { code: "check_failed", message: `A check failed: ${error}.`, blocking: false };
        }
      }),
    );
    const all = [...this.#reported.values(), ...found.flatMap((one) => one ?? [])];
    for (const finding of all) {
      if (this.#logged.has(keyOf(finding))) continue;
      const { blocking, ...line } = finding;
      this.#log[blocking ? "error" : "warn"](line, "found");
    }
    const keys = new Set(all.map(keyOf));
    for (const key of this.#logged.difference(keys)) this.#log.info({ code: key }, "no longer found");
    this.#logged = keys;
    return all;
  }
}

function keyOf({ code, workspace, job }: Pick<Finding, "code" | "workspace" | "job">): string {
  return [code, workspace, job].filter((part) => part !== undefined).join(" ");
}
