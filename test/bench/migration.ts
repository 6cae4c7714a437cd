// What an upgrade does to a workspace with a million people, in a store as an earlier release left it: reads go on meanwhile.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { storePath } from "../../db/store.ts";
import { addCrowd } from "../support/releases/crowd.ts";
import type { Kept } from "../support/releases/write.ts";
import { type Figure, quantile } from "./figures.ts";
import { Spawned } from "./spawn.ts";

const PEOPLE = 1_000_000;
/** Read meanwhile, in a second. */
const READS = 50;
/** Seconds that a processor takes for it. 1.0.0 lacks a table and an index of all people. */
const MAX_SECONDS = { "1.0.0": 30, "1.1.0": 10 } as const;
/** How long a read may take while it goes on, in ms. */
const MAX_READ_MS = 1000;

const MAX_WAIT_MS = 300_000;

type Release = keyof typeof MAX_SECONDS;

export async function migration(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const release of ["1.1.0", "1.0.0"] as const) figures.push(...(await upgrade(release)));
  return figures;
}

/** What the log says when a store is migrated. */
interface Migrated {
  ms: number;
  bytesBefore: number;
  bytes: number;
}

async function upgrade(release: Release): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "migration-"));
  try {
    execFileSync("tar", ["-xzf", `test/support/releases/${release}.tar.gz`, "-C", folder]);
    const kept: Kept = JSON.parse(readFileSync(join(folder, "kept.json"), "utf8"));
    const [{ id, callers }] = kept.workspaces as [Kept["workspaces"][0]];
    const dataDir = join(folder, "data");
    const path = storePath(dataDir, id);
    addCrowd(path, PEOPLE, { withSessions: release !== "1.0.0" });
    const env = { DATA_DIR: dataDir, PORT: "0", HOST: "127.0.0.1", REDIS_URL: "", LOG_LEVEL: "info" };
    const web = new Spawned("src/web.ts", [], env, join(folder, "web.log"));
    try {
      const url = (await web.says(/Listening on (http:\S+)/))[1]!;
      const { statuses, times, largest, cpuMs, migrated } = await readMeanwhile(url, callers[0]!, web, id, path);
      const what = `A store of ${release} with a million people${release === "1.0.0" ? "" : ", each with a session,"} is migrated`;
      const mb = (bytes: number) => bytes / 1e6;
      return [
        {
          what: `${what}, processor time and reads`,
          unit: "ms",
          value: cpuMs,
          target: { atMost: MAX_SECONDS[release] * 1000 },
        },
        // Others may use the processors and the disk, too.
        { what, unit: "ms", value: migrated.ms, target: { atMost: 10 * MAX_SECONDS[release] * 1000 } },
        {
          what: `${what}: it grows`,
          against: "before",
          unit: "MB",
          value: mb(migrated.bytes),
          floor: mb(migrated.bytesBefore),
          target: { atMost: 1.7 },
        },
        {
          what: `${what}: file and WAL at most`,
          against: "before",
          unit: "MB",
          value: mb(largest),
          floor: mb(migrated.bytesBefore),
          target: { atMost: 3 },
        },
        {
          what: `${what}: reads answered 503, of ${times.length}`,
          unit: "requests",
          value: statuses.filter((status) => status !== 200).length,
          target: { atMost: 0 },
        },
        { what: `${what}: the slowest read`, unit: "ms", value: quantile(times, 1), target: { atMost: MAX_READ_MS } },
      ];
    } finally {
      await web.end();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads lists and single resources until the log says that the store is migrated. */
async function readMeanwhile(
  url: string,
  headers: Record<string, string>,
  web: Spawned,
  workspaceId: string,
  path: string,
): Promise<{ statuses: number[]; times: number[]; largest: number; cpuMs: number; migrated: Migrated }> {
  const read = async (query: string) => {
    const response = await fetch(url + query, { headers });
    return { status: response.status, body: (await response.json()) as { items: { id: string }[] } };
  };
  const [statuses, times]: [number[], number[]] = [[], []];
  let largest = 0;
  let migrated: Migrated | undefined;
  const line = new RegExp(`\\{[^\\n]*"workspace":"${workspaceId}"[^\\n]*"msg":"store migrated"\\}`);
  const said = web.says(line, MAX_WAIT_MS).then(([text]) => (migrated = JSON.parse(text)));
  const one = (await read("/participants?pagination[limit]=1")).body.items[0]!.id;
  const queries = [
    "/participants?pagination[limit]=100",
    `/participants/${one}`,
    "/screeners",
    "/screener-participants?pagination[limit]=100",
    "/screener-sessions?pagination[limit]=100",
  ];
  const cpu = web.cpuSeconds();
  for (let n = 0; !migrated; n++) {
    const started = performance.now();
    const { status } = await read(queries[n % queries.length]!);
    times.push(performance.now() - started);
    statuses.push(status);
    await sleep(1000 / READS);
    largest = Math.max(largest, statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0));
  }
  await said;
  return { statuses, times, largest, cpuMs: (web.cpuSeconds() - cpu) * 1000, migrated };
}
