// How fast imports are: large ones against a bare loop of inserts, small ones against single writes, two against one.

import { join } from "node:path";
import { type Figure, median } from "./figures.ts";
import { person } from "./people.ts";
import { type Mode, removeFolder, Service, temporaryFolder, type Workspace } from "./service.ts";
import { Spawned } from "./spawn.ts";

const ROUNDS = 3;
const MILLION = 1_000_000;
const BARE_LOOP = "a bare loop of the two inserts a row";

/** 100,000 new people, and the same FULL_SYNC again, with both carriers. */
export async function imports(): Promise<Figure[]> {
  const count = 100_000;
  const services = [await Service.start("threads"), await Service.start("redis")];
  const floor: number[] = [];
  const fresh: Record<Mode, number[]> = { threads: [], redis: [] };
  const again: Record<Mode, number[]> = { threads: [], redis: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      floor.push(await insertFloor(count));
      for (const service of services) {
        const workspace = await service.workspace();
        const body = workspace.payload({ count });
        fresh[service.mode].push(await workspace.import(body));
        again[service.mode].push(await workspace.import(body));
        workspace.close();
      }
    }
  } finally {
    for (const service of services) await service.end();
  }
  const figure = (what: string, samples: number[], atMost: number): Figure => ({
    what,
    against: BARE_LOOP,
    unit: "ms",
    value: median(samples),
    floor: median(floor),
    target: { atMost },
    samples: { value: samples, floor },
  });
  return (["threads", "redis"] as const).flatMap((mode) => [
    figure(`Import of 100,000 new people (${mode})`, fresh[mode], 1.5),
    figure(`The same FULL_SYNC again (${mode})`, again[mode], 0.6),
  ]);
}

/** A million new people, by one worker; then the lists of their million assignments. */
export async function million(): Promise<Figure[]> {
  const service = await Service.start("redis");
  try {
    const workspace = await service.workspace();
    const body = workspace.payload({ count: MILLION });
    const floor = await insertFloor(MILLION);
    const [worker] = service.workers;
    worker!.resetPeak();
    service.web.resetPeak();
    const before = service.web.memory().now;
    const value = await workspace.import(body);
    const growth = service.web.memory().peak - before;
    const peak = worker!.memory().peak;
    const log = await workspace.logSize(16);
    const what = `Import of a million new people, ${Math.round(body.bytes / 1e6)} MB`;
    return [
      { what, against: BARE_LOOP, unit: "ms", value, floor, target: { atMost: 1.5 } },
      { what: "– the worker's peak memory", unit: "MB", value: peak, target: { atMost: 900 } },
      { what: "– the API's growth", unit: "MB", value: growth, target: { atMost: 100 } },
      { what: "– the store's log afterwards", unit: "MB", value: log, target: { atMost: 16 } },
      await lastPage(service, workspace),
    ];
  } finally {
    await service.end();
  }
}

/** The last page, and the total, of a long list. */
async function lastPage(service: Service, long: Workspace): Promise<Figure> {
  const short = await service.workspace();
  await short.importPeople({ count: 1000 });
  const samples: Record<string, number[]> = { value: [], floor: [] };
  const page = (workspace: Workspace, offset: number) =>
    `/screener-participants?filter[screenerId][eq]=${workspace.screenerId}&pagination[limit]=100&pagination[offset]=${offset}`;
  for (let i = -100; i < 400; i++) {
    const last = await long.caller.call("GET", page(long, MILLION - 100));
    const first = await short.caller.call("GET", page(short, 0));
    if (i < 0) continue;
    samples.value!.push(last.ms);
    samples.floor!.push(first.ms);
  }
  short.close();
  return {
    what: "Last page, and total, of a million assignments of one screener",
    against: "first page of a thousand",
    unit: "ms",
    value: median(samples.value!),
    floor: median(samples.floor!),
    target: { atMost: 3 },
  };
}

/** A synchronous import of ten people. */
export async function smallImports(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [mode, atMost] of [
    ["threads", 4],
    ["redis", 6],
  ] as const) {
    const service = await Service.start(mode);
    try {
      const workspace = await service.workspace();
      const samples: Record<string, number[]> = { value: [], floor: [] };
      for (let i = -50; i < 400; i++) {
        const at = (i + 50) * 11;
        const imported = await workspace.importAndWait(10, at);
        const created = await workspace.caller.call("POST", "/participants", { body: person(at + 10) });
        if (i < 0) continue;
        samples.value!.push(imported.ms);
        samples.floor!.push(created.ms);
      }
      figures.push({
        what: `Synchronous import of 10 people (${mode})`,
        against: "POST /participants",
        unit: "ms",
        value: median(samples.value!),
        floor: median(samples.floor!),
        target: { atMost },
      });
    } finally {
      await service.end();
    }
  }
  return figures;
}

/** Imports of two workspaces, with two workers. */
export async function twoImports(): Promise<Figure[]> {
  const count = 200_000;
  const service = await Service.start("redis", 2);
  const samples: Record<string, number[]> = { value: [], floor: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const pair = async () => {
        const workspaces = [await service.workspace(), await service.workspace()];
        return workspaces.map((workspace) => ({ workspace, body: workspace.payload({ count }) }));
      };
      const apart = await pair();
      let started = performance.now();
      for (const { workspace, body } of apart) await workspace.import(body);
      samples.floor!.push(performance.now() - started);
      const both = await pair();
      started = performance.now();
      await Promise.all(both.map(({ workspace, body }) => workspace.import(body)));
      samples.value!.push(performance.now() - started);
    }
  } finally {
    await service.end();
  }
  return [
    {
      what: "Two imports of 200,000, two workspaces, two workers",
      against: "one after the other",
      unit: "ms",
      value: median(samples.value!),
      floor: median(samples.floor!),
      target: { atMost: 0.7 },
      samples,
    },
  ];
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
