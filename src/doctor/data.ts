// Checks a data directory: who may read it, whether all that belongs there is there and sound, and the space that is left.

import { accessSync, constants, existsSync, lstatSync, readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkVersion, currentVersion, SchemaTooNewError, type StoreKind } from "../../db/migrate.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { listDoubts } from "../../db/sqlite/doubt.ts";
import { openReader } from "../../db/sqlite/open.ts";
import { whyClosed } from "../../db/sqlite/owner.ts";
import { isReadOnly } from "../../db/sqlite/read-only.ts";
import { isDamage } from "../../db/sqlite/refused.ts";
import { storePath } from "../../db/store.ts";
import { faultsOfArms } from "../arms/queries.ts";
import type { Config } from "../base/config.ts";
import { checkFilesOf, filesOf } from "../engine/files/file-checks.ts";
import { countBack } from "../erasure/back.ts";
import { isListBesideData, readList } from "../erasure/list.ts";
import { faultsOfQuotas } from "../nouns/quotas/queries.ts";
import { clockAhead, clockSentence } from "../workspaces/clock.ts";
import { listWorkspaces } from "../workspaces/queries.ts";
import { listFindings } from "../workspaces/store-findings.ts";
import { error, type Finding, isError, warning } from "./finding.ts";

const GIB = 2 ** 30;
const SHOWN = 3;

/** Who may read and write the files. */
export function checkPermissions(dataDir: string): Finding[] {
  const open: string[] = [];
  const foreign: string[] = [];
  const closed: string[] = [];
  const owner = process.getuid?.() ?? 0;
  walk(dataDir, (path) => {
    const { mode, uid } = lstatSync(path);
    if (mode & 0o077) open.push(path);
    if (uid !== owner && owner !== 0) foreign.push(path);
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (reason) {
      // A file system that can only be read is found elsewhere.
      if ((reason as NodeJS.ErrnoException).code !== "EROFS") closed.push(path);
    }
  });
  return [
    ...(closed.length ? [error(`${some(closed)} can't be read and written`, `chown -R "$(id -u)" ${dataDir}`)] : []),
    ...(foreign.length ? [warning(`${some(foreign)} belongs to another user`, `chown -R "$(id -u)" ${dataDir}`)] : []),
    ...(open.length
      ? [warning(`${some(open)} is open to other users of this machine`, `chmod -R go= ${dataDir}`)]
      : []),
  ];
}

/** The stores that the ledger names, and the files that nothing names. */
export function checkFiles(
  { dataDir, erasedDir }: Pick<Config, "dataDir" | "erasedDir">,
  onProgress: (done: number, total: number) => void,
): Finding[] {
  const path = join(dataDir, "control.sqlite");
  if (!existsSync(path) && !whyClosed(path)) {
    const stores = existsSync(join(dataDir, "workspaces"));
    const advice = stores
      ? "put it back, or restore it from a backup, with the stores"
      : "set DATA_DIR, or start the service";
    return [error(`${path} is not there`, advice)];
  }
  const found = checkStore(path, "control");
  if (found.length) return found;
  return withStore(path, (ledger) => {
    const workspaces = listWorkspaces(ledger).map(({ uid }) => uid);
    for (const [index, uid] of workspaces.entries()) {
      onProgress(index, workspaces.length);
      const inStore = checkStore(storePath(dataDir, uid), "workspace");
      found.push(
        ...(inStore.some(isError)
          ? inStore
          : [...inStore, ...checkBack(ledger, storePath(dataDir, uid), uid, erasedDir)]),
      );
      for (const { path: file, message } of checkFilesOf(dataDir, uid, filesOf(ledger, uid)))
        found.push(
          error(`${join(dataDir, file)}: ${message}`, "put it back from a backup, or leave it: it goes with its job"),
        );
    }
    for (const { workspace_uid: store, source, message } of listFindings(ledger)) {
      if (source === "ERASED") continue;
      found.push(
        error(
          `${store}: ${message.replace(/\.$/, "")} (found by the service)`,
          "see the log; it is checked again when it is opened, and once a week",
        ),
      );
    }
    for (const name of listDoubts(dataDir)) {
      found.push(
        error(
          `a sync of the store ${name} has failed`,
          "look at the disk; start the service, which writes the store anew",
        ),
      );
    }
    const ahead = clockAhead(ledger);
    if (ahead)
      found.push(
        warning(clockSentence(ahead).replace(/\.$/, ""), "if it is right, nothing, or `clock accept`; else set it"),
      );
    const jobs = new Set(ledger.values<string>("SELECT uid FROM job"));
    const known = new Set(workspaces.map((uid) => storePath(dataDir, uid)));
    const orphans: string[] = [];
    walk(join(dataDir, "workspaces"), (file) => {
      if (file.endsWith(".sqlite") && !known.has(file)) orphans.push(file);
    });
    for (const folder of ["spool", "results"]) {
      walk(join(dataDir, folder), (file, name) => {
        if (lstatSync(file).isFile() && !jobs.has(name.slice(0, 36))) orphans.push(file);
      });
    }
    const advice = "files of spool and results go by themselves after a day; move others away";
    return [...found, ...(orphans.length ? [warning(`${some(orphans)} belongs to nothing`, advice)] : [])];
  });
}

