// Compiles the code of the processes, and of pages, into dist/: `npm run build`.
//
// The folder of the code is named after what was compiled, so that no process runs code that is older than its sources. Who can write
// there can write the sources themselves.

import "./node-version.mjs";
import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const ROOT = new URL("../", import.meta.url);
const PROJECT = fileURLToPath(ROOT);
const FOLDER = `${PROJECT}dist`;

/** The programs of the service, by their names. @type {Record<string, string>} */
export const PROGRAMS = {
  web: "src/web.ts",
  worker: "workers/main.ts",
  cli: "src/cli.ts",
  demo: "src/demo/main.ts",
};
/** What its threads run. @type {Record<string, string>} */
export const THREADS = { thread: "workers/thread.ts", "mail-thread": "workers/mail-thread.ts" };
/** Packages that are native, or load files of theirs by their paths; and those that are loaded when they are needed, by `import()` or `require()`. */
const OUTSIDE = [
  ...["better-sqlite3", "esbuild", "tsx", "piscina", "@jsquash/*", "@bull-board/*"],
  ...["undici", "nodemailer", "openid-client", "s3mini", "postal-mime", "read-excel-file", "write-excel-file"],
];
/** For packages that require modules of Node. */
const REQUIRE = `import { createRequire as requireFrom } from "node:module";const require = requireFrom(import.meta.url);`;

/** What browsers run: of the builder, and of the page Appearance. */
const ISLANDS = { builder: "src/console/islands/builder.tsx", look: "src/console/islands/look/look.ts" };
const STAND_INS = "./src/console/islands/stand-ins.js";

/** The folders of a build. */
const PARTS = ["code", "islands"];
/** The store of which each new workspace gets a copy. */
const EMPTY = "empty.sqlite";

/** So long a build is kept that another one has replaced: processes may still run, and start threads, from it. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** The folder with the code that was compiled of the sources as they are. @returns undefined when there is none */
export function buildOf() {
  const folder = `${FOLDER}/${hashOfSources()}`;
  if (!isComplete(folder)) return undefined;
  markUsed(folder);
  return folder;
}

/**
 * Compiles the sources as they are. Each program is one file, which has stack traces name the TypeScript files, and then loads the code.
 * @returns the folder. @throws Error when it cannot be written, or something does not compile
 */
export async function compile() {
  const folder = `${FOLDER}/${hashOfSources()}`;
  const unfinished = `${FOLDER}/.${randomUUID()}`;
  if (mkdirSync(FOLDER, { recursive: true })) chmodSync(FOLDER, 0o755);
  const { build, stop } = await import("esbuild");
  try {
    await build({
      absWorkingDir: PROJECT,
      entryPoints: { ...PROGRAMS, ...THREADS, migrate: "db/migrate.ts", "stack-traces": "src/stack-traces.mjs" },
      outdir: `${unfinished}/code`,
      bundle: true,
      splitting: true,
      // All other packages are part of the code: a start takes a fifth less so.
      external: OUTSIDE,
      banner: { js: REQUIRE },
      format: "esm",
      platform: "node",
      target: "node24",
      // For db/root.ts: from a file of code to its build.
      define: { COMPILED: '".."' },
      minifyWhitespace: true,
      // Node writes the line of an error that nobody has caught.
      lineLimit: 120,
      sourcemap: true,
      sourcesContent: false,
      logLevel: "silent",
    });
    await bundleIslands(build, `${unfinished}/islands`);
    for (const name of Object.keys(PROGRAMS))
      writeFileSync(
        `${unfinished}/${name}.mjs`,
        `import "./code/stack-traces.js";\nawait import("./code/${name}.js");\n`,
      );
    // What starts threads requires their file, and would have Node make a module of its own for an imported one. If the process ends at
    // that moment, Node aborts.
    for (const name of Object.keys(THREADS))
      writeFileSync(
        `${unfinished}/${name}.cjs`,
        `require("./code/stack-traces.js");\nmodule.exports = require("./code/${name}.js");\n`,
      );
    const { buildEmpty } = await import(`${unfinished}/code/migrate.js`);
    buildEmpty(`${unfinished}/${EMPTY}`);
    for (const part of PARTS) settle(`${unfinished}/${part}`);
    settle(unfinished);
    if (!isComplete(folder)) rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
    sync(FOLDER);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process has compiled the same.
    if (!isComplete(folder)) throw error;
  } finally {
    // It would keep a process.
    await stop();
  }
  removeOld();
  return folder;
}

