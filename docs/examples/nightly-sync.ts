// Brings a roster into a screener every night. Needs Node 24 or later, and nothing else. docs/nightly-sync.md explains it.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const USAGE = `node nightly-sync.ts sync SCREENER FILE.csv   imports the file; the screener's participants that are not in it are removed
node nightly-sync.ts apply JOB                applies a plan that was stopped
node nightly-sync.ts discard JOB              gives it up
node nightly-sync.ts undo JOB                 takes back what a job did

Environment: SCREENING_URL, SCREENING_KEY, SCREENING_SECRET; MAX_REMOVALS (20%); EXPECTED_ROWS, how many rows the file should
have (its lines are counted; any: whatever it has); ALLOW, warnings that stop nothing (none; column_missing,
unknown_column_near); QUERY, more parameters (columns[Mail]=email); RUN, the name of this run (the screener, the day, and a
checksum). Exit code: 0 done, 1 failed, 2 wrong arguments, 3 somebody has to decide.`;

const TRIES = 6;
/** What somebody may want to look at. */
const OUTCOMES = ["REMOVED", "REJECTED", "KEPT"];
/** Warnings that somebody has to look at before a plan is applied. */
const STOPPING = ["unknown_column_near", "column_missing"];

interface Job {
  id: string;
  status: "QUEUED" | "RUNNING" | "PLANNED" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  finishedAt: string | null;
  summary: Record<string, number> | null;
  problem: { code: string; detail: string } | null;
  warnings: { code: string; message: string }[] | null;
  plan: { removalLimit?: { maxRemovals: number | string; isExceeded: boolean } } | null;
}

interface Called<Answer> {
  body: Answer;
  headers: Headers;
}

interface Rows {
  total: number;
  items: { outcome: string; externalUid: string | null; reason: string | null; errors: { message: string }[] }[];
}

const { SCREENING_URL: url, SCREENING_KEY: key, SCREENING_SECRET: secret } = process.env;
const {
  MAX_REMOVALS: limit = "20%",
  EXPECTED_ROWS: expected,
  ALLOW: allowed = "",
  QUERY: more = "",
  RUN: named,
} = process.env;
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
  if (command === "apply") return report(await apply(id));
  if (command === "undo") {
    const headers = { "Idempotency-Key": `undo-${id}`, Prefer: "respond-async" };
    const { body } = await call<Job>("POST", `/jobs/${id}/undo`, headers);
    return report(await ended(body.id));
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

/** Plans the import, and applies the plan if nobody has to decide. @returns the job */
async function sync(screenerId: string, path: string): Promise<Job> {
  const file = readFileSync(path);
  const rows = expected || rowsOf(file);
  const settings = { screenerId, importMode: "FULL_SYNC", dryRun: "true", maxRemovals: limit };
  const query = new URLSearchParams(rows === "any" ? settings : { ...settings, expectedRows: rows });
  for (const [name, value] of new URLSearchParams(more)) query.append(name, value);
  const checksum = createHash("sha256").update(`${query}`).update(file).digest("hex").slice(0, 16);
  const run = named || `${screenerId}-${new Date().toISOString().slice(0, 10)}-${checksum}`;
  let name = `sync-${run}`;
  for (let tries = 0; ; ) {
    const headers = { "Content-Type": "text/csv", "Idempotency-Key": name, Prefer: "respond-async" };
    const sent = await call<Job>("POST", `/screener-participants-import?${query}`, headers, file);
    if (!sent.headers.has("Idempotency-Replayed")) tries++;
    // The same file was imported before, and then another one: what it did does not stand any more.
    let later = sent.headers.get("Idempotency-Superseded-By");
    if (!later) {
      let job = await ended(sent.body.id);
      if (job.status === "PLANNED" && !doubtsOf(job).length) job = await apply(job.id);
      // Somebody has changed what the plan was made on.
      if (job.problem?.code !== "plan_outdated" || tries >= TRIES) return job;
      later = job.id;
    }
    name = `sync-${run}-after-${later}`;
  }
}

/** The rows of a file whose lines are its rows. Where cells are quoted, or in UTF-16, they need not be. */
function rowsOf(file: Buffer): string {
  if (file.includes('"') || file.includes(0)) return "any";
  const lines = file.toString("latin1").split("\n");
  return String(Math.max(lines.filter((line) => !/^[^a-z]*sep=.?\s*$|^[\s,;]*$/i.test(line)).length - 1, 0));
}

/** Why a plan is not applied before somebody has looked at it. */
function doubtsOf({ plan, summary, warnings }: Job): string[] {
  const { isExceeded = false, maxRemovals } = plan?.removalLimit ?? {};
  const tooMany = `removal_limit_exceeded: ${summary?.removed} would be removed, and the limit is ${maxRemovals}.`;
  const codes = new Set(warnings?.map(({ code }) => code).filter((code) => STOPPING.includes(code)));
  const stopping = [...codes].filter((code) => !allowed.split(/\W+/).includes(code));
  return [
    ...(isExceeded ? [tooMany] : []),
    ...stopping.map((code) => `${code}: to import it all the same, set ALLOW=${code}, or apply the plan.`),
  ];
}

async function apply(id: string): Promise<Job> {
  await call("POST", `/jobs/${id}/apply`, { Prefer: "respond-async" });
  return ended(id);
}

async function ended(id: string): Promise<Job> {
  for (;;) {
    const { body } = await call<Job>("GET", `/jobs/${id}`, { Prefer: "wait=60" });
    if (body.finishedAt) return body;
    await sleep(1000);
  }
}

/** Shows how a job has ended, and the rows that somebody may want to look at. @returns the exit code */
async function report(job: Job): Promise<number> {
  const { id } = job;
  console.log(`Job ${id}: ${job.status}`);
  for (const [name, count] of Object.entries(job.summary ?? {})) console.log(`  ${name} ${count}`);
  for (const { message } of job.warnings ?? []) console.log(`  Warning: ${message}`);
  if (job.problem) console.log(`  ${job.problem.code}: ${job.problem.detail}`);
  if (job.status === "PLANNED") for (const doubt of doubtsOf(job)) console.log(`  ${doubt}`);
  if (job.status !== "CANCELLED") await showRows(id);
  if (job.status !== "PLANNED") return job.status === "SUCCEEDED" ? 0 : 1;
  console.log(`Nothing was changed. Look at the rows, then: apply ${id}, or: discard ${id}`);
  return 3;
}

async function showRows(id: string): Promise<void> {
  const query = new URLSearchParams(OUTCOMES.map((outcome) => ["filter[outcome][in]", outcome]));
  const { body } = await call<Rows>("GET", `/jobs/${id}/rows?${query}&pagination[limit]=20`);
  const { total, items } = body;
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
): Promise<Called<Answer>> {
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
      if (response.ok) return { body: (await response.json()) as Answer, headers: response.headers };
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
