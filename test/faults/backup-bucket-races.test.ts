// Backups in a bucket where others are at work, answers are lost, or keys were given for a time.

import assert from "node:assert/strict";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { Bucket, BucketError } from "../../src/backup/bucket/client.ts";
import { bucketPlace } from "../../src/backup/bucket-place.ts";
import { fetchLists, removeOutdatedIn } from "../../src/backup/in-bucket.ts";
import { removeOutdated } from "../../src/backup/keep.ts";
import { folderPlace, touching } from "../../src/backup/place.ts";
import { checkBackups } from "../../src/doctor/backups.ts";
import { addErased, erasedAt, mergeLists, readList } from "../../src/erasure/list.ts";
import { KEYS, startBucket } from "../support/bucket.ts";
import { newFolder } from "../support/folder.ts";
import { install, ServiceProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

const store = await startBucket();
const keys = { accessKeyId: KEYS.AWS_ACCESS_KEY_ID, secretAccessKey: KEYS.AWS_SECRET_ACCESS_KEY };
const NOTHING = {
  format: 1,
  mark: "2020-01-01T00:00:00.000Z",
  installation: "none",
  workspaces: [],
  files: [],
} as const;
const manifest = { ...NOTHING, workspaces: [], files: [] };

test("two backups at once lose nothing of the lists of the erased; lists that others have the lines of go after a day", async () => {
  const bucket = await Bucket.open(store.addressOf("lists"), keys);
  const workspace = randomUUID();
  const [ada, bob] = [randomUUID(), randomUUID()];
  const listOf = (...uids: string[]) => {
    const folder = join(newFolder(), "erased");
    for (const uid of uids) addErased(folder, workspace, [{ uid, at: Date.now() }]);
    return folder;
  };
  const backUp = async (erasedDir: string) => {
    const draft = (await bucketPlace(bucket)).begin(newFolder());
    await draft.complete(manifest, erasedDir);
  };
  const there = async () => {
    const [fetched, merged] = [newFolder(), newFolder()];
    await fetchLists(bucket, fetched);
    mergeLists(fetched, merged);
    const list = readList(merged, workspace);
    return [ada, bob].map((uid) => erasedAt(list, workspace, uid) !== undefined);
  };
  // One has read the lists, and is about to write: now the other one does all of that.
  let isFirst = true;
  store.onRequest = async (method, path) => {
    if (method !== "PUT" || !path.includes(`/erased/${workspace}`) || !isFirst) return "go on";
    isFirst = false;
    await backUp(listOf(ada));
    return "go on";
  };
  await backUp(listOf(bob));
  store.onRequest = undefined;
  assert.equal(isFirst, false);
  assert.deepEqual(await there(), [true, true]);
  const own = listOf();
  await backUp(own);
  const lists = () => [...store.objects("lists")].filter(([key]) => key.startsWith(`erased/${workspace}`));
  assert.equal(lists().length, 3);
  for (const [, file] of lists()) utimesSync(file, new Date(0), new Date(0));
  await backUp(own);
  assert.deepEqual([lists().length, await there()], [1, [true, true]]);
  await bucket.close();
});

test("a backup that takes more than a day is not left behind, as long as it goes on", async () => {
  const keep = { daily: 9, weekly: 0 };
  const bucket = await Bucket.open(store.addressOf("long"), keys);
  const place = await bucketPlace(bucket);
  const draft = place.begin(newFolder());
  await bucket.write(`${place.name}/control.sqlite`, "sent two days ago");
  const objects = () => store.objects("long");
  const age = () => utimesSync(objects().get(`${place.name}/control.sqlite`)!, new Date(0), new Date(0));
  age();
  const end = touching(draft, 20);
  await until(async () => objects().has(`${place.name}/under-way`), "it says so");
  await removeOutdatedIn(bucket, keep);
  assert.ok(objects().has(`${place.name}/control.sqlite`));
  await end();
  await draft.complete(manifest, newFolder());
  assert.ok(!objects().has(`${place.name}/under-way`));
  const target = newFolder();
  const inFolder = folderPlace(target);
  const left = inFolder.begin("");
  utimesSync(left.folder, new Date(0), new Date(0));
  await left.touch();
  removeOutdated(target, keep);
  assert.equal(readdirSync(target).length, 1);
  utimesSync(left.folder, new Date(0), new Date(0));
  removeOutdated(target, keep);
  assert.equal(readdirSync(target).length, 0);
  await bucket.close();
});

test("the end of a large file is done once, though its first answer is lost", async () => {
  const path = join(newFolder(), "large");
  const bytes = randomBytes(20 * 1024 * 1024);
  writeFileSync(path, bytes);
  const bucket = await Bucket.open(store.addressOf("parts"), keys);
  let lost = 0;
  store.onRequest = async (method, url) =>
    method === "POST" && url.includes("uploadId=") && lost++ === 0 ? "drop answer" : "go on";
  await bucket.send(path, "in/parts");
  store.onRequest = undefined;
  assert.ok(lost > 1, "it was asked again");
  const back = await bucket.fetch("in/parts", `${path}.back`);
  assert.deepEqual(back, { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
  await bucket.close();
});

test("keys that were given for a time come with their token, which is signed; one that is over is said", async (t) => {
  t.after(() => {
    store.token = undefined;
  });
  store.token = "FwoGZXIvYXdzEXAMPLE//+token==";
  const given = await Bucket.open(store.addressOf("token"), { ...keys, sessionToken: store.token });
  await given.write("a/text", "A");
  assert.equal(await given.copy("a/text", "b/text", 1), true);
  assert.equal(await given.read("b/text"), "A");
  await given.remove(["a/text"]);
  assert.deepEqual(
    (await given.list()).map(({ key }) => key),
    ["b/text"],
  );
  await given.close();
  const source = install();
  await source.screener(await source.web());
  const address = store.addressOf("token-of-command");
  const taken = await source.cliWith({ ...KEYS, AWS_SESSION_TOKEN: store.token }, "backup", address);
  assert.equal(taken.code, 0, taken.stderr);
  const refused = await source.cliWith({ ...KEYS, AWS_SESSION_TOKEN: "over" }, "backup", address);
  assert.match(
    refused.stderr,
    /403 InvalidToken\. Its keys were given for a time that is over: look at AWS_SESSION_TOKEN\.$/m,
  );
});

test("what a killed verify has brought here goes with the next one", async () => {
  const source = install();
  await source.screener(await source.web());
  const address = store.addressOf("verified");
  assert.equal((await source.cliWith(KEYS, "backup", address)).code, 0);
  const temporary = mkdtempSync(join(newFolder(), "tmp-"));
  const env = { DATA_DIR: source.dataDir, REDIS_URL: "", TMPDIR: temporary, ...KEYS };
  const left = () => readdirSync(temporary).filter((name) => name.startsWith("screening-"));
  const command = new ServiceProcess("src/cli.ts", { args: ["verify", address], env });
  store.onRequest = async (method, path) => {
    if (method !== "GET" || !path.includes("/workspaces/")) return "go on";
    await command.kill();
    return "drop";
  };
  assert.equal((await command.ended).signal, "SIGKILL");
  store.onRequest = undefined;
  assert.equal(left().length, 1);
  // Another one has just begun, and does not hold its lock yet.
  const begun = "screening-fetched-begun";
  mkdirSync(join(temporary, begun, "locks"), { recursive: true });
  const again = new ServiceProcess("src/cli.ts", { args: ["verify", address], env });
  assert.equal((await again.ended).code, 0, again.stderr);
  assert.deepEqual(left(), [begun]);
});

test("what is not there any more is removed, also where the store says that there is none; a bucket that is away is said", async () => {
  const gone = ["NoSuchKey", "NoSuchBucket"];
  const server = createServer((_, reply) =>
    reply.writeHead(404, { "Content-Type": "application/xml" }).end(`<Error><Code>${gone.shift()}</Code></Error>`),
  ).listen(0, "127.0.0.1");
  after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const bucket = await Bucket.open(`s3://backups/x?endpoint=http://127.0.0.1:${port}`, keys);
  await bucket.remove(["gone"]);
  await assert.rejects(bucket.remove(["gone"]), /404 NoSuchBucket/);
  await bucket.close();
});

test("why a place for backups can't be used is said, and not who owns it, where that is not the reason", async () => {
  const port = 1;
  const away = await Bucket.open(`s3://backups/x?endpoint=http://127.0.0.1:${port}`, keys);
  const error = await away.list().catch((reason: unknown) => reason);
  assert.ok(error instanceof BucketError && error.cause instanceof Error, "it has its cause");
  await away.close();
  const file = join(newFolder(), "file");
  writeFileSync(file, "", { mode: 0o600 });
  const schedule = { dir: file } as never;
  const [found] = await checkBackups({ backup: schedule, bucketKeys: undefined });
  assert.match(found!.message, /\(BACKUP_DIR\) can't be read and written: EACCES$/);
  const [inBucket] = await checkBackups({ backup: { dir: "s3:///" } as never, bucketKeys: keys });
  assert.doesNotMatch(JSON.stringify(inBucket), /chown/);
});
