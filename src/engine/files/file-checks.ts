// Reads the files of a workspace's jobs from the first byte to the last: results, bodies in the spool, and chosen files.

import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Reader } from "../../../db/sqlite/connection.ts";
import { spoolPath } from "./bodies.ts";
import { chosenFilesPath } from "./chosen-files.ts";
import { findDamage, isGone, resultPath } from "./result-file.ts";

/** A file that can't be read as it was written. `path` is from DATA_DIR. */
export interface BadFile {
  path: string;
  /** What is wrong, and what it means. */
  message: string;
}

/** What the ledger knows of a job's files. */
export interface FilesOf {
  uid: string;
  result_file: string | null;
  /** The length of its body in the spool; null: it has none there, or does not need it any more. */
  body_bytes: number | null;
}

/** None if an earlier release has written the ledger: that one does not say which files are needed. */
export function filesOf(ledger: Reader, workspaceUid: string): FilesOf[] {
  if (ledger.value("SELECT 1 FROM pragma_table_info('job') WHERE name = 'body_until'") === undefined) return [];
  return ledger.all(
    `SELECT j.uid, j.result_file,
       iif((j.finished_at IS NULL OR j.status = 'PLANNED' OR j.body_until IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM job_body AS b WHERE b.job_uid = j.uid), j.spooled_bytes, NULL) AS body_bytes
     FROM job AS j WHERE j.workspace_id = (SELECT id FROM workspace WHERE uid = ?)
       AND (j.result_file IS NOT NULL OR j.spooled_bytes IS NOT NULL) ORDER BY j.id`,
    workspaceUid,
  );
}

/** Reads the files of these jobs, and those that people of the workspace have chosen. Missing files are not reported here. Blocks. */
export function checkFilesOf(dataDir: string, workspaceUid: string, jobs: readonly FilesOf[]): BadFile[] {
  return [...jobs.flatMap((job) => checkFilesOfJob(dataDir, job)), ...checkChosen(dataDir, workspaceUid)];
}

/** What differs when one of these files has changed. */
export function lookOfFiles(dataDir: string, workspaceUid: string, jobs: readonly FilesOf[]): string {
  const folder = chosenFilesPath(dataDir, workspaceUid);
  const paths = [
    ...jobs.flatMap(({ uid, result_file }) => [
      spoolPath(dataDir, uid),
      ...(result_file === null ? [] : [resultPath(dataDir, result_file)]),
    ]),
    ...(existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []),
  ];
  return paths
    .map((path) => {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
      return stats ? `${path} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : path;
    })
    .join("\n");
}

function checkFilesOfJob(dataDir: string, { uid, result_file, body_bytes }: FilesOf): BadFile[] {
  const found: BadFile[] = [];
  const say = (path: string, wrong: string | undefined, then: string) =>
    wrong !== undefined && found.push({ path, message: `${wrong}: ${then}` });
  if (result_file !== null)
    say(
      `results/${result_file}`,
      reading(() => findDamage(resultPath(dataDir, result_file))),
      `the result and the rows of the job ${uid} answer 410, and its plan can't be applied`,
    );
  if (body_bytes !== null)
    say(
      `spool/${uid}`,
      reading(() => {
        const bytes = lengthOf(spoolPath(dataDir, uid));
        return bytes === body_bytes ? undefined : `it has ${bytes} bytes of ${body_bytes}`;
      }),
      `the job ${uid} would fail, and has to be sent again`,
    );
  return found;
}

function checkChosen(dataDir: string, workspaceUid: string): BadFile[] {
  const folder = chosenFilesPath(dataDir, workspaceUid);
  const names: string[] = [];
  const wrong = reading(() => void names.push(...readdirSync(folder)));
  const files = [
    ...(wrong === undefined ? [] : [{ path: `chosen/${workspaceUid}`, wrong }]),
    ...names.map((name) => ({
      path: `chosen/${workspaceUid}/${name}`,
      wrong: reading(() => void lengthOf(join(folder, name))),
    })),
  ];
  return files.flatMap(({ path, wrong }) =>
    wrong === undefined ? [] : [{ path, message: `${wrong}: it has to be chosen again in the console` }],
  );
}

/** Why a file can't be read; undefined: it can. A missing file is found elsewhere. */
function reading(look: () => string | undefined): string | undefined {
  try {
    const wrong = look();
    return wrong === undefined ? undefined : `it is damaged (${wrong})`;
  } catch (error) {
    return isGone(error) ? undefined : `it can't be read (${error instanceof Error ? error.message : error})`;
  }
}

const CHUNK = Buffer.alloc(1024 * 1024);

function lengthOf(path: string): number {
  const file = openSync(path, "r");
  try {
    let bytes = 0;
    for (let read = 1; read > 0; bytes += read) read = readSync(file, CHUNK, 0, CHUNK.length, null);
    return bytes;
  } finally {
    closeSync(file);
  }
}
