// What is of the process and not of a request: the first request of a workspace, several web processes, idle memory.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Caller } from "./caller.ts";
import { type Figure, median } from "./figures.ts";
import { compared, measure } from "./rounds.ts";
import { Service } from "./service.ts";
import { cpuSeconds } from "./spawn.ts";
import { load, requireWrk } from "./wrk.ts";

const COLD = 300;
const PARTICIPANTS = 1000;
const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 64;
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
 * Reads of one participant, by two web processes (WEB_CONCURRENCY) and by one. Their requests for each second of processor time of
 * the one that is busiest, or of half of all if that is more: what two processors would answer if nobody else was there.
 */
export async function twoWebs(): Promise<Figure[]> {
  requireWrk();
  await using alone = await Service.start("redis");
  await using pair = await Service.start("redis", 1, 2);
  const readerOf = async (service: Service, processors: number) => {
    const workspace = await service.workspace();
    await workspace.importPeople({ count: PARTICIPANTS });
    const { items } = await workspace.caller.get<{ items: { id: string }[] }>("/participants?pagination[limit]=1");
    const url = `${service.url}/participants/${items[0]!.id}`;
    workspace.close();
    const { pid } = service.web;
    return async (seconds: number) => {
      const before = withChildren(pid).map(cpuSeconds);
      const perSecond = await load(url, workspace.headers, seconds, CONNECTIONS);
      const used = withChildren(pid).map((one, index) => cpuSeconds(one) - before[index]!);
      const all = used.reduce((sum, one) => sum + one);
      return (perSecond * seconds) / Math.max(all / processors, ...used);
    };
  };
  const [ofOne, ofTwo] = [await readerOf(alone, 1), await readerOf(pair, 2)];
  const samples = await measure({ warmUps: 1, rounds: ROUNDS }, async (round) => {
    const seconds = round < 0 ? 1 : SECONDS;
    return { floor: await ofOne(seconds), value: await ofTwo(seconds) };
  });
  const what = "GET /participants/{id}, WEB_CONCURRENCY=2";
  return [compared({ what, against: "1", unit: "req/cpu-s", target: { atLeast: 1.7 } }, samples)];
}

/** A process, and those that it has started. */
function withChildren(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return [pid, ...children.map(Number)];
}

/** What a single node takes to start, and what it holds when nobody asks it for anything. */
export async function idle(): Promise<Figure[]> {
  const starts: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const began = performance.now();
    await using _ = await Service.cold("threads");
    starts.push(performance.now() - began);
  }
  await using fresh = await Service.cold("threads");
  await using service = await Service.start("threads");
  await sleep(SETTLE_MS);
  const { now } = service.web.memory();
  const atFirst = fresh.web.memory().now;
  return [
    { what: "The first start of a single node", unit: "ms", value: median(starts), target: { atMost: 600 } },
    { what: "A single node's memory, idle after its start", unit: "MB", value: atFirst, target: { atMost: 150 } },
    { what: "A single node's memory, idle after small imports", unit: "MB", value: now, target: { atMost: 400 } },
  ];
}
