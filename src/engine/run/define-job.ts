// Defines a kind of job: its name, the schema of its payload, and the handler that runs it.

import * as v from "valibot";
import type { Forget } from "../../erasure/person.ts";
import type { NewEvent } from "../../events/record.ts";
import type { Scope } from "../../workspaces/rights.ts";

import type { EffectParts } from "../ledger/effects.ts";
import type { EndEvents, JobEvents } from "../ledger/events.ts";
import type { Outcome } from "../ledger/queries.ts";
import type { DescribedKind } from "../ledger/summaries.ts";
import type { JobRun } from "./job-run.ts";

/** What plans are about: who is in a screener; on which publication its sessions are; who has places in its quotas; who is accepted; or who is written to. */
type PlanSubject = "PEOPLE" | "LINKS" | "PLACES" | "REVIEWS" | "MAILINGS";

/** A kind of job, for code that runs jobs of all kinds. */
export interface AnyJobKind extends EndEvents, DescribedKind {
  /** What people call it. */
  label: string;
  /** What the rows of its plans are about, if it can end as a plan. */
  planOf?: PlanSubject;
  /** When such a job was applied, older plans for its screener about these end: they would nearly always be outdated. By default `planOf`. */
  endsPlansOf?: readonly PlanSubject[];
  /** Which scope applies, undoes, cancels and retries such a job: what it takes to submit it. By default `import`. */
  scope?: Scope;
  /**
   * Which imports and undos that are set aside before such a job end once it has succeeded: those of its screener, or all of the
   * workspace.
   */
  overtakes?: "SCREENER" | "WORKSPACE";
  /** Whether a later job ends such a job that is set aside. */
  keepsOrder?: true;
  /** Whether, at its end, no file has what it deleted: not even a WAL. */
  wipes?: true;
  /** Removes what the result file of such a job has of a person. */
  forget?: Forget;
  /** What such a job keeps in the workspace for its undo. It goes when it is too late for that. */
  effect?: EffectParts;
  /** Runs a job. `payload` is the one that it was accepted with. */
  run(job: JobRun, payload: unknown): Outcome;
  /** The id of the publication that the job made. @param result of the job, as JSON */
  publicationOf?(result: string): string;
}

/** The events of a kind of job that this release does not have. */
const UNKNOWN_KIND: JobEvents = { succeeded: "job.failed", failed: "job.failed" };

/** The events of a kind of job, by its name. */
export function eventsOf(kinds: readonly AnyJobKind[], name: string): JobEvents {
  return kinds.find(({ kind }) => kind === name)?.events ?? UNKNOWN_KIND;
}

/** A kind of job, for code that submits jobs. */
export interface JobKind<Payload> extends AnyJobKind {
  /** The payload to store. @throws ValiError when it does not match its schema, which is a bug */
  check(payload: Payload): object;
  /** The id of the screener that the payload names, if it does. */
  screenerOf(payload: Payload): unknown;
}

/**
 * Defines a kind of job. `run` may run twice, and may be killed at any line. It throws a Problem when the input is
 * wrong; then the job fails and is not tried again.
 */
export function defineJob<Schema extends v.GenericSchema<object, object>>(
  definition: Omit<AnyJobKind, "resourceOf" | "run"> & {
    payload: Schema;
    resourceOf?(payload: v.InferOutput<Schema>): NewEvent["resource"];
    run(job: JobRun, payload: v.InferOutput<Schema>): Outcome;
  },
): JobKind<v.InferInput<Schema>> {
  const { payload: schema, run, resourceOf, ...rest } = definition;
  return {
    ...rest,
    ...(resourceOf && { resourceOf: (payload: unknown) => resourceOf(v.parse(schema, payload)) }),
    check: (payload) => v.parse(schema, payload),
    screenerOf: (payload) => ("screenerId" in payload ? payload.screenerId : undefined),
    run: (job, payload) => run(job, v.parse(schema, payload)),
  };
}
