// The command `import`: what it prints, what it changes, and how it ends, with and without a running service.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { person, roster, uids } from "./support/imports.ts";
import { install } from "./support/process.ts";

const installation = install({ LOG_LEVEL: "warn" });
const web = await installation.web();

/** A file of the test. */
function fileOf(name: string, text: string): string {
  const path = join(installation.dataDir, name);
  writeFileSync(path, text);
  return path;
}

const csv = (...rows: ReturnType<typeof person>[]) =>
  ["externalUid,email,name", ...rows.map(({ externalUid, email, name }) => `${externalUid},${email},${name}`), ""].join(
    "\n",
  );

async function study() {
  const { workspace, client, screenerId } = await installation.screener(web);
  const of = ["--workspace", workspace.id, "--screener", screenerId];
  return {
    workspace,
    client,
    screenerId,
    run: (file: string, ...args: string[]) => installation.cli("import", file, ...of, ...args),
    assigned: async () => uids(await client.all("/screener-participants")),
  };
}

test("the sample file is imported, with a heading mapped to a member", async () => {
  const { client, run } = await study();
  const { code, stdout, stderr } = await run("src/demo/roster.csv", "--map", "Person ID=externalUid");
  assert.deepEqual([code, stderr], [0, ""], stdout);
  assert.match(stdout, /^Imported:\n {2}rows +40\n {2}created +40\n/);
  assert.equal((await roster(client)).length, 40);
  const { body } = await client.get("/participants?pagination[limit]=1");
  assert.equal(body.items[0].createdBy.name, "Command line");
});

test("a dry run shows the plan, and changes nothing", async () => {
  const { run, client } = await study();
  const { code, stdout } = await run(fileOf("dry.csv", csv(person("P-1"))), "--dry-run");
  assert.equal(code, 0);
  assert.match(stdout, /^Nothing was changed\..*\n {2}rows +1\n {2}created +1\n/);
  assert.deepEqual(await roster(client), []);
});

