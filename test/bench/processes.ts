// What is of the process and not of a request: the first request of a workspace, two web processes on one port, idle memory.

import { setTimeout as sleep } from "node:timers/promises";
import { Caller } from "./caller.ts";
import { type Figure, median } from "./figures.ts";
import { compared, measure } from "./rounds.ts";
import { Service } from "./service.ts";
import { load, requireWrk } from "./wrk.ts";

const COLD = 300;
const PARTICIPANTS = 1000;
const ROUNDS = 5;
const SECONDS = 3;
/** So many that the system spreads them nearly evenly. */
const CONNECTIONS = 128;
const SETTLE_MS = 10_000;

/** Many workspaces, each asked once: its store is opened for that. And the same, asked again at once. */
export async function cold(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const all = Array.from({ length: COLD }, () => service.credentials());
  // What upkeep and the first requests of all do.
  await sleep(SETTLE_MS);
  const caller = new Caller(service.url, {});
  const times: Record<"first" | "second", number[]> = { first: [], second: [] };
  const before = service.web.cpuSeconds();
  for (const headers of all) {
    for (const which of ["first", "second"] as const) {
      times[which].push((await caller.call("GET", "/participants?pagination[limit]=1", { headers })).ms);
    }
  }
  const cpu = ((service.web.cpuSeconds() - before) * 1000) / COLD;
  caller.close();
  const [first, second] = [median(times.first), median(times.second)];
  const samples = { first: [first], second: [second], "processor time of both": [cpu] };
  return [
    { what: "First request of a workspace", unit: "ms", value: first, target: { atMost: 0.5 }, samples },
    { what: "– what it takes more than the second one", unit: "ms", value: first - second, target: { atMost: 0.5 } },
  ];
}

/**
 * Reads of one participant, by two web processes on one port and by one. Their requests for each second of processor time
 * of the one that is busiest: what they would answer if each had a processor of its own, and nobody else was there.
 */
export async function twoWebs(): Promise<Figure[]> {
  requireWrk();
  await using alone = await Service.start("threads");
  await using pair = await Service.start("threads", 0, 2);
  const readerOf = async (service: Service) => {
    const workspace = await service.workspace();
    await workspace.importPeople({ count: PARTICIPANTS });
    const { items } = await workspace.caller.get<{ items: { id: string }[] }>("/participants?pagination[limit]=1");
    const url = `${service.url}/participants/${items[0]!.id}`;
    workspace.close();
    return async (seconds: number) => {
      const before = service.webs.map((web) => web.cpuSeconds());
      const perSecond = await load(url, workspace.headers, seconds, CONNECTIONS);
      return (perSecond * seconds) / Math.max(...service.webs.map((web, index) => web.cpuSeconds() - before[index]!));
    };
  };
  const [ofOne, ofTwo] = [await readerOf(alone), await readerOf(pair)];
  const samples = await measure({ warmUps: 1, rounds: ROUNDS }, async (round) => {
    const seconds = round < 0 ? 1 : SECONDS;
    return { floor: await ofOne(seconds), value: await ofTwo(seconds) };
  });
  const what = "GET /participants/{id}, two web processes on one port";
  return [compared({ what, against: "one", unit: "req/cpu-s", target: { atLeast: 1.7 } }, samples)];
}

/** What a single node holds when nobody asks it for anything. */
export async function idle(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  await sleep(SETTLE_MS);
  const { now } = service.web.memory();
  return [
    { what: "A single node's memory, idle after small imports", unit: "MB", value: now, target: { atMost: 400 } },
  ];
}
