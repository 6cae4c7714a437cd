// What the command line does with workspaces, users and keys over time: renamed, suspended, disabled, exported, deleted.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findBytes } from "./support/bytes.ts";
import { ASYNC, Client, people } from "./support/client.ts";
import { png } from "./support/images.ts";
import { install } from "./support/process.ts";
import { invite, publish } from "./support/study.ts";
import { until } from "./support/until.ts";

// Commands make links, and the system chooses the port.
const installation = install({ LOG_LEVEL: "warn", PUBLIC_URL: "https://screening.example.org" });
const web = await installation.web();

/** Runs a command with --json. @returns the one value that it prints */
// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects
async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await installation.cli(...args, "--json");
  assert.deepEqual([code, stderr], [0, ""], args.join(" "));
  return JSON.parse(stdout);
}

async function workspace(name: string): Promise<{ id: string; client: Client; of: string[] }> {
  const made = await json("workspace", "create", name);
  const { id } = made.workspace;
  return { id, client: new Client(web.url, id, made), of: ["--workspace", id] };
}

const content = {
  pages: [{ title: "One", questions: [{ _type: "ScreenerTextQuestion", prompt: "Why?", key: "why" }] }],
};

test("a renamed workspace has its new name in the list, and on its pages", async () => {
  const { client, of } = await workspace("Before");
  const study = await publish(client, content);
  const [link] = await invite(client, study.screener);
  assert.equal((await json("workspace", "rename", "  After  ", ...of)).name, "After");
  assert.match(await (await fetch(web.url + link!.path)).text(), /After/);
});

test("a suspended workspace refuses its credentials and links and keeps its jobs, until it is resumed", async () => {
  const { client, of } = await workspace("Paused");
  const study = await publish(client, content);
  const [link] = await invite(client, study.screener);
  const status = async () => [(await client.get("/screeners")).status, (await fetch(web.url + link!.path)).status];
  assert.deepEqual(await status(), [200, 200]);
  const suspended = await json("workspace", "suspend", ...of);
  assert.ok(suspended.suspendedAt);
  assert.deepEqual(await status(), [403, 403]);
  assert.equal((await client.get("/screeners")).body.code, "workspace_suspended");
  const wrong = new Client(web.url, client.workspaceId, { ...client.credentials, apiSecret: "x" });
  assert.equal((await wrong.get("/screeners")).status, 401, "strangers don't learn it");
  assert.equal((await json("workspace", "suspend", ...of)).suspendedAt, suspended.suspendedAt);
  assert.equal((await json("workspace", "resume", ...of)).suspendedAt, null);
  assert.deepEqual(await status(), [200, 200]);
});

test("jobs of a suspended workspace wait, and run when it is resumed", async () => {
  const other = install({ LOG_LEVEL: "warn" });
  const server = await other.web();
  const { workspace: made, client, screenerId } = await other.screener(server);
  const big = await client.import(screenerId, people(20_000), {}, ASYNC);
  const next = await client.import(screenerId, people(1, 50_000), {}, ASYNC);
  assert.equal((await other.cli("workspace", "suspend", "--workspace", made.id)).code, 0);
  await until(
    () => other.control("SELECT 1 FROM job WHERE uid = ? AND finished_at IS NOT NULL", big.body.id)[0],
    "the first ends",
  );
  // Time enough for the second, if it were taken.
  const ticks = await other.cli("workspace", "list");
  assert.match(ticks.stdout, /suspended/);
  const [waits] = other.control("SELECT status FROM job WHERE uid = ?", next.body.id);
  if (waits !== "SUCCEEDED") assert.equal(waits, "QUEUED");
  assert.equal((await other.cli("workspace", "resume", "--workspace", made.id)).code, 0);
  await until(async () => (await client.get(`/jobs/${next.body.id}`)).body.status === "SUCCEEDED", "the second runs");
});

