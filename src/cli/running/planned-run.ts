// A command that has a job plan something, shows the plan, and has it applied. The job runs in a thread of this process, unless another
// process takes it first.

import { setTimeout as sleep } from "node:timers/promises";
import { SingleBar } from "cli-progress";
import { immediate } from "../../../db/sqlite/write.ts";
import { Problem, type ProblemDocument } from "../../base/problems.ts";
import { acceptJob } from "../../engine/ledger/accept.ts";
import { endPlan, removeFiles } from "../../engine/ledger/plans.ts";
import { findJob } from "../../engine/ledger/queries.ts";
import { findJobJson } from "../../engine/ledger/resource.ts";
import { queuePlan } from "../../engine/ledger/states.ts";
import type { Context } from "../../http/context.ts";
import type { Principal } from "../../workspaces/credentials.ts";
import { findWorkspace } from "../../workspaces/queries.ts";
import { causedByOperator, showEvents } from "./change.ts";

/** The exit code when somebody has to decide before it can go on. */
const UNDECIDED = 3;

const POLL_MS = 200;
const LOCK_WAIT_MS = 10_000;

/** What all such commands take. */
export interface RunOptions {
  workspace: string;
  json?: boolean | undefined;
  note?: string | undefined;
}

/** A job, as the API shows it. */
export interface Job {
  id: string;
  status: string;
  progress: { phase: string; done: number; total: number | null } | null;
  summary: Record<string, number> | null;
  problem: ProblemDocument | null;
  warnings: { code: string; message: string }[] | null;
  blocked: { since: string; code: string; nextTryAt: string } | null;
}

/** How the command ended: the job, and the sentences that say it. */
export interface Ending {
  job: Job;
  code: number;
  lines: string[];
}

/** One run of the command, on the open stores. */
export abstract class PlannedRun<Options extends RunOptions> {
  protected readonly context: Context;
  protected readonly options: Options;
  protected readonly principal: Principal;

  constructor(context: Context, options: Options) {
    const found = findWorkspace(context.control.reader, options.workspace);
    if (!found) throw new Error(`There is no workspace ${options.workspace}.`);
    this.context = context;
    this.options = options;
    // Nobody's credentials: the workspace itself stands for its operator.
    const actor = { type: "ApplicationActor", uid: found.uid, name: "Command line" } as const;
    this.principal = { workspaceId: found.id, workspaceUid: found.uid, actor };
  }

  /** Hands the ledger a job that makes a plan. @param body the bytes of its body, if it has one */
  protected async accept(
    uid: string,
    job: { kind: string; payload: object; screenerId: unknown },
    { bytes, short }: { bytes?: number; short?: Uint8Array | undefined } = {},
  ): Promise<void> {
    const { requestId, note } = this.cause(uid);
    await acceptJob(this.context.control.writer, LOCK_WAIT_MS, {
      uid,
      ...job,
      principal: this.principal,
      idempotency: undefined,
      requestId,
      traceId: null,
      note,
      cause: this.cause(uid),
      spooledBytes: bytes,
      body: short,
    });
  }

  /** Has a plan applied. */
  protected async apply(uid: string): Promise<Job> {
    const { writer } = this.context.control;
    immediate(writer, () => queuePlan(writer, uid, this.cause(uid)), LOCK_WAIT_MS);
    return this.ended(uid);
  }

  /** Resolves when the job has ended, or is a plan. Shows its progress on a terminal, and says once that it is set aside. */
  protected async ended(uid: string): Promise<Job> {
    const { control, dispatcher } = this.context;
    const { workspaceId } = this.principal;
    let isShownBlocked = false;
    const bar = process.stderr.isTTY && !this.options.json ? new SingleBar(BAR) : undefined;
    for (;;) {
      await dispatcher.follow(workspaceId);
      const job: Job = JSON.parse(findJobJson(control.reader, workspaceId, uid)!);
      if (job.status !== "QUEUED" && job.status !== "RUNNING") {
        bar?.stop();
        return job;
      }
      if (job.progress) showProgress(bar, job.progress);
      if (job.blocked && !isShownBlocked) {
        isShownBlocked = true;
        process.stderr.write(`${blockedSentence(job.id, job.blocked)}\n`);
      }
      await sleep(POLL_MS);
    }
  }

  /** Ends the plan: somebody has to decide first. */
  protected refuse(uid: string, lines: string[]): Ending {
    const { control, config } = this.context;
    const job = findJob(control.reader, uid)!;
    const plan: Job = JSON.parse(findJobJson(control.reader, this.principal.workspaceId, uid)!);
    immediate(
      control.writer,
      () => endPlan(control.writer, uid, new Problem("job_cancelled"), Date.now(), this.cause(uid)),
      LOCK_WAIT_MS,
    );
    showEvents(this.context, this.principal.workspaceUid);
    removeFiles(config.dataDir, { ...job, keeps: job.result_file });
    return { job: plan, code: UNDECIDED, lines: [...lines, "Nothing was changed."] };
  }

  /** Who has the job run. */
  protected cause(uid: string) {
    return { ...causedByOperator(this.options.note), requestId: `cli_${uid}` };
  }
}

const BAR = { format: "{phase} [{bar}] {value} rows", hideCursor: true, clearOnComplete: true, stream: process.stderr };

function showProgress(bar: SingleBar | undefined, { phase, done, total }: NonNullable<Job["progress"]>): void {
  if (!bar) return;
  if (!bar.isActive) bar.start(total ?? done, done, { phase });
  // While rows are read, nobody knows how many there are.
  bar.setTotal(total ?? done);
  bar.update(done, { phase });
}

function blockedSentence(id: string, { since, code, nextTryAt }: NonNullable<Job["blocked"]>): string {
  return (
    `The job ${id} was tried in vain for 15 minutes and is set aside since ${since} (${code}). It is tried every hour, next at ${nextTryAt}; ` +
    `or now, with the command \`job retry ${id}\`. This command waits for it; the job goes on without it.`
  );
}

/** The counts of a plan or of an import. */
export function countsOf({ summary }: Job): string[] {
  return Object.entries(summary ?? {}).map(([name, count]) => `  ${name.padEnd(10)} ${count}`);
}

/** What is wrong. */
export function linesOf({ problem }: Job): string[] {
  const { detail = "The job was cancelled.", errors = [], errorCount = 0 } = problem ?? {};
  if (errorCount === 1) return [detail];
  const more = errorCount > errors.length ? [`  … and ${errorCount - errors.length} more`] : [];
  return [detail, ...errors.map(({ pointer, message }) => `  ${pointer || "the file"}: ${message}`), ...more];
}

/** What the job warns of. */
export function warningsOf({ warnings }: Pick<Job, "warnings">): string[] {
  return (warnings ?? []).map(({ message }) => `Warning: ${message}`);
}
