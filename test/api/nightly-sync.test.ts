// The examples of a nightly sync, run as a nightly job runs them.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Client, people } from "../support/client.ts";
import { newFolder } from "../support/folder.ts";
import { findOrInstall } from "../support/programs.ts";
import { startService } from "../support/service.ts";

const service = await startService();
for (const program of ["bash", "curl", "jq"]) findOrInstall([program], program);
const examples = new URL("../../docs/examples/", import.meta.url).pathname;
const folder = newFolder();

/** Runs an example in a folder of its own. @returns its exit code, and what it wrote */
function run(example: readonly string[], client: Client, ...args: string[]) {
  return runWith({}, example, client, ...args);
}

/** @param more of its environment */
function runWith(more: Record<string, string>, example: readonly string[], { credentials }: Client, ...args: string[]) {
  const { apiKey, apiSecret } = credentials;
  const own = { SCREENING_URL: service.url, SCREENING_KEY: apiKey, SCREENING_SECRET: apiSecret };
  const env = { ...process.env, ...own, ...more };
  const [program, ...first] = example;
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(program!, [...first, ...args], { cwd: folder, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode!, stdout, stderr }),
    );
  });
}

function roster(name: string, rows: ReturnType<typeof people>): string {
  const lines = rows.map(({ externalUid, email, name }) => `${externalUid},${email},${name}`);
  writeFileSync(join(folder, name), `${["externalUid,email,name", ...lines].join("\n")}\n`);
  return name;
}

const assigned = async (client: Client) =>
  (await client.all("/screener-participants")).map(({ id, externalParticipantUid, name }) => [
    id,
    externalParticipantUid,
    name,
  ]);
const idIn = (stdout: string) => /^Job (\S+): /m.exec(stdout)![1]!;