test("a workspace is exported into a folder that only its owner reads", async () => {
  const { client, of, id } = await workspace("Exported");
  const file = (await png(30, 20)).toString("base64");
  const { body: image } = await client.post("/workspace/images", { file });
  const statement = { _type: "ScreenerStatement", text: "Look.", image: { id: image.id, alternativeText: "A stripe" } };
  const [page] = content.pages;
  const study = await publish(client, { pages: [{ ...page, questions: [statement, ...page!.questions] }] });
  const [link] = await invite(client, study.screener, 3);
  const answer = { screenerQuestionId: study.question.why, answer: "Because" };
  await client.post(`/screener-sessions/${link!.session}/responses`, { responses: [answer] });
  const folder = join(installation.dataDir, "exported");
  const strings = [{ id: `question/${study.question.why}/prompt`, text: "Warum?" }];
  await client.call("PATCH", `/screeners/${study.screener}/translations/de`, { body: { strings } });
  await client.post("/screener-publications", { screenerId: study.screener });
  const counts = await json("workspace", "export", ...of, "--to", folder);
  assert.deepEqual(counts, {
    screeners: 1,
    "screener-contents": 1,
    "screener-translations": 1,
    "screener-publications": 2,
    "screener-publication-contents": 2,
    "screener-publication-translations": 1,
    images: 1,
    participants: 3,
    "screener-participants": 3,
    "screener-sessions": 3,
    "screener-responses": 1,
    "participant-requests": 0,
    "participant-notes": 0,
    "mail-suppressions": 0,
    mailings: 0,
    "mailing-messages": 0,
  });
  const lines = (name: string) =>
    readFileSync(join(folder, `${name}.ndjson`), "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  assert.deepEqual(lines("participants"), await client.all("/participants"));
  assert.deepEqual(lines("screener-responses"), await client.all("/screener-responses"));
  const [{ title, questions }] = lines("screener-contents")[0].content.pages;
  assert.deepEqual([title, questions[0].image.id], ["One", image.id]);
  const served = await (await fetch(new URL(new URL(image.url).pathname, web.url))).arrayBuffer();
  assert.deepEqual(lines("images"), [
    { id: image.id, width: 30, height: 20, file: Buffer.from(served).toString("base64") },
  ]);
  for (const name of ["screener-translations", "screener-publication-translations"])
    assert.deepEqual(lines(name)[0].texts, { [strings[0]!.id]: "Warum?" });
  assert.match(lines("screener-sessions")[0].screenerSessionLink, new RegExp(`/w/${id}/screeners/${study.screener}/`));
  assert.equal(JSON.parse(readFileSync(join(folder, "workspace.json"), "utf8")).name, "Exported");
  assert.equal(statSync(folder).mode & 0o077, 0);
  for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o077, 0, name);
  const again = await installation.cli("workspace", "export", ...of, "--to", folder);
  assert.deepEqual([again.code, /is not empty/.test(again.stderr)], [1, true]);
});

test("a workspace is deleted with everything, if its name is given", async () => {
  const { id, client, of } = await workspace("Leaving Ltd");
  const screener = await client.screener("A secret study");
  await client.import(screener, people(2));
  await client.import(screener, people(1000, 7_770_000));
  const refused = await installation.cli("workspace", "delete", ...of, "--confirm", "leaving");
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /has 1 screener, 1,002 participants, 0 sessions and 2 jobs.*--confirm 'Leaving Ltd'/);
  assert.equal((await client.get("/screeners")).status, 200);
  const { dataDir } = installation;
  assert.ok(findBytes(dataDir, ["P-7770999", "Leaving Ltd"]).length > 1);
  assert.deepEqual(await json("workspace", "delete", ...of, "--confirm", "Leaving Ltd"), { id, name: "Leaving Ltd" });
  assert.equal((await client.get("/screeners")).status, 401);
  assert.equal((await fetch(`${web.url}/w/${id}/s/AAAAAAAAAAAAAAAAAAAAAA`)).status, 404);
  assert.deepEqual(findBytes(dataDir, ["P-7770999", "Leaving Ltd", "A secret study"]), []);
  assert.ok(!readdirSync(dataDir, { recursive: true }).some((name) => String(name).includes(id)));
  assert.ok(!(await json("workspace", "list")).some((one: { id: string }) => one.id === id));
  assert.equal((await installation.cli("workspace", "delete", ...of, "--confirm", "Leaving Ltd")).code, 1);
  assert.ok(existsSync(join(dataDir, "control.sqlite")));
});

