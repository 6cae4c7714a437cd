// What a process does for its cell all the time: it ends moves whose process has died, and says what the cell has.

import type { Config } from "../base/config.ts";
import { registerCell } from "./register.ts";
import { type Owner, settleMoves } from "./settle.ts";
import { sweepMoves } from "./sweep.ts";

const HOUR_MS = 3_600_000;

/** Starts it. @returns how to end it */
export function startCellUpkeep(
  owner: Owner,
  { redisUrl }: Config,
  cell: string | null,
  isWorker: boolean,
): () => void {
  const { pool, log } = owner;
  const sweep = () => void pool.ask(sweepMoves, undefined).catch((err) => log.warn({ err }, "sweep of moves failed"));
  const timer = setInterval(sweep, HOUR_MS).unref();
  const ends = [settleMoves(owner), () => clearInterval(timer)];
  if (cell !== null && redisUrl !== undefined && !isWorker) ends.push(registerCell(redisUrl, cell, pool, log));
  return () => {
    for (const end of ends) end();
  };
}
