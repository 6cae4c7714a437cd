// The image of deploy/Containerfile, built without a builder, and deploy/compose.yaml: small, with one Node, and it runs as
// nobody on what it cannot write.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, globSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseWithPointers } from "@stoplight/yaml";
import { readConfig, VARIABLES } from "../../src/base/config.ts";
import { buildImage, readContainerfile } from "../support/container.ts";
import { newFolder } from "../support/folder.ts";
import { freePort } from "../support/proxies.ts";
import { until } from "../support/until.ts";

const MB = 1000 * 1000;
const MAX_IMAGE_BYTES = 300 * MB;
/** debian:bookworm-slim, unpacked. */
const BASE_BYTES = 75 * MB;
/** What Node and the C library read. */
const OF_OTHERS = ["NODE_ENV", "MALLOC_ARENA_MAX"];

const FILE = "deploy/Containerfile";
const instructions = readContainerfile(FILE);

test("the image: its steps run, it is small, has one Node, and serves as nobody on a read-only root", async () => {
  const scratch = newFolder();
  chmodSync(scratch, 0o755);
  const context = join(scratch, "context");
  execFileSync("git", ["clone", "-q", "--depth=1", `file://${process.cwd()}`, context]);
  // What is left out again of the folders that are copied.
  for (const line of readFileSync(".dockerignore", "utf8").split("\n"))
    if (/^\w/.test(line)) rmSync(join(context, line), { recursive: true });
  const image = buildImage(instructions, context, scratch);
  assert.match(image.base, /\/debian:[a-z]+-slim@/);

  const files = globSync("**/*", { cwd: image.root })
    .map((name) => ({ name, found: lstatSync(join(image.root, name)) }))
    .filter(({ found }) => !found.isDirectory());
  const bytes = files.reduce((sum, { found }) => sum + found.blocks * 512, BASE_BYTES);
  assert.ok(bytes <= MAX_IMAGE_BYTES, `it has ${Math.round(bytes / MB)} MB`);
  const nodes = files.filter(({ name, found }) => /(?:^|\/)(?:node|bun|deno)$/.test(name) && found.isFile());
  assert.deepEqual(
    nodes.map(({ name }) => name.replace(/-\w+-\w+(?=\/bin)/, "")),
    ["app/node_modules/node/bin/node"],
  );
  // Only who they belong to, root, can write them.
  assert.deepEqual(
    files.filter(({ found }) => !found.isSymbolicLink() && found.mode & 0o022).map(({ name }) => name),
    [],
  );

  const [uid, gid] = image.user.split(":").map(Number);
  assert.ok(uid && gid, "a number: an orchestrator sees that it is not root");
  const port = await freePort();
  const run = ([program, ...args]: string[]) =>
    spawn(join(image.root, program!), args, {
      cwd: join(image.root, image.workdir),
      env: { ...image.env, DATA_DIR: join(image.root, image.env.DATA_DIR!), HOST: "127.0.0.1", PORT: `${port}` },
      stdio: ["ignore", "pipe", "pipe"],
      ...(process.getuid?.() === 0 && { uid, gid }),
    });
  const state = () =>
    globSync("app/**/*", { cwd: image.root }).map((name) => {
      const { mtimeMs, size } = lstatSync(join(image.root, name));
      return `${name} ${mtimeMs} ${size}`;
    });
  const before = state();
  const web = run(image.command);
  let output = "";
  for (const stream of [web.stdout, web.stderr]) stream.on("data", (text) => (output += text));
  const ended = once(web, "exit");
  try {
    await until(() => /^Listening on/m.test(output) || web.exitCode !== null, "it listens");
    const [code] = await once(run(image.healthcheck), "exit");
    assert.equal(code, 0, output);
  } finally {
    web.kill(image.stopSignal as NodeJS.Signals);
  }
  assert.deepEqual(await ended, [0, null], output);
  // It was compiled when the image was built, and writes nothing but its data.
  assert.deepEqual(state(), before);
});

test("the image takes nothing that its context leaves out, and sets what the service knows", () => {
  const allowed = readFileSync(".containerignore", "utf8").match(/(?<=^!).+/gm)!;
  for (const { name, rest } of instructions) {
    if (name !== "COPY" || rest.startsWith("--from=")) continue;
    for (const source of rest.split(" ").slice(0, -1)) assert.ok(allowed.includes(source), `${source} is left out`);
  }
  assert.equal(readFileSync(".dockerignore", "utf8"), readFileSync(".containerignore", "utf8"));
  assert.deepEqual(
    Object.keys(imageEnv()).filter((name) => ![...VARIABLES, ...OF_OTHERS].includes(name)),
    [],
  );
});

interface Service {
  image: string;
  build?: { context: string; dockerfile: string };
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  stop_grace_period?: string;
}

test("compose.yaml agrees with the image, and its services may do little", () => {
  const { data, diagnostics } = parseWithPointers<{ services: Record<string, Service>; volumes: object }>(
    readFileSync("deploy/compose.yaml", "utf8"),
    { mergeKeys: true },
  );
  assert.deepEqual(diagnostics, []);
  const { services, volumes } = data!;
  assert.deepEqual(Object.keys(services), ["web", "worker", "redis"]);
  const last = (wanted: string) => instructions.findLast(({ name }) => name === wanted)!.rest;
  for (const { read_only, cap_drop, security_opt } of Object.values(services)) {
    assert.deepEqual([read_only, cap_drop, security_opt], [true, ["ALL"], ["no-new-privileges:true"]]);
  }
  for (const service of [services.web!, services.worker!]) {
    assert.equal(join("deploy", service.build!.context, service.build!.dockerfile), FILE);
    assert.deepEqual(service.volumes, [`${Object.keys(volumes)[0]}:${last("VOLUME")}`]);
    const set = Object.keys(service.environment!);
    assert.deepEqual(
      set.filter((name) => !VARIABLES.includes(name)),
      [],
    );
    // The values are right, together with those of the image.
    const config = readConfig({ ...imageEnv(), ...service.environment, PUBLIC_URL: "https://screening.example.org" });
    assert.equal(config.dataDir, last("VOLUME"));
    assert.equal(new URL(config.redisUrl!).hostname, "redis");
    assert.ok(Number(/^(\d+)s$/.exec(service.stop_grace_period!)![1]) > 30 + config.drainDelaySeconds);
  }
  assert.match(services.web!.ports![0]!, new RegExp(`^127\\.0\\.0\\.1:\\d+:${last("EXPOSE")}$`));
  assert.equal(readConfig(imageEnv()).port, Number(last("EXPOSE")));
  // The command of a worker is that of npm run worker.
  const scripts = JSON.parse(readFileSync("package.json", "utf8")).scripts;
  assert.equal(`exec node ${services.worker!.command!.join(" ")}`, scripts.worker);
  assert.equal(`exec node ${JSON.parse(last("CMD")).join(" ")}`, scripts.web);
});

function imageEnv(): Record<string, string> {
  const text = instructions.findLast(({ name }) => name === "ENV")!.rest;
  return Object.fromEntries(text.split(" ").map((pair) => pair.split("=")));
}
