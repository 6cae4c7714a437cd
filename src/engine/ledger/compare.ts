// Compares a plan, row by row, with the plan that was approved: a job applies only what was shown.

import type { Writer } from "../../../db/sqlite/connection.ts";
import { MAX_ERRORS, Problem, type ProblemDetail } from "../../base/problems.ts";
import { selectRows } from "./rows.ts";

interface Row {
  position: number | null;
  externalUid: string | null;
  screenerParticipantId: string | null;
  outcome: string;
}

/** Whether the rows with ids above `after` are those of `approved_row`: see `findMoved`. */
export function hasApprovedRows(scratch: Writer, after: number): boolean {
  return !differs(scratch, `id > ${after}`);
}

/**
 * Compares the plan in the scratch store with `approved_row`. What does not exist yet has no id in either.
 * @param after rows with higher ids were compared before, and are equal
 * @returns plan_outdated with what has moved, or undefined when nothing has
 */
export function findMoved(scratch: Writer, after?: number): Problem | undefined {
  if (!differs(scratch, after === undefined ? "id > 0" : `id <= ${after}`)) return undefined;
  // A table with a key, because SQLite would compare each row of one side with each row of the other.
  // Rows of the payload keep their position. Other rows are found by their participant, or their session. What has none of these is gone.
  const key = "coalesce(json ->> 'position', json ->> 'participantId', json ->> 'sessionId', id)";
  scratch.exec(`
    CREATE TEMP TABLE IF NOT EXISTS moved (key ANY PRIMARY KEY, was TEXT, "is" TEXT) STRICT;
    DELETE FROM moved;
    INSERT INTO moved (key, was) SELECT ${key}, json FROM approved_row WHERE true ORDER BY id;
    INSERT INTO moved (key, "is") SELECT ${key}, json FROM (${selectRows("main")}) WHERE true ORDER BY id
      ON CONFLICT DO UPDATE SET "is" = excluded."is";
    DELETE FROM moved WHERE was IS "is";
  `);
  const errorCount = scratch.value<number>("SELECT count(*) FROM moved")!;
  const found = scratch.all<{ was: string | null; is: string | null }>(
    `SELECT was, "is" FROM moved ORDER BY rowid LIMIT ${MAX_ERRORS}`,
  );
  return new Problem("plan_outdated", {
    detail: `${errorCount} ${errorCount === 1 ? "row has" : "rows have"} changed since the plan was made. Nothing was changed.`,
    errors: found.map(({ was, is }) => describe(parsed(was), parsed(is))),
    errorCount,
  });
}

/** @param which a condition on the ids of the rows that are compared */
function differs(scratch: Writer, which: string): boolean {
  const differing = scratch.value(
    // Not a join: SQLite would first write all approved rows to a table.
    `SELECT 1 FROM (${selectRows("main")}) AS n
     WHERE n.${which} AND n.json IS NOT (SELECT o.json FROM approved_row AS o WHERE o.id = n.id) LIMIT 1`,
  );
  if (differing !== undefined) return true;
  const counts = scratch.get<{ now: number; then: number }>(
    `SELECT (SELECT count(*) FROM plan WHERE ${which}) AS now, (SELECT count(*) FROM approved_row WHERE ${which}) AS 'then'`,
  )!;
  return counts.now !== counts.then;
}

/** plan_outdated with what is wrong with the rows now. */
export function outdatedBy({ document: { errors = [], errorCount = 0 } }: Problem): Problem {
  return new Problem("plan_outdated", {
    detail: `The plan had no errors when it was made, and has ${errorCount} now. Nothing was changed.`,
    errors,
    errorCount,
  });
}

function parsed(json: string | null): Row | undefined {
  return json === null ? undefined : JSON.parse(json);
}

function describe(was: Row | undefined, is: Row | undefined): ProblemDetail {
  const row = (was ?? is)!;
  const { position, externalUid, screenerParticipantId } = row;
  const name = [...(position === null ? [] : [`row ${position + 1}`]), ...(externalUid === null ? [] : [externalUid])];
  if (!name.length && screenerParticipantId !== null) name.push(`screener participant ${screenerParticipantId}`);
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