test("without a terminal, an import that removes someone waits for --yes", async () => {
  const { client, screenerId, run, assigned } = await study();
  await client.import(screenerId, [person("P-1"), person("P-2")]);
  const file = fileOf("remove.csv", csv(person("P-1")));
  const asked = await run(file, "--full-sync");
  assert.equal(asked.code, 3);
  assert.match(asked.stdout, /It removes 1 participant from the screener\. Run the command again with --yes/);
  assert.deepEqual(await assigned(), ["P-1", "P-2"]);
  const limited = await run(file, "--full-sync", "--yes", "--max-removals", "0");
  assert.equal(limited.code, 3);
  assert.match(limited.stdout, /would remove 1 of the screener's 2 participants, and the limit is 0\./);
  assert.deepEqual(await assigned(), ["P-1", "P-2"]);
  const { code, stdout } = await run(file, "--full-sync", "--yes");
  assert.equal(code, 0, stdout);
  assert.deepEqual(await assigned(), ["P-1"]);
});

test("ids may be in upper case", async () => {
  const { client, workspace, screenerId } = await study();
  await client.import(screenerId, [person("P-1"), person("P-2")]);
  const of = ["--workspace", workspace.id.toUpperCase(), "--screener", screenerId.toUpperCase()];
  const file = fileOf("upper.csv", csv(person("P-1")));
  const { stdout, stderr } = await installation.cli("import", file, ...of, "--full-sync", "--max-removals", "0");
  assert.match(stdout, /would remove 1 of the screener's 2 participants/, stderr);
});

test("rejected rows are written beside the file", async () => {
  const { client, run, assigned } = await study();
  const file = fileOf("wrong.csv", `${csv(person("P-1"))}P-2,nobody,x\nP-3,c@example.org\n`);
  const refused = await run(file);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /must be an email.*\n.*line 4, column 3/);
  assert.deepEqual(await assigned(), []);
  const { code, stdout } = await run(file, "--skip-errors", "--json");
  assert.equal(code, 0);
  const { job, rejectedFile } = JSON.parse(stdout);
  assert.deepEqual([job.status, job.summary.rejected, rejectedFile], ["SUCCEEDED", 2, `${file}.rejected.csv`]);
  const rejected = readFileSync(rejectedFile, "utf8");
  const [head, one, other] = rejected.trim().split("\r\n");
  assert.equal(head, "#line,#errors,externalUid,email,name");
  assert.match(one!, /^3,"?email must be an email.*,P-2,nobody,x$/);
  assert.match(other!, /^4,.*line 4, column 3.*,P-3,c@example\.org$/);
  assert.deepEqual(await assigned(), ["P-1"]);
  // Mended, it can be sent as it is. Then nothing is rejected, and no old file says otherwise.
  const mended = rejected.replace(",nobody,", ",b@example.org,").replace("c@example.org", "c@example.org,Cleo");
  writeFileSync(file, mended);
  const again = await run(file, "--json");
  assert.equal(again.code, 0, again.stdout + again.stderr);
  assert.deepEqual([JSON.parse(again.stdout).rejectedFile, existsSync(rejectedFile)], [null, false]);
  assert.deepEqual(await assigned(), ["P-1", "P-2", "P-3"]);
  const [, second] = (await client.get("/participants")).body.items;
  assert.deepEqual([second.externalUid, second.attributes], ["P-2", {}]);
});

test("rejected rows of NDJSON are written as they are, with their errors", async () => {
  const { run } = await study();
  const file = fileOf("wrong.ndjson", `{"externalUid":"P-1","x":[1]}\r\n\nno JSON\n`);
  const { code, stdout } = await run(file, "--skip-errors");
  assert.equal(code, 1);
  assert.match(stdout, /^Nothing was imported: all rows were rejected\.\n {2}rows +2\n/);
  const [one, other] = readFileSync(`${file}.rejected.ndjson`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.match(one["#errors"], /email is required.*; name is required/);
  assert.deepEqual({ ...one, "#errors": "" }, { "#line": 1, "#errors": "", externalUid: "P-1", x: [1] });
  assert.match(other["#errors"], /is not JSON/);
  assert.deepEqual({ ...other, "#errors": "" }, { "#line": 3, "#errors": "", "#text": "no JSON" });
});

test("it runs the job itself when no process does", async () => {
  const { run, workspace } = await study();
  await web.kill("SIGTERM");
  const rows = Array.from({ length: 2000 }, (_, index) => person(`P-${index}`));
  const file = fileOf("alone.ndjson", rows.map((row) => JSON.stringify(row)).join("\n"));
  const { code, stdout, stderr } = await run(file, "--json");
  assert.deepEqual([code, JSON.parse(stdout).job.summary.created], [0, 2000], stderr);
  assert.ok(!existsSync(`${file}.rejected.csv`));
  assert.equal(installation.stored<number>(workspace, "SELECT count(*) FROM screener_participant")[0], 2000);
});

test("wrong options and files are refused with a sentence", async () => {
  const { code, stderr } = await installation.cli("import", "x.xlsx", "--workspace", "w", "--screener", "s");
  assert.equal(code, 1);
  assert.match(stderr, /x\.xlsx must end in \.csv, \.tsv, \.txt, \.ndjson, \.jsonl\./);
  const missing = await installation.cli("import", "missing.csv", "--workspace", "w", "--screener", "s");
  assert.deepEqual([missing.code, missing.stderr], [1, "missing.csv is not there.\n"]);
  const file = fileOf("options.csv", csv(person("P-1")));
  const unknown = await installation.cli("import", file, "--workspace", "w", "--screener", "s");
  assert.deepEqual([unknown.code, unknown.stderr], [1, "There is no workspace w.\n"]);
  const of = ["--workspace", "w", "--screener", "s"];
  for (const [option, value, message] of [
    ["--map", "Person ID=externalUId", /did you mean externalUid/],
    ["--max-removals", "a lot", /must be a whole number/],
  ] as const) {
    const { code, stderr } = await installation.cli("import", file, ...of, option, value);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
});
