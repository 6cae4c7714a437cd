// What a kind of job is: its name, what it carries, and the handler that applies it.

import * as v from "valibot";
import type { JobRun } from "./job-run.ts";
import type { Outcome } from "./queries.ts";

/** A kind of job, as those see it who run jobs of all kinds. */
export interface AnyJobKind {
  kind: string;
  /** Runs a job with the payload that it was accepted with. */
  run(job: JobRun, payload: unknown): Outcome;
}

/** A kind of job, as those see it who hand one in. */
export interface JobKind<Payload> extends AnyJobKind {
  /** The payload as it is kept. @throws ValiError when it does not fit its schema, which is a mistake of ours */
  check(payload: Payload): object;
}

/**
 * Defines a kind of job. `run` applies it. It may run twice, and may be killed at any line. It throws a Problem for what
 * is wrong with the input, which is not tried again.
 */
export function defineJob<Schema extends v.GenericSchema<object, object>>(definition: {
  kind: string;
  payload: Schema;
  run(job: JobRun, payload: v.InferOutput<Schema>): Outcome;
}): JobKind<v.InferInput<Schema>> {
  const { kind, payload: schema, run } = definition;
  return {
    kind,
    check: (payload) => v.parse(schema, payload),
    run: (job, payload) => run(job, v.parse(schema, payload)),
  };
}
