// Who may do something about a job: who may submit one of its kind.

import type { JobRow } from "../engine/ledger/queries.ts";
import { requireScope } from "../http/auth.ts";
import type { ApiRequest } from "../http/endpoint.ts";
import type { Scope } from "../workspaces/rights.ts";

import { jobOf } from "../writes/submit-plan.ts";
import { jobKinds } from "./job-kinds.ts";

/** The scopes that open the endpoints which apply, undo, cancel and retry jobs. The kind of the job decides which of them it takes. */
export const ACTING: readonly [Scope, ...Scope[]] = ["import", "author", "review"];

const scopes: ReadonlyMap<string, Scope> = new Map(jobKinds.map(({ kind, scope = "import" }) => [kind, scope]));

/** The job that the path names. @throws Problem job_not_found; insufficient_scope when the caller may do nothing about such a job */
export function jobToChange(request: ApiRequest): JobRow {
  const job = jobOf(request, request.params.id!);
  // Of a newer release's kind it is not known what it takes.
  requireScope(request.principal, [scopes.get(job.kind) ?? "admin"]);
  return job;
}
