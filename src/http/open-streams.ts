// How many replies each key or token may have streamed at a time. A reader that is slow holds what was read ahead for it.

import type { ServerResponse } from "node:http";
import { Problem } from "../problems.ts";
import type { Caller } from "../workspaces/credentials.ts";

/** For each key or token. */
export const MAX_OPEN_STREAMS = 20;

const RETRY_SECONDS = 5;

export class OpenStreams {
  readonly #counts = new Map<string, number>();

  /** @throws Problem 429 when the caller has too many open already */
  check(caller: Caller): void {
    if ((this.#counts.get(idOf(caller)) ?? 0) < MAX_OPEN_STREAMS) return;
    throw new Problem("too_many_requests", {
      detail: `These credentials have ${MAX_OPEN_STREAMS} streams open. Read them to their end, or close them, before the next.`,
      headers: {
        "Retry-After": String(RETRY_SECONDS),
        "RateLimit-Policy": `"open-streams";q=${MAX_OPEN_STREAMS}`,
        RateLimit: `"open-streams";r=0;t=${RETRY_SECONDS}`,
      },
    });
  }

  /** Counts a stream, until its response ends. */
  add(caller: Caller, response: ServerResponse): void {
    const id = idOf(caller);
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    response.once("close", () => {
      const left = (this.#counts.get(id) ?? 1) - 1;
      if (left) this.#counts.set(id, left);
      else this.#counts.delete(id);
    });
  }
}

function idOf({ credentials }: Caller): string {
  return credentials.token ?? credentials.key ?? "";
}
