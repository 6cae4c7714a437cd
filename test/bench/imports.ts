// How fast imports are: large ones against a bare loop of inserts, small ones against single writes, two against one.

import { join } from "node:path";
import { openReader } from "../../db/sqlite/open.ts";
import { until } from "../support/until.ts";
import { type Figure, median } from "./figures.ts";
import { person } from "./people.ts";
import { compared, measure, timed } from "./rounds.ts";
import { removeFolder, Service, temporaryFolder, type Workspace } from "./service.ts";
import { Spawned } from "./spawn.ts";

const ROUNDS = 3;
const MILLION = 1_000_000;
const BARE_LOOP = "a bare loop of the two inserts a row";

/** A plan of 100,000 new people, their import, and the same FULL_SYNC again, with both carriers. */
export async function imports(): Promise<Figure[]> {
  const count = 100_000;
  await using threads = await Service.start("threads");
  await using redis = await Service.start("redis");
  const planAndImport = async (service: Service) => {
    const workspace = await service.workspace();
    const plan = await workspace.plan({ count });
    const fresh = await workspace.importPeople({ count });
    const again = await workspace.importPeople({ count });
    workspace.close();
    return [plan.ms, fresh.ms, again.ms] as const;
  };
  const { floor, ...samples } = await measure({ rounds: ROUNDS }, async () => {
    const floor = await insertFloor(count);
    const [threadsPlan, threadsFresh, threadsAgain] = await planAndImport(threads);
    const [redisPlan, redisFresh, redisAgain] = await planAndImport(redis);
    return { floor, threadsPlan, threadsFresh, threadsAgain, redisPlan, redisFresh, redisAgain };
  });
  const figure = (what: string, value: number[], atMost: number) =>
    compared({ what, against: BARE_LOOP, unit: "ms", target: { atMost } }, { value, floor });
  return (["threads", "redis"] as const).flatMap((mode) => [
    figure(`Import of 100,000 new people (${mode})`, samples[`${mode}Fresh`], 0.7),
    figure(`The same FULL_SYNC again (${mode})`, samples[`${mode}Again`], 0.37),
    compared(
      {
        what: `A plan of 100,000 new people (${mode})`,
        against: "importing them",
        unit: "ms",
        target: { atMost: 0.6 },
      },
      { value: samples[`${mode}Plan`], floor: samples[`${mode}Fresh`] },
    ),
  ]);
}

/** What it costs that people are found: threads bring them into the index of the search after their import. */
export async function searchedImports(): Promise<Figure[]> {
  const count = 100_000;
  await using service = await Service.start("threads");
  const samples = await measure({ warmUps: 1, rounds: 5 }, async () => {
    const workspace = await service.workspace();
    const before = service.web.cpuSeconds();
    await workspace.importPeople({ count });
    const imported = service.web.cpuSeconds();
    await whenIndexed(workspace, count);
    workspace.close();
    return { alone: (imported - before) * 1000, both: (service.web.cpuSeconds() - before) * 1000 };
  });
  const what = "Import of 100,000 new people and the index of their search, processor time";
  return [
    compared(
      { what, against: "their import", unit: "ms", target: { atMost: 1.75 } },
      { value: samples.both, floor: samples.alone },
    ),
  ];
}

/** Waits until the index of the search has all people. */
export async function whenIndexed({ path }: Workspace, count: number): Promise<void> {
  const db = openReader(path, { busyTimeoutMs: 10_000, checkpoints: false });
  const isIndexed = "SELECT indexed_until >= ? FROM participant_search_state";
  await until(() => db.value(isIndexed, count) || undefined, "all are found", 600_000);
  db.close();
}

/** 100,000 new people as a CSV. */
export async function csvImports(): Promise<Figure[]> {
  const count = 100_000;
  await using service = await Service.start("threads");
  const fresh = async (isCsv: boolean) => {
    const workspace = await service.workspace();
    const { ms } = await workspace.import(isCsv ? workspace.csv(count) : workspace.payload({ count }));
    workspace.close();
    return ms;
  };
  const samples = await measure({ warmUps: 1, rounds: 5 }, async () => ({
    floor: await fresh(false),
    value: await fresh(true),
  }));
  const what = "Import of 100,000 new people as CSV";
  return [compared({ what, against: "the same as JSON", unit: "ms", target: { atMost: 1.25 } }, samples)];
}

/** 100,000 people without ids, new and then known, against the same with ids. */
export async function emailImports(): Promise<Figure[]> {
  const count = 100_000;
  await using service = await Service.start("threads");
  const both = async (byEmail: boolean) => {
    const workspace = await service.workspace();
    const fresh = await workspace.importPeople({ count, byEmail });
    const again = await workspace.importPeople({ count, byEmail });
    workspace.close();
    return [fresh.ms, again.ms] as const;
  };
  const samples = await measure({ warmUps: 1, rounds: ROUNDS }, async () => {
    const [idFresh, idAgain] = await both(false);
    const [emailFresh, emailAgain] = await both(true);
    return { idFresh, idAgain, emailFresh, emailAgain };
  });
  const figure = (what: string, value: number[], floor: number[], atMost: number) =>
    compared({ what, against: "the same by their ids", unit: "ms", target: { atMost } }, { value, floor });
  return [
    figure("Import of 100,000 new people by their emails", samples.emailFresh, samples.idFresh, 1.3),
    figure("The same FULL_SYNC again", samples.emailAgain, samples.idAgain, 1.6),
  ];
}

