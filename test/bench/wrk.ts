// Load: wrk, from the PATH.

import { spawn, spawnSync } from "node:child_process";

const MISSING = "The benchmark needs wrk for load: install wrk (apt-get install wrk), and run it again.";

/** @throws Error that says what to install */
export function requireWrk(): void {
  if (spawnSync("wrk", ["-v"], { stdio: "ignore" }).error) throw new Error(MISSING);
}

/** Requests `url` for some seconds. @returns requests per second */
export async function load(
  url: string,
  headers: Record<string, string>,
  seconds: number,
  connections = 16,
): Promise<number> {
  const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const child = spawn("wrk", ["-t1", `-c${connections}`, `-d${seconds}s`, ...given, url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await new Promise((resolve) => child.once("close", resolve));
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
  if (!(rate > 0) || /Non-2xx|Socket errors/.test(text)) throw new Error(`wrk did not get what it asked for:\n${text}`);
  return rate;
}
