// How much a workspace may have in the spool: the bodies of its unfinished jobs and plans, and those that are coming in. It
// is counted while they are written, after decompression.

import type { Reader } from "../../db/connection.ts";
import { Problem } from "../problems.ts";

const RETRY_SECONDS = 5;

/** What a workspace has in the spool, as far as this process knows. */
interface Usage {
  /** The bodies of accepted jobs. */
  accepted: number;
  /** What has come so far of bodies that are not accepted yet. */
  coming: number;
  uploads: number;
}

/** A body that is coming in. */
export class Upload {
  /** What has come so far. */
  bytes = 0;
  readonly #add: (bytes: number) => void;
  readonly #end: (bytes: number) => void;

  constructor(add: (bytes: number) => void, end: (bytes: number) => void) {
    this.#add = add;
    this.#end = end;
  }

  /** Passes on what comes, and counts it. @throws Problem 429 past the budget */
  async *count(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      this.bytes += chunk.length;
      this.#add(chunk.length);
      yield chunk;
    }
  }

  /** Its job is accepted, or there will be none. */
  end(): void {
    this.#end(this.bytes);
  }
}

export class SpoolBudget {
  readonly #ledger: Reader;
  readonly #maxBytes: number;
  readonly #usages = new Map<number, Usage>();

  constructor(ledger: Reader, maxBytes: number) {
    this.#ledger = ledger;
    this.#maxBytes = maxBytes;
  }

  /** Begins an upload. @throws Problem 429 when nothing more fits */
  begin(workspaceId: number): Upload {
    const usage = this.#usages.get(workspaceId) ?? { accepted: 0, coming: 0, uploads: 0 };
    usage.accepted = bytesSpooled(this.#ledger, workspaceId);
    this.#check(workspaceId, usage);
    usage.uploads++;
    this.#usages.set(workspaceId, usage);
    return new Upload(
      (bytes) => {
        usage.coming += bytes;
        this.#check(workspaceId, usage);
      },
      (bytes) => {
        usage.coming -= bytes;
        usage.uploads--;
        if (!usage.uploads) this.#usages.delete(workspaceId);
        else usage.accepted = bytesSpooled(this.#ledger, workspaceId);
      },
    );
  }

  #check(workspaceId: number, usage: Usage): void {
    if (usage.accepted + usage.coming <= this.#maxBytes) return;
    // Jobs may have ended since.
    usage.accepted = bytesSpooled(this.#ledger, workspaceId);
    if (usage.accepted + usage.coming <= this.#maxBytes) return;
    throw new Problem("import_budget_exceeded", {
      detail: `The bodies of this workspace's unfinished imports and plans may take ${this.#maxBytes} bytes together. Wait until some have ended, or discard plans.`,
      headers: {
        "Retry-After": String(RETRY_SECONDS),
        "RateLimit-Policy": `"import-bytes";q=${this.#maxBytes}`,
        RateLimit: `"import-bytes";r=0;t=${RETRY_SECONDS}`,
      },
    });
  }
}

function bytesSpooled(db: Reader, workspaceId: number): number {
  const sql = `SELECT sum(spooled_bytes) FROM job INDEXED BY job_spooled
    WHERE workspace_id = ? AND spooled_bytes IS NOT NULL AND (finished_at IS NULL OR status = 'PLANNED')`;
  return db.value<number | null>(sql, workspaceId) ?? 0;
}
