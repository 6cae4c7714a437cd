// Draws by chance. What comes is fixed by a secret, so that nobody can foresee it, and a transaction that is repeated draws the same.

import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";

/** How arms are drawn. A publication keeps the version with which it was made: what is drawn otherwise from then on has another number. */
export const DRAW_VERSION = 1;

const SEED_BYTES = 32;

export function newSeed(): Buffer {
  return randomBytes(SEED_BYTES);
}

/** What a draw is for. */
interface Drawing {
  seed: Uint8Array;
  version: number;
  /** Public ids. */
  sessionId: string;
  assignmentId: string;
}

/** 48 bits: what is not even about a draw of 50 is less than one in 10 ** 12. */
const DRAWN_BYTES = 6;

/** To make a key of a seed takes longer than all draws of a submission. */
const keys = new LRUCache<string, KeyObject>({ max: 100 });

function keyOf(seed: Uint8Array): KeyObject {
  const name = Buffer.from(seed).toString("latin1");
  let key = keys.get(name);
  if (!key) {
    key = createSecretKey(seed);
    keys.set(name, key);
  }
  return key;
}

/** A position from 0 to `length` - 1, each as likely as the others. */
export function drawPosition({ seed, version, sessionId, assignmentId }: Drawing, length: number): number {
  const drawn = createHmac("sha256", keyOf(seed)).update(`${version} ${assignmentId} ${sessionId}`).digest();
  return Math.floor((drawn.readUIntBE(0, DRAWN_BYTES) / 2 ** (8 * DRAWN_BYTES)) * length);
}

/** Those of these arms that the fewest sessions have. @param given how many have each */
export function leastFull(arms: readonly string[], given: ReadonlyMap<string, number>): string[] {
  const fewest = Math.min(...arms.map((arm) => given.get(arm)!));
  return arms.filter((arm) => given.get(arm) === fewest);
}
