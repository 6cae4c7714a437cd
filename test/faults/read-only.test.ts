// A file system that the kernel makes read-only under the service, as it does after an error of the disk.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { people } from "../support/client.ts";
import { Installation } from "../support/process.ts";
import { until } from "../support/until.ts";

/** An ext4 of its own; undefined where none can be mounted. */
function mountDisk(): { path: string; stop(): void; mountAgain(): void } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "read-only-"));
  const [image, path] = [join(folder, "image"), join(folder, "disk")];
  writeFileSync(image, "");
  truncateSync(image, 64 * 1024 * 1024);
  mkdirSync(path);
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: "ignore" });
  try {
    run("mkfs.ext4", "-q", image);
    run("mount", "-o", "loop", image, path);
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  after(() => {
    run("umount", "-l", path);
    rmSync(folder, { recursive: true });
  });
  return {
    path,
    stop: () => run("mount", "-o", "remount,abort", path),
    mountAgain() {
      run("umount", path);
      run("mount", "-o", "loop", image, path);
    },
  };
}

const disk = mountDisk();
const skip = disk ? false : "no ext4 can be mounted here: that needs root, mkfs.ext4 and loop devices";

test("under a file system that can only be read, reads go on, writes are refused, and all says why; then nothing is lost", {
  skip,
}, async () => {
  const dataDir = join(disk!.path, "data");
  mkdirSync(dataDir);
  const installation = new Installation({}, dataDir);
  after(() => installation.stop());
  const web = await installation.web();
  const { workspace, client, screenerId } = await installation.screener(web);
  assert.equal((await client.import(screenerId, people(50))).status, 200);
  disk!.stop();
  const refused = await until(async () => {
    const answer = await client.post("/participants", people(1, 50)[0]);
    return answer.status === 201 ? undefined : answer;
  }, "a write is refused");
  assert.deepEqual([refused.status, refused.body.code], [503, "store_unavailable"]);
  assert.equal((await client.import(screenerId, people(3))).status, 503);
  assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, 50);
  const readiness = await until(async () => {
    const answer = await client.get("/readyz");
    return answer.body.details.some(({ code }: { code: string }) => code === "read_only") && answer;
  }, "it is found");
  assert.equal((readiness as { status: number }).status, 200);
  const { details } = (readiness as { body: { details: { code: string; message: string }[] } }).body;
  assert.equal(
    details.find(({ code }) => code === "read_only")?.message,
    "The control store can't be written: its file system can only be read. Writes are refused, reads go on.",
  );
  assert.equal((await client.get("/readyz?writes")).status, 503);
  const { stdout } = await installation.cli("doctor");
  assert.match(stdout, /is on a file system that can only be read/);
  assert.doesNotMatch(stdout, /chown|from a backup/);
  assert.equal(web.end, undefined);
  await installation.stop();
  await assert.rejects(installation.web(), /is on a file system that can only be read/);
  await installation.stop();

  disk!.mountAgain();
  const healed = workspace.client(await installation.web());
  assert.equal((await healed.get("/participants?pagination[limit]=1")).body.total, 50);
  assert.equal((await healed.post("/participants", people(1, 50)[0])).status, 201);
  assert.deepEqual(installation.control("PRAGMA quick_check"), ["ok"]);
});
