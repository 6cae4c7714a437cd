// The job that imports participants into a screener: read, check, stage, plan, apply, answer. Each step is a file.

import * as v from "valibot";
import type { Writer } from "../../db/sqlite/connection.ts";
import type { Problem } from "../base/problems.ts";
import { count } from "../base/schemas.ts";
import { findMoved, outdatedBy } from "../engine/ledger/compare.ts";
import type { PlanNote } from "../engine/ledger/outcome.ts";
import { PLAN_MS } from "../engine/ledger/plans.ts";
import { counted } from "../engine/ledger/summaries.ts";
import { defineJob } from "../engine/run/define-job.ts";
import type { JobRun } from "../engine/run/job-run.ts";
import { type Ending, JobScratch, type Outcome } from "../engine/run/scratch.ts";
import { ImportPayload, MaxRemovals } from "../nouns/screener-participants/import-settings.ts";
import { exceededLimit, type PlanRemovals, planRemovals, removesMore, uncounted } from "./absent.ts";
import { planAhead } from "./ahead.ts";
import { applyPlan } from "./apply.ts";
import { findRulesJson, findTypesJson } from "./attributes.ts";
import { checkEnvelope, checkSlice, matchKeyOf, subjectOf, unexpectedRows, warningsOf } from "./check.ts";
import { forgetInImport } from "./forget.ts";
import { IMPORT, IMPORT_EFFECT } from "./kinds.ts";
import { compareColumns, keepColumns, type Source } from "./last-columns.ts";
import { findByEmail, requireKeys } from "./match.ts";
import { type Plan, planImport, planNothing, type Staged } from "./plan.ts";
import { namesOf } from "./read/csv-headings.ts";
import { Payload } from "./read/read.ts";
import { stageRows } from "./stage.ts";
import { keepLetters, prepareTables, setTarget, showAsPlanned } from "./tables.ts";
import { looksLikeNumbers, typedReader } from "./typed-rows.ts";

/** A small payload has at most about three hundred rows. Its scratch store is in memory, and the ledger keeps its answer and rows. */
const MAX_SMALL_BYTES = 32 * 1024;

/** An import that removes more has its rows in a file, however small its payload is. */
const MAX_SMALL_REMOVALS = 100;

export const importJob = defineJob({
  kind: IMPORT,
  label: "Import of people",
  summary: {
    ...counted("rows", "created", "updated", "unchanged", "assigned", "removed"),
    rejected: v.optional(v.pipe(count, v.description("Only if wrong rows are skipped"))),
  },
  events: { succeeded: "import.completed", failed: "import.failed", planned: "import.planned" },
  planOf: "PEOPLE",
  overtakes: "SCREENER",
  keepsOrder: true,
  forget: forgetInImport,
  effect: IMPORT_EFFECT,
  // The rows are in the spooled body.
  payload: ImportPayload,
  run(job, file) {
    using body = job.openBody();
    if (body.bytes > MAX_SMALL_BYTES || job.approved?.file) return importInFile(job, file);
    const scratch = JobScratch.inMemory(job, IMPORT);
    const received = receive(job, scratch, new Payload(body.read, file), file);
    return removesMany(scratch, received) ? importInFile(job, file) : conclude(job, scratch, received);
  },
});

function importInFile(job: JobRun, file: ImportPayload): Outcome {
  using body = job.openBody();
  using scratch = JobScratch.inFile(job);
  return conclude(job, scratch, receive(job, scratch, new Payload(body.read, file), file));
}

/** Steps 1 to 3: reads, checks and stages the payload, slice by slice. Then the checks that need all rows. */
function receive(
  job: JobRun,
  scratch: JobScratch,
  payload: Payload,
  { decimals = "POINT", dates = "YMD" }: ImportPayload,
): Received | Refused {
  const { db } = scratch;
  prepareTables(db);
  const types = scratch.withSnapshot(() => findTypesJson(db));
  const readTyped = types === undefined ? undefined : typedReader(types, { decimals, dates });
  const onProgress = (done: number) => job.progress("STAGING", done, null);
  const staged = stageRows(
    db,
    payload.slices().map((slice) => {
      keepLetters(db, slice);
      return checkSlice(slice, readTyped);
    }),
    { areTexts: payload.isCsv, onProgress },
  );
  const { rows, errors, unknown, attributes } = staged;
  job.about(subjectOf(payload.envelope));
  const { settings, errors: wrong } = checkEnvelope(payload.envelope);
  const matchBy = matchKeyOf(payload.envelope);
  if (matchBy === "email" || staged.present.externalUid < rows) requireKeys(db, matchBy, staged);
  setTarget(db, settings?.screenerId ?? "", matchBy);
  const warnings = warningsOf(unknown, payload);
  if (!settings || (errors.count && !settings.skipsErrors)) return { problem: errors.problem(wrong), warnings };
  const problem = unexpectedRows(rows, settings);
  if (problem) return { problem, warnings };
  return { rows, errors, attributes, settings, warnings, columns: payload.columns && namesOf(payload.columns) };
}

/** Steps 4 to 6: plans, applies and answers; or says why nothing is changed. */
function conclude(job: JobRun, scratch: JobScratch, received: Received | Refused): Outcome {
  const { db } = scratch;
  if ("problem" in received) {
    scratch.withSnapshot(() => planNothing(db));
    return scratch.conclude(received);
  }
  // A dry run needs no lock.
  if (received.settings.isDryRun && !job.approved)
    return scratch.conclude(scratch.withSnapshot(() => dryRun(job, db, received)));
  if (job.approved) scratch.attachApproved(job.approved);
  // Others write while many removals are planned.
  using ahead =
    received.settings.importMode === "FULL_SYNC"
      ? planAhead(job, scratch, received, job.approved ? undefined : limitOf(job, received))
      : undefined;
  // Applying the plan counts what it writes.
  return scratch.applyOnce(() => {
    const planned = plan(job, db, received, ahead?.plan ?? planRemovals);
    return findStop(job, db, received, planned) ?? apply(job, db, received, planned);
  }, false);
}

