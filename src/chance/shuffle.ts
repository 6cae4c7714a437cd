// Orders by chance. They are not kept: each is worked out from a session's seed, so it is the same on each visit, in all processes and in
// copies of a session.

// As a whole, because a browser has a module without it: the builder knows orders, and draws none.
import * as crypto from "node:crypto";

/** How orders are drawn. A publication keeps the version with which it was made: what is drawn otherwise from then on has another number. */
export const SHUFFLE_VERSION = 1;

/** What a session's orders come from. */
export interface OrderSeed {
  /** The public id of the session, or of the one that it is a copy of: random, and nobody knows it who has no link. */
  seed: string;
  version: number;
}

/** An item of a list that is shuffled. */
interface Shuffled {
  /** It keeps its position. */
  fixed?: true | undefined;
  /** It comes after the others. */
  exclusive?: true | undefined;
}

/** Where the items of a list are shown: from the first one on, the positions that they have in the content. @param nodeId what has the list */
export function shownPositions(items: readonly Shuffled[], { seed, version }: OrderSeed, nodeId: string): number[] {
  const positions = items.map((_, position) => position);
  const free = positions.filter((position) => !items[position]!.fixed);
  const last = free.filter((position) => items[position]!.exclusive);
  const drawn = permuted(
    free.filter((position) => !items[position]!.exclusive),
    wordsOf(seed, `${version} ${nodeId}`),
  );
  const shown = [...drawn, ...last];
  for (const [index, position] of free.entries()) positions[position] = shown[index]!;
  return positions;
}

/** Fisher-Yates: each order is as likely as the others. */
function permuted(list: readonly number[], words: Iterator<number, never>): number[] {
  const all = [...list];
  for (let left = all.length; left > 1; left--) {
    const at = below(left, words);
    [all[at], all[left - 1]] = [all[left - 1]!, all[at]!];
  }
  return all;
}

const WORD = 2 ** 32;

/** A whole number from 0 to `limit` - 1. Words that would make some of them likelier are left out. */
function below(limit: number, words: Iterator<number, never>): number {
  const even = WORD - (WORD % limit);
  for (;;) {
    const { value } = words.next();
    if (value < even) return value % limit;
  }
}

/** Words of 32 bits: HMAC-SHA256 of the text, and of how many came before. */
function* wordsOf(seed: string, text: string): Generator<number, never> {
  for (let block = 0; ; block++) {
    const bytes = crypto.createHmac("sha256", seed).update(`${text} ${block}`).digest();
    for (let at = 0; at < bytes.length; at += 4) yield bytes.readUInt32BE(at);
  }
}
