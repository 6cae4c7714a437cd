// The commands `participant remove` and `participant erase`: whom a file names, what they print and change, and how they end.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { people } from "./support/client.ts";
import { uids } from "./support/imports.ts";
import { install } from "./support/process.ts";

const installation = install({ LOG_LEVEL: "warn" });
const web = await installation.web();

const { workspace, client, screenerId } = await installation.screener(web);
await client.import(screenerId, people(4));
const rows = await client.all("/participants");
const assigned = async () => (await uids(await client.all("/screener-participants"))).length;

function fileOf(name: string, ...lines: unknown[]): string {
  const path = join(installation.dataDir, name);
  writeFileSync(path, lines.join("\r\n"));
  return path;
}

const run = (...args: string[]) => installation.cli("participant", ...args, "--workspace", workspace.id);

test("those whom a file names by id or email are removed after a plan", async () => {
  const file = fileOf("leaving.csv", `"${rows[0]!.externalUid}",somebody`, String(rows[1]!.email).toUpperCase(), "");
  const remove = (...args: string[]) => run("remove", file, "--screener", screenerId, ...args);
  const shown = await remove("--dry-run");
  assert.deepEqual([shown.code, shown.stderr], [0, ""], shown.stdout);
  assert.match(shown.stdout, /^Nothing was changed\. It would do this:\n {2}rows +2\n {2}removed +2\n/);
  const undecided = await remove();
  assert.equal(undecided.code, 3, undecided.stderr);
  assert.match(undecided.stdout, /It removes 2 participants\. Run the command again with --yes/);
  assert.equal(await assigned(), 4);
  const done = await remove("--yes");
  assert.deepEqual([done.code, done.stderr], [0, ""], done.stdout);
  assert.equal(await assigned(), 2);
  const again = await remove("--yes");
  assert.equal(again.code, 1);
  assert.match(again.stderr, /Not in the screener: .*--skip-unknown/);
});

test("those whom a file names are erased, without those who are not there where that is wanted", async () => {
  const file = fileOf("erased.txt", "nobody-here", rows[2]!.externalUid);
  const refused = await run("erase", file, "--yes");
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /Not in the workspace: nobody-here\. Nothing was changed/);
  const done = await run("erase", file, "--yes", "--skip-unknown", "--json");
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(JSON.parse(done.stdout).job.summary, { rows: 1, erased: 1, skipped: 0 });
  assert.equal((await client.all("/participants")).length, 3);
});
