// The versions of a draft that two people have changed, and whose version of a piece is taken.

import { isEqual } from "../../../nouns/content/advice/changes.ts";

/** base: what both began with. */
export type Side = "base" | "ours" | "theirs";

/** The same of each version. */
export type Each<Value> = Record<Side, Value>;

/** Whose version of a piece is taken. @param by who has changed it */
export type Pick = (key: string, by: "ours" | "theirs" | "both") => Side;

export function sideOf<Value>(key: string, { base, ours, theirs }: Each<Value>, pick: Pick): Side {
  if (isEqual(ours, theirs)) return isEqual(ours, base) ? "base" : pick(key, "ours");
  return pick(key, isEqual(ours, base) ? "theirs" : isEqual(theirs, base) ? "ours" : "both");
}
