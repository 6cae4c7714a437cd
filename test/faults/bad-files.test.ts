// Files beside the stores go bad: results, bodies in the spool, chosen files. Everything that looks for damage reads them, too. And
// every single bit that flips in a backup is found.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openControl } from "../../db/control.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { people } from "../support/client.ts";
import { newFolder } from "../support/folder.ts";
import { install } from "../support/process.ts";
import { until } from "../support/until.ts";

const wait = { Prefer: "wait=60" };

test("doctor, verify, backup and the weekly check read the files of jobs, and name those that are bad", async () => {
  const installation = install();
  const backups = newFolder();
  const { dataDir } = installation;
  let web = await installation.web();
  const { workspace, client, screenerId } = await installation.screener(web);
  await client.import(screenerId, people(2000), {}, wait);
  const { body: plan } = await client.import(screenerId, people(2000), { dryRun: true }, wait);
  assert.equal(plan.status, "PLANNED");
  await installation.stop();

  const sound = await installation.cli("backup", backups, "--json");
  assert.deepEqual([sound.code, JSON.parse(sound.stdout).bad], [0, []], sound.stderr);
  const [name] = readdirSync(backups);
  const backup = join(backups, name!);
  assert.equal((await installation.cli("verify", backup)).code, 0);
  // One bit of each file.
  for (const entry of readdirSync(backup, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === "manifest.json") continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    const flip = () => {
      const at = Math.floor(bytes.length * 0.6);
      bytes[at] = bytes[at]! ^ 4;
      writeFileSync(path, bytes);
    };
    flip();
    const { code, stdout } = await installation.cli("verify", backup, "--json");
    assert.equal(code, 1, path);
    assert.ok(stdout.includes(`"path":"${path.slice(backup.length + 1)}"`), stdout);
    flip();
  }

  const result = readdirSync(join(dataDir, "results")).find((file) => file.startsWith(plan.id))!;
  const whole = [join(dataDir, "results", result), join(dataDir, "spool", plan.id)].map(
    (path) => [path, readFileSync(path)] as const,
  );
  truncateSync(join(dataDir, "results", result), 8192);
  truncateSync(join(dataDir, "spool", plan.id), 100);
  const chosen = join("chosen", workspace.id, "not-a-file");
  mkdirSync(join(dataDir, chosen), { recursive: true });
  const bad = [`results/${result}`, `spool/${plan.id}`, chosen];
  const assertNames = (text: string, names = bad) => {
    for (const path of names) assert.ok(text.includes(path), `${path}: ${text}`);
  };
  for (const command of [["doctor"], ["verify", dataDir]]) {
    const { code, stdout } = await installation.cli(...command, "--json");
    assert.equal(code, 1, stdout);
    assertNames(stdout);
  }
  // Chosen files are in no backup.
  const taken = await installation.cli("backup", backups, "--json");
  assert.equal(taken.code, 0, taken.stderr);
  assertNames(taken.stdout, bad.slice(0, 2));

  const control = openControl(dataDir, { busyTimeoutMs: 10_000, checkpoints: true });
  control.writer.run("UPDATE store_check SET checked_at = 0");
  control.close();
  web = await installation.web();
  const found = async () => {
    const { details } = (await (await fetch(`${web.url}/readyz`)).json()) as {
      details: { code: string; message: string; workspace?: string }[];
    };
    return details.find(({ code }) => code === "file_damaged");
  };
  const finding = await until(found, "the check finds it", 60_000);
  assert.equal(finding.workspace, workspace.id);
  assertNames(finding.message, bad.slice(0, 1));
  await until(
    () => web.log.some((line) => line.msg === "store damaged" && JSON.stringify(line).includes(bad[1]!)),
    "the log has all",
  );

  // Mended where they are, and as if no check came for an hour.
  const later = openControl(dataDir, { busyTimeoutMs: 10_000, checkpoints: true });
  immediate(later.writer, () => later.writer.run("UPDATE store_check SET checked_at = ?", Date.now() + 3_600_000));
  later.close();
  for (const [path, bytes] of whole) writeFileSync(path, bytes);
  rmdirSync(join(dataDir, chosen));
  await until(async () => !(await found()), "it is no finding any more", 75_000);
});
