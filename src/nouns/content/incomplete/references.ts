// The ids that things of a draft have, in conditions that are set aside: those keep what their author has sent, so labels would lead nowhere later.

import { idOf } from "../../../base/schemas.ts";
import type { KnownAssignment } from "../conditions/conditions.ts";
import type { EarlierQuestion } from "../conditions/operators.ts";

/** What conditions may refer to, by every id or label that an author may use. */
interface Referring {
  earlier: ReadonlyMap<string, EarlierQuestion>;
  assignments: ReadonlyMap<string, KnownAssignment>;
  /** The ids of what is set aside. */
  given: ReadonlyMap<string, string>;
}

/** A value of any form, in whose conditions labels are ids. */
export function withIds(value: unknown, referring: Referring): unknown {
  if (Array.isArray(value)) return value.map((one) => withIds(one, referring));
  if (typeof value !== "object" || value === null) return value;
  const { questionId, arm, is } = value as Record<string, unknown>;
  if (typeof questionId === "string") return comparison(value, idOf(questionId), referring);
  if (typeof arm === "string" && typeof is === "string") {
    const assignment = referring.assignments.get(idOf(arm));
    return {
      ...value,
      arm: assignment?.id ?? referring.given.get(idOf(arm)) ?? arm,
      is: assignment?.armIds.get(idOf(is)) ?? is,
    };
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withIds(one, referring)]));
}

function comparison(value: object, label: string, { earlier, given }: Referring): object {
  const question = earlier.get(label);
  const known = (one: unknown): unknown => {
    if (typeof one === "string") return question?.partIds.get(idOf(one)) ?? one;
    if (Array.isArray(one)) return one.map(known);
    if (typeof one === "object" && one !== null && "optionId" in one) return { ...one, optionId: known(one.optionId) };
    return one;
  };
  const operands = Object.entries(value).map(([name, one]) => [name, known(one)]);
  return { ...Object.fromEntries(operands), questionId: question?.question.id ?? given.get(label) ?? label };
}
