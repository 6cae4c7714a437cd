// Small writes: one short transaction in the API process. With an Idempotency-Key the same transaction keeps the reply,
// so that a retry gets it again even if the first reply was lost.

import type { Writer } from "../../db/sqlite/connection.ts";
import { IDEMPOTENCY_MS, REPLAYED } from "../base/idempotency.ts";
import { Problem, type ProblemDocument } from "../base/problems.ts";
import { findJobByIdempotencyKey } from "../engine/ledger/idempotency.ts";
import { type RecordEvent, recordEvent } from "../events/record.ts";
import { type ApiRequest, causeOf, claimOf, KeptReply, type Reply } from "../http/endpoint.ts";
import { trustedTime } from "../workspaces/clock.ts";

/** The reply or the problem that is kept for retries. */
type Kept = { status: number; body: string; headers?: Record<string, string> } | { problem: ProblemDocument };

/**
 * Runs `change` in a transaction on the workspace as soon as its lock is free. It writes an event for each of its changes.
 * @throws Problem 503 when it stays locked
 */
export async function writeOnce(
  request: ApiRequest,
  change: (db: Writer, record: RecordEvent) => Reply<string>,
): Promise<KeptReply> {
  const { context, principal } = request;
  const idempotency = claimOf(request);
  const cause = causeOf(request);
  const write = (db: Writer) => change(db, (event) => recordEvent(db, cause, event));
  let isReplay = false;
  const answer = await context.workspaces.writeWhenFree(
    principal.workspaceUid,
    context.config.writeWaitMs,
    (db): Kept => {
      if (!idempotency) return write(db);
      const { key, fingerprint } = idempotency;
      const since = trustedTime(context.control.reader) - IDEMPOTENCY_MS;
      // The key was used for a job.
      const job = findJobByIdempotencyKey(context.control.reader, principal.workspaceId, key, since);
      if (job) throw new Problem("idempotency_key_reused");
      const kept = db.get<{ fingerprint: string; reply: string }>(
        "SELECT fingerprint, reply FROM idempotent_reply WHERE key = ? AND created_at > ?",
        key,
        since,
      );
      if (kept) {
        if (kept.fingerprint !== fingerprint) throw new Problem("idempotency_key_reused");
        isReplay = true;
        return JSON.parse(kept.reply) as Kept;
      }
      const answer = attempt(db, write);
      keep(db, key, fingerprint, answer, since);
      return answer;
    },
  );
  const more = isReplay ? REPLAYED : {};
  if ("problem" in answer) throw Problem.fromDocument(answer.problem).withHeaders(more);
  return new KeptReply({ ...answer, headers: { ...answer.headers, ...more } });
}

/**
 * The reply of `write`. If the request is at fault: the problem, and the writes are rolled back.
 * @throws any other failure, which is not kept: a retry may succeed
 */
function attempt(db: Writer, write: (db: Writer) => Reply<string>): Kept {
  try {
    return db.savepoint(() => write(db));
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { problem: error.document };
  }
}

/** Whether the key was used for a small write. Then no job is accepted with it. */
export function isKeyOfWrite(request: ApiRequest, key: string): boolean {
  return request.context.workspaces.read(
    request.principal.workspaceUid,
    (db) =>
      db.value<number>(
        "SELECT 1 FROM idempotent_reply WHERE key = ? AND created_at > ?",
        key,
        trustedTime(request.context.control.reader) - IDEMPOTENCY_MS,
      ) === 1,
  );
}

/** @param since older keys do not count */
function keep(db: Writer, key: string, fingerprint: string, answer: Kept, since: number): void {
  db.run(
    "DELETE FROM idempotent_reply WHERE key IN (SELECT key FROM idempotent_reply WHERE created_at <= ? ORDER BY created_at LIMIT 100)",
    since,
  );
  db.run(
    "INSERT OR REPLACE INTO idempotent_reply (key, fingerprint, reply, created_at) VALUES (?, ?, ?, ?)",
    key,
    fingerprint,
    JSON.stringify(answer),
    Date.now(),
  );
}
