// Reads conditions, which decide which pages and questions are shown, and who qualifies or is disqualified.
//
//   { "all": [condition, …] }   { "any": [condition, …] }   { "not": condition }
//   { "questionId": id, "answered": true | false }
//   { "questionId": id, "equals": value }        text, number, or an option's id
//   { "questionId": id, "oneOf": [value, …] }    equals one of these
//   { "questionId": id, "contains": value }      a piece of a text, or one of the chosen options
//   { "questionId": id, "lessThan" | "atMost" | "greaterThan" | "atLeast": number }
//   { "questionId": id, "isNot": value }         the opposite of equals; so noneOf of oneOf, notContains of contains
//   { "questionId": id, <an operator of the question's type>: … }
//   { "questionId": id, "row": id, <an operator>: … }   of a matrix: one row, as a select whose options are the columns
//
//   { "attribute": key, "exists": true | false }
//   { "attribute": key, "is": value }            text, number, true or false; "equals" means the same
//   { "attribute": key, <one of the operators from equals on>: value }     text, number, true or false
//
//   { "arm": id of an assignment, "is": id of its arm }
//
// A question that was not shown, or was skipped, is not answered, and no comparison with it holds, except for the opposites.
// So it is with an attribute that the participant does not have, and with an arm before the session is given one.

import { type AttributeValue, attributeValueError, isAttributeKey } from "../../../base/attributes.ts";
import { escapePointer } from "../../../base/clean-text.ts";
import { MAX_ERRORS, type ProblemDetail } from "../../../base/problems.ts";
import { idOf, unknownMember } from "../../../base/schemas.ts";
import {
  ATTRIBUTE_OPERATORS,
  attributeOperandError,
  CONDITION_MEMBERS,
  type Condition,
  MAX_DEPTH,
  MAX_PARTS,
  MAX_TOTAL_PARTS,
  OPERATORS,
} from "../../question-types/comparisons.ts";
import { ownOperators } from "../../question-types/registry.ts";
import { type EarlierQuestion, type Fail, isOperator, readOperator, rowIn, withValues } from "./operators.ts";

/** Replaces a condition that has errors: the draft is refused. */
const NOTHING: Condition = { all: [] };

/** What a condition may refer to at its position. */
export interface Scope {
  /** The questions before it, by every id or label that an author may use for them. */
  earlier: ReadonlyMap<string, EarlierQuestion>;
  /** The labels of all questions, to distinguish a later question from an unknown one. */
  all: ReadonlySet<string>;
  /** The labels of statements. */
  statements: ReadonlySet<string>;
  /** The labels of earlier questions that have errors. Comparisons with them can't be checked. */
  invalid: ReadonlySet<string>;
  /** All assignments to arms, by every id or label that an author may use for them. */
  assignments: ReadonlyMap<string, KnownAssignment>;
  /** How many of these come before the condition. */
  assignmentsBefore: number;
  /** The number of parts in all conditions so far. */
  parts: number;
}

export interface KnownAssignment {
  id: string;
  position: number;
  /** The ids of its arms, by every id or label that an author may use for them. */
  armIds: ReadonlyMap<string, string>;
}

/** Reads a condition that an author sent: labels become ids. Adds what is wrong with it to `errors`. */
export function readCondition(raw: unknown, pointer: string, scope: Scope, errors: ProblemDetail[]): Condition | null {
  if (raw === undefined || raw === null) return null;
  let parts = 0;
  /** Counts more parts. @returns whether they are within the limits, each of which is reported once */
  const count = (more: number): boolean => {
    const before = { here: parts, inAll: scope.parts };
    parts = Math.min(parts + more, MAX_PARTS + 1);
    scope.parts += parts - before.here;
    if (before.here <= MAX_PARTS && parts > MAX_PARTS)
      errors.push({ pointer, message: `has more than ${MAX_PARTS} parts` });
    if (before.inAll <= MAX_TOTAL_PARTS && scope.parts > MAX_TOTAL_PARTS)
      errors.push({ pointer, message: `brings all conditions together above ${MAX_TOTAL_PARTS} parts` });
    return parts <= MAX_PARTS && scope.parts <= MAX_TOTAL_PARTS;
  };
  const read = (value: unknown, at: string, depth: number): Condition => {
    const fail = (message: string, where = at) => {
      errors.push({ pointer: where, message });
      return NOTHING;
    };
    if (!count(1)) return NOTHING;
    if (depth > MAX_DEPTH) return fail(`is nested more than ${MAX_DEPTH} levels deep`);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return fail("must be a condition, an object");
    const given = value as Record<string, unknown>;
    const unknown = Object.keys(given).filter((key) => !isMember(key));
    for (const key of unknown.slice(0, MAX_ERRORS))
      fail(unknownMember(key, [...MEMBERS]), `${at}/${escapePointer(key)}`);
    const keys = Object.keys(given).filter(isMember);
    const [key = ""] = keys;
    if (keys.length === 1 && (key === "all" || key === "any")) {
      const list = given[key];
      if (!Array.isArray(list) || !list.length)
        return fail("must be an array with at least one condition", `${at}/${key}`);
      if (list.length > MAX_PARTS && !count(list.length)) return NOTHING;
      const inner = list.map((item, index) => read(item, `${at}/${key}/${index}`, depth + 1));
      return key === "all" ? { all: inner } : { any: inner };
    }
    if (keys.length === 1 && key === "not") return { not: read(given.not, `${at}/not`, depth + 1) };
    // Without its unknown members the meaning is not known.
    if (unknown.length) return NOTHING;
    if ("arm" in given) return readArmComparison(given, at, scope, fail);
    return "attribute" in given ? readAttributeComparison(given, at, fail) : readComparison(given, at, scope, fail);
  };
  return read(raw, pointer, 1);
}

