// How fast links are moved to another version, against an import of as many people.

import type { Figure } from "./figures.ts";
import { compared, measure } from "./rounds.ts";
import { Service, submit } from "./service.ts";

const COUNT = 100_000;
const ROUNDS = 3;

/** 100,000 links that nobody has opened go on with a new version. */
export async function moves(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const samples = await measure({ rounds: ROUNDS }, async () => {
    const workspace = await service.workspace();
    const { caller, screenerId } = workspace;
    await caller.post("/screener-publications", { screenerId });
    const { ms: floor } = await workspace.importPeople({ count: COUNT });
    await submit(caller, "/screener-sessions", { body: { screenerId } });
    await caller.post("/screener-publications", { screenerId });
    const { ms: value, id } = await submit(caller, "/screener-sessions-move", { body: { screenerId } });
    const { summary } = await caller.get<{ summary: { moved: number } }>(`/jobs/${id}`);
    if (summary.moved !== COUNT) throw new Error(`It has moved ${summary.moved} links.`);
    workspace.close();
    return { value, floor };
  });
  const what = "Moving 100,000 links to another version (threads)";
  return [compared({ what, against: "importing as many people", unit: "ms", target: { atMost: 1 } }, samples)];
}
