// Processes and commands of another user than the one who owns the data: they break nothing, and what somebody else has broken is named
// as that, until it is mended.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { people } from "../support/client.ts";
import { type Installation, install, ServiceProcess, type WebProcess } from "../support/process.ts";
import { freePort } from "../support/proxies.ts";
import { until } from "../support/until.ts";

const SERVICE = 41_001;
const STRANGER = 41_002;

const skip = whyNot();

/** Why it can't be tried here. */
function whyNot(): string | false {
  if (process.getuid?.() !== 0) return "only root can start processes of other users";
  try {
    execFileSync("test", ["-r", "src/cli.ts"], { uid: SERVICE, gid: SERVICE });
    return false;
  } catch {
    return "other users may not read the project's folder";
  }
}

/** An installation of the service's user, with its web process. */
async function begin(): Promise<{ installation: Installation; web: WebProcess; metrics: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), "screening-"));
  chownSync(dataDir, SERVICE, SERVICE);
  const installation = install({}, dataDir);
  const port = String(await freePort());
  const web = await installation.web({ uid: SERVICE, env: { METRICS_PORT: port } });
  return { installation, web, metrics: `http://127.0.0.1:${port}/metrics` };
}

/** What below a folder belongs to somebody else than the service. */
function foreign(path: string): string[] {
  const stat = lstatSync(path);
  const own = stat.uid === SERVICE && stat.gid === SERVICE ? [] : [path];
  return stat.isDirectory() ? [...own, ...readdirSync(path).flatMap((name) => foreign(join(path, name)))] : own;
}

async function codes(web: WebProcess): Promise<string[]> {
  const { details } = (await (await fetch(`${web.url}/readyz`)).json()) as { details: { code: string }[] };
  return details.map(({ code }) => code).filter((code) => code.startsWith("store_"));
}

test("a command as root runs as the owner of the data and says so; others, and processes, are refused", {
  skip,
}, async () => {
  const { installation, web } = await begin();
  const { dataDir } = installation;
  const made = await installation.cli("workspace", "create", "Test", "--json");
  assert.equal(made.code, 0, made.stderr);
  assert.equal(made.stderr, `${dataDir} belongs to the user ${SERVICE}: the command runs as that user, not as root.\n`);
  const workspace = installation.known(JSON.parse(made.stdout));
  const client = workspace.client(web);
  assert.equal((await client.import(await client.screener(), people(50))).status, 200);
  const backups = mkdtempSync(join(tmpdir(), "backups-"));
  const refused = await installation.cli("backup", backups);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /EACCES/);
  chownSync(backups, SERVICE, SERVICE);
  for (const args of [
    ["backup", backups],
    ["verify", backups],
    ["verify"],
    ["migrate"],
    ["workspace", "rename", "Other", "--workspace", workspace.id],
    ["workspace", "list"],
    ["doctor"],
  ]) {
    const { code, stderr, stdout } = await installation.cli(...args);
    assert.ok(code === 0 || args[0] === "doctor", `${args}: ${stderr}`);
    assert.doesNotMatch(stdout, /can't be read|another user/);
  }
  assert.deepEqual([...foreign(dataDir), ...foreign(backups)], []);
  // What it has changed says who has been there.
  const { body: log } = await client.get("/events");
  const renamed = log.items.find(({ type }: { type: string }) => type === "workspace.updated");
  assert.equal(renamed.actor.name, userInfo().username, log);

  const start = (script: string, uid: number, ...args: string[]) =>
    new ServiceProcess(script, {
      uid,
      args,
      env: { DATA_DIR: dataDir, PORT: "0", REDIS_URL: "unix:///nowhere/redis.sock" },
    });
  for (const [script, uid, ...args] of [
    ["src/web.ts", 0],
    ["workers/main.ts", 0],
    ["src/cli.ts", STRANGER, "workspace", "list"],
  ] as [string, number, ...string[]][]) {
    const process = start(script, uid, ...args);
    assert.equal((await process.dies()).code, 1, script);
    if (script !== "workers/main.ts")
      assert.match(process.stderr, new RegExp(`belongs to the user ${SERVICE}, and`), script);
  }
  assert.deepEqual(foreign(dataDir), []);
  assert.equal((await client.post("/participants", people(1, 50)[0])).status, 201);

  // An empty folder, into which a backup is restored.
  const empty = mkdtempSync(join(tmpdir(), "restored-"));
  chownSync(empty, SERVICE, SERVICE);
  const restored = await installation.cliWith({ DATA_DIR: empty }, "restore", backups);
  assert.equal(restored.code, 0, restored.stderr);
  assert.deepEqual(foreign(empty), []);

  // One that root has made, and one that is not there: they go to whom the backup belongs.
  const ofRoot = mkdtempSync(join(tmpdir(), "restored-"));
  chmodSync(ofRoot, 0o755);
  mkdirSync(join(ofRoot, "made"));
  for (const folder of [join(ofRoot, "made"), join(ofRoot, "new")]) {
    const given = await installation.cliWith({ DATA_DIR: folder }, "restore", backups);
    assert.equal(given.code, 0, given.stderr);
    assert.match(
      given.stderr,
      new RegExp(`^${folder} is given to the user ${SERVICE}, to whom ${backups}/\\S+ belongs\\.`),
    );
    assert.deepEqual(foreign(folder), []);
  }
});

