// The commands `backup`, `restore` and `verify`.

import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { keepPrivate } from "../../db/sqlite/private.ts";
import { jobKinds } from "../api/job-kinds.ts";
import type { ErasedAgain } from "../backup/erase-again.ts";
import { removeOutdatedIn, withBucket } from "../backup/in-bucket.ts";
import { removeOutdated } from "../backup/keep.ts";
import { renewInstallation, restoreBackup, type Target } from "../backup/restore.ts";
import { type Progress, takeBackup } from "../backup/take.ts";
import { verify } from "../backup/verify.ts";
import { configOrExit } from "../base/config.ts";
import type { Keep } from "../base/settings/backup.ts";
import { isBucket } from "../base/settings/bucket.ts";
import { verifyInBucket } from "./from-bucket.ts";
import { bringAsNew, bringInPlace, type RestoreOptions } from "./restore-workspace.ts";
import { Bar } from "./running/bar.ts";
import { causedByOperator } from "./running/change.ts";
import { requiredText, WrongUse } from "./running/command.ts";
import { storeOfExport } from "./workspace-export.ts";

interface Options extends RestoreOptions {
  /** The one that is restored alone. */
  workspace?: string;
  keepDaily?: number;
  keepWeekly?: number;
}

/** What a command prints, and how it ends. */
interface Ending {
  json: object;
  lines: string[];
  code?: number;
}

export function addBackups(program: Command): void {
  add(
    program,
    "backup <dir>",
    "Back up the installation into a new folder below a directory, or s3://bucket/path, while it runs",
    backUp,
  )
    .option("--keep-daily <days>", "afterwards keep the last backup of so many days, and remove others", readCount)
    .option("--keep-weekly <weeks>", "and the last one of so many weeks", readCount);
  add(program, "restore [dir]", "Restore a backup, or the newest one in a directory, into an empty DATA_DIR", restore)
    .option(
      "--in-place",
      "instead: make the stores that another program has restored in DATA_DIR an installation of its own; with --workspace: see there",
    )
    .option(
      "--workspace <id>",
      "instead: restore this workspace alone, into an installation that may run: as a new one, or with --in-place as it was, after a plan",
    )
    .option("--name <name>", "the name of the new workspace. Default: the former one", requiredText)
    .option("--apply <plan>", "with --workspace and --in-place: do what the plan has shown")
    .option("--erased <dir...>", "more lists of the erased than that of ERASED_DIR, and the one beside the backup")
    .option("--without-erased", "restore although there is no list of the erased: who was erased since is back");
  add(program, "verify [dir]", "Check a backup, the newest one in a directory, or a data directory (DATA_DIR)", check);
}

/** Adds the command that takes an export in again. */
export function addWorkspaceImport(workspace: Command): void {
  add(
    workspace,
    "import <folder>",
    "Make a new workspace of an export that has the store (workspace export --with-store)",
    (folder, bar, options) => bringAsNew(storeOfExport(folder!), undefined, bar, options),
  )
    .option("--name <name>", "its name. Default: that of the export", requiredText)
    .option("--erased <dir...>", "more lists of the erased than that of ERASED_DIR, and the one in the export")
    .option("--without-erased", "although there is no list of the erased");
}

function add(
  program: Command,
  syntax: string,
  summary: string,
  perform: (dir: string | undefined, bar: Bar, options: Options) => Promise<Ending>,
): Command {
  return program
    .command(syntax)
    .description(summary)
    .option("--json", "print only one JSON value")
    .action(async (dir: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<Options & { json?: true }>();
      const bar = new Bar(!options.json);
      // A backup has the same people in it as the data.
      keepPrivate();
      try {
        const { json, lines, code = 0 } = await perform(dir, bar, options);
        bar.stop();
        process.stdout.write(options.json ? `${JSON.stringify(json)}\n` : lines.map((line) => `${line}\n`).join(""));
        process.exitCode = code;
      } finally {
        bar.stop();
      }
    });
}

function readCount(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError("It must be a whole number up to 9999.");
  return Number(text);
}

async function backUp(dir: string | undefined, bar: Bar, { keepDaily, keepWeekly }: Options): Promise<Ending> {
  const { folder, manifest, unchanged, failed, bad, isNoted } = await takeBackup(
    configOrExit(),
    dir!,
    ({ done, total }: Progress) => bar.show("Copying", done, total),
  );
  const isToRemove = keepDaily !== undefined || keepWeekly !== undefined;
  // Whatever is asked for, the one that was taken just now stays.
  const keep = { daily: Math.max(keepDaily ?? 1, 1), weekly: keepWeekly ?? 0 };
  // What this one lacks, or has damaged, an older one may have.
  const isWhole = !failed.length && !bad.length;
  const removed = isToRemove && isWhole ? await removeOld(dir!, keep) : [];
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  return {
    json: { folder, mark: manifest.mark, files: manifest.files.length, unchanged, bytes, failed, bad, removed },
    lines: [
      `${folder}: ${count(manifest.files.length, "file")}, ${size(bytes)}, of which ${unchanged} ${unchanged === 1 ? "is" : "are"} as in the backup before.`,
      `It has everything that was acknowledged before ${manifest.mark}.`,
      ...(isNoted ? [] : ["The installation could not note it: the console shows the age of the backup before."]),
      ...(isToRemove && !isWhole ? ["Older backups stay: this one is not whole."] : []),
      ...removed.map((one) => `${one} is removed: it is older than what is kept.`),
      ...bad.map(({ path, message }) => `${path} is in it as it is, and ${message}`),
      ...failed.map(({ workspace, reason }) => `Workspace ${workspace} is NOT in it: ${reason}`),
    ],
    code: failed.length ? 1 : 0,
  };
}

