// Backups that the service takes by itself: the times of the schedule, who takes one, which ones are kept, and what is said when one is missing.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { storePath } from "../db/store.ts";
import { outdated, removeOutdated } from "../src/backup/keep.ts";
import { listBackups } from "../src/backup/manifest.ts";
import { ConfigError, readConfig } from "../src/base/config.ts";
import { isSchedule, lastTime } from "../src/base/settings/cron.ts";
import { backupCheck } from "../src/upkeep/scheduled-backup.ts";
import {
  backupTakenFor,
  claimBackup,
  endBackup,
  isBackupDir,
  noteBackup,
  useBackupDir,
} from "../src/workspaces/installation.ts";
import { people } from "./support/client.ts";
import { removeFolder } from "./support/folder.ts";
import { install } from "./support/process.ts";
import { startService } from "./support/service.ts";
import { until } from "./support/until.ts";

const folder = mkdtempSync(join(tmpdir(), "screening-backups-"));
after(() => removeFolder(folder));
const service = await startService();

/** The last time of a schedule before a moment. */
const last = (text: string, now: string) => new Date(lastTime(text, Date.parse(now))!).toISOString();

test("a schedule is read as cron reads it, in UTC", () => {
  const now = "2026-03-04T10:20:30Z"; // a Wednesday
  for (const [text, at] of [
    ["* * * * *", "2026-03-04T10:20:00"],
    ["30 2 * * *", "2026-03-04T02:30:00"],
    ["30 12 * * *", "2026-03-03T12:30:00"],
    ["*/15 * * * *", "2026-03-04T10:15:00"],
    ["0,40 8-10 * * *", "2026-03-04T10:00:00"],
    ["@daily", "2026-03-04T00:00:00"],
    ["0 0 * * MON", "2026-03-02T00:00:00"],
    ["0 0 L * *", "2026-02-28T00:00:00"],
    ["0 0 * * 0", "2026-03-01T00:00:00"],
    ["0 0 * * 7", "2026-03-01T00:00:00"],
    ["0 3 * * 1-5", "2026-03-04T03:00:00"],
    ["0 0 31 * *", "2026-01-31T00:00:00"],
    ["0 0 29 2 *", "2024-02-29T00:00:00"],
    // As in cron, the first of a month or a Monday.
    ["0 0 1 * 1", "2026-03-02T00:00:00"],
    ["0 0 1 1 *", "2026-01-01T00:00:00"],
  ] as const)
    assert.equal(last(text, now), `${at}.000Z`, text);
  assert.equal(last("20 10 * * *", "2026-03-04T10:20:00Z"), "2026-03-04T10:20:00.000Z");
});

test("what is no schedule is named, with all else that is wrong", () => {
  for (const text of [
    "",
    "daily",
    "@nightly",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "* 24 * * *",
    "0 0 0 * *",
    "0 0 * 13 *",
  ])
    assert.equal(isSchedule(text), false, text);
  for (const text of [
    "5-1 * * * *",
    "*/0 * * * *",
    "1,,2 * * * *",
    "-1 * * * *",
    "0 0 30 2 *",
    "7/20 9 * * *",
    "0 0 * * MOON",
  ])
    assert.equal(isSchedule(text), false, text);
  const wrong = { BACKUP_SCHEDULE: "at night", BACKUP_KEEP_DAILY: "0", PORT: "x" };
  const named = (error: unknown) =>
    error instanceof ConfigError &&
    [
      "BACKUP_SCHEDULE must be the five fields",
      "BACKUP_KEEP_DAILY must be at least 1",
      "BACKUP_DIR must be set",
      "PORT",
    ].every((words) => error.message.includes(words));
  assert.throws(() => readConfig(wrong), named);
  assert.throws(() => readConfig({ BACKUP_DIR: "/backups" }), /BACKUP_SCHEDULE must be set/);
  const { backup } = readConfig({ BACKUP_SCHEDULE: "30 2 * * *", BACKUP_DIR: "/backups" });
  assert.deepEqual([backup!.dir, backup!.keep], ["/backups", { daily: 7, weekly: 4 }]);
});

