// Loaded before everything else, in every process and thread. The processes of the service run compiled code (compiled.mjs).
// For others, and where nothing can be compiled, it makes .tsx files loadable; Node itself reads .ts files.
//
// Nothing that was compiled is kept outside of the project: who can write there could run code as the service. And nothing here
// stays behind: esbuild runs for some milliseconds for each file.

import { readdirSync } from "node:fs";
// Not by name: an older Node has no registerHooks, and would say so before the next lines could say anything.
import * as module from "node:module";
import { fileURLToPath } from "node:url";
import { compiledUrl } from "./compiled.mjs";
import { traceToSources } from "./traces.mjs";

// An older Node crashes without a message when it opens the first store, or has no UUIDv7.
const NEEDED = "24.16";
const found = process.versions.node;
const [major = 0, minor = 0] = found.split(".").map(Number);
if (major + minor / 1000 < 24.016) {
  process.stderr.write(
    `This service needs Node ${NEEDED} or later, and this is Node ${found}: start it through npm (npm start, npm run …), ` +
      "which uses the project's own Node.\n",
  );
  process.exit(1);
}

// esbuild would keep a process and a thread for the files to come.
process.env.ESBUILD_WORKER_THREADS = "0";
const require = module.createRequire(import.meta.url);

/** @type {Map<string, string> | undefined} */
let views;

const hooks = module.registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const url = compiledUrl(resolved.url);
    if (url === undefined) return resolved;
    // What was compiled needs no hooks, and they take memory for each module.
    hooks.deregister();
    traceToSources(new URL(".", url).href);
    return { ...resolved, url, format: "module" };
  },
  load(url, context, nextLoad) {
    if (!url.endsWith(".tsx")) return nextLoad(url, context);
    views ??= compileViews();
    const source = views.get(fileURLToPath(url));
    return source === undefined ? nextLoad(url, context) : { format: "module", source, shortCircuit: true };
  },
});

/** The JavaScript of all .tsx files, by their paths: esbuild starts once, which takes as long as one file or all. */
function compileViews() {
  process.setSourceMapsEnabled(true);
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsx"));
  const { outputFiles } = require("esbuild").buildSync({
    absWorkingDir: folder,
    entryPoints: files,
    // Only for the names of the output: nothing is written.
    outdir: folder,
    outbase: folder,
    outExtension: { ".js": ".tsx" },
    write: false,
    sourcemap: "inline",
    sourcesContent: false,
    tsconfig: fileURLToPath(new URL("../tsconfig.json", import.meta.url)),
    logLevel: "silent",
  });
  return new Map(outputFiles.map(({ path, text }) => [path, text]));
}
