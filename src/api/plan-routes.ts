// The endpoints of what jobs show row by row, and of plans.

import * as v from "valibot";
import { Problem } from "../base/problems.ts";
import { closedObject } from "../base/schemas.ts";
import { damagedResult, isGone, ResultDamagedError, readResultFile, resultPath } from "../engine/files/result-file.ts";
import { findJobOf, type JobRow } from "../engine/ledger/queries.ts";
import { jobResource } from "../engine/ledger/resource.ts";
import { jobRowList, type RowsInMemory, rowsInMemory } from "../engine/ledger/rows.ts";
import type { DescribedKind } from "../engine/ledger/summaries.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint, found } from "../http/endpoint.ts";
import type { Source } from "../http/list-stream.ts";
import { defineList, turnsOf } from "../http/lists.ts";
import { replyWithJobItself } from "../writes/submit-job.ts";
import { submitPlan } from "../writes/submit-plan.ts";
import { ACTING, jobToChange } from "./job-scopes.ts";

const tag = "Jobs";

const rows = defineList<RowsInMemory>(
  jobRowList,
  {
    path: "/jobs/:id/rows",
    operationId: "listJobRows",
    scopes: ["read", "import"],
    tag,
    summary: "List the outcomes of a job's rows",
    downloads: "JOB_ROWS",
    description:
      "What became of each row of an import, what a plan would do with it, or why it was refused; and what an undo took back. " +
      "Kept as long as the job's result.",
    order: "in the order of the payload; then what is removed",
    problems: ["job_not_found", "job_not_finished", "job_result_gone"],
    source: rowsSource,
  },
  (request) => rowsInMemory(jobWithRows(request).rows),
);

/** The store that has the rows: the job's file. It is opened for each read, because a list may be read slowly. */
function rowsSource(request: ApiRequest): Source {
  const { context } = request;
  const turns = turnsOf(request);
  const { result_file, rows } = jobWithRows(request);
  if (result_file === null || rows !== null) return { read: (look) => look(context.control.reader), ...turns };
  const path = resultPath(context.config.dataDir, result_file);
  return {
    file: result_file,
    read(look) {
      try {
        return readResultFile(path, (db) => {
          // Other kinds of jobs keep a result without rows, and so did imports of the first release.
          if (db.value("SELECT 1 FROM sqlite_schema WHERE name = 'job_row'") === undefined) throw noRows();
          return look(db);
        });
      } catch (error) {
        if (error instanceof ResultDamagedError) throw damagedResult(error.message, error);
        throw isGone(error) ? noRows(error) : error;
      }
    },
    ...turns,
  };
}

/** A job that has rows. @throws Problem 404, 409, 410 */
function jobWithRows({ context, principal, params }: ApiRequest): JobRow {
  const job = found(findJobOf(context.control.reader, principal.workspaceId, params.id!), "job_not_found");
  if (job.finished_at === null) throw new Problem("job_not_finished", { headers: { "Retry-After": "1" } });
  if (job.rows === null && job.result_file === null) throw noRows();
  return job;
}

function noRows(cause?: unknown): Problem {
  return new Problem("job_result_gone", { cause, detail: "The job has no rows, or they are no longer kept." });
}

/** `kinds` are all kinds of jobs. */
export function planRoutes(kinds: readonly DescribedKind[]): AnyEndpoint[] {
  const { schema, example } = jobResource(kinds);
  const apply = defineEndpoint({
    method: "post",
    path: "/jobs/:id/apply",
    operationId: "applyJob",
    scopes: ACTING,
    tag,
    summary: "Apply a plan",
    description:
      "Applies a job whose status is `PLANNED`: exactly what its rows show, or nothing. It waits behind the jobs that were " +
      "accepted before this request. It takes the scope that the job took.",
    isJob: true,
    body: v.pipe(closedObject({}), v.title("JobApply")),
    bodyIsOptional: true,
    replies: { 200: { description: "The job, which is done", schema, headers: { Location: "The path of the job" } } },
    examples: { applied: { body: {}, reply: example } },
    problems: ["job_not_found", "job_not_planned", "plan_outdated", "plan_superseded", "plan_expired"],
    async handle(request) {
      return replyWithJobItself(request, await submitPlan(request, jobToChange(request).uid));
    },
  });
  return [rows, apply];
}
