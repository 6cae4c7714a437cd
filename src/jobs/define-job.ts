// What a kind of job is: its name, what it carries, and the verb that applies it.

import type { GenericSchema, InferOutput } from "valibot";
import type { Writer } from "../../db/connection.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import type { Actor } from "../workspaces/credentials.ts";
import type { Outcome } from "./queries.ts";

/** A job under way, as its verb sees it. */
export interface JobRun<Payload> {
  uid: string;
  attempt: number;
  workspaceUid: string;
  actor: Actor;
  payload: Payload;
  dataDir: string;
  workspaces: Workspaces;
  /** Tells how far the job is: rows done, of how many (null: not known yet). Cheap; written a few times a second. */
  progress(phase: string, done: number, total: number | null): void;
  /**
   * Runs `change` once in the job's life, inside a transaction that the caller has begun on `db`, and decides the
   * outcome with it. `schema` is the workspace's name there. @throws JobCancelled
   */
  applyOnce(db: Writer, change: () => Applied, schema?: string): Outcome;
}

/** What a verb has done. */
export interface Applied {
  summary?: object;
  /** The job's answer, as JSON text. */
  result?: string;
  /** Or the name of a file below results/ that holds it (jobs/result-file.ts). */
  resultFile?: string;
}

export interface JobKind<Schema extends GenericSchema = GenericSchema> {
  kind: string;
  payload: Schema;
  /**
   * Applies the job. May run twice, and may be killed at any line. @throws Problem for what is wrong with the input,
   * which is not retried
   */
  run(job: JobRun<InferOutput<Schema>>): Outcome;
}

export function defineJob<Schema extends GenericSchema>(kind: JobKind<Schema>): JobKind<Schema> {
  return kind;
}

/** The job was cancelled before it changed anything. */
export class JobCancelled extends Error {}