test("users are listed, disabled and enabled, and that counts at once", async () => {
  const { of } = await workspace("Users");
  const ada = await json("token", "create", ...of, "--user-name", "Ada");
  await json("token", "create", ...of, "--user-name", "Ada", "--expires-in-days", "3");
  await json("token", "create", ...of, "--user-name", "Alan");
  const ask = async () =>
    (await fetch(`${web.url}/screeners`, { headers: { Authorization: `Bearer ${ada.accessToken}` } })).status;
  assert.equal(await ask(), 200);
  const listed = await json("user", "list", ...of);
  assert.deepEqual(
    listed.map(({ name, tokens, disabledAt }: Record<string, unknown>) => [name, tokens, disabledAt]),
    [
      ["Ada", 2, null],
      ["Alan", 1, null],
    ],
  );
  assert.ok((await json("user", "disable", ada.user.id, ...of)).disabledAt);
  assert.equal(await ask(), 401);
  const refused = await installation.cli("token", "create", ...of, "--user-name", "Ada");
  assert.deepEqual([refused.code, /disabled/.test(refused.stderr)], [1, true]);
  assert.match((await installation.cli("token", "list", ...of)).stdout, /Ada {2}user disabled/);
  assert.equal((await json("user", "enable", ada.user.id, ...of)).disabledAt, null);
  assert.equal(await ask(), 200);
  assert.equal((await installation.cli("user", "disable", "nobody", ...of)).code, 1);
});

test("an operator is made by a command, shown, and taken back; a user of tokens can't be one", async () => {
  const { of } = await workspace("Operators");
  const olu = ["--email", "olu@example.org", "--name", "Olu", "--role", "viewer"];
  const made = await json("user", "create", ...of, ...olu, "--operator");
  const listed = async () =>
    (await json("user", "list", ...of)).map((one: Record<string, unknown>) => [one.name, one.isOperator]);
  assert.deepEqual(await listed(), [["Olu", true]]);
  assert.match(
    (await installation.cli("user", "list", ...of)).stdout,
    /viewer {2}has not signed in yet {2}operator {2}enabled/,
  );
  assert.equal((await json("user", "operator", made.id, ...of, "--off")).isOperator, false);
  assert.deepEqual(await listed(), [["Olu", false]]);
  assert.equal((await json("user", "operator", made.id, ...of)).isOperator, true);
  const { user } = await json("token", "create", ...of, "--user-name", "Kiosk");
  const refused = await installation.cli("user", "operator", user.id, ...of);
  assert.ok(refused.code !== 0 && /tokens alone/.test(refused.stderr), refused.stderr);
  assert.deepEqual(await listed(), [
    ["Olu", true],
    ["Kiosk", false],
  ]);
});

test("a list of keys says when secrets expire, and until when an old one works", async () => {
  const { of } = await workspace("Keys");
  const key = await json("key", "create", ...of, "--name", "Sync", "--expires-in-days", "30");
  await json("key", "rotate", key.id, ...of, "--overlap-hours", "5");
  const [first, sync] = await json("key", "list", ...of);
  assert.deepEqual(
    first.secrets.map(({ expiresAt }: { expiresAt: string | null }) => expiresAt),
    [null],
  );
  const hours = sync.secrets.map(({ expiresAt }: { expiresAt: string }) =>
    Math.round((Date.parse(expiresAt) - Date.now()) / 3_600_000),
  );
  assert.deepEqual(hours, [5, 720]);
  const { stdout } = await installation.cli("key", "list", ...of);
  assert.match(
    stdout,
    /Keys API key {2}live {2}does not expire {2}read,import,respond,author,review,admin {2}never used\n/,
  );
  assert.match(
    stdout,
    /Sync {2}live {2}expires \d{4}-\S+Z {2}old secret until \d{4}-\S+Z {2}read,import,respond,author,review,admin {2}never used\n/,
  );
});
