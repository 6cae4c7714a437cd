// Reads the attributes in the rows of an import by their types, where the workspace has said any; and warns of texts that look like numbers.

import type { Reader } from "../../db/sqlite/connection.ts";
import type { AttributeType } from "../attribute-types/resource.ts";
import { type Notation, readValue } from "../attribute-types/values.ts";
import { escapePointer } from "../base/clean-text.ts";
import type { Content } from "../nouns/content/content.ts";
import { conditionsOf } from "../nouns/content/content.ts";
import { type Condition, ORDER_OPERATORS } from "../nouns/question-types/comparisons.ts";
import { type RowError, type RowName, rowError } from "./row-errors.ts";

/** Gives the row with its attributes read by their types. What is wrong is left out, and reported. */
export type ReadTyped = (row: unknown, name: RowName, fail: (error: RowError) => void) => unknown;

/** @param json of the types */
export function typedReader(json: string, notation: Notation): ReadTyped {
  const types = new Map((JSON.parse(json) as AttributeType[]).map((type) => [type.key, type]));
  return (row, name, fail) => {
    const { attributes, externalUid } = Object(row) as { attributes?: unknown; externalUid?: unknown };
    if (typeof attributes !== "object" || attributes === null || Array.isArray(attributes)) return row;
    const read: Record<string, unknown> = Object.create(null);
    for (const sent of Object.keys(attributes)) {
      const raw = (attributes as Record<string, unknown>)[sent];
      const type = types.get(sent) ?? types.get(sent.trim());
      if (!type || raw === null) {
        read[sent] = raw;
        continue;
      }
      const found = readValue(raw, type, notation);
      if ("value" in found) read[sent] = found.value;
      else fail(rowError({ ...name, externalUid }, `attributes/${escapePointer(sent)}`, found.message, raw));
    }
    return { ...(row as object), attributes: read };
  };
}

/** How many attributes are warned of. */
const MAX_WARNINGS = 100;

/**
 * Warnings of texts that look like numbers, such as `72,5`, in attributes that a rule of the screener's draft compares as numbers: it would
 * hold for none of them. @param json of the draft
 */
export function looksLikeNumbers(db: Reader, json: string): object[] {
  const compared = new Set(conditionsOf(JSON.parse(json) as Content).flatMap(comparedIn));
  if (!compared.size) return [];
  const found = db.all<{ key: string; rows: number; example: string }>(
    `SELECT a.key, count(*) AS rows, min(a.value) AS example FROM stage AS r, json_each(r.attributes) AS a
     WHERE a.key IN (SELECT value FROM json_each(?)) AND a.type = 'text' AND a.value GLOB '*[0-9]*'
       AND ltrim(a.value, '0123456789.,+-%''  ') = '' AND ltrim(a.value, '-0123456789.') <> ''
     GROUP BY a.key LIMIT ${MAX_WARNINGS}`,
    JSON.stringify([...compared]),
  );
  return found.map(({ key, rows, example }) => ({
    code: "attribute_not_number",
    message:
      `A rule compares the attribute ${JSON.stringify(key)} as a number, and in ${rows} ${rows === 1 ? "row" : "rows"} it is a text that only ` +
      `looks like one, such as ${JSON.stringify(example)}: the rule holds for none of these. Say that the attribute is a NUMBER, and how the file writes decimals.`,
    attribute: key,
    rows,
  }));
}

/** The attributes that a condition compares as numbers. */
function comparedIn(condition: Condition): string[] {
  if ("all" in condition) return condition.all.flatMap(comparedIn);
  if ("any" in condition) return condition.any.flatMap(comparedIn);
  if ("not" in condition) return comparedIn(condition.not);
  return "attribute" in condition && ORDER_OPERATORS.some((operator) => operator in condition)
    ? [condition.attribute]
    : [];
}
