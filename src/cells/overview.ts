// What all cells say of themselves: what they have put into the register, and what each answers now. All are asked at the same time, and
// for a short while, so that one that is away keeps nobody waiting.

import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { Directory } from "./directory.ts";
import { askCell } from "./line.ts";
import type { CellState } from "./measure.ts";
import { readCells } from "./register.ts";

const TIMEOUT_MS = 2000;

const Health = v.object({ version: v.string() });
const Readiness = v.object({
  status: v.picklist(["ok", "unavailable"]),
  details: v.array(v.object({ code: v.string(), message: v.string(), workspace: v.optional(v.string()) })),
});

export interface CellOverview {
  /** What it has said last. */
  state: CellState;
  /** What it answers now; undefined: it is away. */
  answer: (v.InferOutput<typeof Health> & v.InferOutput<typeof Readiness>) | undefined;
}

/** By name. @throws Error when Redis does not answer */
export async function askAllCells(redisUrl: string): Promise<CellOverview[]> {
  const directory = new Directory(redisUrl);
  const [states] = await Promise.all([readCells(redisUrl), directory.refresh()]);
  return Promise.all(states.map(async (state) => ({ state, answer: await answerOf(directory, state.cell) })));
}

async function answerOf(directory: Directory, cell: string): Promise<CellOverview["answer"]> {
  const answer = Promise.all([
    ask(directory, cell, "/healthz", Health),
    ask(directory, cell, "/readyz", Readiness),
  ]).then(([health, readiness]) => ({ ...health, ...readiness }));
  // Each machine of a cell may be silent for as long.
  const away = sleep(TIMEOUT_MS, undefined, { ref: false });
  return Promise.race([answer, away]).catch(() => undefined);
}

async function ask<S extends v.GenericSchema>(
  directory: Directory,
  cell: string,
  path: string,
  schema: S,
): Promise<v.InferOutput<S>> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { body } = await askCell(directory, cell, {
    ...{ method: "GET", path, headers: [], body: null, address: "", hops: 0, silenceMs: TIMEOUT_MS, signal },
  });
  return v.parse(schema, JSON.parse(await body.text()));
}
