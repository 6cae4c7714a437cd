// Compares a plan with the one that was approved: what is applied must be what was shown, row by row.

import type { Reader } from "../../db/connection.ts";
import { MAX_ERRORS, Problem, type ProblemDetail } from "../problems.ts";
import { selectRows } from "./rows.ts";

interface Row {
  position: number | null;
  externalUid: string | null;
  screenerParticipantId: string | null;
  outcome: string;
}

/**
 * Compares the plan in the scratch store with `approved_row`. Both show what does not exist yet without an id.
 * @returns plan_outdated with what has moved, or undefined when nothing has
 */
export function findMoved(scratch: Reader): Problem | undefined {
  const now = selectRows("main");
  const differs = scratch.value(
    `SELECT 1 FROM (${now}) AS n LEFT JOIN approved_row AS o ON o.id = n.id WHERE o.json IS NOT n.json LIMIT 1`,
  );
  const counts = scratch.get<{ now: number; then: number }>(
    "SELECT (SELECT count(*) FROM plan) AS now, (SELECT count(*) FROM approved_row) AS 'then'",
  )!;
  if (differs === undefined && counts.now === counts.then) return undefined;
  // Rows of the payload keep their position. What is removed is known by its id.
  const key = "coalesce(json ->> 'position', json ->> 'screenerParticipantId')";
  const moved = `FROM (SELECT ${key} AS key, json FROM approved_row) AS o
    FULL JOIN (SELECT ${key} AS key, json FROM (${now})) AS n ON n.key = o.key WHERE o.json IS NOT n.json`;
  const errorCount = scratch.value<number>(`SELECT count(*) ${moved}`)!;
  const found = scratch.all<{ was: string | null; is: string | null }>(
    `SELECT o.json AS was, n.json AS "is" ${moved} LIMIT ${MAX_ERRORS}`,
  );
  return new Problem("plan_outdated", {
    detail: `${errorCount} ${errorCount === 1 ? "row has" : "rows have"} moved since the plan was made. Nothing was changed.`,
    errors: found.map(({ was, is }) => describe(parsed(was), parsed(is))),
    errorCount,
  });
}

function parsed(json: string | null): Row | undefined {
  return json === null ? undefined : JSON.parse(json);
}

function describe(was: Row | undefined, is: Row | undefined): ProblemDetail {
  const row = (was ?? is)!;
  const { position, externalUid } = row;
  const name = [...(position === null ? [] : [`row ${position + 1}`]), ...(externalUid === null ? [] : [externalUid])];
  return {
    pointer: position === null ? "" : `/participants/${position}`,
    message: `${wordsOf(was, is)} (${name.join(", ")})`,
    ...(position !== null && { row: position + 1 }),
    ...(externalUid !== null && { externalUid }),
  };
}

function wordsOf(was: Row | undefined, is: Row | undefined): string {
  if (!was) return `was not in the plan, and would now be ${is?.outcome}`;
  if (!is) return `was planned as ${was.outcome}, and is no longer there`;
  if (was.outcome !== is.outcome) return `was planned as ${was.outcome}, and would now be ${is.outcome}`;
  return `was planned as ${was.outcome}, and would now change something else`;
}
