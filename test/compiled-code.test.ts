// The processes run compiled code, which is never older than the files it was made from, and which they can do without.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { newFolder } from "./support/folder.ts";

const project = newFolder();
const dist = join(project, "dist");

before(() => {
  for (const name of ["src", "db", "workers", "package.json", "package-lock.json", "tsconfig.json"])
    cpSync(name, join(project, name), { recursive: true });
  symlinkSync(join(process.cwd(), "node_modules"), join(project, "node_modules"));
});

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

function run(...script: string[]): Promise<Ran> {
  const args = ["--import", "./src/typescript.mjs", ...script];
  const { NODE_V8_COVERAGE: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: project, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const builds = () =>
  readdirSync(dist)
    .filter((name) => name !== "client")
    .sort();

test("a command compiles what has changed, and no more", async () => {
  const first = await run("src/cli.ts", "--help");
  assert.equal(first.code, 0, first.stderr);
  const [build, ...others] = builds();
  assert.deepEqual(others, []);
  const compiled = join(dist, build!, "cli.js");
  // What is there is run: so the text comes from the compiled file, as long as no file has changed.
  writeFileSync(compiled, `process.stdout.write("compiled\\n");`);
  assert.deepEqual(await run("src/cli.ts", "--help"), { code: 0, stdout: "compiled\n", stderr: "" });
  const cli = join(project, "src/cli.ts");
  const original = readFileSync(cli, "utf8");
  appendFileSync(cli, "\n// Changed.\n");
  assert.equal((await run("src/cli.ts", "--help")).stdout, first.stdout);
  assert.equal(builds().length, 2);
  writeFileSync(cli, original);
  assert.equal((await run("src/cli.ts", "--help")).stdout, "compiled\n");
});

test("a stack trace of compiled code names the places in the TypeScript files", async () => {
  const cli = join(project, "src/cli.ts");
  const original = readFileSync(cli, "utf8");
  const planted = join(project, "src/planted.ts");
  writeFileSync(
    planted,
    `interface Gone {\n  text: string;\n}\n\nexport function plant({ text }: Gone): never {\n  throw new Error(text);\n}\n`,
  );
  writeFileSync(
    cli,
    `import { plant } from "./planted.ts";\ntry {\n  plant({ text: "two\\nlines" });\n} catch (error) {\n  process.stderr.write(String((error as Error).stack));\n}\n`,
  );
  const { stderr } = await run("src/cli.ts");
  writeFileSync(cli, original);
  rmSync(planted);
  const [first, second, ...frames] = stderr.split("\n");
  assert.deepEqual([first, second], ["Error: two", "lines"]);
  assert.match(frames[0]!, /^ {4}at plant \(file:\/\/.*\/src\/planted\.ts:6:9\)$/);
  assert.match(frames[1]!, /^ {4}at .*file:\/\/.*\/src\/cli\.ts:3:3\)?$/);
});

test("an error names the TypeScript file", async () => {
  const file = join(project, "db/root.ts");
  appendFileSync(file, `\nthrow new Error("on purpose");\n`);
  const { code, stderr } = await run("src/cli.ts", "--help");
  assert.equal(code, 1);
  const line = readFileSync(file, "utf8").split("\n").length - 1;
  assert.ok(stderr.includes(`${file}:${line}`), stderr);
});

test("processes that start together compile the same, and old builds go", async () => {
  cpSync("db/root.ts", join(project, "db/root.ts"));
  rmSync(dist, { recursive: true, force: true });
  // Compiled 20 and 10 days ago: the second one has replaced the first, and may run until now.
  for (const [name, days] of Object.entries({ replaced: 20, running: 10 })) {
    cpSync("db/workspace", join(dist, name), { recursive: true });
    const then = new Date(Date.now() - days * 24 * 3_600_000);
    utimesSync(join(dist, name), then, then);
  }
  const all = await Promise.all([1, 2, 3].map(() => run("src/cli.ts", "--help")));
  assert.deepEqual(
    all.map(({ code, stderr }) => [code, stderr]),
    all.map(() => [0, ""]),
  );
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
  const modes = ["", build!, `${build}/cli.js`].map((name) => statSync(join(dist, name)).mode & 0o777);
  assert.deepEqual(modes, [0o755, 0o755, 0o644]);
});

test("where a compiled file is gone, the TypeScript file is read", async () => {
  const help = (await run("src/cli.ts", "--help")).stdout;
  const [build] = builds();
  rmSync(join(dist, build!, "cli.js"));
  assert.deepEqual(await run("src/cli.ts", "--help"), { code: 0, stdout: help, stderr: "" });
});

test("`npm run build` compiles; where nothing can be written it says so, and the commands go on without", async () => {
  rmSync(dist, { recursive: true, force: true });
  const built = await run("src/build.mjs");
  assert.deepEqual([built.code, built.stderr], [0, ""]);
  assert.equal(built.stdout, `Compiled: ${join(dist, builds()[0]!)}\nCompiled: ${join(dist, "client")}\n`);
  for (const name of ["main.js", "main.d.ts"]) assert.ok(existsSync(join(dist, "client", name)));
  const help = (await run("src/cli.ts", "--help")).stdout;
  assert.equal(builds().length, 1);
  rmSync(dist, { recursive: true, force: true });
  // Not even the system's administrator can write here.
  writeFileSync(dist, "");
  const refused = await run("src/build.mjs");
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^The code can't be compiled: EEXIST[^\n]*dist'\n$/);
  assert.deepEqual(await run("src/cli.ts", "--help"), { code: 0, stdout: help, stderr: "" });
  assert.ok(existsSync(dist));
});
