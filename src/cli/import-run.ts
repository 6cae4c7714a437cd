// Plans an import, shows the plan, and applies it. The job runs in a thread of this process, unless another process takes it
// first.

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { SingleBar } from "cli-progress";
import { immediate } from "../../db/write.ts";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { acceptJob, dropUnaccepted } from "../jobs/accept.ts";
import { MAX_SHORT_BYTES } from "../jobs/body.ts";
import { endPlan, queuePlan, removeFiles } from "../jobs/plans.ts";
import { findJob } from "../jobs/queries.ts";
import { findJobJson } from "../jobs/resource.ts";
import { receiveBody, spoolPath } from "../jobs/spool.ts";
import { Problem, type ProblemDocument } from "../problems.ts";
import { exceededLimit } from "../screener-participants/import/limit.ts";
import { importJob } from "../screener-participants/job.ts";
import type { ImportFile, MaxRemovals } from "../screener-participants/resource.ts";
import type { Principal } from "../workspaces/credentials.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { causedByOperator, showEvents } from "./change.ts";

/** The exit code when somebody has to decide before the import can go on. */
const UNDECIDED = 3;

const POLL_MS = 200;
const LOCK_WAIT_MS = 10_000;

export interface Options {
  workspace: string;
  screener: string;
  fullSync?: true;
  dryRun?: true;
  map: NonNullable<ImportFile["columns"]>;
  maxRemovals: MaxRemovals;
  skipErrors?: true;
  yes?: true;
  json?: true;
  note?: string;
}

/** A job, as the API shows it. */
interface Job {
  id: string;
  status: string;
  progress: { phase: string; done: number; total: number | null } | null;
  summary: Record<string, number> | null;
  problem: ProblemDocument | null;
  warnings: { message: string }[] | null;
}

/** How the command ended: the job, and the sentences that say it. */
export interface Ending {
  job: Job;
  code: number;
  lines: string[];
}

/** One run of the command, on the open stores. */
export class Run {
  readonly #context: Context;
  readonly #options: Options;
  readonly #principal: Principal;

  constructor(context: Context, options: Options) {
    const found = findWorkspace(context.control.reader, options.workspace);
    if (!found) throw new Error(`There is no workspace ${options.workspace}.`);
    this.#context = context;
    this.#options = options;
    // Nobody's credentials: the workspace itself stands for its operator.
    const actor = { type: "ApplicationActor", uid: found.uid, name: "Command line" } as const;
    this.#principal = { workspaceId: found.id, workspaceUid: found.uid, actor };
  }

