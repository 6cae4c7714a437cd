// Leaves a relay alone for a while that can't be used: longer and longer. The process says so, when it lasts.

import type { Findings } from "../base/findings.ts";
import type { Sent } from "./relay/outcome.ts";

const FIRST_PAUSE_MS = 5000;
const MAX_PAUSE_MS = 60_000;
const FAILING_AFTER_MS = 60_000;

export class RelayPause {
  readonly #findings: Pick<Findings, "report" | "clear">;
  #failing: { since: number; until: number; pauseMs: number } | undefined;

  constructor(findings: Pick<Findings, "report" | "clear">) {
    this.#findings = findings;
  }

  /** Until when nothing is sent. */
  get until(): number {
    return this.#failing?.until ?? 0;
  }

  /** After an attempt. */
  note({ isOfRelay, reply }: Sent): void {
    if (!isOfRelay) {
      if (!this.#failing) return;
      this.#failing = undefined;
      this.#findings.clear({ code: "mail_relay_fails" });
      return;
    }
    const now = Date.now();
    const { since = now, pauseMs = FIRST_PAUSE_MS } = this.#failing ?? {};
    this.#failing = { since, until: now + pauseMs, pauseMs: Math.min(2 * pauseMs, MAX_PAUSE_MS) };
    if (now - since >= FAILING_AFTER_MS)
      this.#findings.report({ code: "mail_relay_fails", message: `No mail can be sent. ${reply}`, blocking: false });
  }
}
