// How often tests kill processes, and what they choose the moments from. `npm run test:faults` says both at its start.

import { createHash, randomInt } from "node:crypto";

/** So many kills does each test of kills make, or a fixed part of them. `KILLS=60 npm run test:faults` is the long form. */
export const KILLS = Number(process.env.KILLS || 20);
if (!Number.isInteger(KILLS) || KILLS < 1) throw new Error("KILLS is a whole number, from 1.");

/** With the same seed, the same moments are chosen. */
export const KILLS_SEED = process.env.KILLS_SEED || String(randomInt(1_000_000_000));

/**
 * Numbers from 0 to below 1, in an order that the seed and the name decide.
 * @param name of who draws them: what runs at the same time has different ones
 */
export function seeded(name: string): () => number {
  let drawn = 0;
  return () => createHash("sha256").update(`${KILLS_SEED} ${name} ${drawn++}`).digest().readUInt32BE() / 2 ** 32;
}
