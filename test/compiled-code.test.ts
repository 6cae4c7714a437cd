// What runs the service is compiled code: never older than the files it was made from, and made only on request.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PROGRAMS, THREADS } from "../src/build.mjs";
import { newFolder } from "./support/folder.ts";
import { copyOfCode } from "./support/releases/code.ts";

const project = copyOfCode();
const dist = join(project, "dist");

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

function run(...args: string[]): Promise<Ran> {
  const { NODE_V8_COVERAGE: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: project, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const cli = (...args: string[]) => run("src/run.mjs", "cli", ...args);
const cliBuilt = (...args: string[]) => run("src/run.mjs", "--build", "cli", ...args);
const builds = () => (existsSync(dist) ? readdirSync(dist) : []).sort();

/** What is built, with the way from there to the module that all have. */
const SMALL = Object.fromEntries(
  Object.values({ ...PROGRAMS, ...THREADS }).map((path) => [
    path,
    `${"../".repeat(path.split("/").length - 1)}db/root.ts`,
  ]),
);

const COMPILED = /^Compiled in \d+ ms\.\n$/;
const MISSING = "Nothing is compiled of this source: run `npm run build` first, or `npm start`.\n";

test("--build compiles what has changed, says so in one line, and does it once", async () => {
  const first = await cliBuilt("--help");
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stderr, COMPILED);
  const [build, ...others] = builds();
  assert.deepEqual(others, []);
  // What is there is run: so the text comes from the compiled file, as long as no file has changed.
  writeFileSync(join(dist, build!, "cli.mjs"), `process.stdout.write("compiled " + process.argv.slice(2));`);
  assert.deepEqual(await cliBuilt("--help"), { code: 0, stdout: "compiled --help", stderr: "" });
  assert.deepEqual(await cli("a", "--build"), { code: 0, stdout: "compiled a,--build", stderr: "" });
  const file = join(project, "src/cli.ts");
  const original = readFileSync(file, "utf8");
  appendFileSync(file, "\n// Changed.\n");
  const changed = await cliBuilt("--help");
  assert.equal(changed.stdout, first.stdout);
  assert.match(changed.stderr, COMPILED);
  assert.equal(builds().length, 2);
  writeFileSync(file, original);
  assert.equal((await cli("--help")).stdout, "compiled --help");
});

test("without a build what serves says what to do; commands read the TypeScript files", async () => {
  const help = (await cliBuilt("--help")).stdout;
  rmSync(dist, { recursive: true });
  for (const name of ["web", "worker"])
    assert.deepEqual(await run("src/run.mjs", name), { code: 1, stdout: "", stderr: MISSING });
  const read = await cli("--help");
  assert.deepEqual([read.code, read.stderr], [0, ""]);
  assert.match(read.stdout, /^Usage: cli /);
  assert.notEqual(help, "");
  assert.deepEqual(builds(), []);
  const nothing = await run("src/run.mjs");
  assert.deepEqual(nothing, {
    code: 1,
    stdout: "",
    stderr: "Say what to run: node src/run.mjs [--build] web|worker|cli|demo.\n",
  });
});

test("a build works wherever its project is moved to", async () => {
  await run("src/build.mjs");
  const help = (await cli("--help")).stdout;
  const moved = newFolder();
  rmSync(moved, { recursive: true });
  renameSync(project, moved);
  try {
    const ran = await new Promise((resolve) => {
      execFile(process.execPath, [join(moved, "src/run.mjs"), "cli", "--help"], (_, stdout) => resolve(stdout));
    });
    assert.equal(ran, help);
  } finally {
    renameSync(moved, project);
  }
});

test("from here on programs of a few lines will do: how they are built does not depend on what they do", async () => {
  for (const [program, root] of Object.entries(SMALL))
    writeFileSync(
      join(project, program),
      `import { ROOT } from "${root}";\nprocess.stdout.write(\`Usage: \${process.argv.slice(2)}, \${ROOT instanceof URL}\\n\`);\n`,
    );
  for (const ran of [await cli("--help"), await cliBuilt("--help")])
    assert.deepEqual([ran.code, ran.stdout], [0, "Usage: --help, true\n"]);
});

test("a stack trace of compiled code names lines of the TypeScript files", async () => {
  const file = join(project, "src/cli.ts");
  const original = readFileSync(file, "utf8");
  const planted = join(project, "src/planted.ts");
  writeFileSync(
    planted,
    `interface Gone {\n  text: string;\n}\n\nexport function plant({ text }: Gone): never {\n  throw new Error(text);\n}\n`,
  );
  writeFileSync(
    file,
    `import { plant } from "./planted.ts";\ntry {\n  plant({ text: "two\\nlines" });\n} catch (error) {\n  process.stderr.write(String((error as Error).stack));\n}\nnew URL("no address");\n`,
  );
  await run("src/build.mjs");
  const { stderr } = await cli();
  writeFileSync(file, original);
  rmSync(planted);
  const [first, second, ...frames] = stderr.split("\n");
  assert.deepEqual([first, second], ["Error: two", "lines"]);
  assert.match(frames[0]!, /^ {4}at .*\/src\/planted\.ts:6:9\)?$/);
  assert.match(frames[1]!, /^ {4}at .*\/src\/cli\.ts:3:3\)?$/);
  // Nobody has caught the other one: Node writes its line of the compiled code, and all as its own traces have it.
  assert.match(stderr, /^TypeError \[?.*Invalid URL\n(?: {4}at .*\n)* {4}at .*\/src\/cli\.ts:7:1\)?$/m);
  assert.ok(frames.every((line) => line.length < 1000));
});