function removeOld(dir: string, keep: Keep): Promise<string[]> | string[] {
  if (!isBucket(dir)) return removeOutdated(dir, keep);
  return withBucket(dir, configOrExit().bucketKeys, (bucket) => removeOutdatedIn(bucket, keep));
}

async function restore(dir: string | undefined, bar: Bar, options: Options): Promise<Ending> {
  if (options.workspace !== undefined) return restoreOne(dir, options.workspace, bar, options);
  const { note, name, apply, inPlace, erased: otherLists = [], withoutErased: isListNeedless = false } = options;
  if (name !== undefined || apply !== undefined)
    throw new WrongUse("--name and --apply are for one workspace: --workspace ID.");
  const { dataDir, erasedDir, bucketKeys } = configOrExit();
  const missingLists = otherLists.filter((folder) => !existsSync(folder));
  if (missingLists.length) throw new Error(missingLists.map((folder) => `${folder} is not there.`).join("\n"));
  const target: Target = { dataDir, erasedDir, otherLists, isListNeedless, kinds: jobKinds };
  if ((dir === undefined) !== (inPlace === true))
    throw new WrongUse("Name a directory with a backup, or say --in-place.");
  if (dir === undefined) return renew(target, note);
  const onProgress = (done: number, total: number) => bar.show("Checking", done, total);
  const restored = await restoreBackup(dir, target, bucketKeys, causedByOperator(note), onProgress);
  const { folder, manifest, queued, missing, erased } = restored;
  const workspaces = manifest.workspaces.length;
  return {
    json: { folder, dataDir, mark: manifest.mark, workspaces, queued, missing, erased },
    lines: [
      `${folder} is restored in ${dataDir}, as it was at ${manifest.mark}: ${count(workspaces, "workspace")}.`,
      `It is a new installation: on the same Redis, it takes no job of the old one. Queued again: ${count(queued, "job")}.`,
      ...reportErased(target, erased),
      ...missing.map((uid) => `Workspace ${uid} is not in the backup, and can't be used.`),
    ],
    code: missing.length || erased.failed.length ? 1 : 0,
  };
}

function restoreOne(dir: string | undefined, uid: string, bar: Bar, options: Options): Promise<Ending> {
  const { name, apply, inPlace } = options;
  if (dir === undefined) throw new WrongUse("Name a directory with a backup.");
  if (!inPlace && apply !== undefined) throw new WrongUse("--apply is for a plan of --in-place.");
  if (inPlace && name !== undefined)
    throw new WrongUse("--name is for a new workspace: with --in-place it keeps its name.");
  return inPlace ? bringInPlace(dir, uid, bar, options) : bringAsNew(dir, uid, bar, options);
}

function renew(target: Target, note: string | undefined): Ending {
  const { dataDir } = target;
  const { queued, missing, erased } = renewInstallation(target, new Date().toISOString(), causedByOperator(note));
  return {
    json: { dataDir, queued, missing, erased },
    lines: [
      `${dataDir} is a new installation: on the same Redis, it takes no job of the old one. Queued again: ${count(queued, "job")}.`,
      ...reportErased(target, erased),
      ...missing.map((uid) => `Workspace ${uid} has no store there, and can't be used.`),
    ],
    code: erased.failed.length ? 1 : 0,
  };
}

/** Lines on who was erased again. Warns on stderr of a list that is missing. */
function reportErased({ erasedDir }: Target, { isListThere, participants, jobs, failed }: ErasedAgain): string[] {
  if (!isListThere)
    process.stderr.write(
      `WARNING: there is no list of the erased, neither in ${erasedDir} (ERASED_DIR) nor beside the backup. People who were erased after the backup are back: ` +
        "erase them again.\n",
    );
  return [
    ...(isListThere
      ? [`Erased again, because the list of the erased has them: ${count(participants, "participant")}.`]
      : []),
    ...(jobs
      ? [
          `Ended, because somebody was erased after they were accepted: ${count(jobs, "import or undo", "imports or undos")}.`,
        ]
      : []),
    ...failed.map((uid) => `The store of workspace ${uid} can't be read: NOBODY was erased again there.`),
  ];
}

async function check(dir: string | undefined, bar: Bar): Promise<Ending> {
  const onProgress = (done: number, total: number) => bar.show("Checking", done, total);
  const { folder, files, stores, findings } = isBucket(dir ?? "")
    ? await verifyInBucket(dir!, bar)
    : await verify(dir ?? configOrExit().dataDir, onProgress);
  const hashes = files ? `${count(files, "file")} with ${files === 1 ? "its hash" : "their hashes"}, ` : "";
  return {
    json: { folder, files, stores, findings },
    lines: findings.length
      ? findings.map(({ level, path, message }) => `${level.padEnd(7)}  ${path}: ${message}`)
      : [
          `${folder} is sound: ${hashes}${count(stores, "store")} with ${stores === 1 ? "its" : "their"} references and counts.`,
        ],
    code: findings.some(({ level }) => level === "error") ? 1 : 0,
  };
}

function count(n: number, one: string, more = `${one}s`): string {
  return `${n} ${n === 1 ? one : more}`;
}

function size(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
