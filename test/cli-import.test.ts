// The command `import`: what it prints, what it changes, and how it ends, with and without a running service.

import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openControl } from "../db/control.ts";
import { COMMAND_LINE } from "../db/profiles.ts";
import { MAX_TRIED_MS } from "../src/engine/ledger/queue.ts";
import { person, roster, uids } from "./support/imports.ts";
import { install, ServiceProcess } from "./support/process.ts";
import { until } from "./support/until.ts";
import { workbook } from "./support/workbooks.ts";

const installation = install({ LOG_LEVEL: "warn" });
const web = await installation.web();

/** A file of the test. */
function fileOf(name: string, text: string | Uint8Array): string {
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

test("a file without ids is matched by emails, and its messages name the command's options", async () => {
  const { client, run } = await study();
  const first = fileOf("no-ids.csv", "Email,name\nAda@example.org,Ada\nbob@example.org,Bob\n");
  assert.match((await run(first)).stdout, /"name"; --match-by email matches rows by their emails\.\n$/);
  const { code, stdout } = await run(first, "--match-by", "email");
  assert.equal(code, 0, stdout);
  const second = fileOf("no-ids-2.csv", "email,name\n ada@EXAMPLE.org ,Ada\nbob@example.org,Bob\n");
  const again = await run(second, "--match-by", "email", "--full-sync");
  assert.match(again.stdout, /created +0\n {2}updated +1\n {2}unchanged +1\n {2}assigned +0\n {2}removed +0\n$/);
  assert.equal((await roster(client)).length, 2);
  const ids = fileOf("ids.csv", "Person,externalUid,email,name\n1,P-1,ada@example.org,Ada\n");
  assert.match((await run(ids, "--match-by", "email")).stdout, /; --map 'externalUid=attributes', or =ignore\.\n$/);
  const near = fileOf("near.csv", "externalUid,mail,name,email\nP-1,x,Ada,new@example.org\n");
  assert.doesNotMatch((await run(near)).stdout, /columns\[/);
  const other = fileOf("near-2.csv", "externalUid,mail,name\nP-1,new@example.org,Ada\n");
  assert.match((await run(other)).stdout, /If it is, --map 'mail=email'; if it is not, --map 'mail=attributes'\./);
});

test("a file with commas before decimals is read so, where attributes are numbers", async () => {
  const { client, run } = await study();
  const attributes = [{ key: "weight", type: "NUMBER" }];
  await client.call("PUT", "/workspace/attributes", { body: { attributes } });
  const file = fileOf("commas.csv", "externalUid;name;email;weight\nP-1;Ada;ada@example.org;72,5\n");
  assert.match((await run(file)).stdout, /must be a number.*commas before decimals, say so \(line 2/);
  const { code, stdout, stderr } = await run(file, "--decimals", "COMMA");
  assert.deepEqual([code, stderr], [0, ""], stdout);
  const { body } = await client.get("/participants");
  assert.deepEqual(body.items[0].attributes, { weight: 72.5 });
  assert.match((await run(fileOf("x.ndjson", "{}\n"), "--decimals", "COMMA")).stderr, /only for \.csv/);
});

test("a sheet of a workbook is read, and its rejected rows are a table", async () => {
  const { client, run } = await study();
  const people = [
    ["externalUid", "email", "name"],
    ["P-1", "ada@example.org", "Ada"],
    ["P-2", "nobody", "Bo"],
  ];
  const file = fileOf("people.xlsx", await workbook({ Notes: [["none"]], People: people }));
  assert.match((await run(file)).stdout, /row 1: the file has no column externalUid; its columns are "none"/);
  assert.match(
    (await run(file, "--sheet", "Peple")).stderr,
    /people\.xlsx has no sheet "Peple"; its sheets are "Notes", "People"/,
  );
  const { code, stdout } = await run(file, "--sheet", "People", "--skip-errors");
  assert.equal(code, 0, stdout);
  assert.deepEqual(await roster(client), [{ externalUid: "P-1", email: "ada@example.org", name: "Ada" }]);
  const [, row] = readFileSync(`${file}.rejected.csv`, "utf8").split("\r\n");
  assert.match(row!, /^3,.*\(B3, P-2: ""nobody""\)",P-2,nobody,Bo$/);
  assert.match((await run(fileOf("x.csv", "externalUid\n"), "--sheet", "People")).stderr, /only for \.xlsx/);
});

test("a table in Windows-1252 is read so when the command says it", async () => {
  const { client, run } = await study();
  const file = fileOf(
    "old.csv",
    Buffer.from("externalUid;email;name\nP-1;z@example.org;Zo\xeb M\xfcller \x80\n", "latin1"),
  );
  const { stdout: refused, stderr } = await run(file);
  assert.match(refused + stderr, /is not UTF-8, at line 2; if it is Windows-1252/);
  const { code, stdout } = await run(file, "--encoding", "windows-1252");
  assert.equal(code, 0, stdout);
  assert.deepEqual(await roster(client), [{ externalUid: "P-1", email: "z@example.org", name: "Zoë Müller €" }]);
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

test("a file with another column, or another number of rows, waits for a decision", async () => {
  const { client, screenerId, run } = await study();
  await client.import(screenerId, [person("P-1")]);
  const file = fileOf("mail.csv", "externalUid,mail\nP-1,new@example.org\n");
  const stopped = await run(file);
  assert.equal(stopped.code, 3);
  assert.match(
    stopped.stdout,
    /with --allow unknown_column_near to .*\nNothing was changed\.\nWarning: No column is email\./,
  );
  const counted = await run(file, "--expected-rows", "2");
  assert.deepEqual(
    [counted.code, counted.stdout.split("\n")[0]],
    [1, "The payload has 1 row, and expectedRows is 2. Nothing was changed."],
  );
  const done = await run(file, "--allow", "unknown_column_near", "--expected-rows", "1");
  assert.equal(done.code, 0, done.stdout);
  const { email, attributes } = (await client.get("/participants")).body.items[0];
  assert.deepEqual([email, attributes], ["P-1@example.org", { mail: "new@example.org" }]);
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
  const { code, stderr } = await installation.cli("import", "x.xls", "--workspace", "w", "--screener", "s");
  assert.equal(code, 1);
  assert.match(stderr, /x\.xls must end in \.csv, \.tsv, \.txt, \.ndjson, \.jsonl, \.xlsx\./);
  const missing = await installation.cli("import", "missing.csv", "--workspace", "w", "--screener", "s");
  assert.deepEqual([missing.code, missing.stderr], [1, "missing.csv is not there.\n"]);
  const file = fileOf("options.csv", csv(person("P-1")));
  const unknown = await installation.cli("import", file, "--workspace", "w", "--screener", "s");
  assert.deepEqual([unknown.code, unknown.stderr], [1, "There is no workspace w.\n"]);
  const of = ["--workspace", "w", "--screener", "s"];
  for (const [option, value, message] of [
    ["--map", "Person ID=externalUId", /did you mean externalUid/],
    ["--max-removals", "a lot", /must be a whole number/],
    ["--expected-rows", "-1", /must be a whole number from 0 on/],
    ["--allow", "column_mising", /did you mean column_missing/],
  ] as const) {
    const { code, stderr } = await installation.cli("import", file, ...of, option, value);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
});

test("an import that is set aside says so once, and waits", async () => {
  const alone = install();
  const first = await alone.web();
  const { workspace, screenerId } = await alone.screener(first);
  await first.kill("SIGTERM");
  const [store] = globSync(join(alone.dataDir, "workspaces", "*", `${workspace.id}.sqlite`));
  renameSync(store!, `${store}.away`);
  const args = [
    "import",
    fileOf("aside.csv", csv(person("P-1"))),
    "--workspace",
    workspace.id,
    "--screener",
    screenerId,
  ];
  const env = { DATA_DIR: alone.dataDir, REDIS_URL: "" };
  const run = new ServiceProcess("src/cli.ts", { args, env });
  await until(() => alone.control<number>("SELECT failures FROM job")[0], "it was tried in vain");
  const control = openControl(alone.dataDir, COMMAND_LINE);
  control.writer.run("UPDATE job SET tried_ms = ?", MAX_TRIED_MS);
  control.close();
  await until(() => run.stderr, "it says something");
  const [since] = alone.control<number>("SELECT blocked_since FROM job");
  const [id] = alone.control<string>("SELECT uid FROM job");
  const sentence = `The job ${id} was tried in vain for 15 minutes and is set aside since ${new Date(since!).toISOString()} (store_refused).`;
  assert.ok(run.stderr.startsWith(`${sentence} It is tried every hour, next at 20`), run.stderr);
  renameSync(`${store}.away`, store!);
  assert.equal((await alone.cli("job", "retry", id!)).code, 0);
  const { code } = await run.dies();
  assert.equal(code, 0, run.stderr);
  assert.match(run.stdout, /^Imported:/);
  assert.equal(run.stderr.split("set aside").length, 2, "once");
});