/** A million new people, by one worker; then the lists of their million assignments. */
export async function million(): Promise<Figure[]> {
  await using service = await Service.start("redis");
  const workspace = await service.workspace();
  const body = workspace.payload({ count: MILLION });
  const floor = await insertFloor(MILLION);
  const [worker] = service.workers;
  worker!.resetPeak();
  service.web.resetPeak();
  const before = service.web.memory().now;
  const { ms: value } = await workspace.import(body);
  const growth = service.web.memory().peak - before;
  const peak = worker!.memory().peak;
  const log = await workspace.logSize(16);
  const what = `Import of a million new people, ${Math.round(body.bytes / 1e6)} MB`;
  return [
    { what, against: BARE_LOOP, unit: "ms", value, floor, target: { atMost: 0.75 } },
    { what: "– the worker's peak memory", unit: "MB", value: peak, target: { atMost: 450 } },
    { what: "– the API's growth", unit: "MB", value: growth, target: { atMost: 100 } },
    { what: "– the store's log afterwards", unit: "MB", value: log, target: { atMost: 16 } },
    await lastPage(service, workspace),
    await firstFound(workspace),
  ];
}

/** Words that everybody has, many, few and nobody, alone and together. */
const SEARCHED = [
  "example org",
  "ada",
  "ada allen",
  "example org ada",
  "example ma al",
  "r",
  "nobody",
  "nobody example",
];

/** The first page of a search among a million people, when all are in the index: of the slowest words. */
async function firstFound(workspace: Workspace): Promise<Figure> {
  const { caller, screenerId } = workspace;
  await whenIndexed(workspace, MILLION);
  let slowest = { value: 0, what: "" };
  for (const [among, query] of [
    ["all", "/participants?"],
    ["a study", `/screener-participants?filter[screenerId][eq]=${screenerId}&`],
  ])
    for (const words of SEARCHED) {
      const url = `${query}filter[search][matches]=${encodeURIComponent(words)}`;
      const times: number[] = [];
      for (let round = 0; round < 5; round++) times.push((await caller.call("GET", url)).ms);
      const value = median(times);
      if (value > slowest.value) slowest = { value, what: `“${words}” among ${among}` };
    }
  const what = `First page of a search among a million people: ${slowest.what}, the slowest`;
  return { what, unit: "ms", value: slowest.value, target: { atMost: 100 } };
}

/** The last page, and the total, of a long list. */
async function lastPage(service: Service, long: Workspace): Promise<Figure> {
  const short = await service.workspace();
  await short.importPeople({ count: 1000 });
  const page = (workspace: Workspace, offset: number) =>
    `/screener-participants?filter[screenerId][eq]=${workspace.screenerId}&pagination[limit]=100&pagination[offset]=${offset}`;
  const samples = await measure({ warmUps: 100, rounds: 400 }, async () => {
    const last = await long.caller.call("GET", page(long, MILLION - 100));
    const first = await short.caller.call("GET", page(short, 0));
    return { value: last.ms, floor: first.ms };
  });
  short.close();
  const what = "Last page, and total, of a million assignments of one screener";
  return compared({ what, against: "first page of a thousand", unit: "ms", target: { atMost: 3 } }, samples);
}

/** A synchronous import of ten people. */
export async function smallImports(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [mode, atMost] of [
    ["threads", 2.5],
    ["redis", 3],
  ] as const) {
    await using service = await Service.start(mode);
    const workspace = await service.workspace();
    const samples = await measure({ warmUps: 50, rounds: 400 }, async (round) => {
      const at = (round + 50) * 11;
      const imported = await workspace.importAndWait(10, at);
      const created = await workspace.caller.call("POST", "/participants", { body: person(at + 10) });
      return { value: imported.ms, floor: created.ms };
    });
    const what = `Synchronous import of 10 people (${mode})`;
    figures.push(compared({ what, against: "POST /participants", unit: "ms", target: { atMost } }, samples));
  }
  return figures;
}

/** Imports of two workspaces, with two workers. */
export async function twoImports(): Promise<Figure[]> {
  const count = 200_000;
  await using service = await Service.start("redis", 2);
  const pair = async () => {
    const workspaces = [await service.workspace(), await service.workspace()];
    return workspaces.map((workspace) => ({ workspace, body: workspace.payload({ count }) }));
  };
  const samples = await measure({ rounds: ROUNDS }, async () => {
    const apart = await pair();
    const floor = await timed(async () => {
      for (const { workspace, body } of apart) await workspace.import(body);
    });
    const both = await pair();
    const value = await timed(() => Promise.all(both.map(({ workspace, body }) => workspace.import(body))));
    return { value, floor };
  });
  const what = "Two imports of 200,000, two workspaces, two workers";
  return [compared({ what, against: "one after the other", unit: "ms", target: { atMost: 0.7 } }, samples)];
}

/** @returns how long the bare loop takes for `count` people, in ms */
async function insertFloor(count: number): Promise<number> {
  const folder = temporaryFolder();
  const loop = new Spawned(
    "test/bench/floor-insert.ts",
    [join(folder, "store.sqlite"), String(count)],
    {},
    join(folder, "log"),
  );
  const [, ms] = await loop.says(/^took ([\d.]+) ms$/m);
  await loop.end();
  removeFolder(folder);
  return Number(ms);
}
