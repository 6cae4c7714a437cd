// One workspace comes back from a backup or an export, while the service runs: as a new one, or as it was.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { EVENT_LOOP_WORKSPACES } from "../db/profiles.ts";
import { openWriter } from "../db/sqlite/open.ts";
import { storePath } from "../db/store.ts";
import { Workspaces } from "../db/workspaces.ts";
import { findBytes } from "./support/bytes.ts";
import { Client, people } from "./support/client.ts";
import { assertCounts } from "./support/counts.ts";
import { newFolder } from "./support/folder.ts";
import { install } from "./support/process.ts";
import { until } from "./support/until.ts";
import { populate } from "./support/world.ts";

const installation = install({ WEBHOOK_ALLOW_PRIVATE: "true" });
const web = await installation.web();
const workspace = installation.workspace("Sleep lab");
const world = await populate({ workspace: () => workspace.client(web) }, "Sleep");
const { client, screener } = world;
const wait = { Prefer: "wait=60" };
await client.import(screener, people(30), {}, wait);
const plan = await client.import(screener, people(31), { dryRun: true }, wait);
assert.equal(plan.body.status, "PLANNED");
await until(
  async () => (await client.get("/webhook-deliveries?filter[status][eq]=PENDING")).body.total > 0,
  "something waits to be sent",
);
const [erased] = (await client.get("/participants?filter[externalUid][eq]=P-7")).body.items;
const backups = newFolder();
const { folder, mark } = await run("backup", backups);
const then = await peopleOf(client);
const links = await client.all("/screener-sessions");
const erasure = await client.call("DELETE", `/participants/${erased.id}`, { headers: wait });
assert.equal(erasure.body.status, "SUCCEEDED");
// What is lost when the backup is back.
const later = await client.import(screener, people(5, 100), {}, wait);
const laterJob = later.headers.get("location")!.split("/").at(-1)!;

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects
async function run(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await installation.cli(...args, "--json");
  assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
  return JSON.parse(stdout);
}

async function peopleOf(one: Client): Promise<string[]> {
  return (await one.all("/participants")).map(({ externalUid }) => externalUid as string).sort();
}

const pageAt = (link: unknown) => fetch(new URL(new URL(String(link)).pathname, web.url));
const pageOf = async (link: unknown) => (await pageAt(link)).status;
const inPlace = (...more: string[]) => ["restore", backups, "--workspace", workspace.id, "--in-place", ...more];

test("a workspace comes back as a new one, beside the former, with ids and links of its own; nothing leaves it", async () => {
  const made = await run("restore", backups, "--workspace", workspace.id, "--name", "Copy");
  assert.notEqual(made.workspace.id, workspace.id);
  assert.deepEqual([made.formerId, made.mark, made.erased, made.webhooks], [workspace.id, mark, 1, 1]);
  const copy = new Client(web.url, made.workspace.id, made);
  assert.equal((await copy.get(`/participants/${erased.id}`)).status, 404);
  assert.deepEqual((await peopleOf(copy)).length, then.length - 1);
  assert.deepEqual(findBytes(join(storePath(installation.dataDir, made.workspace.id), ".."), [erased.email]), []);
  // The same links, at other addresses: who has a former one comes to the former workspace.
  const [session] = (await copy.all("/screener-sessions")).filter(({ id }) => id === world.session);
  const former = links.find(({ id }) => id === world.session)!;
  assert.notEqual(session!.screenerSessionLink, former.screenerSessionLink);
  const asking = "About you: what";
  // Who made the backup may have changed what it says under the same ids.
  const store = openWriter(storePath(installation.dataDir, made.workspace.id), {
    busyTimeoutMs: 10_000,
    checkpoints: true,
  });
  store.run("UPDATE publication_content SET json = replace(json, 'What about ', ?)", asking);
  store.close();
  assert.equal((await (await pageAt(former.screenerSessionLink)).text()).includes(asking), false);
  assert.ok((await (await pageAt(session!.screenerSessionLink)).text()).includes(asking));
  assert.equal(await pageOf(former.screenerSessionLink), 200);
  const [endpoint] = await copy.all("/webhook-endpoints");
  assert.deepEqual([endpoint!.status, endpoint!.disabledReason], ["DISABLED", null]);
  assert.equal((await copy.get("/webhook-deliveries?filter[status][eq]=PENDING")).body.total, 0);
  assert.equal((await client.all("/webhook-endpoints"))[0]!.status, "ENABLED");
  assert.equal((await copy.get("/jobs")).body.total, 0);
  const events = await copy.all("/events");
  const restored = events.find(({ type }) => type === "workspace.restored")!;
  assert.deepEqual(restored.summary, { backupOf: mark, formerId: workspace.id });
  // It is written to, and searched, as any other.
  assert.equal((await copy.import(screener, people(3, 200), {}, wait)).status, 200);
  installation.read(installation.known(made), (db) => assertCounts(db));
  assert.deepEqual(
    readdirSync(join(installation.dataDir, "tmp")).filter((name) => name.startsWith("restore-")),
    [],
  );
  await run("verify");
});

