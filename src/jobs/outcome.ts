// What became of a job is decided once, in the workspace's own file, in the transaction that changes the data. Jobs are
// delivered at least once; whoever comes second finds the outcome and only passes it on.

import type { Reader, Writer } from "../../db/connection.ts";
import type { ProblemDocument } from "../problems.ts";
import type { Outcome } from "./queries.ts";

/** The outcome, when it is decided. `schema` is the name under which the workspace's file is attached. */
export function findOutcome(db: Reader, jobUid: string, schema = "main"): Outcome | undefined {
  return db.get(`SELECT summary, result, result_file, problem FROM ${schema}.job_outcome WHERE job_uid = ?`, jobUid);
}

/** Decides the outcome. Inside the transaction that changes the data. */
export function decideOutcome(db: Writer, jobUid: string, outcome: Outcome, schema = "main"): void {
  db.run(
    `INSERT INTO ${schema}.job_outcome (job_uid, summary, result, result_file, problem, decided_at) VALUES (?, ?, ?, ?, ?, ?)`,
    jobUid,
    outcome.summary,
    outcome.result,
    outcome.result_file,
    outcome.problem,
    Date.now(),
  );
}

/** Decides that a job failed, unless it is decided already. @returns what holds */
export function decideFailure(db: Writer, jobUid: string, problem: ProblemDocument): Outcome {
  const decided = findOutcome(db, jobUid);
  if (decided) return decided;
  const outcome = { summary: null, result: null, result_file: null, problem: JSON.stringify(problem) };
  decideOutcome(db, jobUid, outcome);
  return outcome;
}

/** Lets go of answers that the ledger has had for long. */
export function dropResults(db: Writer, decidedBefore: number): void {
  db.run("UPDATE job_outcome SET result = NULL WHERE decided_at < ? AND result IS NOT NULL", decidedBefore);
}

/** Forgets outcomes that the ledger no longer needs. */
export function deleteOutcomes(db: Writer, decidedBefore: number): void {
  db.run("DELETE FROM job_outcome WHERE decided_at < ?", decidedBefore);
}
