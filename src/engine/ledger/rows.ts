// The outcomes of a job's rows: one for each row of its input, and one for each thing that it removes or opens.
//
// Many rows are in the job's result file: the counted table `plan (id, outcome)` and the view `job_row`, which has the
// other columns. Few are in the ledger, as JSON.

import * as v from "valibot";
import type { CountedTable } from "../../../db/list/counts.ts";
import { type Filter, isPositive } from "../../../db/list/where.ts";
import { exampleIds } from "../../base/examples.ts";
import { ANY_OPERATOR, json, nullable, number, text, uid, word } from "../../base/members.ts";
import { countedList, type List, resource } from "../../base/resource.ts";
import { count, ProblemError } from "../../base/schemas.ts";

const OUTCOMES = [
  "CREATED",
  "UPDATED",
  "UNCHANGED",
  "REJECTED",
  "REMOVED",
  "ERASED",
  "REVERTED",
  "KEPT",
  "OPENED",
  "MOVED",
  "COUNTED",
  "OFFERED",
  "REVIEWED",
  "SKIPPED",
  "SEND",
  "SKIP",
] as const;

/** The index of `row_name`, in result files that have one; of several, the one that is made last. */
export const ROW_NAME_INDEX = "row_external_uid";

/** Up to this number of rows, a thread looks through all for an externalUid. More rows have an index, which takes a tenth of a job's time. */
export const MAX_UNINDEXED_ROWS = 200_000;

const change = v.pipe(
  v.object({ field: v.string(), from: v.unknown(), to: v.unknown() }),
  v.title("JobRowChange"),
  v.description("A member that has changed. An attribute is `attributes.<key>`. null: none"),
);

export const jobRow = resource({
  type: "JobRow",
  from: "plan AS t JOIN job_row AS r ON r.id = t.id",
  members: {
    position: nullable(number("r.position", count)),
    line: nullable(number("r.line", count)),
    externalUid: nullable(
      text("r.external_uid", {
        operators: ANY_OPERATOR,
        // In a refused payload, several rows may have the same.
        by: {
          column: "id",
          references: { table: "row_name", by: "external_uid", many: true },
          scan: { value: "(SELECT external_uid FROM row_name WHERE id = t.id)", index: ROW_NAME_INDEX },
        },
      }),
    ),
    outcome: word(OUTCOMES)("t.outcome", ANY_OPERATOR),
    assigned: json("r.assigned", v.boolean(), { "": (assigned) => assigned as boolean }),
    participantId: nullable(uid("r.participant_uid")),
    screenerParticipantId: nullable(uid("r.assignment_uid")),
    status: nullable(text("r.status")),
    sessionId: nullable(uid("r.session_uid")),
    changes: json("r.changes", v.array(change), { "": cellOfChanges }),
    errors: json("r.errors", v.array(ProblemError), { "": cellOfErrors }),
    reason: nullable(
      text("r.reason", {
        operators: ANY_OPERATOR,
        by: { column: "reason", scan: { value: "(SELECT reason FROM job_row WHERE id = t.id)" } },
      }),
    ),
  },
  example: {
    position: 0,
    line: null,
    externalUid: "P-17",
    outcome: "UPDATED",
    assigned: false,
    participantId: exampleIds.participant,
    screenerParticipantId: exampleIds.screenerParticipant,
    status: "IN_PROGRESS",
    sessionId: exampleIds.session,
    changes: [{ field: "name", from: "Ada King", to: "Ada Lovelace" }],
    errors: [],
    reason: null,
  },
});

export const countedPlan = { table: "plan", facets: ["outcome"] } as const satisfies CountedTable;

function cellOfChanges(changes: unknown): string {
  const shown = (value: unknown) => (typeof value === "object" && value ? JSON.stringify(value) : (value ?? ""));
  return (changes as v.InferOutput<typeof change>[])
    .map(({ field, from, to }) => `${field}: ${shown(from)} → ${shown(to)}`)
    .join("; ");
}

function cellOfErrors(errors: unknown): string {
  return (errors as v.InferOutput<typeof ProblemError>[])
    .map(({ pointer, message }) => `${pointer.split("/").slice(3).join("/")} ${message}`.trim())
    .join("; ");
}

/** SELECT of the rows in the attached store `schema`: id and JSON, in no order. */
export function selectRows(schema: string): string {
  return `SELECT t.id AS id, ${jobRow.json} AS json FROM ${schema}.plan AS t JOIN ${schema}.job_row AS r ON r.id = t.id`;
}

/** The rows of a job that are in memory, each as JSON. Else they are in the store that is read. */
export type RowsInMemory = readonly string[] | undefined;

/** The rows that the ledger has of a job. @param rows a JSON array, or null if there are none */
export function rowsInMemory(rows: string | null): RowsInMemory {
  return rows === null ? undefined : JSON.parse(rows).map((row: unknown) => JSON.stringify(row));
}

const inFile = countedList("job-rows", countedPlan, jobRow);

/** The list of a job's rows. */
export const jobRowList: List<RowsInMemory> = {
  ...inFile,
  longRead: (db, filters, page, rows) => (rows ? undefined : inFile.longRead!(db, filters, page)),
  page(db, filters, page, rows) {
    if (!rows) return inFile.page(db, filters, page);
    const found = rows.filter((row) => matches(row, filters));
    const items = found.slice(page.offset, page.offset + page.limit);
    return { total: found.length, items: Buffer.from(items.join()) };
  },
  slices(db, filters, rows) {
    if (!rows) return inFile.slices(db, filters);
    let found: string[] | undefined = rows.filter((row) => matches(row, filters));
    return {
      next() {
        const all = found;
        found = undefined;
        return all;
      },
    };
  },
};

/** Whether a row in memory passes the filters, as those on a store do. */
function matches(json: string, filters: readonly Filter[]): boolean {
  const row: { externalUid: string | null; outcome: string; reason: string | null } = JSON.parse(json);
  return filters.every(({ by, operator, values }) => {
    const value = by.column === "outcome" || by.column === "reason" ? row[by.column] : row.externalUid;
    return values.includes(value ?? "") === isPositive({ operator });
  });
}
