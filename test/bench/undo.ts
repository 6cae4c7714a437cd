// What it costs to undo imports: the undo itself, and what each import keeps for it.

import { join } from "node:path";
import type { Figure } from "./figures.ts";
import { compared, measure } from "./rounds.ts";
import { removeFolder, Service, submit, temporaryFolder } from "./service.ts";
import { Spawned } from "./spawn.ts";
import type { TimedJob } from "./timed-jobs.ts";

const COUNT = 100_000;
const ROUNDS = 3;

/** The removal of 100,000 assignments is undone. */
export async function undoing(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const samples = await measure({ rounds: ROUNDS }, async () => {
    const workspace = await service.workspace();
    const { ms: floor } = await workspace.importPeople({ count: COUNT });
    const { id } = await workspace.importPeople({ count: 0 });
    const { ms: value } = await submit(workspace.caller, `/jobs/${id}/undo`);
    const { total } = await workspace.caller.get<{ total: number }>("/screener-participants?pagination[limit]=1");
    if (total !== COUNT) throw new Error(`The undo has brought back ${total} assignments.`);
    workspace.close();
    return { value, floor };
  });
  const what = "Undoing the removal of 100,000 (threads)";
  return [compared({ what, against: "importing them", unit: "ms", target: { atMost: 1 } }, samples)];
}

/** The statements of an import that keep its rows and what its undo needs. */
const KEEPS = /^\s*(INSERT INTO w\.effect|INSERT INTO plan_block|CREATE INDEX IF NOT EXISTS stage_external_uid)/;

/** The processor time of imports, against the same without what is kept for rows and undo. */
export async function kept(): Promise<Figure[]> {
  const samples = await measure({ rounds: ROUNDS }, async () => {
    const { fresh, again, changed } = await timedJobs();
    return {
      fresh: fresh.ms,
      freshFloor: withoutKept(fresh),
      again: again.ms,
      againFloor: withoutKept(again),
      changed: changed.ms,
      changedFloor: withoutKept(changed),
    };
  });
  const about = { against: "without rows and undo", unit: "ms", target: { atMost: 1.1 } } as const;
  const figure = (what: string, name: "fresh" | "again" | "changed") =>
    compared({ what, ...about }, { value: samples[name], floor: samples[`${name}Floor`] });
  return [
    figure("Processor time of an import of 100,000 new people", "fresh"),
    figure("– of the same FULL_SYNC again", "again"),
    figure("– of 100,000 changed names", "changed"),
  ];
}

async function timedJobs(): Promise<Record<"fresh" | "again" | "changed", TimedJob>> {
  const folder = temporaryFolder();
  const timed = new Spawned("test/bench/timed-jobs.ts", [folder, String(COUNT)], {}, join(folder, "log"));
  const [, jobs] = await timed.says(/^jobs (.+)\n/m);
  await timed.end();
  removeFolder(folder);
  return JSON.parse(jobs!);
}

function withoutKept({ ms, statements }: TimedJob): number {
  const keeping = statements.filter(([sql]) => KEEPS.test(sql));
  // A statement that is written in another way would count as none.
  if (keeping.length < 2) throw new Error(`Only ${keeping.length} statements keep something.`);
  return keeping.reduce((left, [, own]) => left - own, ms);
}