test("in place, a plan says what would be lost, and is refused when that is not so any more", async () => {
  const planned = await run(...inPlace());
  assert.deepEqual(planned.counts.people, { now: then.length + 4, before: then.length, lost: 5, back: 1 });
  assert.deepEqual([planned.erased, planned.waiting], [1, 0]);
  assert.equal((await peopleOf(client)).length, then.length + 4);
  await client.import(screener, people(1, 300), {}, wait);
  const { code, stderr } = await installation.cli(...inPlace("--apply", planned.plan));
  assert.equal(code, 1);
  assert.match(stderr, /The plan is out of date/);
  // It is served as before.
  assert.equal((await peopleOf(client)).length, then.length + 5);
});

test("in place, the store is as it was; who was erased since stays erased; what was there is kept, and can come back", async () => {
  const { plan: id, counts, downloads } = await run(...inPlace());
  assert.equal(counts.people.lost, 6);
  // Who only looks changes nothing of what would be lost.
  await client.get("/participants", { accept: "text/csv" });
  await until(async () => (await run(...inPlace())).downloads > downloads, "the log says who has looked");
  const done = await run(...inPlace("--apply", id));
  assert.deepEqual([done.erased, done.lostJobs.includes(laterJob)], [1, true]);
  // The same keys, at once, and the processes that had the store open.
  assert.deepEqual(
    await peopleOf(client),
    then.filter((uid) => uid !== erased.externalUid),
  );
  assert.equal((await client.get(`/participants/${erased.id}`)).status, 404);
  assert.deepEqual(findBytes(join(storePath(installation.dataDir, workspace.id), ".."), [erased.email]), []);
  const { body: lost } = await client.get(`/jobs/${laterJob}`);
  assert.deepEqual([lost.status, lost.problem.code], ["FAILED", "job_lost"]);
  const [restored] = (await client.all("/events")).filter(({ type }) => type === "workspace.restored");
  assert.deepEqual(restored!.summary, { backupOf: mark });
  assert.equal(await pageOf(links[0]!.screenerSessionLink), 200);
  assert.equal((await client.import(screener, people(2, 400), {}, wait)).status, 200);
  installation.read(workspace, (db) => assertCounts(db));
  const doctor = await installation.cli("doctor");
  assert.match(doctor.stdout, /replaced.*former store/);
  // Back again, by the same command.
  const kept = ["restore", done.kept, "--workspace", workspace.id, "--in-place"];
  const back = await run(...kept);
  await run(...kept, "--apply", back.plan);
  assert.equal((await peopleOf(client)).length, then.length + 5);
  assert.equal((await client.get(`/participants/${erased.id}`)).status, 404);
  await run("verify");
});

