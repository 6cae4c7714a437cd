// Plans an import, shows the plan, and applies it. The job runs in a thread of this process, unless another process takes it
// first.

import { createReadStream } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { SingleBar } from "cli-progress";
import { immediate } from "../../db/sqlite/write.ts";
import { newId } from "../base/ids.ts";
import { Problem, type ProblemDocument } from "../base/problems.ts";
import { MAX_SHORT_BYTES, receiveBody, spoolPath } from "../engine/files/bodies.ts";
import { acceptJob, dropUnaccepted } from "../engine/ledger/accept.ts";
import { endPlan, removeFiles } from "../engine/ledger/plans.ts";
import { findJob } from "../engine/ledger/queries.ts";
import { findJobJson } from "../engine/ledger/resource.ts";
import { queuePlan } from "../engine/ledger/states.ts";
import type { Context } from "../http/context.ts";
import { exceededLimit } from "../imports/absent.ts";
import { STOPPING } from "../imports/check.ts";
import { importJob } from "../imports/job.ts";
import type { Principal } from "../workspaces/credentials.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { causedByOperator, showEvents } from "./change.ts";
import { asked, isTerminal } from "./command.ts";
import { type Options, type Source, settingsOf } from "./import-source.ts";

/** The exit code when somebody has to decide before the import can go on. */
const UNDECIDED = 3;

const POLL_MS = 200;
const LOCK_WAIT_MS = 10_000;

/** A job, as the API shows it. */
interface Job {
  id: string;
  status: string;
  progress: { phase: string; done: number; total: number | null } | null;
  summary: Record<string, number> | null;
  problem: ProblemDocument | null;
  warnings: { code: string; message: string }[] | null;
  blocked: { since: string; code: string; nextTryAt: string } | null;
}

/** How the command ended: the job, and the sentences that say it. */
interface Ending {
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

  async import(source: Source): Promise<Ending> {
    const { dryRun, fullSync, yes } = this.#options;
    const uid = await this.#accept(source);
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
    const doubts = this.#doubtsOf(plan);
    if (doubts.length && !(await asked("Import it all the same?", [...lines, ...warningsOf(plan)])))
      return this.#refuse(uid, [...lines, `${again} --allow ${doubts.join(",")} to import it all the same.`]);
    if (removed && !yes) {
      if (!isTerminal()) return this.#refuse(uid, [...lines, `It removes ${who}. ${again} --yes to apply it.`]);
      if (!(await asked(`Remove ${who}?`, lines))) return this.#refuse(uid, []);
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

  /** The codes of the plan's warnings that somebody has to decide on. */
  #doubtsOf({ warnings }: Job): string[] {
    const codes = STOPPING.filter((code) => warnings?.some((one) => one.code === code));
    return codes.filter((code) => !this.#options.allow.includes(code));
  }

  /** Hands the file to the ledger, as a job that plans the import. @returns the job's id */
  async #accept(source: Source): Promise<string> {
    const { config, control } = this.#context;
    const uid = newId();
    const spooled = spoolPath(config.dataDir, uid);
    const file = settingsOf(this.#options, source);
    const { bytes, short } = await receiveBody(createReadStream(source.path), spooled, MAX_SHORT_BYTES);
    try {
      await acceptJob(control.writer, LOCK_WAIT_MS, {
        uid,
        kind: importJob.kind,
        payload: importJob.check(file),
        screenerId: file.screenerId,
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

  /** Resolves when the job has ended, or is a plan. Shows its progress on a terminal, and says once that it is set aside. */
  async #ended(uid: string): Promise<Job> {
    const { control, dispatcher } = this.#context;
    const { workspaceId } = this.#principal;
    let isShownBlocked = false;
    const bar = process.stderr.isTTY && !this.#options.json ? new SingleBar(BAR) : undefined;
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

function blockedSentence(id: string, { since, code, nextTryAt }: NonNullable<Job["blocked"]>): string {
  return (
    `The job ${id} was tried in vain for 15 minutes and is set aside since ${since} (${code}). It is tried every hour, next at ${nextTryAt}; ` +
    `or now, with the command \`job retry ${id}\`. This command waits for it; the job goes on without it.`
  );
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

/** What the job warns of. */
export function warningsOf({ warnings }: Pick<Job, "warnings">): string[] {
  return (warnings ?? []).map(({ message }) => `Warning: ${message}`);
}
