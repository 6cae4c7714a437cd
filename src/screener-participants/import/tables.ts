// The tables and views of an import's scratch store. Each step makes its own.

import type { Writer } from "../../../db/connection.ts";
import { createAnswer } from "./answer.ts";
import { clearPlan, createPlan } from "./plan.ts";
import { RowErrors } from "./row-errors.ts";
import { createRows } from "./rows.ts";
import { createStage } from "./stage.ts";

/** Makes the tables; or empties those that the last import left in a store in memory. */
export function prepareTables(scratch: Writer): void {
  if (scratch.value("SELECT 1 FROM sqlite_schema WHERE name = 'plan'") === undefined) {
    createStage(scratch);
    RowErrors.create(scratch);
    createPlan(scratch);
    createAnswer(scratch);
    createRows(scratch);
  } else {
    for (const table of ["stage", "row_error", "target"]) scratch.run(`DELETE FROM ${table}`);
    clearPlan(scratch);
  }
}
