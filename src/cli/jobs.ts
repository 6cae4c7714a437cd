// The commands of jobs, over all workspaces: what waits, runs and has failed; retrying and cancelling.

import { type Command, InvalidArgumentError } from "commander";
import { immediate } from "../../db/sqlite/write.ts";
import { wiping } from "../api/job-kinds.ts";
import { meaningOf } from "../base/problems.ts";
import { findAnyJob, type JobFilter, listAllJobs, type OperatorsJob } from "../engine/ledger/all-jobs.ts";
import { findOutcome } from "../engine/ledger/outcome.ts";
import { removeFiles, withdraw } from "../engine/ledger/plans.ts";
import { findJob, type JobRow } from "../engine/ledger/queries.ts";
import { type JobStatus, STATUSES } from "../engine/ledger/resource.ts";
import { retryJob, whyNoRetry } from "../engine/ledger/retry.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { lineOf, progressOf, watchJobs } from "./job-watch.ts";
import { causedByOperator, showEvents } from "./running/change.ts";
import { command, date, NotFound, type Output, type Store, WrongUse } from "./running/command.ts";

export function addJobs(program: Command): void {
  const job = program.command("job").description("Jobs of all workspaces");
  command(job, "list", "List jobs, the newest first", list, (c) =>
    c
      .option("--status <status>", `one of ${STATUSES.join(", ").toLowerCase()}`, readStatus)
      .option("--older-than <time>", "accepted so long ago: 90s, 30m, 2h or 7d", readTime)
      .option("--workspace <id>", "of this workspace alone")
      .option("--request-id <id>", "of the request with this X-Request-Id, or of this trace")
      .option("--watch", "show jobs as they begin, go on and end, until it is interrupted"),
  );
  command(job, "show <id>", "Show a job, and whether it can be retried", (store, [id]) => {
    const row = getRow(store, id!);
    const { crashes, failures, available_at, body_until } = row;
    const why = whyNoRetry(store.control.reader, store.dataDir, row, wiping) ?? null;
    const more = {
      crashes,
      failures,
      nextTryAt: row.status === "QUEUED" && available_at > Date.now() ? date(available_at) : null,
      bodyUntil: date(body_until),
      whyNoRetry: why,
    };
    const json = { ...shown(store, row), ...more };
    return {
      json,
      lines: [
        ...Object.entries(json).flatMap(([name, value]) =>
          value === null || name === "_type" || name === "whyNoRetry"
            ? []
            : [`${name.padEnd(22)} ${typeof value === "object" ? JSON.stringify(value) : value}`],
        ),
        why ?? `It can be retried: job retry ${row.uid}`,
      ],
    };
  });
  command(
    job,
    "retry <id>",
    "Have a job run again that failed for a reason of the service's own, or try one now that is set aside",
    (store, [id], { note }) => {
      const row = getRow(store, id!);
      retryJob(store, row.uid, causedByOperator(note), wiping);
      showEvents(store, row.workspace_uid);
      if (row.status !== "FAILED") return outputOf(store, row);
      const since = succeededSince(store, row);
      const more = `Since it was accepted, ${since === 1 ? "another job" : `${since} other jobs`} of its workspace succeeded: it runs as it was sent, over what they did.`;
      return outputOf(store, row, since ? [more] : []);
    },
  );
  command(
    job,
    "cancel <id>",
    "Cancel a job that has not begun to change data, or discard a plan",
    (store, [id], { note }) => {
      const row = getRow(store, id!);
      cancel(store, row, note);
      return outputOf(store, row);
    },
  );
}

async function list(store: Store, _: string[], options: Record<string, string | undefined>): Promise<Output> {
  const { status, olderThan, workspace, requestId, watch, json } = options;
  const { reader } = store.control;
  if (workspace !== undefined && !findWorkspace(reader, workspace.toLowerCase()))
    throw new NotFound(`There is no workspace ${workspace}.`);
  const filter: JobFilter = {
    status: status as JobStatus | undefined,
    workspaceId: workspace?.toLowerCase(),
    acceptedBefore: olderThan === undefined ? undefined : Date.now() - Number(olderThan),
    requestId,
  };
  if (watch) {
    if (json) throw new WrongUse("--watch goes on for ever, and --json prints one value: give one of them.");
    await watchJobs(reader, filter);
    return { json: null, lines: [] };
  }
  const { total, items } = listAllJobs(reader, filter);
  const left = total - items.length;
  const more = left ? [`… and ${left} older ones`] : [];
  return { json: { total, items }, lines: [...items.map((one) => `${lineOf(one)}${progressOf(one)}`), ...more] };
}

/** As the API does it (api/job-routes.ts). */
function cancel({ dataDir, control, workspaces }: Store, { uid, workspace_uid }: JobRow, note: string | undefined) {
  const { writer } = control;
  // After a crash the store may have an outcome that the ledger does not have yet.
  const decided = workspaces.read(workspace_uid, (db) => findOutcome(db, uid));
  const cancelled = immediate(writer, () => {
    const job = findJob(writer, uid)!;
    return !decided && withdraw(writer, job, Date.now(), causedByOperator(note)) ? job : undefined;
  });
  if (!cancelled) throw new Error(meaningOf("job_not_cancellable"));
  // The body of a running job is removed by its run.
  if (cancelled.status !== "RUNNING") removeFiles(dataDir, cancelled);
  showEvents({ control, workspaces }, workspace_uid);
}

function getRow({ control }: Store, id: string): JobRow {
  const row = findJob(control.reader, id.toLowerCase());
  if (!row) throw new NotFound(`There is no job ${id}.`);
  return row;
}

function shown({ control }: Store, { uid }: JobRow): OperatorsJob {
  return findAnyJob(control.reader, uid)!;
}

function outputOf(store: Store, row: JobRow, more: string[] = []): Output {
  const job = shown(store, row);
  return { json: job, lines: [lineOf(job), ...more] };
}

function succeededSince({ control }: Store, { workspace_id, created_at }: JobRow): number {
  return control.reader.value<number>(
    "SELECT count(*) FROM job INDEXED BY job_list WHERE workspace_id = ? AND created_at > ? AND status = 'SUCCEEDED'",
    workspace_id,
    created_at,
  )!;
}

function readStatus(text: string): string {
  const found = STATUSES.find((one) => one === text.toUpperCase());
  if (!found) throw new InvalidArgumentError(`It must be one of ${STATUSES.join(", ").toLowerCase()}.`);
  return found;
}

const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @returns milliseconds */
function readTime(text: string): string {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (!unit) throw new InvalidArgumentError("It must be a whole number and a unit: 90s, 30m, 2h or 7d.");
  return String(Number(number) * UNITS[unit]!);
}
