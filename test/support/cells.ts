// Cells for tests: installations with names of their own that share a Redis, each with real processes.

import type { Client } from "./client.ts";
import {
  type Installation,
  install,
  ownRedis,
  type ProcessOptions,
  type TestWorkspace,
  type WebProcess,
} from "./process.ts";

export interface Cell {
  name: string;
  installation: Installation;
  web: WebProcess;
  /** What its processes have in their environment. */
  env: Record<string, string>;
}

/** What the cells of a test file share: cells of other files may have the same names. */
const shared = ownRedis();
await shared.start();

/** How a cell is started: its web process, and what all of its processes have in their environment. */
interface CellOptions extends ProcessOptions {
  isWithoutWorker?: boolean;
  settings?: Record<string, string>;
}

/** Starts a cell with a web process and a worker. @param redis which it shares with others */
export async function startCell(
  name: string,
  { isWithoutWorker, settings, ...web }: CellOptions = {},
  redis: { url: string } = shared,
): Promise<Cell> {
  const env = { REDIS_URL: redis.url, CELL: name, ...settings };
  const installation = install(env);
  const started = await installation.web(web);
  if (!isWithoutWorker) await installation.worker();
  return { name, installation, web: started, env: { ...env, DATA_DIR: installation.dataDir } };
}

/** A workspace's client at a cell, which may not have it. */
export function at(cell: Cell, workspace: TestWorkspace): Client {
  return workspace.client(cell.web);
}

/** Moves a workspace by the command line. */
export async function move(
  from: Cell,
  workspace: { id: string },
  to: Cell,
): Promise<{ stoppedMs: number; bytes: number }> {
  const { code, stdout, stderr } = await from.installation.cli(
    "workspace",
    "move",
    workspace.id,
    "--to",
    to.web.url,
    "--json",
  );
  if (code !== 0) throw new Error(`The move ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

const LISTS = [
  "/screeners",
  "/participants",
  "/screener-participants",
  "/screener-sessions",
  "/jobs",
  "/webhook-endpoints",
  "/webhook-deliveries",
  "/events",
];

/** All that a workspace shows in its lists, without the addresses of links, and without what the log says of who has read the lists. */
export async function everything(client: Client): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  for (const path of LISTS)
    all[path] = (await client.all(path)).map((item: Record<string, unknown>) => ({ ...item, screenerSessionLink: "" }));
  all["/events"] = all["/events"]!.filter((event) => !isView(event as { type: string; summary: object | null }));
  return all;
}

function isView({ type, summary }: { type: string; summary: object | null }): boolean {
  return type === "data.exported" && summary !== null && !("isWhole" in summary);
}
