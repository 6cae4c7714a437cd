// Backups in a bucket of an S3-compatible store: taken, kept, verified and restored as those in a folder; whatever goes wrong is said, and
// leaves nothing that looks like a backup.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Bucket } from "../../src/backup/bucket/client.ts";
import { KEYS, startBucket } from "../support/bucket.ts";
import { people } from "../support/client.ts";
import { newFolder, removeFolder } from "../support/folder.ts";
import { Installation, install, ServiceProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

const store = await startBucket();
const SECRET = KEYS.AWS_SECRET_ACCESS_KEY;
const wait = { Prefer: "wait=60" };

/** Runs a command that must succeed, and returns its JSON. */
async function run(installation: Installation, ...args: string[]) {
  const { code, stdout, stderr } = await installation.cliWith(KEYS, ...args, "--json");
  assert.equal(code, 0, stdout + stderr);
  return JSON.parse(stdout);
}

/** Runs a command that must fail, and returns what it says. */
async function refused(installation: Installation, env: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await installation.cliWith(env, ...args);
  assert.equal(code, 1, stdout + stderr);
  assert.ok(!(stdout + stderr).includes(SECRET), "it shows no secret");
  assert.doesNotMatch(stderr, /^ +at /m, "it is a sentence, and no stack");
  return stderr;
}

const backupsIn = (path: string) =>
  [...store.objects(path).keys()].filter((key) => /^[^/]+\/manifest\.json$/.test(key)).map((key) => key.split("/")[0]!);

async function emptyDataDir(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "screening-"));
  after(() => removeFolder(folder));
  return folder;
}

const source = install();
const web = await source.web();
const { workspace, client, screenerId } = await source.screener(web);
const other = await source.screener(web);
await other.client.import(other.screenerId, people(20), {}, wait);
await client.import(screenerId, people(300), {}, wait);
const count = async (of = client) => (await of.get("/participants?pagination[limit]=1")).body.total as number;

test("a backup in a bucket is one as in a folder, and whole: verified, restored, and who was erased since stays erased", async () => {
  const address = store.addressOf("whole");
  const first = await run(source, "backup", address);
  const [name] = backupsIn("whole");
  assert.equal(first.folder, address.replace("whole", `whole/${name}`));
  assert.ok(!existsSync(join(source.dataDir, "held")) || !readdirSync(join(source.dataDir, "held")).length);
  const { body } = await client.get("/participants?pagination[limit]=1");
  const gone = body.items[0].id as string;
  assert.equal((await client.call("DELETE", `/participants/${gone}`, { headers: wait })).body.status, "SUCCEEDED");
  // What has not changed, the bucket copies.
  const next = await until(async () => {
    const { unchanged, ...more } = await run(source, "backup", address);
    return unchanged > 0 && { unchanged, ...more };
  }, "a store is as it was");
  for (const dir of [address, first.folder, next.folder]) {
    const { findings, files, folder } = await run(source, "verify", dir);
    assert.deepEqual(findings, [], dir);
    assert.ok(files > 2);
    assert.equal(folder, dir === address ? next.folder : dir);
  }
  const dataDir = await emptyDataDir();
  const target = install({}, dataDir);
  const restored = await run(target, "restore", first.folder);
  assert.deepEqual(restored.missing, []);
  assert.deepEqual([restored.workspaces, restored.erased.isListThere, restored.erased.participants], [3, true, 1]);
  assert.equal((await run(target, "verify")).findings.length, 0);
  const served = await target.web();
  assert.equal(await count(workspace.client(served)), 299);
  assert.equal((await workspace.client(served).get(`/participants/${gone}`)).status, 404);
  await target.stop();
  // Another installation has no list of its own, and takes one of the workspaces.
  const elsewhere = install();
  await elsewhere.web();
  const alone = await run(elsewhere, "restore", first.folder, "--workspace", workspace.id);
  assert.deepEqual([alone.isListThere, alone.erased], [true, 1]);
  assert.deepEqual(elsewhere.stored(alone.workspace, "SELECT count(*) FROM participant WHERE id <> 0"), [299]);
  await elsewhere.stop();
  // It is not for a folder that has something.
  assert.match(await refused(target, KEYS, "restore", address), /is not empty/);
});

