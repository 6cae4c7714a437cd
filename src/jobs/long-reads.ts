// Has list pages read in threads: one at a time for each workspace, so that other side tasks find a thread.

import type { ListResult } from "../../db/list.ts";
import type { LongRead } from "../resource.ts";
import { readLongPage } from "./long-read.ts";
import type { Pool } from "./pool.ts";

export class LongReads {
  readonly #pool: Pool;
  readonly #last = new Map<string, Promise<ListResult>>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** @throws Problem 503 when the store is unavailable or the process is ending */
  async read(workspaceUid: string, read: LongRead): Promise<ListResult> {
    const ask = () => this.#pool.ask(readLongPage, { workspaceUid, ...read });
    const result = this.#last.get(workspaceUid)?.then(ask, ask) ?? ask();
    this.#last.set(workspaceUid, result);
    try {
      return await result;
    } finally {
      if (this.#last.get(workspaceUid) === result) this.#last.delete(workspaceUid);
    }
  }
}