  async import(path: string, format: ImportFile["format"]): Promise<Ending> {
    const { dryRun, fullSync, yes } = this.#options;
    const uid = await this.#accept(path, format);
    const plan = await this.#ended(uid);
    if (plan.status !== "PLANNED") return { job: plan, code: 1, lines: linesOf(plan) };
    const lines = [dryRun ? "Nothing was changed. The import would do this:" : "The plan:", ...countsOf(plan)];
    const removed = plan.summary?.removed ?? 0;
    const exceeded = fullSync && exceededLimit(this.#removals(removed), this.#options.maxRemovals);
    const who = `${removed} ${removed === 1 ? "participant" : "participants"} from the screener`;
    const again = "Run the command again with";
    if (exceeded) lines.push(`${exceeded.message.split(". ")[0]}. ${again} --max-removals to allow it.`);
    if (dryRun) return { job: plan, code: 0, lines };
    if (exceeded) return this.#refuse(uid, lines);
    if (removed && !yes) {
      if (!process.stdin.isTTY || !process.stderr.isTTY)
        return this.#refuse(uid, [...lines, `It removes ${who}. ${again} --yes to apply it.`]);
      process.stderr.write(`${lines.join("\n")}\n`);
      if (!(await confirm(`Remove ${who}? [y/N] `))) return this.#refuse(uid, []);
    }
    const { writer } = this.#context.control;
    immediate(writer, () => queuePlan(writer, uid, this.#cause(uid)), LOCK_WAIT_MS);
    const job = await this.#ended(uid);
    if (job.status !== "SUCCEEDED") return { job, code: 1, lines: linesOf(job) };
    const { rows, rejected = 0 } = job.summary!;
    const isNothing = rejected > 0 && rejected === rows;
    const said = isNothing ? "Nothing was imported: all rows were rejected." : "Imported:";
    return { job, code: isNothing ? 1 : 0, lines: [said, ...countsOf(job)] };
  }

  /** Hands the file to the ledger, as a job that plans the import. @returns the job's id */
  async #accept(path: string, format: ImportFile["format"]): Promise<string> {
    const { config, control } = this.#context;
    const { screener, fullSync, map, skipErrors, maxRemovals } = this.#options;
    const uid = newId();
    const spooled = spoolPath(config.dataDir, uid);
    const file: ImportFile = {
      format,
      screenerId: screener,
      importMode: fullSync ? "FULL_SYNC" : "UPDATES_ONLY",
      dryRun: true,
      maxRemovals,
      onRowError: skipErrors ? "SKIP" : "REJECT_ALL",
      columns: map,
    };
    const { bytes, short } = await receiveBody(createReadStream(path), spooled, MAX_SHORT_BYTES);
    try {
      await acceptJob(control.writer, LOCK_WAIT_MS, {
        uid,
        kind: importJob.kind,
        payload: importJob.check(file),
        screenerId: screener,
        principal: this.#principal,
        idempotency: undefined,
        requestId: this.#cause(uid).requestId,
        traceId: null,
        note: this.#cause(uid).note,
        cause: this.#cause(uid),
        spooledBytes: bytes,
        body: short,
      });
    } catch (error) {
      dropUnaccepted(config.dataDir, control, uid, error);
      throw error;
    }
    return uid;
  }

  /** Resolves when the job has ended, or is a plan. Shows its progress on a terminal. */
  async #ended(uid: string): Promise<Job> {
    const { control, dispatcher } = this.#context;
    const { workspaceId } = this.#principal;
    const bar = process.stderr.isTTY && !this.#options.json ? new SingleBar(BAR) : undefined;
    for (;;) {
      await dispatcher.follow(workspaceId);
      const job: Job = JSON.parse(findJobJson(control.reader, workspaceId, uid)!);
      if (job.status !== "QUEUED" && job.status !== "RUNNING") {
        bar?.stop();
        return job;
      }
      if (job.progress) showProgress(bar, job.progress);
      await sleep(POLL_MS);
    }
  }

  /** Ends the plan: somebody has to decide first. */
  #refuse(uid: string, lines: string[]): Ending {
    const { control, config } = this.#context;
    const job = findJob(control.reader, uid)!;
    const plan: Job = JSON.parse(findJobJson(control.reader, this.#principal.workspaceId, uid)!);
    immediate(
      control.writer,
      () => endPlan(control.writer, uid, new Problem("job_cancelled"), Date.now(), this.#cause(uid)),
      LOCK_WAIT_MS,
    );
    showEvents(this.#context, this.#principal.workspaceUid);
    removeFiles(config.dataDir, { ...job, keeps: job.result_file });
    return { job: plan, code: UNDECIDED, lines: [...lines, "Nothing was changed."] };
  }

  /** Who has the job run. */
  #cause(uid: string) {
    return { ...causedByOperator(this.#options.note), requestId: `cli_${uid}` };
  }

  /** How many assignments a plan removes, of how many. */
  #removals(removed: number) {
    const assignments = this.#context.workspaces.read(
      this.#principal.workspaceUid,
      (db) =>
        db.value<number>(
          "SELECT sum(n) FROM screener_participant_block WHERE screener_id = (SELECT id FROM screener WHERE uid = lower(?))",
          this.#options.screener,
        ) ?? 0,
    );
    return { summary: { removed }, assignments };
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

/** The counts of a plan or of an import. */
function countsOf({ summary }: Job): string[] {
  return Object.entries(summary ?? {}).map(([name, count]) => `  ${name.padEnd(10)} ${count}`);
}

/** What is wrong. */
function linesOf({ problem }: Job): string[] {
  const { detail = "The job was cancelled.", errors = [], errorCount = 0 } = problem ?? {};
  if (errorCount === 1) return [detail];
  const more = errorCount > errors.length ? [`  … and ${errorCount - errors.length} more`] : [];
  return [detail, ...errors.map(({ pointer, message }) => `  ${pointer || "the file"}: ${message}`), ...more];
}

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}
