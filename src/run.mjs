// Runs a program of the service from its compiled code: `node src/run.mjs [--build] web|worker|cli|demo [ARGUMENT …]`.
//
// --build compiles first what has changed. Without it, what serves says when something has to be compiled; a command is read from the
// TypeScript files then, by tsx, which keeps its compiled code in a folder that others can write to unless TSX_DISABLE_CACHE is set.

import "./node-version.mjs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildOf, compile, PROGRAMS, ROOT } from "./build.mjs";

const [name, ...rest] = process.argv.slice(2).filter((argument, index) => index > 0 || argument !== "--build");
const isToBuild = process.argv[2] === "--build";
const source = PROGRAMS[name ?? ""];
if (source === undefined) exit(`Say what to run: node src/run.mjs [--build] ${Object.keys(PROGRAMS).join("|")}.`);

const program = (await findProgram()) ?? (await fromSources());
// As if it had been started by itself: a web process starts others so.
process.argv.splice(1, Number.POSITIVE_INFINITY, program, ...rest);
await import(pathToFileURL(program).href);

/** @returns the compiled file */
async function findProgram() {
  let build = buildOf();
  if (!build && isToBuild) {
    const since = performance.now();
    build = await compile().catch((error) => exit(`The code can't be compiled: ${error.message}`));
    process.stderr.write(`Compiled in ${Math.round(performance.now() - since)} ms.\n`);
  }
  return build && `${build}/${name}.mjs`;
}

/** @returns the TypeScript file, from now on readable */
async function fromSources() {
  const missing = "Nothing is compiled of this source: run `npm run build` first, or `npm start`.";
  if (name === "web" || name === "worker") exit(missing);
  process.env.TSX_DISABLE_CACHE = "1";
  const tsx = await import("tsx/esm/api").catch(() => exit(missing));
  tsx.register();
  return fileURLToPath(new URL(source, ROOT));
}

/** @param {string} why @returns {never} */
function exit(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
