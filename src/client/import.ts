// Brings a roster in: compresses it, sends it, waits for its job, and reads what became of each row.

import type { Client, Ending } from "./client.ts";
import { type Bytes, compressed, ndjson } from "./compress.ts";
import { ApiError, errorOfJob } from "./error.ts";
import { type Waiting, waitForJob } from "./jobs.ts";
import type { Received } from "./send.ts";
import type {
  ImportParticipant,
  Job,
  JobRow,
  Operations,
  ScreenerParticipant,
  ScreenerParticipantsImportJob,
  ScreenerParticipantsImportUndoJob,
} from "./types.ts";

type Query = Operations["importScreenerParticipants"]["query"];
type RowFilters = Operations["listJobRows"]["query"];

/** What is imported: one of three. The members of `columns` are those of participants, by the headings of the file. */
export type ImportSource =
  | { participants: Iterable<ImportParticipant> | AsyncIterable<ImportParticipant>; ndjson?: never; csv?: never }
  | { ndjson: Bytes; participants?: never; csv?: never }
  | ({ csv: Bytes; participants?: never; ndjson?: never } & Pick<Query, "columns" | "attributes">);

export type ImportSettings = Pick<Query, "importMode" | "onRowError" | "matchBy"> & {
  screenerId: string;
  /** Changes nothing: the job ends as a plan. */
  dryRun?: boolean;
  /** How many participants `FULL_SYNC` may remove: a number, or a percentage such as `"20%"`. */
  maxRemovals?: number | `${number}%`;
  /** How many rows there are: with another number, the import fails (`row_count_differs`). */
  expectedRows?: number;
  /** `FULL_SYNC` removes those, too, who have joined by an open link. */
  includeJoined?: boolean;
  /**
   * Names the import, so that a second call with the same content has no second effect: see `ImportJob.supersededBy`. Default: a
   * new one for each call.
   */
  idempotencyKey?: string;
  /** Why: kept with the events of the import. */
  note?: string;
};

/** An import, or an undo, that was done or is a plan. */
export class ImportJob<J extends Job = ScreenerParticipantsImportJob> {
  readonly #client: Client;
  /** As it was at its end. `job.status` is `SUCCEEDED` or `PLANNED`. */
  readonly job: J;

  /**
   * Of an import that was sent before, with the same `idempotencyKey`: the id of the first later import or undo for the same screener
   * that was applied, or is about to be. What this one did may not stand any more: to do it again, send it with another key.
   */
  readonly supersededBy: string | undefined;

  constructor(client: Client, job: J, supersededBy?: string) {
    this.#client = client;
    this.job = job;
    this.supersededBy = supersededBy;
  }

  /** Whether nothing was changed, because of `dryRun` or `maxRemovals` (`job.plan.reason`). */
  get isPlan(): boolean {
    return this.job.status === "PLANNED";
  }

  /** What became of each row, or would. @param query filters, such as `"filter[outcome][eq]": "REMOVED"` */
  rows(query: RowFilters = {}, ending: Ending = {}): AsyncGenerator<JobRow> {
    return this.#client.list("/jobs/{id}/rows", { ...ending, path: { id: this.job.id }, query });
  }

  /** Of an import: the screener participants of all rows, in one answer. Of an undo: its rows. */
  async result(ending: Ending = {}): Promise<ScreenerParticipant[] | JobRow[]> {
    const { body } = await this.#client.send("get", "/jobs/{id}/result", { ...ending, path: { id: this.job.id } });
    return body as ScreenerParticipant[] | JobRow[];
  }

