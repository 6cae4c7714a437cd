// Removes old backups: of the last days, and of the last weeks, the last one stays.

import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Keep } from "../base/settings/backup.ts";
import { listBackups, PARTIAL } from "./manifest.ts";

export const DAY_MS = 24 * 3_600_000;

/** The day, in days since 1970, on which a backup was begun; undefined: its name is not one that we give. */
export function dayOf(folder: string): number | undefined {
  const [, date] = /^(\d{4}-\d\d-\d\d)T\d\d-\d\d-\d\dZ(?:-\d+)?$/.exec(basename(folder)) ?? [];
  return date === undefined ? undefined : Date.parse(date) / DAY_MS;
}

/** The number of the week, from Monday, in which a day is: 1970 began with a Thursday. */
const weekOf = (day: number) => Math.floor((day + 3) / 7);

/** Those that are not kept any more. @param folders the oldest first */
export function outdated(folders: readonly string[], { daily, weekly }: Keep): string[] {
  const ours = folders.flatMap((folder) => {
    const day = dayOf(folder);
    return day === undefined ? [] : { folder, day };
  });
  const kept = new Set<string>();
  const keepLast = (count: number, periodOf: (day: number) => number) => {
    const last = new Map(ours.map(({ folder, day }) => [periodOf(day), folder]));
    for (const folder of [...last.values()].slice(Math.max(last.size - count, 0))) kept.add(folder);
  };
  keepLast(daily, (day) => day);
  keepLast(weekly, weekOf);
  return ours.map(({ folder }) => folder).filter((folder) => !kept.has(folder));
}

/** Removes the backups below `dir` that are not kept any more, and what was begun a day ago and is not complete. @returns the backups */
export function removeOutdated(dir: string, keep: Keep, now = Date.now()): string[] {
  const old = outdated(listBackups(dir), keep);
  // What is removed in part is no backup.
  for (const folder of old) renameSync(folder, folder + PARTIAL);
  const isLeft = (name: string) => {
    if (!name.endsWith(PARTIAL) || dayOf(basename(name, PARTIAL)) === undefined) return false;
    return old.includes(join(dir, basename(name, PARTIAL))) || statSync(join(dir, name)).mtimeMs < now - DAY_MS;
  };
  for (const name of readdirSync(dir).filter(isLeft)) rmSync(join(dir, name), { recursive: true, force: true });
  return old;
}
