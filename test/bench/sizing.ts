// What the sizing table of the operations page says: memory by WORKER_CONCURRENCY, and the disk that participants take.

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openReader } from "../../db/sqlite/open.ts";
import { Caller } from "./caller.ts";
import type { Figure } from "./figures.ts";
import { Service } from "./service.ts";

const COUNT = 100_000;
/** By WORKER_CONCURRENCY. Of 512 MB the system takes some, and the files that are read and written. */
const MAX_MB = { 1: 300, 2: 400, 4: 600 };
const MIB = 1024 * 1024;

export async function sizing(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const concurrency of [1, 2, 4] as const) figures.push(...(await busy(concurrency)));
  return figures;
}

/** So many imports at once, each into a workspace of its own, and reads meanwhile. */
async function busy(concurrency: keyof typeof MAX_MB): Promise<Figure[]> {
  await using service = await Service.cold("threads", 0, 1, { WORKER_CONCURRENCY: String(concurrency) });
  const workspaces = await Promise.all(Array.from({ length: concurrency }, () => service.workspace()));
  const bodies = workspaces.map((workspace) => workspace.payload({ count: COUNT }));
  let isDone = false;
  const readers = workspaces.map(async ({ headers }) => {
    const caller = new Caller(service.url, headers);
    while (!isDone) await caller.call("GET", "/participants?pagination[limit]=100");
    caller.close();
  });
  const done = await Promise.all(workspaces.map((workspace, index) => workspace.import(bodies[index]!)));
  isDone = true;
  await Promise.all(readers);
  const { peak } = service.web.memory();
  const what = `WORKER_CONCURRENCY=${concurrency}: ${concurrency} imports of 100,000 at once, and reads`;
  const memory = {
    what: `Peak memory, ${what}`,
    unit: "MB",
    value: peak,
    target: { atMost: MAX_MB[concurrency] },
  } as const;
  if (concurrency !== 2) return [memory];
  const store = workspaces.reduce((sum, { path }) => sum + bytesOf(path), 0);
  const results = join(service.folder, "data", "results");
  const kept = readdirSync(results).reduce((sum, name) => sum + lstatSync(join(results, name)).size, 0);
  const people = done.length * COUNT;
  const figure = (what: string, bytes: number, atMost: number): Figure => {
    return { what, unit: "MB", value: ((bytes / people) * COUNT) / MIB, target: { atMost } };
  };
  return [
    memory,
    figure("Store, for 100,000 participants", store, 50),
    figure("Result and rows of an import of 100,000", kept, 30),
  ];
}

/** The length of a store, with what is still in its WAL. */
function bytesOf(path: string): number {
  const db = openReader(path, { busyTimeoutMs: 10_000, checkpoints: false });
  try {
    return db.values<number>("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")[0]!;
  } finally {
    db.close();
  }
}