  /** Does exactly what the plan shows. @throws ApiError when that is not possible any more: `plan_outdated`, … */
  async apply(waiting: Waiting<J> = {}): Promise<ImportJob<J>> {
    const apply = { ...endingOf(waiting), path: { id: this.job.id }, headers: ASYNC };
    return ended(this.#client, (await this.#client.post("/jobs/{id}/apply", apply)).id, waiting);
  }

  /** Takes back what was imported. With `dryRun` the undo is a plan, too. It can itself be undone. */
  async undo({
    dryRun = false,
    ...waiting
  }: Waiting<ScreenerParticipantsImportUndoJob> & { dryRun?: boolean } = {}): Promise<
    ImportJob<ScreenerParticipantsImportUndoJob>
  > {
    const undo = { ...endingOf(waiting), path: { id: this.job.id }, headers: ASYNC, body: { dryRun } };
    return ended(this.#client, (await this.#client.post("/jobs/{id}/undo", undo)).id, waiting);
  }

  /** Gives the plan up. */
  async discard(ending: Ending = {}): Promise<void> {
    await this.#client.delete("/jobs/{id}", { ...ending, path: { id: this.job.id } });
  }
}

const ASYNC = { Prefer: "respond-async" };

/** For the rows of an import, which may take long to send. */
const ROWS_TIMEOUT_MS = 900_000;

function endingOf({ signal, timeoutMs }: Ending): Ending {
  return { signal, timeoutMs };
}

/**
 * Imports participants into a screener, and waits for the end.
 * @returns the import: done, or a plan
 * @throws ApiError when it failed or was cancelled: nothing was changed. What the source throws; and as `Client.call`
 */
export async function importParticipants(
  client: Client,
  options: ImportSettings & ImportSource & Waiting<ScreenerParticipantsImportJob>,
): Promise<ImportJob> {
  const {
    screenerId,
    importMode,
    onRowError,
    dryRun,
    maxRemovals,
    expectedRows,
    includeJoined,
    matchBy,
    idempotencyKey,
    note,
    ...rest
  } = options;
  const { signal, timeoutMs = client.timeoutMs ?? ROWS_TIMEOUT_MS } = rest;
  const body = await compressed(bytesOf(rest), signal);
  const files = rest.csv === undefined ? {} : { columns: rest.columns, attributes: rest.attributes };
  const settings = {
    query: { screenerId, importMode, onRowError, dryRun, maxRemovals, expectedRows, includeJoined, matchBy, ...files },
    headers: { ...ASYNC, "Idempotency-Key": idempotencyKey, "X-Action-Note": note },
    signal,
    timeoutMs,
  };
  const sent = { type: rest.csv === undefined ? "application/x-ndjson" : "text/csv", coding: "gzip", body };
  const post = client.send("post", "/screener-participants-import", settings, sent);
  const { id, supersededBy } = await post.then(jobIdOf, jobIdOfPlan);
  return ended(client, id, rest, supersededBy);
}

function bytesOf(source: ImportSource): Bytes {
  if (source.csv !== undefined) return source.csv;
  return source.ndjson !== undefined ? source.ndjson : ndjson(source.participants);
}

/** Of an import that had been sent before, and has ended, the answer is its result. The header names the job. */
function jobIdOf({ body, headers }: Received): { id: string; supersededBy?: string | undefined } {
  const location = headers.get("Location") ?? "";
  const id = (body as Partial<Job>).id ?? location.slice(location.lastIndexOf("/") + 1);
  return { id, supersededBy: headers.get("Idempotency-Superseded-By") ?? undefined };
}

/** As above: the answer is the limit that stopped it. The job is a plan, as it was the first time. */
function jobIdOfPlan(error: unknown): ReturnType<typeof jobIdOf> {
  if (error instanceof ApiError && error.code === "removal_limit_exceeded" && error.jobId) return { id: error.jobId };
  throw error;
}

async function ended<J extends Job>(
  client: Client,
  id: string,
  waiting: Waiting<J>,
  supersededBy?: string,
): Promise<ImportJob<J>> {
  const job = await waitForJob<J>(client, id, waiting);
  if (job.status !== "SUCCEEDED" && job.status !== "PLANNED") throw errorOfJob(job);
  return new ImportJob(client, job, supersededBy);
}
