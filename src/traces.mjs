// Makes stack traces of compiled code say where something is in the TypeScript files. Node's own way keeps the source maps of all
// files in memory, from the start: 7 MB in a process. Here a map is read when the first error needs it.

import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";

/** @type {Map<string, SourceMap | undefined>} */
const maps = new Map();

/** From now on, in this process or thread. @param {string} folder the URL of the compiled files' folder, with a slash at its end */
export function traceToSources(folder) {
  const location = /file:\/\/[^\s()]+\.js:\d+:\d+/;
  Error.prepareStackTrace = (error, frames) =>
    [titleOf(error), ...frames.map((frame) => `    at ${String(frame).replace(location, original)}`)].join("\n");

  /** @param {string} compiled a location, as in `file:///…/web.js:10:5` */
  function original(compiled) {
    const [, url = "", line, column] = /^(.*):(\d+):(\d+)$/.exec(compiled) ?? [];
    if (!url.startsWith(folder)) return compiled;
    if (!maps.has(url)) maps.set(url, readMap(url));
    // Positions in a trace are counted from 1, those in a map from 0.
    const found = maps.get(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    return found && "originalSource" in found
      ? `${new URL(found.originalSource, url)}:${found.originalLine + 1}:${found.originalColumn + 1}`
      : compiled;
  }
}

/** @param {Error} error */
function titleOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return "Error";
  }
}

/** @param {string} url of a compiled file */
function readMap(url) {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), "utf8")));
  } catch {
    // The folder may have been removed under a process that runs for long.
    return undefined;
  }
}
