// Compares a plan with the one that was approved: what is applied must be what was shown, row by row.

import type { Writer } from "../../db/connection.ts";
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
export function findMoved(scratch: Writer): Problem | undefined {
  const now = selectRows("main");
  const differs = scratch.value(
    `SELECT 1 FROM (${now}) AS n LEFT JOIN approved_row AS o ON o.id = n.id WHERE o.json IS NOT n.json LIMIT 1`,
  );
  const counts = scratch.get<{ now: number; then: number }>(
    "SELECT (SELECT count(*) FROM plan) AS now, (SELECT count(*) FROM approved_row) AS 'then'",
  )!;
  if (differs === undefined && counts.now === counts.then) return undefined;
  // A table with a key, because SQLite would compare each row of one side with each row of the other.
  // Rows of the payload keep their position. Other rows are known by their participant.
  const key = "coalesce(json ->> 'position', json ->> 'participantId')";
  scratch.exec(`
    CREATE TEMP TABLE IF NOT EXISTS moved (key ANY PRIMARY KEY, was TEXT, "is" TEXT) STRICT;
    DELETE FROM moved;
    INSERT INTO moved (key, was) SELECT ${key}, json FROM approved_row WHERE true ORDER BY id;
    INSERT INTO moved (key, "is") SELECT ${key}, json FROM (${now}) WHERE true ORDER BY id
      ON CONFLICT DO UPDATE SET "is" = excluded."is";
    DELETE FROM moved WHERE was IS "is";
  `);
  const errorCount = scratch.value<number>("SELECT count(*) FROM moved")!;
  const found = scratch.all<{ was: string | null; is: string | null }>(
    `SELECT was, "is" FROM moved ORDER BY rowid LIMIT ${MAX_ERRORS}`,
  );
  return new Problem("plan_outdated", {
    detail: `${errorCount} ${errorCount === 1 ? "row has" : "rows have"} moved since the plan was made. Nothing was changed.`,
    errors: found.map(({ was, is }) => describe(parsed(was), parsed(is))),
    errorCount,
  });
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