for (const [language, example] of [
  ["shell", ["bash", join(examples, "nightly-sync.sh")]],
  ["TypeScript", [process.execPath, join(examples, "nightly-sync.ts")]],
] as const) {
  test(`the example in ${language} brings a roster in, once for each run`, async () => {
    const { client, screenerId } = await service.screener();
    const first = await run(example, client, "sync", screenerId, roster("first.csv", people(120)));
    assert.deepEqual([first.code, first.stderr], [0, ""], first.stdout);
    const changed = people(120, 5).map((row, n) => (n ? row : { ...row, name: "Another" }));
    const night = () => run(example, client, "sync", screenerId, roster("night.csv", changed));
    const { code, stdout, stderr } = await night();
    assert.deepEqual([code, stderr], [0, ""], stdout);
    assert.match(stdout, /^Job \S+: SUCCEEDED\n {2}rows 120\n {2}created 5\n {2}updated 1\n/);
    assert.deepEqual(
      stdout.match(/REMOVED \S+/g),
      people(5).map(({ externalUid }) => `REMOVED ${externalUid}`),
    );
    assert.deepEqual(
      (await assigned(client)).map(([, uid, name]) => [uid, name]),
      changed.map(({ externalUid, name }) => [externalUid, name]),
    );
    const again = await night();
    assert.deepEqual([again.code, again.stdout], [0, stdout]);
    assert.equal((await client.get("/jobs")).body.total, 2);
  });

  test(`the example in ${language} stops at a file with half its rows missing; the plan is discarded or applied`, async () => {
    const { client, screenerId } = await service.screener();
    await client.import(screenerId, people(120));
    const before = await assigned(client);
    const half = () => run(example, client, "sync", screenerId, roster("half.csv", people(60)));
    const stopped = await half();
    assert.deepEqual([stopped.code, stopped.stderr], [3, ""], stopped.stdout);
    assert.match(stopped.stdout, /: PLANNED\n.* removed 60\n.*removal_limit_exceeded.*… and 40 more\n/s);
    assert.deepEqual(await assigned(client), before);
    const id = idIn(stopped.stdout);
    assert.equal((await run(example, client, "discard", id)).code, 0);
    assert.equal((await client.get(`/jobs/${id}`)).body.status, "CANCELLED");
    const refused = await run(example, client, "apply", id);
    assert.deepEqual([refused.code, (await assigned(client)).length], [1, 120], refused.stdout);

    const next = idIn((await half()).stdout);
    assert.notEqual(next, id);
    const applied = await run(example, client, "apply", next);
    assert.deepEqual([applied.code, applied.stderr], [0, ""], applied.stdout);
    assert.deepEqual(await assigned(client), before.slice(0, 60));

    const undone = await run(example, client, "undo", next);
    assert.deepEqual([undone.code, undone.stderr], [0, ""], undone.stdout);
    assert.match(undone.stdout, /: SUCCEEDED\n {2}rows 60\n {2}reverted 60\n {2}kept 0\n/);
    assert.deepEqual(await assigned(client), before);
  });

  test(`the example in ${language} brings a file in again after another one, once`, async () => {
    const { client, screenerId } = await service.screener();
    const one = roster("one.csv", people(4));
    const other = roster("other.csv", people(4, 1));
    const ids: string[] = [];
    const sync = async (file: string) => {
      const { code, stdout, stderr } = await run(example, client, "sync", screenerId, file);
      assert.deepEqual([code, stderr], [0, ""], stdout);
      ids.push(idIn(stdout));
      return (await assigned(client)).map(([, uid]) => uid);
    };
    const uidsOf = (from: number) => people(4, from).map(({ externalUid }) => externalUid);
    for (const [file, from] of [
      [one, 0],
      [other, 1],
      [one, 0],
      [one, 0],
    ] as const)
      assert.deepEqual((await sync(file)).sort(), uidsOf(from));
    assert.deepEqual([new Set(ids).size, ids[3]], [3, ids[2]]);
  });

  test(`the example in ${language} stops where somebody has to decide: a small study, columns, rows`, async () => {
    const { client, screenerId } = await service.screener();
    const write = (name: string, lines: string[]) => writeFileSync(join(folder, name), lines.join("\n"));
    await run(example, client, "sync", screenerId, roster("small.csv", people(89)));
    const before = await assigned(client);
    const stopped = await run(example, client, "sync", screenerId, roster("one.csv", people(1)));
    assert.deepEqual([stopped.code, stopped.stderr], [3, ""], stopped.stdout);
    assert.match(stopped.stdout, /removal_limit_exceeded: 88 would be removed, and the limit is 20%/);

    const uids = people(89).map(({ externalUid }) => externalUid);
    write("mail.csv", ["externalUid,mail,fullName", ...uids.map((uid) => `${uid},new@example.org,New`), ""]);
    const mail = await run(example, client, "sync", screenerId, "mail.csv");
    assert.equal(mail.code, 3, mail.stdout);
    for (const what of [
      /Warning: No column is email\. Is "mail" meant/,
      /\n {2}unknown_column_near: /,
      /\n {2}column_missing: /,
    ])
      assert.match(mail.stdout, what);
    assert.deepEqual(await assigned(client), before);
    assert.equal((await client.all("/participants"))[0].email, people(1)[0]!.email);
    // The same run, now that somebody has decided: it is the same job.
    const ALLOW = "column_missing, unknown_column_near";
    const allowed = await runWith({ ALLOW }, example, client, "sync", screenerId, "mail.csv");
    assert.deepEqual([allowed.code, idIn(allowed.stdout)], [0, idIn(mail.stdout)], allowed.stdout);

    // Cut off: in the middle of a line, and at one.
    write("cut.csv", ["externalUid,mail,fullName", ...uids.slice(0, 80).map((uid) => `${uid},${uid}@example.net,Ne`)]);
    const settings = { QUERY: "columns[mail]=email&columns[fullName]=name", ALLOW, EXPECTED_ROWS: "89" };
    const cut = await runWith(settings, example, client, "sync", screenerId, "cut.csv");
    assert.equal(cut.code, 1);
    assert.match(cut.stdout, /row_count_differs: The payload has 80 rows, and expectedRows is 89\./);
    assert.match(cut.stdout, /Warning: The last line of the file has no line end/);
    assert.deepEqual(
      (await client.all("/participants")).map(({ email }) => email),
      people(89).map(({ email }) => email),
    );
    // Without a number from outside, the lines are counted.
    write("lines.csv", ["sep=,", "externalUid,email,name", "", "P-0,a@example.org,A", " ,", ""]);
    const counted = await runWith({ MAX_REMOVALS: "100%", ALLOW }, example, client, "sync", screenerId, "lines.csv");
    const payload = "SELECT payload FROM job WHERE uid = ?";
    const sent = service.context.control.reader.value<string>(payload, idIn(counted.stdout))!;
    assert.deepEqual([counted.code, JSON.parse(sent).expectedRows], [0, 1], counted.stdout);
  });

  test(`the example in ${language} says which rows are wrong, and what it takes`, async () => {
    const { client, screenerId } = await service.screener();
    const wrong = people(3).map((row, n) => (n === 1 ? { ...row, email: "nobody" } : row));
    const failed = await run(example, client, "sync", screenerId, roster("wrong.csv", wrong));
    assert.equal(failed.code, 1);
    assert.match(failed.stdout, /: FAILED\n {2}invalid_request: .*line 3.*\n {2}REJECTED P-1 .*"nobody"/);
    assert.deepEqual(await assigned(client), []);
    for (const args of [[], ["sync", screenerId], ["nonsense", screenerId]]) {
      const { code, stdout, stderr } = await run(example, client, ...args);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, /sync SCREENER FILE\.csv/);
    }
    const unknown = await run(example, client, "undo", screenerId);
    assert.deepEqual([unknown.code, unknown.stderr], [1, "job_not_found: There is no job with this id.\n"]);
  });
}
