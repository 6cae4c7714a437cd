// How fast many events are listed, and what it costs small writes that each has its event.

import { join } from "node:path";
import type { Figure } from "./figures.ts";
import { fillEvents } from "./many-events.ts";
import { compared, measure } from "./rounds.ts";
import { removeFolder, Service, temporaryFolder, type Workspace } from "./service.ts";
import { Spawned } from "./spawn.ts";
import type { TimedWrites } from "./timed-writes.ts";

const EVENTS = 1_000_000;
const PAGE = 50;
const ROUNDS = 3;

/** Pages of a million events against those of a thousand. */
export async function events(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const [long, short] = [await service.workspace(), await service.workspace()];
  const filled = new Map([
    [long, fillEvents(long.path, EVENTS)],
    [short, fillEvents(short.path, 1000)],
  ]);
  const read = async (workspace: Workspace, query: string) => {
    const { text, ms } = await workspace.caller.call("GET", `/events?pagination[limit]=${PAGE}${query}`);
    const { total, items } = JSON.parse(text) as { total: number; items: unknown[] };
    if (items.length !== PAGE) throw new Error(`${query} has ${items.length} of ${total} events.`);
    return ms;
  };
  /** The last page of a type, in the middle half of the time. */
  const deep = (workspace: Workspace) => {
    const { type, from, to, count } = filled.get(workspace)!;
    return `&pagination[offset]=${count - PAGE}&filter[type][eq]=${type}&filter[createdAt][gte]=${from}&filter[createdAt][lt]=${to}`;
  };
  const samples = await measure({ warmUps: 50, rounds: 200 }, async () => ({
    first: await read(long, ""),
    firstFloor: await read(short, ""),
    deep: await read(long, deep(long)),
    deepFloor: await read(short, deep(short)),
  }));
  long.close();
  short.close();
  const about = { against: "the same of a thousand", unit: "ms", target: { atMost: 3 } } as const;
  return [
    compared(
      { what: "First page, and total, of a million events", ...about },
      { value: samples.first, floor: samples.firstFloor },
    ),
    compared(
      { what: "– last page of a type in half of the time", ...about },
      { value: samples.deep, floor: samples.deepFloor },
    ),
  ];
}

/** The processor time of small writes, against the same without the statements of events. */
export async function recorded(): Promise<Figure[]> {
  const samples = await measure({ rounds: ROUNDS }, async () => {
    const { created, submitted } = await timedWrites();
    return {
      created: created.ms,
      createdFloor: created.ms - created.events,
      submitted: submitted.ms,
      submittedFloor: submitted.ms - submitted.events,
    };
  });
  const about = { against: "without its event", unit: "ms", target: { atMost: 1.1 } } as const;
  return [
    compared(
      { what: "Processor time of POST /participants", ...about },
      { value: samples.created, floor: samples.createdFloor },
    ),
    compared(
      { what: "– of a submission of the participants' page", ...about },
      { value: samples.submitted, floor: samples.submittedFloor },
    ),
  ];
}

async function timedWrites(): Promise<TimedWrites> {
  const folder = temporaryFolder();
  const timed = new Spawned("test/bench/timed-writes.ts", [folder], { NODE_ENV: "production" }, join(folder, "log"));
  const [, writes] = await timed.says(/^writes (.+)\n/m);
  await timed.end();
  removeFolder(folder);
  return JSON.parse(writes!);
}
