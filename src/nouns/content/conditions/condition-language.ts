// The language of conditions, for the API description. conditions.ts checks conditions: the errors of a union would have no
// useful pointer.

import * as v from "valibot";
import {
  MAX_DEPTH,
  MAX_ONE_OF_VALUES,
  MAX_PARTS,
  MAX_TOTAL_PARTS,
  NEGATIONS,
  ORDER_OPERATORS,
} from "../../question-types/comparisons.ts";
import { CONDITION } from "../../question-types/entries.ts";
import { namesOfTypes, ownOperators, typeOf, typesWithOwn } from "../../question-types/registry.ts";

const inner = { $ref: `#/components/schemas/${CONDITION}` };
const several = { type: "array", minItems: 1, maxItems: MAX_PARTS, items: inner };
const value = { type: ["string", "number"] };
const plain = { type: ["string", "number", "boolean"] };

function shape(
  title: string,
  description: string,
  properties: Record<string, object>,
  optional: Record<string, object> = {},
): object {
  return {
    title,
    description,
    type: "object",
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

const ROW = {
  type: "string",
  description: `Of ${namesOfTypes((type) => type.rows !== undefined)} questions: the row that is compared, by its id (or its label, in the request that makes it), as a select whose options are the columns`,
};

/** What a row is compared as. */
const ROW_TYPES = ["ScreenerSingleSelectQuestion", "ScreenerMultiSelectQuestion"] as const;

function isOfRows(operator: string): boolean {
  if (ownOperators.has(operator))
    return ROW_TYPES.some((_type) => Object.hasOwn(typeOf({ _type }).comparisons.own ?? {}, operator));
  return !ORDER_OPERATORS.some((one) => one === operator);
}

function comparison(operator: string, operand: object, description: string): object {
  const name = `${operator.charAt(0).toUpperCase()}${operator.slice(1)}Condition`;
  const questionId = { type: "string", description: "The question's id; or its label, in the request that makes it" };
  return shape(name, description, { questionId, [operator]: operand }, isOfRows(operator) ? { row: ROW } : {});
}

/** A comparison with an attribute of the participant. */
function ofAttribute(operator: string, operand: object, description: string): object {
  const name = `Attribute${operator.charAt(0).toUpperCase()}${operator.slice(1)}Condition`;
  return shape(name, description, { attribute: { type: "string", minLength: 1, maxLength: 100 }, [operator]: operand });
}

const ORDER: Record<(typeof ORDER_OPERATORS)[number], string> = {
  lessThan: "below this number",
  atMost: "this number or below",
  greaterThan: "above this number",
  atLeast: "this number or above",
};

const ARM = { type: "string", description: "Its id; or its label, in the request that makes it" };

const OPERAND =
  "A text, a number, or an option by its id (or its label, in the request that makes it). A write-in equals no option.";

const AND_WITHOUT_ANSWER = ": also when there is no answer.";
const AND_WITHOUT_ATTRIBUTE = ": also when the participant lacks the attribute.";

const questionsWith = (comparison: "equality" | "contains" | "order") =>
  `For ${namesOfTypes(({ comparisons }) => typeof comparisons[comparison] === "function")} questions.`;

const language = {
  title: CONDITION,
  description:
    "A rule over answers, attributes and arms: combined conditions, or a comparison with exactly one operator. It may refer only to questions that come " +
    "before its own position. A question that was not shown, or was skipped, is not answered, and no comparison with it " +
    "holds; nor does one with an attribute that the participant lacks, or with an arm before the session is given one. " +
    `But ${NEGATIONS.join(", ")} are the exact opposites of other operators, as \`not\` around these is, and hold then. A condition has at most ${MAX_PARTS} parts, nested at most ${MAX_DEPTH} deep; all conditions of a content together have ` +
    `at most ${MAX_TOTAL_PARTS} parts.`,
  oneOf: [
    shape("AllCondition", "Holds when all of these hold.", { all: several }),
    shape("AnyCondition", "Holds when one of these holds.", { any: several }),
    shape("NotCondition", "Holds when this does not hold.", { not: inner }),
    comparison(
      "answered",
      { type: "boolean" },
      "Holds when there is an answer (true), or none (false). For any question.",
    ),
    comparison("equals", value, `Holds when the answer is this. ${questionsWith("equality")} ${OPERAND}`),
    comparison(
      "oneOf",
      { type: "array", minItems: 1, maxItems: MAX_ONE_OF_VALUES, items: value },
      `Holds when the answer is one of these. ${questionsWith("equality")} ${OPERAND}`,
    ),
    comparison(
      "contains",
      { type: "string" },
      "Holds when the text has this piece, in upper or lower case; or when this option (its id or label) is among those chosen. " +
        questionsWith("contains"),
    ),
    comparison(
      "isNot",
      value,
      `Holds where \`equals\` does not${AND_WITHOUT_ANSWER} ${questionsWith("equality")} ${OPERAND}`,
    ),
    comparison(
      "noneOf",
      { type: "array", minItems: 1, maxItems: MAX_ONE_OF_VALUES, items: value },
      `Holds where \`oneOf\` does not${AND_WITHOUT_ANSWER} ${questionsWith("equality")} ${OPERAND}`,
    ),
    comparison(
      "notContains",
      { type: "string" },
      `Holds where \`contains\` does not${AND_WITHOUT_ANSWER} ${questionsWith("contains")}`,
    ),
    ...ORDER_OPERATORS.map((operator) =>
      comparison(
        operator,
        { type: "number" },
        `Holds when the answer is ${ORDER[operator]}. ${questionsWith("order")}`,
      ),
    ),
    ...[...ownOperators].map(([operator, { schema, description }]) =>
      comparison(operator, schema, `${description} For ${typesWithOwn(operator)} questions.`),
    ),
    ofAttribute(
      "exists",
      { type: "boolean" },
      "Holds when the participant has this attribute (true), or lacks it (false).",
    ),
    ofAttribute(
      "is",
      plain,
      "Holds when the attribute is this: a text, a number, true or false. 42 and the text 42 are the same.",
    ),
    ofAttribute("equals", plain, "The same as `is`."),
    ofAttribute(
      "oneOf",
      { type: "array", minItems: 1, maxItems: MAX_ONE_OF_VALUES, items: plain },
      "Holds when the attribute is one of these.",
    ),
    ofAttribute(
      "contains",
      { type: "string", minLength: 1 },
      "Holds when the attribute is a text that has this piece, in upper or lower case.",
    ),
    ofAttribute("isNot", plain, `Holds where \`is\` does not${AND_WITHOUT_ATTRIBUTE}`),
    ofAttribute(
      "noneOf",
      { type: "array", minItems: 1, maxItems: MAX_ONE_OF_VALUES, items: plain },
      `Holds where \`oneOf\` does not${AND_WITHOUT_ATTRIBUTE}`,
    ),
    ofAttribute(
      "notContains",
      { type: "string", minLength: 1 },
      `Holds where \`contains\` does not${AND_WITHOUT_ATTRIBUTE}`,
    ),
    ...ORDER_OPERATORS.map((operator) =>
      ofAttribute(
        operator,
        { type: "number" },
        `Holds when the attribute is a number, or a text like -7.5, and ${ORDER[operator]}.`,
      ),
    ),
    shape("ArmCondition", "Holds when the session was given this arm (`is`) of this assignment (`arm`).", {
      arm: ARM,
      is: ARM,
    }),
  ],
};

/** A condition, or null, with all that it may say. */
export const describedCondition = v.nullable(v.pipe(v.unknown(), v.metadata(language)));