/** Without the texts of problems: the service alone answers with them. @type {import("esbuild").Plugin} */
const withoutProblems = {
  name: "without-problems",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]base[\\/]problem-catalogue\.ts$/ }, () => ({ contents: "export const catalogue = {}" }));
  },
};

/**
 * Without what shows questions and results to people: the preview comes from the service, and so do charts and ids.
 * @type {import("esbuild").Plugin}
 */
const withoutPages = {
  name: "without-pages",
  setup({ onLoad }) {
    for (const filter of [
      /[\\/]question-types[\\/](?:(?:select-|date-)?field\.tsx|charts[\\/]\w+\.tsx?)$/,
      /[\\/]base[\\/]ids\.ts$/,
    ])
      onLoad({ filter }, () => ({ contents: "" }));
  },
};

/** Bundles what browsers run: each page gets one file. @param {typeof import("esbuild").build} build @param {string} folder */
async function bundleIslands(build, folder) {
  await build({
    absWorkingDir: PROJECT,
    entryPoints: ISLANDS,
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    alias: Object.fromEntries(["node:crypto", "node:module", "lru-cache"].map((name) => [name, STAND_INS])),
    plugins: [withoutProblems, withoutPages],
    logLevel: "silent",
  });
}

/** Whether nobody has removed files of it. @param {string} folder */
function isComplete(folder) {
  const files = [
    ...Object.keys(PROGRAMS).map((name) => `${name}.mjs`),
    ...Object.keys(THREADS).map((name) => `${name}.cjs`),
  ];
  return [...files, ...PARTS, EMPTY].every((name) => existsSync(`${folder}/${name}`));
}

/** Whatever the umask, the service's user can read it. After a power failure it is there as a whole, or not at all. @param {string} folder */
function settle(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    chmodSync(`${folder}/${entry.name}`, 0o644);
    sync(`${folder}/${entry.name}`);
  }
  chmodSync(folder, 0o755);
  sync(folder);
}

/** @param {string} path */
function sync(path) {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** From now on this build is the latest, also where an older version of the code is in use again. @param {string} folder */
function markUsed(folder) {
  try {
    const now = new Date();
    utimesSync(folder, now, now);
  } catch {
    // The folder cannot be written: then nobody removes old builds either.
  }
}

/** Removes the builds that were replaced long ago. Others may do so at the same time. */
function removeOld() {
  try {
    const builds = readdirSync(FOLDER)
      .map((name) => `${FOLDER}/${name}`)
      .map((path) => ({ path, usedMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
    builds.sort((a, b) => b.usedMs - a.usedMs);
    for (const [index, { path }] of builds.entries())
      if (index && Date.now() - (builds[index - 1]?.usedMs ?? 0) > KEPT_MS)
        rmSync(path, { recursive: true, force: true });
  } catch {
    // The next build tries again.
  }
}

function hashOfSources() {
  const files = ["src", "db", "workers"].flatMap((folder) =>
    readdirSync(PROJECT + folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:tsx?|m?js|sql)$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const hash = createHash("sha256");
  for (const file of [...files, "tsconfig.json", "package-lock.json"].sort()) {
    const bytes = readFileSync(PROJECT + file);
    hash.update(`${file}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex").slice(0, 32);
}

if (import.meta.main) {
  try {
    process.stdout.write(`Compiled: ${buildOf() ?? (await compile())}\n`);
  } catch (error) {
    process.stderr.write(`The code can't be compiled: ${error.message}\n`);
    process.exitCode = 1;
  }
}
