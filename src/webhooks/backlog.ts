// How much a workspace has to send. It is looked at often, so it reads counts and indexes, however many deliveries wait.

import { blockSize } from "../../db/list/counts.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { dueAt } from "./claim.ts";
import type { EndpointRow } from "./queries.ts";
import { countedDeliveries } from "./resource.ts";

/** Pending deliveries of endpoints that are enabled. Times are ms since 1970; infinity: there is none. */
export interface Backlog {
  count: number;
  /** When the oldest was made. */
  oldestAt: number;
  /** When the first is due. While one is being sent it is due when its claim ends. */
  dueAt: number;
}

export const NO_BACKLOG: Backlog = {
  count: 0,
  oldestAt: Number.POSITIVE_INFINITY,
  dueAt: Number.POSITIVE_INFINITY,
};

const ENABLED = "SELECT id, ordered FROM webhook_endpoint WHERE status = 'ENABLED'";

export function findBacklog(db: Reader): Backlog {
  const sum = { ...NO_BACKLOG };
  for (const { id, ordered } of db.all<Pick<EndpointRow, "id" | "ordered">>(ENABLED)) {
    const { count, block } = db.get<{ count: number | null; block: number | null }>(
      `SELECT sum(n) AS count, min(block) AS block FROM webhook_delivery_block
       WHERE webhook_endpoint_id = ? AND status = 'PENDING' AND n > 0`,
      id,
    )!;
    if (count === null || block === null) continue;
    sum.count += count;
    const first = block * blockSize(countedDeliveries);
    // Within a block, whose rows are few.
    const oldest = db.value<number | null>(
      `SELECT min(created_at) FROM webhook_delivery NOT INDEXED
       WHERE id >= ? AND id < ? AND webhook_endpoint_id = ? AND status = 'PENDING'`,
      first,
      first + blockSize(countedDeliveries),
      id,
    );
    sum.oldestAt = Math.min(sum.oldestAt, oldest ?? sum.oldestAt);
    sum.dueAt = Math.min(sum.dueAt, dueAt(db, { id, ordered }));
  }
  return sum;
}
