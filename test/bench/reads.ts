// How fast reads are: against plain Koa, and while an import runs against when nothing runs.

import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { besides, GREED, readFor } from "../support/neighbours.ts";
import { Caller } from "./caller.ts";
import { type Figure, quantile } from "./figures.ts";
import type { JobsOfThread } from "./jobs-thread.ts";
import { compared, measure } from "./rounds.ts";
import { Service, temporaryFolder, type Workspace } from "./service.ts";
import { Spawned } from "./spawn.ts";
import { load, requireWrk } from "./wrk.ts";

const PARTICIPANTS = 10_000;
const ROUNDS = 3;
/** Of loads, which take a second each. V8 takes some of them to compile what runs often. */
const LOAD_WARM_UPS = 6;
const LOAD_ROUNDS = 9;
const PAUSE_MS = 5;

/** A page of participants. */
export async function list(): Promise<Figure[]> {
  return compare("/participants?pagination[limit]=100", {
    what: "GET /participants?pagination[limit]=100",
    against: "plain Koa, rows, JSON.stringify",
    floor: (workspace) => ({ args: [workspace.path], path: "/participants?pagination[limit]=100" }),
    atLeast: 1.8,
    byCpuAtLeast: 1.8,
  });
}

/** One participant. */
export async function one(): Promise<Figure[]> {
  return compare(undefined, {
    what: "GET /participants/{id}",
    against: "plain Koa hello",
    floor: () => ({ args: [], path: "/" }),
    atLeast: 0.4,
    byCpuAtLeast: 0.5,
  });
}

/** Loads service and floor in turns. `path` is the service's; undefined: one participant. */
async function compare(
  path: string | undefined,
  {
    what,
    against,
    floor,
    atLeast,
    byCpuAtLeast,
  }: {
    what: string;
    against: string;
    floor: (workspace: Workspace) => { args: string[]; path: string };
    atLeast: number;
    byCpuAtLeast: number;
  },
): Promise<Figure[]> {
  requireWrk();
  await using service = await Service.start("threads");
  const log = join(temporaryFolder(), "floor.log");
  const workspace = await service.workspace();
  await workspace.importPeople({ count: PARTICIPANTS });
  const { args, path: floorPath } = floor(workspace);
  const koa = new Spawned("test/bench/floor-koa.ts", args, { NODE_ENV: "production" }, log);
  const [, koaUrl] = await koa.says(/^Listening on (\S+)$/m);
  const servicePath = path ?? `/participants/${(await idsOf(workspace))[0]}`;
  // Who is alone is not limited: the service's own workspace has sent requests, too.
  await sleep(1500);
  const loaded = async (process: Spawned, url: string, headers: Record<string, string>, seconds: number) => {
    const before = process.cpuSeconds();
    const perSecond = await load(url, headers, seconds);
    return { perSecond, perCpuSecond: (perSecond * seconds) / (process.cpuSeconds() - before) };
  };
  const samples = await measure({ warmUps: LOAD_WARM_UPS, rounds: LOAD_ROUNDS }, async () => {
    const ours = await loaded(service.web, service.url + servicePath, workspace.headers, 1);
    const bare = await loaded(koa, koaUrl + floorPath, {}, 1);
    return {
      value: ours.perSecond,
      floor: bare.perSecond,
      ofCpu: ours.perCpuSecond,
      floorOfCpu: bare.perCpuSecond,
    };
  });
  await koa.end();
  const byCpu = { value: samples.ofCpu, floor: samples.floorOfCpu };
  return [
    compared({ what, against, unit: "req/s", target: { atLeast } }, samples),
    compared(
      { what: "– the same by processor time", against, unit: "req/cpu-s", target: { atLeast: byCpuAtLeast } },
      byCpu,
    ),
  ];
}

/**
 * The same reads, at a modest pace, while nothing runs; while 300,000 people are planned, imported by that plan and taken
 * back by an undo; and while they are imported at once.
 */