test("an error names the TypeScript file, compiled or not", async () => {
  const file = join(project, "src/cli.ts");
  const original = readFileSync(file, "utf8");
  appendFileSync(file, `\nthrow new Error("on purpose");\n`);
  const line = readFileSync(file, "utf8").split("\n").length - 1;
  for (const { code, stderr } of [await cli("--help"), await cliBuilt("--help")]) {
    assert.equal(code, 1);
    assert.ok(stderr.includes(`${file}:${line}`), stderr);
  }
  writeFileSync(file, original);
});

test("what does not compile is said, and leaves nothing", async () => {
  const file = join(project, "src/cli.ts");
  const original = readFileSync(file, "utf8");
  rmSync(dist, { recursive: true, force: true });
  appendFileSync(file, "\nconst = 1;\n");
  for (const ran of [await cliBuilt("--help"), await run("src/build.mjs")]) {
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /^The code can't be compiled: .*\nsrc\/cli\.ts:\d+:6: ERROR: /);
  }
  assert.deepEqual(builds(), []);
  writeFileSync(file, original);
});

test("processes that start together compile the same, and old builds go", async () => {
  rmSync(dist, { recursive: true, force: true });
  // Compiled 20 and 10 days ago: the second one has replaced the first, and may run until now.
  for (const [name, days] of Object.entries({ replaced: 20, running: 10 })) {
    cpSync("db/workspace", join(dist, name), { recursive: true });
    const then = new Date(Date.now() - days * 24 * 3_600_000);
    utimesSync(join(dist, name), then, then);
  }
  // Each waits with the compiler until all have seen that nothing is compiled.
  const met = newFolder();
  const meeting = `
    import { readdirSync, writeFileSync } from "node:fs";
    import { registerHooks } from "node:module";
    const met = ${JSON.stringify(met)};
    registerHooks({ resolve(name, context, next) {
      if (name === "esbuild") {
        writeFileSync(met + "/" + process.pid, "");
        const end = Date.now() + 60_000;
        while (readdirSync(met).length < 3 && Date.now() < end)
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
      return next(name, context);
    } });`;
  const preload = `data:text/javascript,${encodeURIComponent(meeting)}`;
  const all = await Promise.all(
    [1, 2, 3].map(() => run("--import", preload, "src/run.mjs", "--build", "cli", "--help")),
  );
  for (const { code, stderr } of all) {
    assert.equal(code, 0, stderr);
    assert.match(stderr, COMPILED);
  }
  assert.equal(builds().length, 2);
  assert.ok(builds().includes("running"));
  rmSync(join(dist, "running"), { recursive: true });
});

test("what is compiled can be read by the service's user, whatever the umask", async () => {
  rmSync(dist, { recursive: true, force: true });
  const umask = process.umask(0o077);
  try {
    assert.equal((await run("src/build.mjs")).code, 0);
  } finally {
    process.umask(umask);
  }
  const [build] = builds();
  const modes = ["", build!, `${build}/cli.mjs`, `${build}/code`, `${build}/code/cli.js`].map(
    (name) => statSync(join(dist, name)).mode & 0o777,
  );
  assert.deepEqual(modes, [0o755, 0o755, 0o644, 0o755, 0o644]);
});

test("a build that lacks a file counts as none, and is made anew", async () => {
  await run("src/build.mjs");
  const [build] = builds();
  for (const name of ["thread.cjs", "empty.sqlite"]) {
    rmSync(join(dist, build!, name));
    assert.deepEqual(await run("src/run.mjs", "web"), { code: 1, stdout: "", stderr: MISSING });
    assert.match((await cliBuilt("--help")).stderr, COMPILED);
    assert.deepEqual(builds(), [build]);
    assert.ok(existsSync(join(dist, build!, name)));
  }
});

test("`npm run build` compiles the code; where nothing can be written it says so", async () => {
  rmSync(dist, { recursive: true, force: true });
  const built = await run("src/build.mjs");
  assert.deepEqual([built.code, built.stderr], [0, ""]);
  assert.equal(built.stdout, `Compiled: ${join(dist, builds()[0]!)}\n`);
  rmSync(dist, { recursive: true, force: true });
  // Not even the system's administrator can write here.
  writeFileSync(dist, "");
  for (const refused of [await run("src/build.mjs"), await run("src/run.mjs", "--build", "web")]) {
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^The code can't be compiled: EEXIST[^\n]*dist'\n$/);
  }
  assert.equal((await cli("--help")).code, 0);
});
