// Cells behind HAProxy: what the others notice when one dies, what a move costs, and what a second cell adds.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, startCellProxy } from "../support/proxies.ts";
import { type Figure, quantile } from "./figures.ts";
import { compared, measure } from "./rounds.ts";
import { Service, type Workspace } from "./service.ts";
import { Spawned } from "./spawn.ts";
import { load, requireWrk } from "./wrk.ts";

const WORKSPACES = 10;
const PARTICIPANTS = 2000;
const MOVED_PARTICIPANTS = 50_000;
const SECONDS = 10;
/** Each cell gets so many reads and imports in a second. */
const READS = 40;
const IMPORTS = 4;
const IMPORTED = 100;

type Cells = [Service, Service, Service];

async function startCells(): Promise<{ cells: Cells; url: string; workspaces: Workspace[][] }> {
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const cells: Cells = [
    await Service.cell("eu1", ports[0]),
    await Service.cell("eu2", ports[1]),
    await Service.cell("eu3", ports[2]),
  ];
  const { url } = await startCellProxy(ports, 3, (binary, args, cwd) => {
    const child = spawn(binary, args, { cwd, stdio: "ignore" });
    process.once("exit", () => child.kill("SIGKILL"));
  });
  const workspaces: Workspace[][] = [];
  for (const cell of cells) {
    const own: Workspace[] = [];
    for (let n = 0; n < WORKSPACES; n++) own.push(await cell.workspace(url));
    for (const workspace of own) await workspace.importPeople({ count: PARTICIPANTS });
    workspaces.push(own);
  }
  return { cells, url, workspaces };
}

/** Reads and small imports of all these workspaces, in turn. @param mayFail what fails is not sent again @returns the times of the reads, in ms, and how many had to be sent again */
async function use(
  workspaces: readonly Workspace[],
  seconds: number,
  mayFail = false,
): Promise<{ times: number[]; again: number }> {
  const times: number[] = [];
  let again = 0;
  const until = performance.now() + seconds * 1000;
  const paced = async (perSecond: number, act: (n: number) => Promise<void>) => {
    const running: Promise<void>[] = [];
    for (let n = 0; performance.now() < until; n++) {
      running.push(act(n));
      await sleep(1000 / perSecond);
    }
    await Promise.all(running);
  };
  const insist = async (act: () => Promise<unknown>) => {
    for (;;) {
      try {
        return await act();
      } catch (error) {
        if (mayFail) return undefined;
        if (!(error instanceof Error && / 503 /.test(error.message))) throw error;
        again++;
        await sleep(20);
      }
    }
  };
  await Promise.all([
    paced(READS, async (n) => {
      const { caller } = workspaces[n % workspaces.length]!;
      const started = performance.now();
      await insist(() => caller.call("GET", "/participants?pagination[limit]=50"));
      times.push(performance.now() - started);
    }),
    paced(IMPORTS, async (n) => {
      await insist(() => workspaces[n % workspaces.length]!.importAndWait(IMPORTED, n * IMPORTED));
    }),
  ]);
  return { times, again };
}

/** One of three cells is killed; then a workspace moves from the first to the second. */
export async function cells(): Promise<Figure[]> {
  const { cells, url, workspaces } = await startCells();
  const [one, two, three] = cells;
  const living = [...workspaces[0]!, ...workspaces[1]!];
  try {
    await use(workspaces.flat(), SECONDS / 2);
    const dying = use(workspaces[2]!, SECONDS);
    const before = await use(living, SECONDS);
    await dying;
    // It dies while it is used, and its callers go on trying.
    const after = use(living, SECONDS);
    const orphans = use(workspaces[2]!, SECONDS, true);
    await sleep(1000);
    await Promise.all([three.web, ...three.workers].map((process) => process.end()));
    const [{ times: others }] = await Promise.all([after, orphans]);
    const strays = cells.reduce((sum, cell) => sum + straysOf(cell), 0);

    const traveller = await one.workspace(url);
    await traveller.importPeople({ count: MOVED_PARTICIPANTS });
    const moving = use([...living, traveller], SECONDS);
    await sleep(1000);
    const args = ["workspace", "move", traveller.id, "--to", two.url, "--json"];
    const mover = new Spawned("src/cli.ts", args, one.env, join(one.folder, "move.log"));
    const moved = await mover.says(/"stoppedMs":(\d+)/);
    const during = await moving;
    const p99 = (times: number[]) => quantile(times, 0.99);
    const what = "GET 50 participants by HAProxy, p99 of 20 workspaces";
    return [
      {
        ...{ what: `${what}, one of three cells dead`, against: "all alive", unit: "ms" },
        ...{ value: p99(others), floor: p99(before.times), target: { atMost: 1.2 } },
      },
      { what: "Requests that came to the wrong cell", unit: "requests", value: strays, target: { atMost: 0 } },
      {
        what: `A workspace of ${MOVED_PARTICIPANTS.toLocaleString("en")} moves under load: it answers 503 for`,
        ...{ unit: "ms", value: Number(moved[1]), target: { atMost: 1000 } },
      },
      {
        ...{ what: `${what}, while one moves`, against: "all alive", unit: "ms" },
        ...{ value: p99(during.times), floor: p99(before.times), target: { atMost: 3 } },
      },
    ];
  } finally {
    for (const cell of cells) await cell[Symbol.asyncDispose]();
  }
}

/** Requests that a cell has passed on, or has refused because it did not know their workspace. */
function straysOf(cell: Service): number {
  const lines = readFileSync(join(cell.folder, "web.log"), "utf8").split("\n");
  return lines.filter((line) => /"msg":"request"/.test(line) && /"status":401|"route":"\(moved\)"/.test(line)).length;
}

/** Reads of one participant in two cells at the same time, and in one: what a core carries in each cell, added up. */
export async function twoCells(): Promise<Figure[]> {
  requireWrk();
  await using one = await Service.cell("eu1", await freePort());
  await using two = await Service.cell("eu2", await freePort());
  const readerOf = async (cell: Service) => {
    const workspace = await cell.workspace();
    await workspace.importPeople({ count: PARTICIPANTS });
    const { items } = await workspace.caller.get<{ items: { id: string }[] }>("/participants?pagination[limit]=1");
    workspace.close();
    const url = `${cell.url}/participants/${items[0]!.id}`;
    return async (seconds: number) => {
      const before = cell.web.cpuSeconds();
      const perSecond = await load(url, workspace.headers, seconds);
      return { count: perSecond * seconds, cpu: cell.web.cpuSeconds() - before };
    };
  };
  const [ofOne, ofTwo] = [await readerOf(one), await readerOf(two)];
  const samples = await measure({ warmUps: 1, rounds: 5 }, async (round) => {
    const seconds = round < 0 ? 1 : 3;
    const alone = await ofOne(seconds);
    const [left, right] = await Promise.all([ofOne(seconds), ofTwo(seconds)]);
    const perCore = ({ count, cpu }: typeof alone) => count / cpu;
    return { floor: perCore(alone), value: perCore(left) + perCore(right) };
  });
  const what = "GET /participants/{id}, two cells of one core each";
  return [compared({ what, against: "one cell", unit: "req/cpu-s", target: { atLeast: 1.8 } }, samples)];
}
