// Compiles the client into dist/: its code as one file for Node and browsers, and its types. `npm pack` does it.

import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const FOLDER = import.meta.dirname;
const SOURCES = join(FOLDER, "../../src/client");
const DIST = join(FOLDER, "dist");

rmSync(DIST, { recursive: true, force: true });
const tsc = join(FOLDER, "../../node_modules/typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "-p", SOURCES, "--emitDeclarationOnly", "--outDir", DIST], {
  // What npm pack prints is the name of its file.
  stdio: ["ignore", 2, 2],
});
await build({
  entryPoints: [join(SOURCES, "main.ts")],
  outfile: join(DIST, "main.js"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  // Node writes the line of an error that nobody has caught.
  lineLimit: 120,
  logLevel: "warning",
});