/** A backup, as far as its name and its manifest say so. */
function fake(dir: string, name: string, isComplete = true): string {
  const path = join(dir, name);
  mkdirSync(path, { recursive: true });
  if (isComplete) writeFileSync(join(path, "manifest.json"), "{}");
  return path;
}

test("the last backup of each of seven days and four weeks is kept, and nothing that is not ours is touched", () => {
  const dir = join(folder, "kept");
  const day = (back: number) => new Date(Date.UTC(2026, 10, 26 - back)).toISOString().slice(0, 10);
  for (let back = 0; back < 60; back++) for (const hour of ["02", "14"]) fake(dir, `${day(back)}T${hour}-30-00Z`);
  fake(dir, "by-hand");
  fake(dir, "erased", false);
  const left = fake(dir, `${day(3)}T01-00-00Z.partial`, false);
  utimesSync(left, new Date(0), new Date(0));
  fake(dir, `${day(0)}T15-00-00Z.partial`, false);
  const removed = removeOutdated(dir, { daily: 7, weekly: 4 });
  // 26 November is a Thursday: three Sundays are older than the seven days.
  const kept = [0, 1, 2, 3, 4, 5, 6].map((back) => `${day(back)}T14-30-00Z`);
  const sundays = ["2026-11-08", "2026-11-15"].map((date) => `${date}T14-30-00Z`);
  assert.deepEqual(
    listBackups(dir)
      .map((one) => basename(one))
      .sort(),
    [...kept, ...sundays, "by-hand"].sort(),
  );
  assert.equal(removed.length, 120 - 9);
  assert.deepEqual(
    readdirSync(dir)
      .filter((name) => !name.includes("14-30-00Z"))
      .sort(),
    [`${day(0)}T15-00-00Z.partial`, "by-hand", "erased"],
  );
  // Whatever is kept, the newest one is.
  assert.deepEqual(outdated(["/b/2026-01-01T00-00-00Z", "/b/2026-01-01T00-00-00Z-2"], { daily: 1, weekly: 0 }), [
    "/b/2026-01-01T00-00-00Z",
  ]);
});

test("one process takes each backup, also one that was missed; a process that died is followed, a failure after a while", () => {
  const { writer } = service.context.control;
  const [before, due] = [1_000_000, 2_000_000];
  let now = 3_000_000;
  const alive = new Set(["a", "b"]);
  const claim = (runner: string) => claimBackup(writer, due, { runner, now, isAlive: (name) => alive.has(name) });
  endBackup(writer, "a", before);
  assert.equal(claim("a"), true);
  assert.equal(claim("b"), false);
  alive.delete("a");
  assert.equal(claim("b"), true, "who has died takes none");
  // It has failed.
  endBackup(writer, "b", undefined);
  assert.equal(claim("c"), false);
  now += 15 * 60_000;
  assert.equal(claim("c"), true);
  // One that is late says nothing for another.
  endBackup(writer, "b", due);
  assert.equal(backupTakenFor(writer), null);
  endBackup(writer, "c", due);
  assert.deepEqual([backupTakenFor(writer), claim("b")], [due, false]);
  writer.run("UPDATE installation SET backup_for = NULL");
});

test("the first start with another directory has a backup taken, by those who have that directory", () => {
  const { writer } = service.context.control;
  const state = () => [backupTakenFor(writer), isBackupDir(writer, "/a"), isBackupDir(writer, "/b")];
  endBackup(writer, "nobody", undefined);
  writer.run("UPDATE installation SET backup_for = 5");
  useBackupDir(writer, "/a");
  // Where it went before is not known.
  assert.deepEqual(state(), [5, true, false]);
  useBackupDir(writer, "/a");
  assert.deepEqual(state(), [5, true, false]);
  useBackupDir(writer, "/b");
  assert.deepEqual(state(), [null, false, true]);
  // A failure before does not keep it waiting.
  const claim = { runner: "b", now: 3_000_000, isAlive: () => true };
  writer.run("UPDATE installation SET backup_for = 5, backup_begun_at = 2999999");
  assert.equal(claimBackup(writer, 9, claim), false);
  useBackupDir(writer, "/a");
  assert.equal(claimBackup(writer, 9, claim), true);
  endBackup(writer, "b", undefined);
  writer.run("UPDATE installation SET backup_for = NULL, backup_dir = NULL");
});

