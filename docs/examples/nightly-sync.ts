// Brings a roster into a screener every night. Needs Node 24 or later, and nothing else. docs/nightly-sync.md explains it.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const USAGE = `node nightly-sync.ts sync SCREENER FILE.csv   imports the file; the screener's participants that are not in it are removed
node nightly-sync.ts apply JOB                applies a plan that was stopped
node nightly-sync.ts discard JOB              gives it up
node nightly-sync.ts undo JOB                 takes back what a job did

Environment: SCREENING_URL, SCREENING_KEY, SCREENING_SECRET; MAX_REMOVALS (20%); RUN, the name of this run (the screener,
the day, and the file's checksum). Exit code: 0 done, 1 failed, 2 wrong arguments, 3 somebody has to decide.`;

const TRIES = 6;
/** What somebody may want to look at. */
const OUTCOMES = ["REMOVED", "REJECTED", "KEPT"];

interface Job {
  id: string;
  status: "QUEUED" | "RUNNING" | "PLANNED" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  finishedAt: string | null;
  summary: Record<string, number> | null;
  problem: { code: string; detail: string } | null;
  warnings: { message: string }[] | null;
}

interface Rows {
  total: number;
  items: { outcome: string; externalUid: string | null; reason: string | null; errors: { message: string }[] }[];
}

const { SCREENING_URL: url, SCREENING_KEY: key, SCREENING_SECRET: secret, MAX_REMOVALS: limit = "20%" } = process.env;
const [command, id, file] = process.argv.slice(2);

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  if (!url || !key || !secret || !id) return usage();
  if (command === "sync" && file) return report(await sync(id, file));
  if (command === "apply") return report(await call<Job>("POST", `/jobs/${id}/apply`, { Prefer: "respond-async" }));
  if (command === "undo") {
    const headers = { "Idempotency-Key": `undo-${id}`, Prefer: "respond-async" };
    return report(await call<Job>("POST", `/jobs/${id}/undo`, headers));
  }
  if (command !== "discard") return usage();
  await call("DELETE", `/jobs/${id}`);
  console.log(`Job ${id}: CANCELLED`);
  return 0;
}

function usage(): number {
  console.error(USAGE);
  return 2;
}

/** Hands the file to the service. @returns the job, which may not have begun yet */
async function sync(screenerId: string, path: string): Promise<Job> {
  const body = readFileSync(path);
  const checksum = createHash("sha256").update(body).digest("hex").slice(0, 16);
  const run = process.env.RUN || `${screenerId}-${new Date().toISOString().slice(0, 10)}-${checksum}`;
  const settings = new URLSearchParams({ screenerId, importMode: "FULL_SYNC", maxRemovals: limit });
  const headers = { "Content-Type": "text/csv", "Idempotency-Key": `sync-${run}`, Prefer: "respond-async" };
  return call("POST", `/screener-participants-import?${settings}`, headers, body);
}

async function ended(id: string): Promise<Job> {
  for (;;) {
    const job = await call<Job>("GET", `/jobs/${id}`, { Prefer: "wait=60" });
    if (job.finishedAt) return job;
    await sleep(1000);
  }
}

/** Waits until the job has ended, and shows how, and the rows that somebody may want to look at. @returns the exit code */
async function report({ id }: Job): Promise<number> {
  const job = await ended(id);
  console.log(`Job ${id}: ${job.status}`);
  for (const [name, count] of Object.entries(job.summary ?? {})) console.log(`  ${name} ${count}`);
  for (const { message } of job.warnings ?? []) console.log(`  Warning: ${message}`);
  if (job.problem) console.log(`  ${job.problem.code}: ${job.problem.detail}`);
  if (job.status !== "CANCELLED") await showRows(id);
  if (job.status !== "PLANNED") return job.status === "SUCCEEDED" ? 0 : 1;
  console.log(`Nothing was changed. Look at the rows, then: apply ${id}, or: discard ${id}`);
  return 3;
}

async function showRows(id: string): Promise<void> {
  const query = new URLSearchParams(OUTCOMES.map((outcome) => ["filter[outcome][in]", outcome]));
  const { total, items } = await call<Rows>("GET", `/jobs/${id}/rows?${query}&pagination[limit]=20`);
  for (const { outcome, externalUid, reason, errors } of items) {
    const why = [...(reason ? [reason] : []), ...errors.map(({ message }) => message)].join("; ");
    console.log(`  ${outcome} ${externalUid ?? ""} ${why}`);
  }
  if (total > items.length) console.log(`  … and ${total - items.length} more`);
}

/** Calls the API. Tries again after trouble that may pass. @throws Error with the problem */
async function call<Answer>(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Uint8Array<ArrayBuffer>,
): Promise<Answer> {
  const credentials = { "X-Service-Api-Key": key!, "X-Service-Api-Secret": secret! };
  for (let attempt = 1; ; attempt++) {
    let pause = 2 ** attempt;
    try {
      const signal = AbortSignal.timeout(300_000);
      const response = await fetch(url + path, {
        method,
        headers: { ...credentials, ...headers },
        signal,
        ...(body && { body }),
      });
      if (response.ok) return (await response.json()) as Answer;
      const isPassing = response.status === 429 || response.status >= 500;
      if (!isPassing || attempt === TRIES) return refuse(await response.json());
      pause = Number(response.headers.get("retry-after") ?? pause);
    } catch (error) {
      // fetch throws a TypeError when there is no answer.
      const isPassing = error instanceof TypeError || (error instanceof Error && error.name === "TimeoutError");
      if (!isPassing || attempt === TRIES) throw error;
    }
    await sleep(pause * 1000);
  }
}

function refuse({ code, detail }: { code: string; detail: string }): never {
  throw new Error(`${code}: ${detail}`);
}
