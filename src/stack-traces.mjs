// What compiled code loads first: it has stack traces name lines of the TypeScript files.
//
// The source map of a file is read when a stack that leads through it is first looked at. Node's own option reads it, and counts the
// file's lines, whenever it loads the file: a sixth of what the start of a process computes.

import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

const HERE = new URL(".", import.meta.url).href;

/** Undefined: it can't be read. @type {Map<string, SourceMap | undefined>} */
const maps = new Map();

Error.prepareStackTrace = (error, sites) =>
  [headOf(error), ...sites.map((site) => `    at ${original(site)}`)].join("\n");

/** As Node writes it. @param {Error & { code?: unknown }} error */
function headOf(error) {
  const { name, code } = error;
  if (typeof code === "string" && code.startsWith("ERR_")) return `${name} [${code}]: ${error.message}`;
  return Error.prototype.toString.call(error);
}

/** @param {NodeJS.CallSite} site */
function original(site) {
  const text = String(site);
  const file = site.getFileName();
  if (!file?.startsWith(HERE)) return text;
  const line = site.getLineNumber() ?? 1;
  const column = site.getColumnNumber() ?? 1;
  const entry = mapOf(file)?.findEntry(line - 1, column - 1);
  if (!entry || !("originalSource" in entry)) return text;
  const source = fileURLToPath(new URL(entry.originalSource, file));
  return text.replace(
    `${file}:${line}:${column}`,
    () => `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`,
  );
}

/** @param {string} file its address */
function mapOf(file) {
  if (!maps.has(file)) maps.set(file, readMap(`${fileURLToPath(file)}.map`));
  return maps.get(file);
}

/** @param {string} path */
function readMap(path) {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}
