// The language of conditions, for the API description. nouns/content/conditions.ts checks conditions: the errors of a
// union would have no useful pointer.

import * as v from "valibot";
import {
  type Condition,
  MAX_DEPTH,
  MAX_ONE_OF_VALUES,
  MAX_PARTS,
  MAX_TOTAL_PARTS,
  ORDER_OPERATORS,
} from "./comparisons.ts";

const inner = { $ref: "#/components/schemas/Condition" };
const several = { type: "array", minItems: 1, maxItems: MAX_PARTS, items: inner };
const value = { type: ["string", "number"] };
const plain = { type: ["string", "number", "boolean"] };

function shape(title: string, description: string, properties: Record<string, object>): object {
  return {
    title,
    description,
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function comparison(operator: string, operand: object, description: string): object {
  const name = `${operator.charAt(0).toUpperCase()}${operator.slice(1)}Condition`;
  const questionId = { type: "string", description: "The question's id; or its label, in the request that makes it" };
  return shape(name, description, { questionId, [operator]: operand });
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

const OPERAND =
  "A text, a number, or an option by its id (or its label, in the request that makes it). A write-in equals no option.";

const language = {
  title: "Condition",
  description:
    "A rule over answers and attributes: combined conditions, or a comparison with exactly one operator. It may refer only to questions that come " +
    "before its own position. A question that was not shown, or was skipped, is not answered, and no comparison with it " +
    `holds; nor does one with an attribute that the participant lacks. A condition has at most ${MAX_PARTS} parts, nested at most ${MAX_DEPTH} deep; all conditions of a content together have ` +
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
    comparison(
      "equals",
      value,
      `Holds when the answer is this. For text, numeric and single select questions. ${OPERAND}`,
    ),
    comparison(
      "oneOf",
      { type: "array", minItems: 1, maxItems: MAX_ONE_OF_VALUES, items: value },
      `Holds when the answer is one of these. For text, numeric and single select questions. ${OPERAND}`,
    ),
    comparison(
      "contains",
      { type: "string" },
      "Holds when the text has this piece, in upper or lower case; or when this option (its id or label) is among those chosen. " +
        "For text and multi select questions.",
    ),
    ...ORDER_OPERATORS.map((operator) =>
      comparison(operator, { type: "number" }, `Holds when the answer is ${ORDER[operator]}. For numeric questions.`),
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
    ...ORDER_OPERATORS.map((operator) =>
      ofAttribute(
        operator,
        { type: "number" },
        `Holds when the attribute is a number, or a text like -7.5, and ${ORDER[operator]}.`,
      ),
    ),
  ],
};

export const condition = v.nullable(v.pipe(v.unknown(), v.metadata(language)));

export const conditionView = v.nullable(v.pipe(v.unknown() as v.GenericSchema<Condition>, v.metadata(language)));