/** A payload whose rows are staged. */
interface Received extends Staged {
  /** Of a CSV. */
  columns: string[] | undefined;
  warnings: object[];
}

/** A payload that is refused, whatever is in the workspace. */
interface Refused {
  problem: Problem;
  warnings: object[];
}

/** Whether its rows are many, though its payload is short. */
function removesMany(scratch: JobScratch, received: Received | Refused): boolean {
  if ("problem" in received || received.settings.importMode !== "FULL_SYNC") return false;
  const { screenerId, matchBy } = received.settings;
  return scratch.withSnapshot(() => {
    if (matchBy === "email") findByEmail(scratch.db);
    return removesMore(scratch.db, screenerId, MAX_SMALL_REMOVALS);
  });
}

/** A plan, and how the job ends when it is applied. */
interface Planned {
  plan: Plan;
  /** How many may be removed. */
  limit: MaxRemovals | undefined;
  ending: Ending;
}

/** Step 4: plans, and compares with what the source sent before. */
function plan(job: JobRun, db: Writer, received: Received, removals: PlanRemovals): Planned {
  const { settings, columns } = received;
  job.progress("COMPARING", 0, received.rows);
  const plan = planImport(db, received, removals);
  const { problem, summary } = plan;
  const limit = limitOf(job, received);
  const rules = received.attributes.isGiven ? findRulesJson(db, plan.screenerId) : undefined;
  const decides = job.approved ? "approved" : settings.isDryRun ? "dry run" : undefined;
  const warnings = [
    ...received.warnings,
    ...(columns ? compareColumns(db, sourceOf(job, received, plan), columns) : []),
    ...(rules === undefined ? [] : looksLikeNumbers(db, rules)),
    ...uncounted(plan, { ...settings, limit }, decides),
    ...(plan.keepsAbsent ? [NOBODY_REMOVED] : []),
  ];
  if (!problem) return { plan, limit, ending: { summary, warnings } };
  return { plan, limit, ending: { problem: job.approved ? outdatedBy(problem) : problem, warnings } };
}

const NOBODY_REMOVED = {
  code: "nobody_removed",
  message:
    "Nobody was removed, because a rejected row has neither a usable externalUid nor a participant's email, so that anybody may be meant.",
};

/** Shows what the import would do. */
function dryRun(job: JobRun, db: Writer, received: Received): Ending {
  const { plan: shown, limit, ending } = plan(job, db, received, planRemovals);
  if (shown.problem) return ending;
  const isExceeded = exceededLimit(shown, limit) !== undefined;
  const removalLimit = limit === undefined ? {} : { removalLimit: { maxRemovals: limit, isExceeded } };
  return { ...ending, plan: { ...keepPlan(db, "DRY_RUN"), ...removalLimit } };
}

/** How the job ends if its plan is not applied: because it is refused, is not what was approved, or removes too many. */
function findStop(job: JobRun, db: Writer, received: Received, { plan, limit, ending }: Planned): Ending | undefined {
  if (plan.problem) return ending;
  if (job.approved) {
    const problem = findMovedSince(db, plan.approvedAfter);
    if (!problem) return undefined;
    planNothing(db);
    return { problem, warnings: received.warnings };
  }
  const problem = exceededLimit(plan, limit);
  return problem && { ...ending, problem, plan: keepPlan(db, "REMOVAL_LIMIT") };
}

/** Steps 5 and 6: applies the plan. From then on the scratch store answers with what was made. */
function apply(job: JobRun, db: Writer, received: Received, { plan, ending }: Planned): Ending {
  const { attributes, columns } = received;
  const onProgress = (done: number, total: number) => job.progress("APPLYING", done, total);
  applyPlan(db, plan, { jobUid: job.uid, actor: job.actor, attributes, onProgress });
  if (columns) keepColumns(db, sourceOf(job, received, plan), columns, job.uid);
  return { ...ending, event: { at: plan.now } };
}

function sourceOf({ actor }: JobRun, { settings: { importMode } }: Received, { screenerId }: Plan): Source {
  return { screenerId, actor, importMode };
}

/** Ends the job as a plan that may be applied until some time. */
function keepPlan(db: Writer, reason: PlanNote["reason"]): PlanNote {
  showAsPlanned(db, true);
  return { reason, expiresAt: new Date(Date.now() + PLAN_MS).toISOString() };
}

/** What has moved since the plan was approved, if anything has. */
function findMovedSince(db: Writer, after: number | undefined): Problem | undefined {
  showAsPlanned(db, true);
  const problem = findMoved(db, after);
  // A plan that is not applied has made no ids.
  if (!problem) showAsPlanned(db, false);
  return problem;
}

/** How many may be removed, if not all: what the import says, or else the workspace. */
function limitOf({ workspaceMaxRemovals }: JobRun, { settings }: Received): MaxRemovals | undefined {
  if (settings.maxRemovals !== undefined || workspaceMaxRemovals === null) return settings.maxRemovals;
  return v.parse(MaxRemovals, JSON.parse(workspaceMaxRemovals));
}
