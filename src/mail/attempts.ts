// What has become of the attempts of a process to send: for the metrics, and for operators, where nobody knows it.

import type { Finding } from "../base/findings.ts";
import { counted } from "../languages/counted.ts";
import type { Sent } from "./relay/outcome.ts";

const HOUR_MS = 3_600_000;

export class Attempts {
  readonly counts: Record<Sent["state"], number> = { SENT: 0, DEFERRED: 0, FAILED: 0, UNCERTAIN: 0 };
  /** Those of the last hour of which nobody knows whether they were sent. */
  #uncertain: { at: number; count: number }[] = [];

  note(state: Sent["state"], count = 1): void {
    this.counts[state] += count;
    if (state === "UNCERTAIN" && count) this.#uncertain.push({ at: Date.now(), count });
  }

  /** What is wrong. */
  check(): Finding | undefined {
    const since = Date.now() - HOUR_MS;
    this.#uncertain = this.#uncertain.filter(({ at }) => at > since);
    const count = this.#uncertain.reduce((sum, one) => sum + one.count, 0);
    if (!count) return undefined;
    const message = `Nobody knows whether the relay has what was sent: ${counted(count, "message", "messages")} in the last hour.`;
    return { code: "mail_uncertain", message, blocking: false };
  }
}