export async function duringJobs(): Promise<Figure[]> {
  await using service = await Service.start("redis");
  const times = { idle: [] as number[], plans: [] as number[], import: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const workspace = await service.workspace();
    await workspace.importPeople({ count: PARTICIPANTS });
    const ids = await idsOf(workspace);
    const which = { count: 300_000, from: PARTICIPANTS };
    const read = (end: Promise<unknown>) => readAtPace(service, workspace, ids, end);
    const readDuring = async (jobs: JobsOfThread["jobs"], isDryRun: boolean) => {
      const file = workspace.payload({ ...which, isDryRun });
      const workerData: JobsOfThread = { url: service.url, headers: workspace.headers, file, jobs };
      const thread = new Worker(new URL("./jobs-thread.ts", import.meta.url), { workerData });
      return read(once(thread, "exit"));
    };
    await read(sleep(1000));
    times.idle.push(...(await read(sleep(5000))));
    times.plans.push(...(await readDuring("plan, apply, undo", true)));
    times.import.push(...(await readDuring("import", false)));
    workspace.close();
  }
  const figure = (what: string, during: number[]): Figure => ({
    what,
    against: "the same idle",
    unit: "ms",
    value: quantile(during, 0.99),
    floor: quantile(times.idle, 0.99),
    target: { atMost: 3 },
    samples: { during: summary(during), idle: summary(times.idle) },
  });
  return [
    figure("Reads' p99 during a 300,000-row import (redis)", times.import),
    figure("– during its plan, the plan's application and its undo", times.plans),
  ];
}

/** A workspace's reads while another one takes what it can get, against the same while nothing runs. */
export async function neighbours(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const [quiet, greedy] = [await service.workspace(), await service.workspace()];
  for (const workspace of [quiet, greedy]) await workspace.importPeople({ count: PARTICIPANTS });
  const caller = new Caller(service.url, quiet.headers);
  const read = () => caller.call("GET", "/participants?pagination[limit]=20");
  await readFor(1000, read);
  const figures: Figure[] = [];
  for (const [what, greedOf] of Object.entries(GREED)) {
    const idle = await readFor(5000, read);
    let busy: number[] = [];
    await besides(service.url, greedOf(greedy.headers), async () => {
      // What began while nobody else was there comes to its end.
      await readFor(500, read);
      busy = await readFor(5000, read);
    });
    for (const [name, q, atMost] of [
      ["p50", 0.5, 2],
      ["p99", 0.99, 3],
    ] as const)
      figures.push({
        what: `Reads' ${name} while a neighbour ${what}`,
        against: "the same idle",
        unit: "ms",
        value: quantile(busy, q),
        floor: quantile(idle, q),
        target: { atMost },
        samples: { busy: summary(busy), idle: summary(idle) },
      });
  }
  caller.close();
  return figures;
}

/** Sends 200 reads a second, whether the earlier ones are answered or not, until `end`. @returns how long each took, in ms */
async function readAtPace(
  service: Service,
  { headers }: Workspace,
  ids: string[],
  end: Promise<unknown>,
): Promise<number[]> {
  const caller = new Caller(service.url, headers, 64);
  const answers: Promise<number>[] = [];
  let ended = false;
  const ending = end.finally(() => {
    ended = true;
  });
  for (let next = performance.now(), i = 0; !ended; next += PAUSE_MS, i++) {
    const pause = next - performance.now();
    if (pause > 0) await sleep(pause);
    const path =
      i % 5
        ? `/participants/${ids[i % ids.length]}`
        : `/participants?pagination[limit]=100&pagination[offset]=${i % 9900}`;
    answers.push(caller.call("GET", path).then(({ ms }) => ms));
  }
  await ending;
  const times = await Promise.all(answers);
  caller.close();
  return times;
}

async function idsOf({ caller }: Workspace): Promise<string[]> {
  const { items } = await caller.get<{ items: { id: string }[] }>(
    `/participants?pagination[limit]=500&pagination[offset]=${PARTICIPANTS / 2}`,
  );
  return items.map(({ id }) => id);
}

/** Median, p90, p99, p99.9 and the longest. */
function summary(times: readonly number[]): number[] {
  return [0.5, 0.9, 0.99, 0.999, 1].map((q) => quantile(times, q));
}
