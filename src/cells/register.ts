// The register of cells, in the Redis that they share: each web process of a cell writes every few seconds what the cell has. It is
// for people, and for the map of a proxy; nothing is decided by it.

import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../base/log.ts";
import type { Pool } from "../engine/threads/pool.ts";
import { type CellState, measureCell } from "./measure.ts";
import { withRedis } from "./tickets.ts";

const KEY = "screening:cells";
const EVERY_MS = 5000;

/** Keeps the register up to date. @returns how to end it */
export function registerCell(redisUrl: string, cell: string, pool: Pool, log: Log): () => void {
  const end = new AbortController();
  let failed = false;
  const register = async () => {
    while (!end.signal.aborted) {
      try {
        const state = await pool.ask(measureCell, cell);
        await withRedis(redisUrl, (redis) => redis.hset(KEY, cell, JSON.stringify(state)));
        failed = false;
      } catch (err) {
        if (!failed && !end.signal.aborted) log.warn({ err }, "the register of cells could not be written");
        failed = true;
      }
      await sleep(EVERY_MS, undefined, { ref: false, signal: end.signal }).catch(() => {});
    }
  };
  register();
  return () => end.abort();
}

/** What all cells have said last, by name. */
export async function readCells(redisUrl: string): Promise<CellState[]> {
  const all = await withRedis(redisUrl, (redis) => redis.hgetall(KEY));
  return Object.values(all)
    .map((json) => JSON.parse(json) as CellState)
    .sort((one, other) => (one.cell < other.cell ? -1 : 1));
}

/** Forgets a cell that is gone. @returns false when it is not in the register */
export async function forgetCell(redisUrl: string, cell: string): Promise<boolean> {
  return (await withRedis(redisUrl, (redis) => redis.hdel(KEY, cell))) === 1;
}

/** The lines of a proxy's map: what was made in another cell than the one that has the workspace now. */
export function mapOf(cells: readonly CellState[]): string[] {
  // A cell that was renamed, or is dead, says what is not so any more.
  const latest = new Map<string, { cell: string; formerCells: readonly string[] }>();
  for (const { cell, workspaces } of [...cells].sort((one, other) => one.at - other.at))
    for (const { id, formerCells } of workspaces) latest.set(id, { cell, formerCells });
  return [...latest].flatMap(([id, { cell, formerCells }]) =>
    [...new Set(formerCells)].filter((former) => former !== cell).map((former) => `${former}-${id.slice(-8)} ${cell}`),
  );
}
