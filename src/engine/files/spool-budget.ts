// How much a workspace may have in the spool: the bodies of its unfinished jobs and plans, and those that are coming in. It
// is counted while they are written, after decompression. Bodies that are kept of failed jobs count, too, and make room.

import type { Control } from "../../../db/control.ts";
import type { Reader } from "../../../db/sqlite/connection.ts";
import { Problem } from "../../base/problems.ts";
import { dropOldestBody } from "./bodies.ts";

const RETRY_SECONDS = 5;

/** What a workspace has in the spool, as far as this process knows. */
interface Usage {
  /** The bodies of accepted jobs. */
  accepted: number;
  /** What has come so far of bodies that are not accepted yet. */
  coming: number;
  /** The ids of their jobs. When a job has just been accepted, its body must not count twice. */
  uploads: Set<string>;
  /** Refused bodies whose files are not removed yet. Their space becomes free then. */
  refused: Set<Promise<void>>;
}

/** A body that is coming in. */
class Upload {
  /** What has come so far. */
  bytes = 0;
  readonly #add: (bytes: number) => Promise<void>;
  readonly #end: (bytes: number) => void;

  constructor(add: (bytes: number) => Promise<void>, end: (bytes: number) => void) {
    this.#add = add;
    this.#end = end;
  }

  /** Passes on what comes, and counts it. @throws Problem 429 past the budget */
  async *count(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      this.bytes += chunk.length;
      await this.#add(chunk.length);
      yield chunk;
    }
  }

  /** Call it when the job is accepted, or when there will be none. */
  end(): void {
    this.#end(this.bytes);
  }
}

export class SpoolBudget {
  readonly #control: Control;
  readonly #dataDir: string;
  readonly #maxBytes: number;
  readonly #usages = new Map<number, Usage>();

  constructor(control: Control, dataDir: string, maxBytes: number) {
    this.#control = control;
    this.#dataDir = dataDir;
    this.#maxBytes = maxBytes;
  }

  /** Begins the upload of a job's body. @throws Problem 429 when nothing more fits */
  begin(workspaceId: number, jobUid: string): Upload {
    const usage = this.#usages.get(workspaceId) ?? { accepted: 0, coming: 0, uploads: new Set(), refused: new Set() };
    // Kept bodies are in nobody's way.
    const needed = bytesSpooled(this.#control.reader, workspaceId, usage.uploads, NEEDED);
    if (needed + usage.coming > this.#maxBytes) throw this.#exceeded();
    usage.accepted = this.#spooled(workspaceId, usage);
    const ended = Promise.withResolvers<void>();
    usage.uploads.add(jobUid);
    this.#usages.set(workspaceId, usage);
    return new Upload(
      async (bytes) => {
        usage.coming += bytes;
        while (!this.#fits(workspaceId, usage)) {
          if (await dropOldestBody(this.#control.writer, this.#dataDir, workspaceId)) continue;
          // One upload is refused at a time. The others wait for its space, or they would all be refused together.
          if (!usage.refused.size) {
            usage.refused.add(ended.promise);
            throw this.#exceeded();
          }
          await Promise.race(usage.refused);
        }
      },
      (bytes) => {
        usage.coming -= bytes;
        usage.uploads.delete(jobUid);
        usage.refused.delete(ended.promise);
        ended.resolve();
        if (!usage.uploads.size) this.#usages.delete(workspaceId);
        else usage.accepted = this.#spooled(workspaceId, usage);
      },
    );
  }

  #fits(workspaceId: number, usage: Usage): boolean {
    if (usage.accepted + usage.coming <= this.#maxBytes) return true;
    // Jobs may have ended since.
    usage.accepted = this.#spooled(workspaceId, usage);
    return usage.accepted + usage.coming <= this.#maxBytes;
  }

  #spooled(workspaceId: number, { uploads }: Usage): number {
    return bytesSpooled(this.#control.reader, workspaceId, uploads, `${NEEDED} OR body_until IS NOT NULL`);
  }

  #exceeded(): Problem {
    return new Problem("import_budget_exceeded", {
      detail: `The bodies of this workspace's unfinished imports and plans may take ${this.#maxBytes} bytes together. Wait until some have ended, or discard plans.`,
      headers: {
        "Retry-After": String(RETRY_SECONDS),
        "RateLimit-Policy": `"import-bytes";q=${this.#maxBytes}`,
        RateLimit: `"import-bytes";r=0;t=${RETRY_SECONDS}`,
      },
    });
  }
}

/** The bodies of jobs that have not ended, and of plans. */
const NEEDED = "finished_at IS NULL OR status = 'PLANNED'";

function bytesSpooled(db: Reader, workspaceId: number, except: ReadonlySet<string>, which: string): number {
  const sql = `SELECT sum(spooled_bytes) FROM job INDEXED BY job_spooled
    WHERE workspace_id = ? AND spooled_bytes IS NOT NULL AND (${which})
      AND uid NOT IN (SELECT value FROM json_each(?))`;
  return db.value<number | null>(sql, workspaceId, JSON.stringify([...except])) ?? 0;
}
