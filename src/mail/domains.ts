// Which receivers of mail are left alone for a while, by the domain of their addresses: they have said that they take nothing now. It is in
// memory: after a start each is asked once more.

import { LRUCache } from "lru-cache";
import { PAUSES_MS } from "./outbox.ts";
import type { Sent } from "./relay/outcome.ts";

const MAX_DOMAINS = 10_000;

export class DomainPauses {
  readonly #pauses = new LRUCache<string, { until: number; times: number }>({ max: MAX_DOMAINS });

  /** Undefined: it is not left alone. */
  pausedUntil(address: string, now: number): number | undefined {
    const { until = 0 } = this.#pauses.get(domainOf(address)) ?? {};
    return until > now ? until : undefined;
  }

  /** After an attempt. */
  note(address: string, { state, isOfRelay }: Sent, now: number): void {
    const domain = domainOf(address);
    if (state === "SENT") this.#pauses.delete(domain);
    if (state !== "DEFERRED" || isOfRelay) return;
    const { until = 0, times = 0 } = this.#pauses.get(domain) ?? {};
    // Of several that are sent at once, the first one counts.
    if (until > now) return;
    const pause = PAUSES_MS[Math.min(times, PAUSES_MS.length - 1)]!;
    this.#pauses.set(domain, { until: now + pause, times: times + 1 });
  }
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}