test("one workspace comes back from a bucket, beside the others or in place, and nothing is left of what was brought", async () => {
  const address = store.addressOf("one");
  await run(source, "backup", address);
  const before = await count();
  await client.import(screenerId, people(50, 5000), {}, wait);
  const made = await run(source, "restore", address, "--workspace", workspace.id);
  assert.equal(source.control("SELECT 1 FROM workspace WHERE uid = ?", made.workspace.id).length, 1);
  const args = ["restore", address, "--workspace", workspace.id, "--in-place"];
  const { plan, counts, folder } = await run(source, ...args);
  assert.match(folder, /^s3:\/\/backups\/one\/2/);
  assert.equal(counts.people.lost, 50);
  await run(source, ...args, "--apply", plan);
  assert.equal(await count(), before);
  assert.deepEqual(
    readdirSync(join(source.dataDir, "tmp")).filter((one) => one.startsWith("restore-")),
    [],
  );
  const late = source.workspace();
  await run(source, "backup", address);
  assert.match(
    await refused(source, KEYS, "restore", store.addressOf("whole"), "--workspace", late.id),
    new RegExp(`s3://backups/whole/.* has no workspace ${late.id}`),
  );
});

test("a backup may be the bucket itself, as somebody has copied it there", async () => {
  const { folder } = await run(source, "backup", store.addressOf("copied"));
  const [name] = backupsIn("copied");
  const bucket = await Bucket.open(store.addressOf(""), {
    accessKeyId: KEYS.AWS_ACCESS_KEY_ID,
    secretAccessKey: SECRET,
  });
  const keys = [...store.objects(`copied/${name}`).keys()];
  assert.ok(keys.length > 2, folder);
  for (const key of keys) assert.ok(await bucket.copy(`copied/${name}/${key}`, key, 1));
  // This store takes two slashes for one; most others do not.
  const paths: string[] = [];
  store.onRequest = async (_method, path) => {
    paths.push(path);
    return "go on";
  };
  const { findings } = await run(source, "verify", store.addressOf(""));
  assert.deepEqual(findings, []);
  const dataDir = await emptyDataDir();
  await run(new Installation({}, dataDir), "restore", store.addressOf(""), "--without-erased");
  store.onRequest = undefined;
  assert.ok(
    paths.some((path) => path.endsWith("/control.sqlite")),
    paths.join(),
  );
  assert.ok(!paths.some((path) => path.includes("//")), paths.join());
  await bucket.remove(keys);
  await bucket.close();
});

test("the last ones are kept, and what was not completed goes after a day", async () => {
  const old = ["2020-01-01T00-00-00Z", "2020-01-02T00-00-00Z"];
  const bucket = await Bucket.open(store.addressOf("kept"), keys());
  for (const name of old)
    for (const file of ["manifest.json", "control.sqlite"]) await bucket.write(`${name}/${file}`, "{}");
  await bucket.write("by-hand/manifest.json", "{}");
  await bucket.write("2020-01-03T00-00-00Z/control.sqlite", "begun long ago");
  await bucket.write("2020-01-04T00-00-00Z/control.sqlite", "begun now");
  for (const [key, file] of store.objects("kept"))
    if (!key.startsWith("2020-01-04")) utimesSync(file, new Date(0), new Date(0));
  // The newest one that is there is none that can be read.
  await bucket.remove(["by-hand/manifest.json"]);
  await bucket.remove(old.map((name) => `${name}/manifest.json`));
  for (const name of old) await bucket.write(`${name}/manifest.json`, manifest());
  const { removed } = await run(source, "backup", store.addressOf("kept"), "--keep-daily", "2", "--keep-weekly", "0");
  assert.deepEqual(removed, [store.addressOf(`kept/${old[0]}`)]);
  const [, kept, ...more] = ["", ...backupsIn("kept")];
  assert.deepEqual([kept, more.length], [old[1], 1]);
  const names = new Set([...store.objects("kept").keys()].map((key) => key.split("/")[0]));
  assert.deepEqual([...names].sort(), [old[1], "2020-01-04T00-00-00Z", more[0], "erased"].sort());
  await bucket.close();
});

const keys = () => ({ accessKeyId: KEYS.AWS_ACCESS_KEY_ID, secretAccessKey: SECRET });

/** Of a backup that has nothing. */
const manifest = () =>
  JSON.stringify({ format: 1, mark: "2020-01-01T00:00:00.000Z", installation: "none", workspaces: [], files: [] });

