// Addresses that take no mail, or want none, as receivers say.

import type { Writer } from "../../db/sqlite/connection.ts";
import { SERVICE } from "../events/actors.ts";
import { BY_SERVICE, recordEvent } from "../events/record.ts";
import { suppress } from "../nouns/mail-suppressions/queries.ts";

/** Counts what came back to this process, for the metrics. */
export class Bounced {
  readonly counts = { BOUNCED_HARD: 0, BOUNCED_SOFT: 0, COMPLAINED: 0 };

  add(outcome: keyof Bounced["counts"]): void {
    this.counts[outcome]++;
  }
}

/** Inside a transaction: nothing more is sent to the address. Where no participant has it, the hash alone is kept. @returns whether that is new */
export function suppressFound(
  db: Writer,
  address: string,
  reason: "BOUNCED" | "COMPLAINED",
  detail: string | null = null,
): boolean {
  const isHidden = db.value("SELECT 1 FROM participant WHERE email = ?", address) === undefined;
  const suppressed = { address, reason, detail, by: SERVICE, isHidden };
  return suppress(db, suppressed, (event) => recordEvent(db, BY_SERVICE, event)).isNew;
}
