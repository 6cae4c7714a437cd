// Under which user a command runs: that of the data directory's owner. What another user made there, the service could not open.

import { chownSync, readdirSync, statSync } from "node:fs";
import { makeFolders } from "../../db/sqlite/folders.ts";
import { ForeignOwnerError, isForeign, type Owner, ownerOf } from "../../db/sqlite/owner.ts";
import { findBackup } from "../backup/manifest.ts";
import { isBucket } from "../base/settings/bucket.ts";

/**
 * Before a command touches a data directory or a backup: root becomes its owner, for good, and says so.
 * @throws Error for any other user
 */
export function becomeOwner(folder: string): void {
  const owner = ownerOf(folder);
  if (!isForeign(owner)) return;
  const own = process.geteuid?.();
  if (own !== 0) {
    // Nothing is there yet: it will be this user's.
    if (!owner.isOfInstallation) return;
    throw new ForeignOwnerError(folder, owner);
  }
  try {
    become(owner);
  } catch (cause) {
    throw new ForeignOwnerError(folder, owner, { cause });
  }
  process.stderr.write(`${folder} belongs to the user ${owner.uid}: the command runs as that user, not as root.\n`);
}

/**
 * Before root restores a backup: the folder, if it is root's and empty or not there yet, is given to whom the backup belongs. That user runs
 * the service. @param dir with the backup, or with several
 */
export function giveToOwnerOf(dir: string, folder: string): void {
  // What is in a bucket belongs to no user of this machine.
  if (process.geteuid?.() !== 0 || isBucket(dir)) return;
  const backup = findBackup(dir);
  const { uid, gid } = statSync(backup);
  const owner = ownerOf(folder);
  if (uid === 0 || (owner && (owner.isOfInstallation || owner.uid !== 0))) return;
  makeFolders(folder);
  if (readdirSync(folder).length) return;
  chownSync(folder, uid, gid);
  process.stderr.write(`${folder} is given to the user ${uid}, to whom ${backup} belongs.\n`);
}

/** The groups first: afterwards they may not be changed. */
function become({ uid, gid }: Owner): void {
  try {
    // @ts-expect-error The types lack it.
    process.initgroups(uid, gid);
  } catch (error) {
    // A user without a name has no groups.
    if ((error as NodeJS.ErrnoException).code !== "ERR_UNKNOWN_CREDENTIAL") throw error;
    process.setgroups!([gid]);
  }
  process.setgid!(gid);
  process.setuid!(uid);
}