/** Whether people are in a store who were erased. */
function checkBack(ledger: Reader, path: string, uid: string, erasedDir: string): Finding[] {
  const list = readList(erasedDir, uid);
  const count = list.hashes.size ? countBack(ledger, uid, list, (look) => withStore(path, look)) : 0;
  return count
    ? [
        error(
          `${path} has ${count} of the people again who were erased: it is an older file`,
          `\`workspace accept-store --workspace ${uid}\`, which erases them again`,
        ),
      ]
    : [];
}

/** Whether the list of the erased would be lost with the data: then a backup brings people back. */
export function checkList(config: Pick<Config, "dataDir" | "erasedDir">): Finding[] {
  const { erasedDir } = config;
  return isListBesideData(config)
    ? [
        warning(
          `the list of the erased (${erasedDir}) is lost with the disk of DATA_DIR`,
          "move the folder to another disk, and set ERASED_DIR for all processes and the command line",
        ),
      ]
    : [];
}

/** The space that is left where the data are. */
export function checkSpace(dataDir: string): Finding[] {
  if (isReadOnly(dataDir))
    return [
      error(
        `${dataDir} is on a file system that can only be read`,
        "look at the disk and at the kernel's log, and mount it anew",
      ),
    ];
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const left = `${(free / GIB).toFixed(1)} GiB are free in ${dataDir}`;
  if (free < GIB / 4) return [error(left, "make space: writes are refused when there is none")];
  return free < 2 * GIB || bavail / blocks < 0.05 ? [warning(left, "make space before imports need it")] : [];
}

function checkStore(path: string, kind: StoreKind): Finding[] {
  const closed = whyClosed(path);
  if (closed) return [error(`${path} ${closed.what}`, closed.advice)];
  if (!existsSync(path)) return [error(`${path} is not there`, "restore it from a backup")];
  const empty = error(`${path} is empty`, "put it back, or restore it from a backup");
  // To open it would write to it.
  if (statSync(path).size === 0) return [empty];
  try {
    return withStore(path, (db) => {
      const [damage] = db.values<string>("PRAGMA quick_check(1)");
      if (damage !== "ok") return [error(`${path} is damaged: ${damage}`, "restore it from a backup")];
      const known = currentVersion(kind);
      const version = checkVersion(db, kind);
      if (version === 0) return [empty];
      const advice = "it is brought up to date when the service starts; or run `migrate`";
      if (version < known) return [warning(`${path} has schema version ${version} of ${known}`, advice)];
      const faults = kind === "workspace" ? [...faultsOfQuotas(db), ...faultsOfArms(db)] : [];
      return faults.map((fault) => error(`${path}: ${fault}`, "restore it from a backup, and report it"));
    });
  } catch (reason) {
    if (reason instanceof SchemaTooNewError)
      return [
        error(
          `${path} has schema version ${reason.found}, and this release knows ${reason.known}`,
          "run a newer release",
        ),
      ];
    const message = reason instanceof Error ? reason.message : String(reason);
    return [
      error(`${path} can't be read: ${message}`, isDamage(reason) ? "restore it from a backup" : "look at the disk"),
    ];
  }
}

/** Lends a store to `look`, and closes it. */
export function withStore<T>(path: string, look: (db: Reader) => T): T {
  const db = openReader(path, { busyTimeoutMs: 10_000, checkpoints: false });
  try {
    return look(db);
  } finally {
    db.close();
  }
}

/** Visits a file or a folder, and all that is in it. What goes away meanwhile is left out. */
function walk(path: string, visit: (path: string, name: string) => void, name = ""): void {
  try {
    visit(path, name);
    if (!lstatSync(path).isDirectory()) return;
    for (const inner of readdirSync(path)) walk(join(path, inner), visit, inner);
  } catch (reason) {
    const code = (reason as NodeJS.ErrnoException).code;
    if (code !== "ENOENT" && code !== "EACCES") throw reason;
  }
}

export function some(paths: readonly string[]): string {
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : "";
  return `${paths.slice(0, SHOWN).join(", ")}${more}`;
}
