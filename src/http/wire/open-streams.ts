// How many replies each key or token may have streamed at a time. For a slow reader, what was read ahead stays in memory.

import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { Problem } from "../../base/problems.ts";
import type { Caller } from "../../workspaces/credentials.ts";

/** For each key or token. */
export const MAX_OPEN_STREAMS = 20;

const RETRY_SECONDS = 5;

export class OpenStreams {
  readonly #counts = new Map<string, number>();

  /** Counts a stream, until its response ends. @throws Problem 429 when there are too many, and this one may be refused */
  open(caller: Caller, body: Readable, response: ServerResponse, mayBeRefused: boolean): void {
    const id = caller.credentials.token ?? caller.credentials.key ?? "";
    const count = this.#counts.get(id) ?? 0;
    if (mayBeRefused && count >= MAX_OPEN_STREAMS) {
      body.destroy();
      throw this.#refusal();
    }
    this.#counts.set(id, count + 1);
    response.once("close", () => {
      const left = this.#counts.get(id)! - 1;
      if (left) this.#counts.set(id, left);
      else this.#counts.delete(id);
    });
  }

  #refusal(): Problem {
    return new Problem("too_many_requests", {
      detail: `These credentials have ${MAX_OPEN_STREAMS} streams open. Read them to their end, or close them, before the next.`,
      headers: {
        "Retry-After": String(RETRY_SECONDS),
        "RateLimit-Policy": `"open-streams";q=${MAX_OPEN_STREAMS}`,
        RateLimit: `"open-streams";r=0;t=${RETRY_SECONDS}`,
      },
    });
  }
}
