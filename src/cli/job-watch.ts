// Jobs as they begin, go on and end: on a terminal a bar for each that runs, elsewhere plain lines.

import { setTimeout as sleep } from "node:timers/promises";
import { MultiBar, type SingleBar } from "cli-progress";
import type { Reader } from "../../db/sqlite/connection.ts";
import { type JobFilter, listAllJobs, type OperatorsJob } from "../engine/ledger/all-jobs.ts";

const POLL_MS = 250;

/** A job that ended a moment before it was looked for is still shown. */
const ENDED_MS = 5000;

/** Resolves when the process is asked to end. */
export async function watchJobs(reader: Reader, filter: JobFilter): Promise<void> {
  const asked = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => asked.abort());
  const screen = process.stdout.isTTY ? new Bars() : new Lines();
  /** What was said of each job. */
  let known = new Map<string, string>();
  let openSince = Date.now();
  while (!asked.signal.aborted) {
    const { items } = listAllJobs(reader, { ...filter, openSince });
    openSince = Date.now() - ENDED_MS;
    const now = new Map<string, string>();
    for (const job of items.reverse()) {
      const line = lineOf(job);
      if (known.get(job.id) !== line) screen.say(line);
      screen.show(job);
      now.set(job.id, line);
    }
    for (const id of known.keys()) if (!now.has(id)) screen.forget(id);
    known = now;
    screen.update();
    await sleep(POLL_MS, undefined, { signal: asked.signal }).catch(() => {});
  }
  screen.end();
}

interface Screen {
  say(line: string): void;
  /** How far a job is. */
  show(job: OperatorsJob): void;
  forget(id: string): void;
  /** Call after each round. */
  update(): void;
  end(): void;
}

/** Says of each phase that it has begun, and each tenth of it. */
class Lines implements Screen {
  readonly #said = new Map<string, string>();

  say(line: string): void {
    process.stdout.write(`${line}\n`);
  }

  show(job: OperatorsJob): void {
    if (!job.progress) return;
    const { phase, done, total } = job.progress;
    const tenth = `${phase} ${total ? Math.floor((10 * done) / total) : 0}`;
    if (this.#said.get(job.id) === tenth) return;
    this.#said.set(job.id, tenth);
    this.say(`${job.id}${progressOf(job)}`);
  }

  forget(id: string): void {
    this.#said.delete(id);
  }

  update(): void {}

  end(): void {}
}

class Bars implements Screen {
  readonly #bars = new MultiBar({
    format: "{job}  {phase} [{bar}] {value} of {total}",
    stream: process.stdout,
    hideCursor: true,
    clearOnComplete: true,
    // It is ended by watchJobs.
    gracefulExit: false,
  });
  readonly #running = new Map<string, SingleBar>();

  say(line: string): void {
    this.#bars.log(`${line}\n`);
  }

  show({ id, status, progress }: OperatorsJob): void {
    if (status !== "RUNNING") {
      this.forget(id);
      return;
    }
    // While rows are read, nobody knows how many there are.
    const { phase, done, total } = progress ?? { phase: "STARTING", done: 0, total: 0 };
    let bar = this.#running.get(id);
    if (!bar) {
      bar = this.#bars.create(total ?? done, done, { job: id, phase });
      this.#running.set(id, bar);
    }
    bar.setTotal(total ?? done);
    bar.update(done, { job: id, phase: phase.toLowerCase() });
  }

  forget(id: string): void {
    const bar = this.#running.get(id);
    if (!bar) return;
    this.#running.delete(id);
    this.#bars.remove(bar);
  }

  update(): void {
    this.#bars.update();
  }

  end(): void {
    this.#bars.stop();
  }
}

/** A job as a line for people. */
export function lineOf({
  id,
  workspaceId,
  kind,
  status,
  createdAt,
  problem,
  blocked,
  requestId,
}: OperatorsJob): string {
  const how = blocked
    ? `set aside (${blocked.code}) since ${blocked.since}, next try at ${blocked.nextTryAt}`
    : problem
      ? `${status.toLowerCase()} (${problem.code})`
      : status.toLowerCase();
  return [id, createdAt, kind, how, `workspace ${workspaceId}`, ...(requestId ? [`request ${requestId}`] : [])].join(
    "  ",
  );
}

/** How far it is: to be put behind its line. */
export function progressOf({ progress }: Pick<OperatorsJob, "progress">): string {
  if (!progress) return "";
  const { phase, done, total } = progress;
  return `  ${phase.toLowerCase()} ${done}${total === null ? "" : ` of ${total}`}`;
}
