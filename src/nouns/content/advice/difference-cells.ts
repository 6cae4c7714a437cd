// Says in words how the quotas and the arms of one content differ from those of another one.

import { quoted } from "../../question-types/comparisons.ts";
import type { Arm, ArmAssignment, Content, Quota } from "../content.ts";
import { COUNTS, type ContentNames, conditionText, quotaRule, shortened } from "../sentences.ts";
import { type ContentChange, isEqual, isMoved, ruleChange } from "./changes.ts";

export function quotaChanges(
  { quotas: before = [] }: Content,
  { quotas: after = [] }: Content,
  from: ContentNames,
  to: ContentNames,
): ContentChange[] {
  const byId = (quotas: readonly Quota[]) => new Map(quotas.map((quota) => [quota.id, quota]));
  const [former, present] = [byId(before), byId(after)];
  const changes: ContentChange[] = [];
  for (const { id, name } of before)
    if (!present.has(id)) changes.push({ text: `Quota removed: ${quoted(name)}`, details: [] });
  for (const quota of after) {
    const known = former.get(quota.id);
    if (!known) {
      const details = [quotaRule(quota, to), limitText(quota)];
      changes.push({ text: `Quota added: ${quoted(quota.name)}`, details });
      continue;
    }
    if (known.name !== quota.name)
      changes.push({ text: `Quota renamed: ${quoted(known.name)}, now ${quoted(quota.name)}`, details: [] });
    const rule = ruleChange(COUNTS, known.when, quota.when, from, to);
    const details = [
      ...(rule === undefined ? [] : [rule]),
      ...(limitText(known) === limitText(quota)
        ? []
        : [`it begins with: ${limitText(quota)}, before ${limitText(known)}`]),
      ...(isEqual(known.ending, quota.ending) ? [] : ["what people see who find it full"]),
    ];
    if (details.length) changes.push({ text: `Quota changed: ${quoted(quota.name)}`, details });
  }
  if (isMoved(former, present)) changes.push({ text: "Quotas are in another order", details: [] });
  return changes;
}

function limitText({ mode, limit }: Quota): string {
  return mode === "COUNT" ? "only counts" : `limit ${limit?.toLocaleString("en-GB")}`;
}

export function armChanges(
  { assignments: before = [] }: Content,
  { assignments: after = [] }: Content,
  from: ContentNames,
  to: ContentNames,
): ContentChange[] {
  const former = new Map(before.map((assignment) => [assignment.id, assignment]));
  const present = new Map(after.map((assignment) => [assignment.id, assignment]));
  const changes: ContentChange[] = [];
  for (const { id, name } of before)
    if (!present.has(id)) changes.push({ text: `Assignment to arms removed: ${quoted(name)}`, details: [] });
  for (const assignment of after) {
    const { id, name, arms, pick } = assignment;
    const known = former.get(id);
    if (!known) {
      const details = [PICKS[pick], ...arms.map((arm) => armRule(arm, to))];
      changes.push({ text: `Assignment to arms added: ${quoted(name)}`, details });
      continue;
    }
    const details = [
      ...(known.name === name ? [] : [`its name was ${quoted(known.name)}`]),
      ...(known.pick === pick ? [] : [`it gives ${PICKS[pick]}, before ${PICKS[known.pick]}`]),
      ...changesOfArms(known, assignment, from, to),
    ];
    if (details.length) changes.push({ text: `Assignment to arms changed: ${quoted(name)}`, details });
  }
  if (isMoved(former, present)) changes.push({ text: "Assignments to arms are in another order", details: [] });
  return changes;
}

function changesOfArms(
  { arms: before }: ArmAssignment,
  { arms: after }: ArmAssignment,
  from: ContentNames,
  to: ContentNames,
): string[] {
  const former = new Map(before.map((arm) => [arm.id, arm]));
  const present = new Map(after.map((arm) => [arm.id, arm]));
  const gone = before.flatMap(({ id, name }) => (present.has(id) ? [] : [`arm ${quoted(name)} removed`]));
  const others = after.flatMap((arm) => {
    const known = former.get(arm.id);
    if (!known) return [`arm added: ${armRule(arm, to)}`];
    const rule = ruleChange(GIVEN, known.when, arm.when, from, to);
    return [
      ...(known.name === arm.name ? [] : [`arm ${quoted(known.name)} is now ${quoted(arm.name)}`]),
      ...(rule === undefined ? [] : [`arm ${quoted(arm.name)}: ${rule}`]),
    ];
  });
  return [...gone, ...others];
}

const PICKS = { LEAST_FULL: "the least full arm", RANDOM: "any arm, by chance" } as const;

const GIVEN = "Given if";

/** An arm, and who may be given it. */
function armRule({ name, when }: Arm, names: ContentNames): string {
  return `${quoted(name)}, ${when ? shortened(`if ${conditionText(when, names)}`) : "for everybody"}`;
}
