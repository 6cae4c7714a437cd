// Loaded before a process: the clock that only rises is as many hours ahead as a file says.
//   LATER_FILE  the file

import { existsSync, readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const { LATER_FILE } = process.env;

if (LATER_FILE && isMainThread) {
  const now = performance.now.bind(performance);
  performance.now = () => now() + (existsSync(LATER_FILE) ? Number(readFileSync(LATER_FILE, "utf8")) * 3_600_000 : 0);
}
