// What the heaviest imports take from others: memory of the process, and the workspace's lock.

import { setTimeout as sleep } from "node:timers/promises";
import { Caller } from "./caller.ts";
import type { Figure } from "./figures.ts";
import { person } from "./people.ts";
import { Service, submit, type Workspace } from "./service.ts";

/** The most memory that a single node takes, for one large import and for several at once. */
export async function memory(): Promise<Figure[]> {
  const peakOf = async (imports: number, count: number) => {
    await using service = await Service.cold("threads");
    const workspaces = await Promise.all(Array.from({ length: imports }, () => service.workspace()));
    const bodies = workspaces.map((workspace) => workspace.payload({ count }));
    await Promise.all(workspaces.map((workspace, index) => workspace.import(bodies[index]!)));
    for (const workspace of workspaces) workspace.close();
    return service.web.memory().peak;
  };
  const figure = (what: string, value: number, atMost: number): Figure => ({
    what: `A single node's peak memory: ${what}`,
    unit: "MB",
    value,
    target: { atMost },
  });
  return [
    figure("one import of 250,000", await peakOf(1, 250_000), 350),
    figure("four of 100,000 at once", await peakOf(4, 100_000), 400),
  ];
}

const NAMED = 1000;
const REMOVED = 990_000;

/** How long a small write waits while nearly all assignments of a large workspace are removed: at once, and as an approved plan. */
export async function removal(): Promise<Figure[]> {
  const rest = { count: NAMED };
  const figure = (value: number, how = ""): Figure => ({
    what: `The longest wait of POST /participants while a FULL_SYNC of 1,000 removes 990,000${how}`,
    unit: "ms",
    value,
    target: { atMost: 1000 },
  });
  return [
    figure(await longestWait((workspace) => workspace.importPeople(rest))),
    figure(
      await longestWait(async (workspace) => {
        const { id } = await workspace.plan(rest);
        await submit(workspace.caller, `/jobs/${id}/apply`);
      }),
      ", applied as a plan",
    ),
  ];
}

async function longestWait(remove: (workspace: Workspace) => Promise<unknown>): Promise<number> {
  await using service = await Service.start("threads");
  const workspace = await service.workspace();
  await workspace.importPeople({ count: NAMED + REMOVED });
  // What the first import has left to do: an index, a long WAL.
  await sleep(5000);
  const other = new Caller(service.url, workspace.headers);
  let isDone = false;
  const job = remove(workspace).finally(() => {
    isDone = true;
  });
  let longest = 0;
  for (let at = NAMED + REMOVED; !isDone; at++) {
    const started = performance.now();
    // A write that has waited for some seconds is refused, and sent again.
    while (!(await isWritten(other, at)));
    longest = Math.max(longest, performance.now() - started);
    await sleep(10);
  }
  await job;
  const { total } = await workspace.caller.get<{ total: number }>("/screener-participants?pagination[limit]=1");
  if (total !== NAMED) throw new Error(`${total} assignments are left.`);
  other.close();
  workspace.close();
  return longest;
}

async function isWritten(caller: Caller, at: number): Promise<boolean> {
  try {
    await caller.call("POST", "/participants", { body: person(at) });
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes("store_busy")) return false;
    throw error;
  }
}