function readComparison(given: Record<string, unknown>, at: string, scope: Scope, fail: Fail): Condition {
  const { questionId: named } = given;
  const members = Object.keys(given).filter((key) => key !== "questionId" && key !== "row");
  const [operator] = members;
  if (typeof named !== "string") return fail("must have questionId, attribute or arm, or only one of all, any and not");
  if (members.length !== 1 || operator === undefined || !(isOperator(operator) || ownOperators.has(operator)))
    return fail(`must have exactly one of the operators ${[...OPERATORS, ...ownOperators.keys()].join(", ")}`);
  const label = idOf(named);
  const earlier = scope.earlier.get(label);
  if (!earlier && scope.invalid.has(label)) return NOTHING;
  if (!earlier) {
    if (scope.statements.has(label)) return fail("refers to a statement, which has no answer", `${at}/questionId`);
    const message = scope.all.has(label)
      ? "refers to a question that does not come before this condition"
      : "refers to no question of this content";
    return fail(message, `${at}/questionId`);
  }
  const { compared, fault } = "row" in given ? rowIn(earlier, given.row) : { compared: earlier };
  if (fault !== undefined) fail(fault, `${at}/row`);
  return compared ? readOperator(operator, given[operator], compared, `${at}/${operator}`, fail) : NOTHING;
}

function readAttributeComparison(given: Record<string, unknown>, at: string, fail: Fail): Condition {
  const { attribute: sent, ...comparison } = given;
  const attribute = typeof sent === "string" ? sent.trim() : "";
  if (!isAttributeKey(attribute)) return fail("must be a key of 1 to 100 characters", `${at}/attribute`);
  const operators = Object.keys(comparison);
  const [operator = ""] = operators;
  if (operators.length !== 1) return fail(`must have exactly one of the operators ${ATTRIBUTE_OPERATORS.join(", ")}`);
  const where = `${at}/${escapePointer(operator)}`;
  const value = comparison[operator];
  if (operator === "oneOf" || operator === "noneOf") {
    return withValues(value, where, fail, (items) => {
      for (const [index, item] of items.entries()) {
        const error = attributeValueError(item);
        if (error !== undefined) fail(error, `${where}/${index}`);
      }
      return { attribute, [operator]: items as AttributeValue[] } as Condition;
    });
  }
  const error = attributeOperandError(operator, value);
  return error === undefined ? ({ attribute, [operator]: value } as Condition) : fail(error, where);
}

function readArmComparison(given: Record<string, unknown>, at: string, scope: Scope, fail: Fail): Condition {
  const { arm: named, is, ...others } = given;
  if (Object.keys(others).length || is === undefined) return fail("must have exactly arm and is");
  const assignment = typeof named === "string" ? scope.assignments.get(idOf(named)) : undefined;
  if (!assignment) return fail("refers to no assignment of this content", `${at}/arm`);
  if (assignment.position >= scope.assignmentsBefore)
    return fail("refers to an assignment that does not come before this condition", `${at}/arm`);
  const armId = typeof is === "string" ? assignment.armIds.get(idOf(is)) : undefined;
  return armId === undefined
    ? fail("refers to no arm of this assignment", `${at}/is`)
    : { arm: assignment.id, is: armId };
}

const MEMBERS: ReadonlySet<string> = new Set([...CONDITION_MEMBERS, ...ownOperators.keys()]);

function isMember(text: string): boolean {
  return MEMBERS.has(text);
}