test("a backup that is missing, or lacks workspaces, is a finding", async () => {
  const { control } = service.context;
  const schedule = "0 * * * *";
  const find = async () => {
    const found = await backupCheck(control, { schedule, dir: folder, keep: { daily: 1, weekly: 0 } })();
    return found && "code" in found ? [found.code, found.message] : undefined;
  };
  const made = service.workspace();
  assert.equal(await find(), undefined, "nobody misses one from before there was anything");
  control.writer.run("UPDATE workspace SET created_at = 1 WHERE uid = ?", made.workspaceId);
  assert.match(
    String(await find()),
    /^backup_late,The backup of .* was not taken\. There is none\. The log says why\.$/,
  );
  const begun = (ago: number) =>
    control.writer.run("UPDATE installation SET backup_runner = 'x', backup_begun_at = ?", Date.now() - ago);
  begun(60_000);
  assert.equal(await find(), undefined, "it is being taken");
  begun(2 * 3_600_000);
  assert.equal((await find())![0], "backup_late");
  endBackup(control.writer, "x", Date.now());
  noteBackup(control.writer, { at: Date.now(), failed: 0 });
  assert.equal(await find(), undefined);
  noteBackup(control.writer, { at: Date.now(), failed: 2 });
  assert.match(String(await find()), /^backup_incomplete,2 workspaces are not in the last backup/);
});

test("the service takes one at its start that is due, removes old ones, and takes none twice", async () => {
  const dir = join(folder, "by-service");
  fake(dir, "2020-01-01T00-00-00Z", false);
  const old = fake(dir, "2020-01-02T00-00-00Z.partial", false);
  utimesSync(old, new Date(0), new Date(0));
  const settings = { BACKUP_SCHEDULE: "0 0 1 1 *", BACKUP_DIR: dir, METRICS_PORT: "0" };
  const installation = install(settings);
  const workspace = installation.workspace();
  const web = await installation.web();
  const client = workspace.client(web);
  await client.import(await client.screener(), people(2));
  await web.says(/"backup taken"/, 120_000);
  const [taken] = listBackups(dir);
  assert.ok(taken);
  assert.equal(readdirSync(dir).includes(basename(old)), false);
  const { code, stdout } = await installation.cli("verify", dir);
  assert.equal(code, 0, stdout);
  const ready = await (await fetch(`${web.url}/readyz`)).json();
  assert.deepEqual(ready.details, []);
  await web.kill();
  const again = await installation.web();
  await until(async () => (await fetch(`${again.url}/readyz`)).status === 200, "it is ready");
  await again.kill();
  assert.deepEqual(listBackups(dir), [taken]);
  // Into another folder, one is taken at once; and one alone.
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(elsewhere);
  for (const _ of [1, 2]) {
    const moved = await installation.web({ env: { BACKUP_DIR: elsewhere } });
    await until(() => listBackups(elsewhere).length === 1, "there is one in the other folder");
    await until(async () => (await fetch(`${moved.url}/readyz`)).status === 200, "it is ready");
    await moved.kill();
  }
  assert.deepEqual([listBackups(elsewhere).length, listBackups(dir)], [1, [taken]]);
  // One that lacks a workspace takes no older one away, which may have it.
  fake(dir, "2020-01-01T00-00-00Z", false);
  const older = listBackups(dir);
  rmSync(storePath(installation.dataDir, workspace.id));
  const lacking = await installation.cli("backup", dir, "--keep-daily", "1");
  assert.equal(lacking.code, 1, lacking.stdout);
  assert.match(lacking.stdout, /is NOT in it[\s\S]*Older backups stay|Older backups stay[\s\S]*is NOT in it/);
  assert.deepEqual(listBackups(dir).slice(0, older.length), older);
});
