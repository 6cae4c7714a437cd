// Settings of the backups that the service takes by itself.

import * as v from "valibot";
import { bucketEntries, bucketKeysOf, isBucket, KEYS_NEEDED, readBucketAddress } from "./bucket.ts";
import { isSchedule } from "./cron.ts";
import { wholeNumber } from "./values.ts";

/** What they need: both, or none. */
const NEEDED = ["BACKUP_SCHEDULE", "BACKUP_DIR"] as const;

const MAX_KEPT = 1000;
const KEEP_DAILY = 7;
const KEEP_WEEKLY = 4;

export const backupEntries = {
  BACKUP_SCHEDULE: v.optional(
    v.pipe(
      v.string(),
      v.check(
        isSchedule,
        "must be the five fields of cron, in UTC, as in 30 2 * * *: minute, hour, day of the month, month, day of the week",
      ),
    ),
  ),
  BACKUP_DIR: v.optional(
    v.pipe(
      v.string(),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed || !isBucket(dataset.value)) return;
        try {
          readBucketAddress(dataset.value);
        } catch (error) {
          addIssue({ message: (error as Error).message });
        }
      }),
    ),
  ),
  ...bucketEntries,
  BACKUP_KEEP_DAILY: wholeNumber(KEEP_DAILY, 1, MAX_KEPT),
  BACKUP_KEEP_WEEKLY: wholeNumber(KEEP_WEEKLY, 0, MAX_KEPT),
};

export interface BackupConfig {
  /** As five fields of cron. */
  schedule: string;
  /** Below which each backup has a folder: a folder, or s3://bucket/path. */
  dir: string;
  keep: Keep;
}

/** Of how many days, and of how many weeks, the last backup stays. */
export interface Keep {
  daily: number;
  weekly: number;
}

/** A line for each variable that is missing. */
export function missingForBackup(set: Record<string, string | undefined>): string[] {
  if (set.BACKUP_SCHEDULE && isBucket(set.BACKUP_DIR ?? "") && !bucketKeysOf(set))
    return [`  ${KEYS_NEEDED}: BACKUP_DIR is a bucket`];
  const missing = NEEDED.filter((name) => !set[name]);
  if (missing.length === NEEDED.length && !set.BACKUP_KEEP_DAILY && !set.BACKUP_KEEP_WEEKLY) return [];
  return missing.map((name) => `  ${name} must be set: backups by the service need ${NEEDED.join(" and ")}`);
}

interface Variables {
  BACKUP_SCHEDULE?: string | undefined;
  BACKUP_DIR?: string | undefined;
  BACKUP_KEEP_DAILY: number;
  BACKUP_KEEP_WEEKLY: number;
}

export function backupOf({ BACKUP_SCHEDULE: schedule, BACKUP_DIR: dir, ...keep }: Variables): BackupConfig | undefined {
  if (schedule === undefined || dir === undefined) return undefined;
  return { schedule, dir, keep: { daily: keep.BACKUP_KEEP_DAILY, weekly: keep.BACKUP_KEEP_WEEKLY } };
}
