// What is said of one change of a content.

import type { Condition } from "../../question-types/comparisons.ts";
import { type ContentNames, conditionText, shortened } from "../sentences.ts";

export interface ContentChange {
  /** A sentence, without its full stop. */
  text: string;
  /** Further sentences, if the first one does not say everything. */
  details: string[];
}

/** What has become of a rule. Undefined: it is the same. */
export function ruleChange(
  start: string,
  before: Condition | null,
  after: Condition | null,
  from: ContentNames,
  to: ContentNames,
): string | undefined {
  if (isEqual(before, after)) return undefined;
  const was = before && shortened(conditionText(before, from));
  const is = after && shortened(conditionText(after, to));
  if (is === null) return `rule removed: ${start} ${was}`;
  return was === null
    ? `rule added: ${start} ${is}`
    : `rule changed: ${start} ${was}; now ${start.toLowerCase()} ${is}`;
}

/** Whether the ids that are in both have another order. */
export function isMoved(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): boolean {
  const kept = [...before.keys()].filter((id) => after.has(id));
  const now = [...after.keys()].filter((id) => before.has(id));
  return kept.some((id, index) => id !== now[index]);
}

export function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
