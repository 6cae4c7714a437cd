// Checks where the service's backups go: whether backups can be written, and are there.

import { accessSync, constants, existsSync } from "node:fs";
import { BucketError } from "../backup/bucket/client.ts";
import { Shelf, withBucket } from "../backup/in-bucket.ts";
import type { Config } from "../base/config.ts";
import { isBucket } from "../base/settings/bucket.ts";
import { error, type Finding } from "./finding.ts";

/** Nothing is written: that a key may write there, only a backup shows. */
export async function checkBackups({ backup, bucketKeys }: Pick<Config, "backup" | "bucketKeys">): Promise<Finding[]> {
  if (!backup) return [];
  const { dir } = backup;
  try {
    if (isBucket(dir)) await withBucket(dir, bucketKeys, (bucket) => Shelf.look(bucket));
    // One that is not there is made.
    else if (existsSync(dir)) accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return [];
  } catch (reason) {
    if (reason instanceof BucketError)
      return [error(reason.message.replace(/\.$/, ""), "mend that, then `backup DIR`")];
    const { code, message } = reason as NodeJS.ErrnoException;
    const because = `${dir} (BACKUP_DIR) can't be read and written: ${code ?? message}`;
    // What is wrong with a bucket is no matter of who owns a folder.
    if (isBucket(dir) || (code !== "EACCES" && code !== "EPERM"))
      return [error(because, "mend that, then `backup DIR`")];
    return [error(because, `chown "$(id -u)" ${dir}`)];
  }
}
