// One workspace that reads at a modest pace, while another takes what it can get.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "./until.ts";

/** What the greedy neighbour does: the connections, the path, and what it sends. */
export interface Greed {
  connections: number;
  path: string;
  headers: Record<string, string>;
}

export const GREED: Record<string, (headers: Record<string, string>) => Greed> = {
  "asks for 1,000 rows on 32 connections": (headers) => ({
    connections: 32,
    path: "/participants?pagination[limit]=1000",
    headers,
  }),
  "streams 16 CSVs": (headers) => ({
    connections: 16,
    path: "/participants",
    headers: { ...headers, Accept: "text/csv" },
  }),
  "guesses secrets on 64 connections": (headers) => ({
    connections: 64,
    path: "/participants",
    headers: { ...headers, "X-Service-Api-Secret": "secret_guessed" },
  }),
};

/** Runs `work` while a process with low priority takes what it can get. @returns how often that got which status */
export async function besides(url: string, greed: Greed, work: () => Promise<void>): Promise<Record<string, number>> {
  const file = new URL("greedy.ts", import.meta.url).pathname;
  const args = [url, String(greed.connections), greed.path, JSON.stringify(greed.headers)];
  const child = spawn("nice", ["-n", "19", process.execPath, file, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  try {
    await until(() => text.includes("\n"), "it is at work");
    await work();
  } finally {
    child.kill("SIGTERM");
    await once(child, "close");
  }
  return JSON.parse(text.slice(text.indexOf("\n")));
}

/** Reads one after the other, with a pause after each, for `ms`. @returns how long each took, in ms */
export async function readFor(ms: number, read: () => Promise<{ ms: number }>): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + ms; performance.now() < end; await sleep(3)) times.push((await read()).ms);
  return times;
}
