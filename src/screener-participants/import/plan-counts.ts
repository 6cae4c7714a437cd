// Counts the rows of a plan by outcome, for its summary and for the list of its rows.

import type { Writer } from "../../../db/connection.ts";
import { blockSize } from "../../../db/counts.ts";
import { countedPlan } from "../../jobs/rows.ts";

/** How many rows of the plan have an outcome; how many assign somebody, and how many name somebody who is assigned. */
export interface PlanCounts extends Record<Outcome | "REMOVED" | "assigned" | "named", number> {}
type Outcome = "CREATED" | "UPDATED" | "UNCHANGED" | "REJECTED";

export const CREATED: readonly Outcome[] = ["CREATED"];
export const EXISTING: readonly Outcome[] = ["UPDATED", "UNCHANGED"];

export const NOTHING: PlanCounts = {
  CREATED: 0,
  UPDATED: 0,
  UNCHANGED: 0,
  REJECTED: 0,
  REMOVED: 0,
  assigned: 0,
  named: 0,
};

/**
 * Counts the plan's rows, and fills `plan_block`. Block by block, because to group all rows would sort them.
 * @param possible the outcomes that rows may have; those that have not the others have the last one
 */
export function countPlan(db: Writer, possible: readonly Outcome[]): PlanCounts {
  const size = blockSize(countedPlan);
  const sum = { ...NOTHING };
  const [last, ...others] = possible.toReversed();
  const blocks: [outcome: string, block: number, n: number][] = [];
  // Behind the rows there may be removals already.
  const end = last ? db.value<number>("SELECT coalesce(max(id), 0) FROM stage")! : 0;
  for (let block = 0; last && block * size <= end; block++) {
    const { rows, ...counts } = db.get<{ rows: number } & PlanCounts>(
      `SELECT count(*) AS rows, count(*) FILTER (WHERE is_assigned) AS named, count(*) FILTER (WHERE NOT is_assigned) AS assigned
         ${others.map((outcome) => `, count(*) FILTER (WHERE outcome = '${outcome}') AS ${outcome}`).join("")}
       FROM plan WHERE id >= ? AND id < ?`,
      block * size,
      Math.min((block + 1) * size, end + 1),
    )!;
    counts[last] = others.reduce((left, outcome) => left - counts[outcome], rows);
    for (const name of Object.keys(counts) as (keyof PlanCounts)[]) sum[name] += counts[name];
    for (const outcome of possible) if (counts[outcome]) blocks.push([outcome, block, counts[outcome]]);
  }
  db.run("DELETE FROM plan_block");
  db.run(
    "INSERT INTO plan_block (outcome, block, n) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)",
    JSON.stringify(blocks),
  );
  return sum;
}