test("a large file is sent in parts, and comes back as it was", async () => {
  const path = join(newFolder(), "large");
  const bytes = randomBytes(40 * 1024 * 1024 + 7);
  writeFileSync(path, bytes);
  const bucket = await Bucket.open(store.addressOf("large"), keys());
  await bucket.send(path, "in/parts");
  assert.deepEqual(
    (await bucket.list()).map(({ key, bytes: size }) => [key, size]),
    [["in/parts", bytes.length]],
  );
  const back = await bucket.fetch("in/parts", `${path}.back`);
  assert.deepEqual(back, { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
  assert.ok(readFileSync(`${path}.back`).equals(bytes));
  assert.equal(await bucket.copy("in/parts", "copied", bytes.length), true);
  assert.equal(await bucket.copy("nothing", "copied", 1), false);
  assert.equal(await bucket.read("nothing"), undefined);
  await bucket.close();
});

test("what was changed in the bucket, or is missing there, is found, and nothing is restored", async () => {
  const address = store.addressOf("changed");
  await run(source, "backup", address);
  const file = [...store.objects("changed")].find(([key]) => key.includes(`${workspace.id}.sqlite`))![1];
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(file, bytes);
  const { code, stdout } = await source.cliWith(KEYS, "verify", address);
  assert.equal(code, 1);
  assert.match(stdout, /it is not the file that was backed up/);
  for (const damage of [() => undefined, () => writeFileSync(file, bytes.subarray(1))]) {
    damage();
    const dataDir = await emptyDataDir();
    assert.match(
      await refused(install({}, dataDir), KEYS, "restore", address),
      /s3:\S+ is damaged, and nothing was restored/,
    );
    assert.deepEqual(readdirSync(dataDir), []);
  }
  assert.match(
    await refused(source, KEYS, "restore", address, "--workspace", workspace.id),
    /s3:\S+ is damaged, and nothing was restored/,
  );
});

test("a backup that is cut off is none: killed, its rest goes after a day; and where the bucket is away meanwhile, that is said", async () => {
  const address = store.addressOf("cut");
  const { folder } = await run(source, "backup", address);
  const whole = [...store.objects("cut").keys()];
  const env = { DATA_DIR: source.dataDir, REDIS_URL: "", ...KEYS };
  const command = new ServiceProcess("src/cli.ts", { args: ["backup", address], env });
  let sent = 0;
  store.onRequest = async (method, path) => {
    if (method !== "PUT" || !path.includes("/cut/2") || ++sent < 3) return "go on";
    await command.kill();
    return "drop";
  };
  assert.equal((await command.ended).signal, "SIGKILL");
  store.onRequest = undefined;
  const left = [...store.objects("cut")].filter(([key]) => !whole.includes(key));
  assert.equal(left.length, 2);
  assert.equal((await run(source, "verify", address)).folder, folder);
  // A connection that breaks off again and again, then is there again: what was sent is removed.
  sent = 0;
  store.onRequest = async (method, path) =>
    method === "PUT" && path.includes("/cut/2") && ++sent >= 3 && sent < 7 ? "drop" : "go on";
  assert.match(
    await refused(source, KEYS, "backup", address),
    /^s3:\S+ can't be reached at http:\S+: UND_ERR_SOCKET\.$/m,
  );
  store.onRequest = undefined;
  assert.deepEqual([...store.objects("cut").keys()].sort(), [...whole, ...left.map(([key]) => key)].sort());
  // One that breaks off once is tried again.
  sent = 0;
  store.onRequest = async () => (++sent % 4 === 0 ? "drop" : "go on");
  const next = await run(source, "backup", address, "--keep-daily", "9");
  assert.equal((await run(source, "verify", address)).folder, next.folder);
  store.onRequest = undefined;
  assert.ok(left.every(([, file]) => existsSync(file)));
  for (const [, file] of left) utimesSync(file, new Date(0), new Date(0));
  await run(source, "backup", address, "--keep-daily", "9");
  assert.ok(left.every(([, file]) => !existsSync(file)));
  assert.deepEqual(readdirSync(join(source.dataDir, "held")), []);
});

test("a backup whose end is not answered is none: its manifest goes first, however much of the rest can be removed", async () => {
  const address = store.addressOf("unanswered");
  let isWritten = false;
  store.onRequest = async (method, path) => {
    const isManifest = /\/unanswered\/2[^/]*\/manifest\.json$/.test(path);
    if (method === "PUT" && isManifest) {
      isWritten = true;
      return "drop answer";
    }
    // From then on nothing but the manifest can be removed, and the first failure ends it.
    return isWritten && !isManifest ? "drop" : "go on";
  };
  assert.match(await refused(source, KEYS, "backup", address), /can't be reached/);
  store.onRequest = undefined;
  assert.ok(isWritten);
  assert.deepEqual(backupsIn("unanswered"), []);
  assert.ok(store.objects("unanswered").size > 0);
});

test("the service takes them by its schedule, says what it is refused, and shows no key", async () => {
  const settings = { BACKUP_SCHEDULE: "0 0 1 1 *", BACKUP_DIR: store.addressOf("scheduled"), METRICS_PORT: "0" };
  const installation = install({ ...settings, ...KEYS });
  const served = await installation.web();
  await served.says(/"backup taken"/, 120_000);
  const [name, ...more] = backupsIn("scheduled");
  assert.deepEqual([typeof name, more], ["string", []]);
  assert.deepEqual((await (await fetch(`${served.url}/readyz`)).json()).details, []);
  assert.equal((await installation.cli("doctor", "--json")).stdout.includes("s3:"), false);
  assert.ok(!served.stdout.includes(SECRET) && !served.stderr.includes(SECRET));
  const wrong = install({ ...settings, ...KEYS, AWS_SECRET_ACCESS_KEY: `${SECRET}x` });
  const failing = await wrong.web();
  const [line] = await failing.says(/.*"backup failed".*/, 120_000);
  assert.match(line, /403 SignatureDoesNotMatch/);
  assert.ok(!failing.stdout.includes(SECRET) && !failing.stderr.includes(SECRET));
  assert.deepEqual(backupsIn("scheduled"), [name]);
});

test("wrong keys, no keys, no bucket, and a store that is away are said in one sentence, with where and why", async () => {
  const address = store.addressOf("wrong");
  const away = await freePort();
  for (const [env, dir, said] of [
    [
      { ...KEYS, AWS_SECRET_ACCESS_KEY: `${SECRET}x` },
      address,
      /^s3:\/\/backups\/wrong\S* can't be used .*403 SignatureDoesNotMatch\. Its keys are wrong/,
    ],
    [{ ...KEYS, AWS_ACCESS_KEY_ID: "NOBODY" }, address, /403 InvalidAccessKeyId\. Its keys are wrong/],
    [{}, address, /^AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set/],
    [
      KEYS,
      address.replace("//backups", "//nowhere"),
      /404 NoSuchBucket\. There is no bucket nowhere at http:\/\/127\.0\.0\.1/,
    ],
    [
      KEYS,
      `s3://backups/wrong?endpoint=http://127.0.0.1:${away}`,
      /can't be reached at http:\/\/127\.0\.0\.1:\d+: ECONNREFUSED/,
    ],
    [
      KEYS,
      `s3://${KEYS.AWS_ACCESS_KEY_ID}:${encodeURIComponent(SECRET)}@backups/wrong`,
      /must be an address without keys/,
    ],
    [KEYS, "s3://backups/wrong?key=1", /must have no other parameters than endpoint and region/],
  ] as const) {
    assert.match(await refused(source, env, "verify", dir), said);
    assert.match(await refused(install({}, await emptyDataDir()), env, "restore", dir, "--without-erased"), said);
    const message = await refused(source, env, "backup", dir);
    assert.match(message, said);
    assert.equal(message.trim().split("\n").length, 1, message);
  }
  assert.deepEqual([...store.objects("wrong")], []);
  const settings = { BACKUP_SCHEDULE: "0 0 1 1 *", BACKUP_DIR: address };
  const doctor = async (env: Record<string, string>) =>
    (await source.cliWith({ ...settings, ...env }, "doctor")).stdout;
  assert.match(await doctor(KEYS), /^ok {7}backups$/m);
  const wrong = await doctor({ ...KEYS, AWS_SECRET_ACCESS_KEY: "wrong" });
  assert.match(wrong, /^error .*backups: s3:\/\/backups\/wrong.*SignatureDoesNotMatch/m);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
