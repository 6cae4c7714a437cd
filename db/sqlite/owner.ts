// Who owns a data directory. Its files are its owner's alone (db/sqlite/private.ts), so what another user makes there, the service can't
// open: a process of another user must not begin.

import { accessSync, constants, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A user by number, and its group. */
export interface Owner {
  uid: number;
  gid: number;
  /** Of an installation that is there; else of an empty folder. */
  isOfInstallation: boolean;
}

/** This process belongs to another user than the data directory. */
export class ForeignOwnerError extends Error {
  constructor(dataDir: string, { uid, gid }: Owner, options?: ErrorOptions) {
    const own = process.geteuid?.();
    super(
      `${dataDir} belongs to the user ${uid}, and this process to the user ${own}: what it makes there, that user could not open. ` +
        `Run it as that user: sudo -u '#${uid}' … Or, if all files there should be another user's, stop the service, and as root: ` +
        `chown -R USER ${dataDir} (they were ${uid}:${gid}).`,
      options,
    );
    this.name = "ForeignOwnerError";
  }
}

/** The owner of the installation there; of the folder, where there is none yet. Undefined without a folder, or without users. */
export function ownerOf(dataDir: string): Owner | undefined {
  if (process.geteuid === undefined) return undefined;
  // The service has made the first. The folder may be a volume, which belongs to somebody else.
  for (const path of [join(dataDir, "control.sqlite"), dataDir]) {
    try {
      const { uid, gid } = statSync(path);
      return { uid, gid, isOfInstallation: path !== dataDir || isClosed(dataDir) };
    } catch {
      // It is not there, or its folder is closed to this process.
    }
  }
  return undefined;
}

/** Whether this process may not look into the folder: what is there is somebody else's. */
function isClosed(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return false;
  } catch {
    return true;
  }
}

/** Whether this process belongs to another user than the data directory does. */
export function isForeign(owner: Owner | undefined): owner is Owner {
  return owner !== undefined && owner.uid !== process.geteuid?.();
}

/**
 * Before a process makes anything there. @throws ForeignOwnerError where the installation belongs to another user; for root also where the
 * empty folder does: that user is to run the service, and could not open what root makes
 */
export function assertOwner(dataDir: string): void {
  const owner = ownerOf(dataDir);
  const mayBegin = process.geteuid?.() !== 0;
  if (isForeign(owner) && (owner.isOfInstallation || !mayBegin)) throw new ForeignOwnerError(dataDir, owner);
}

/** Why a process may not use a store, and what to do. */
interface Closed {
  what: string;
  advice: string;
}

/**
 * Why this process may not read and write a store: a file or a folder is closed to it. Without the path, because everybody may
 * read it. Undefined: it may.
 */
export function whyClosed(storePath: string): Closed | undefined {
  const { R_OK, W_OK, X_OK } = constants;
  const folder = dirname(storePath);
  const needed: [path: string, mode: number][] = [
    [dirname(folder), X_OK],
    [folder, R_OK | W_OK | X_OK],
    ...["", "-wal", "-shm"].map((end): [string, number] => [storePath + end, R_OK | W_OK]),
  ];
  for (const [path, mode] of needed) {
    try {
      accessSync(path, mode);
    } catch (error) {
      if (/^(EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? "")) return closedBy(path);
    }
  }
  return undefined;
}

function closedBy(path: string): Closed {
  const uid = process.geteuid?.();
  const gid = process.getegid?.();
  const stat = statSync(path);
  const mode = (stat.mode & 0o777).toString(8).padStart(4, "0");
  return {
    what:
      `can't be read and written by this process: the ${stat.isDirectory() ? "folder" : "file"} ${basename(path)} ` +
      `belongs to the user ${stat.uid} and has the mode ${mode}, and the process is the user ${uid}`,
    advice: `as root, chown -R ${uid}:${gid} DATA_DIR && chmod -R u+rwX DATA_DIR`,
  };
}