test("whoever is let in after a restore in place reads the store that came, also who reads all the time", async () => {
  const busy = install();
  const served = await busy.web();
  const { workspace: read, client: writing } = await busy.screener(served);
  const to = newFolder();
  assert.equal((await busy.cli("backup", to)).code, 0);
  await writing.post("/participants", { externalUid: "Later", email: "later@example.org", name: "Later" });
  const args = ["restore", to, "--workspace", read.id, "--in-place", "--json"];
  const planned = await busy.cli(...args);
  const reader = new Workspaces(busy.dataDir, { ...EVENT_LOOP_WORKSPACES, onStale: "migrate" });
  const seen: string[] = [];
  let isOver = false;
  const reading = async () => {
    for (let isLast = false; !isLast; await sleep(2)) {
      isLast = isOver;
      // In this order: who is let in reads after that.
      const [isIn] = busy.control<number>("SELECT suspended_at IS NULL FROM workspace WHERE uid = ?", read.id);
      if (isIn) seen.push(reader.read(read.id, (db) => `${db.value("SELECT count(*) FROM participant")} people`));
      else if (seen.at(-1) !== "suspended") seen.push("suspended");
    }
  };
  const ended = reading();
  const { code, stderr } = await busy.cli(...args, "--apply", JSON.parse(planned.stdout).plan);
  isOver = true;
  await ended;
  reader.close();
  assert.equal(code, 0, stderr);
  const before = seen.slice(0, seen.indexOf("suspended"));
  const after = seen.slice(seen.indexOf("suspended") + 1);
  assert.deepEqual([new Set(before).size, new Set(after).size], [1, 1], seen.join());
  assert.notEqual(after[0], before[0]);
});

test("an export with its store becomes a workspace of another installation; one without is refused", async () => {
  const to = join(newFolder(), "export");
  await run("workspace", "export", "--workspace", workspace.id, "--to", to, "--with-store");
  assert.deepEqual(readdirSync(join(to, "store", "erased")), [workspace.id]);
  const other = install({}, newFolder());
  const there = await other.web();
  const { code, stdout, stderr } = await other.cli("workspace", "import", to, "--json");
  assert.equal(code, 0, stderr);
  const made = JSON.parse(stdout);
  const imported = new Client(there.url, made.workspace.id, made);
  assert.deepEqual([made.workspace.name, await peopleOf(imported)], ["Sleep lab", await peopleOf(client)]);
  assert.equal((await imported.all("/screener-responses")).length, (await client.all("/screener-responses")).length);
  // Whoever made the export may have written any list.
  assert.ok(!existsSync(join(other.dataDir, "erased", workspace.id)));
  assert.equal(readdirSync(join(installation.dataDir, "replaced")).length, 2);
  const without = join(newFolder(), "export");
  await run("workspace", "export", "--workspace", workspace.id, "--to", without);
  const refused = await other.cli("workspace", "import", without);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /--with-store/);
});

test("what is damaged, is not there, or is of a newer release is refused before anything is written", async () => {
  const before = readdirSync(join(installation.dataDir, "workspaces"), { recursive: true }).length;
  const ended = async (wanted: number, sentence: RegExp, ...args: string[]) => {
    const { code, stderr } = await installation.cli("restore", ...args);
    assert.equal(code, wanted, stderr);
    assert.match(stderr, sentence);
  };
  const refuse = (sentence: RegExp, ...args: string[]) => ended(1, sentence, ...args);
  const unknown = "01890000-0000-7000-8000-000000000000";
  await refuse(/has no workspace 01890000/, backups, "--workspace", unknown);
  await ended(2, /--apply is for a plan of --in-place/, backups, "--workspace", workspace.id, "--apply", "x");
  await ended(2, /for one workspace/, backups, "--name", "x");
  await refuse(/^\/nowhere is not there\.$/m, "/nowhere", "--workspace", workspace.id);
  await refuse(/^\/nowhere is not there\.$/m, "/nowhere");
  await refuse(/^\/nowhere is not there\.\n\/none is not there\.$/m, backups, "--erased", "/nowhere", "/none");
  await refuse(/package\.json is no folder with a backup\.$/m, "package.json", "--workspace", workspace.id);
  const manifest = join(folder, "manifest.json");
  const json = readFileSync(manifest, "utf8");
  writeFileSync(manifest, json.replace(workspace.id, "../../elsewhere"));
  await refuse(/is not the manifest of a backup: workspaces/, backups, "--workspace", workspace.id);
  writeFileSync(manifest, json);
  const path = join(folder, storePath("", workspace.id));
  assert.ok(existsSync(path));
  writeFileSync(path, "x", { flag: "a" });
  await refuse(/is damaged, and nothing was restored/, backups, "--workspace", workspace.id);
  assert.equal(readdirSync(join(installation.dataDir, "workspaces"), { recursive: true }).length, before);
});

test("a workspace that is deleted takes its former stores along", async () => {
  await run("workspace", "delete", "--workspace", workspace.id, "--confirm", "Sleep lab");
  assert.deepEqual(readdirSync(join(installation.dataDir, "replaced")), []);
});