test("root is refused where an empty folder waits for another user, before it makes anything there", {
  skip,
}, async () => {
  const empty = mkdtempSync(join(tmpdir(), "screening-"));
  chownSync(empty, SERVICE, SERVICE);
  const env = { DATA_DIR: empty, PORT: "0", REDIS_URL: "" };
  const started = new ServiceProcess("src/web.ts", { env });
  assert.equal((await started.dies()).code, 1);
  assert.match(started.stderr, new RegExp(`belongs to the user ${SERVICE}, and this process to the user 0`));
  assert.deepEqual(readdirSync(empty), []);
  const web = await install({ REDIS_URL: "" }, empty).web({ uid: SERVICE });
  assert.equal((await fetch(`${web.url}/readyz`)).status, 200);
  assert.deepEqual(foreign(empty), []);
});

test("a store that belongs to another user is unreadable, not damaged, and is none when it is given back", {
  skip,
}, async () => {
  const { installation, web, metrics } = await begin();
  const made = await installation.cli("workspace", "create", "Test", "--json");
  const workspace = installation.known(JSON.parse(made.stdout));
  const path = join(installation.dataDir, "workspaces", workspace.id.slice(-2), `${workspace.id}.sqlite`);
  chownSync(path, 0, 0);
  const client = workspace.client(web);
  const refused = await client.get("/participants");
  assert.deepEqual([refused.status, refused.body.code], [503, "store_refused"]);
  const answer = await until(async () => {
    const { body } = await client.get("/readyz");
    return body.details.find(({ code }: { code: string }) => code === "store_unreadable");
  }, "it is found");
  assert.equal(answer.workspace, workspace.id);
  assert.equal(
    answer.message,
    `The workspace's store can't be read and written by this process: the file ${workspace.id}.sqlite belongs to the user 0 and ` +
      `has the mode 0600, and the process is the user ${SERVICE}. What to do: as root, chown -R ${SERVICE}:${SERVICE} DATA_DIR ` +
      "&& chmod -R u+rwX DATA_DIR.",
  );
  const shows = async () => /screening_findings\{.*code="store_unreadable"/.test(await (await fetch(metrics)).text());
  assert.ok(await shows());
  const doctor = await installation.cli("doctor");
  assert.match(doctor.stdout, /the file \S+\.sqlite belongs to the user 0 .*What to do: as root, chown -R/);
  assert.doesNotMatch(doctor.stdout, /from a backup/);
  // The check of all pages comes by, and does not call it damaged.
  const checked = "SELECT count(*) FROM store_check WHERE workspace_uid = ?";
  await until(() => installation.control<number>(checked, workspace.id)[0], "it is looked at", 60_000);
  assert.deepEqual(await codes(web), ["store_unreadable"]);

  chownSync(path, SERVICE, SERVICE);
  // Nobody asks for that workspace.
  await until(async () => !(await codes(web)).length, "it is no finding any more", 60_000);
  assert.equal(await shows(), false);
  assert.equal((await client.get("/participants")).status, 200);
});
