// Attributes as lists and tables have them. What they are is in src/base/attributes.ts, which the builder's script has, too.

import * as v from "valibot";
import { type AttributeValue, attributeIndex, attributeKeys, attributeSql } from "../../base/attributes.ts";
import { ANY_OPERATOR, type Cell, json, type KeyedFilterRule, type Member } from "../../base/members.ts";

/** The member `attributes`, with a CSV column for each key of the workspace. `column` has the stored text. */
export function attributesMember(column: string): Member {
  const cell = (key: string) => (value: unknown) => attributeCell(value as Record<string, AttributeValue>, key);
  return {
    ...json(column, v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
    moreCells: (db) => Object.fromEntries(attributeKeys(db).map((key) => [`.${key}`, cell(key)])),
  };
}

/** A cell of a table. A key may be the name of something that every object has, such as `constructor`. */
export function attributeCell(attributes: Record<string, AttributeValue>, key: string): Cell {
  return Object.hasOwn(attributes, key) ? attributes[key] : null;
}

/**
 * The filter of a list by an attribute of its participants. A value matches a text, and a number, true or false that JSON
 * writes so.
 * @param column of the listed table `t`: the participant's rowid
 * @param sqlOf SQL expression of the attribute for a row of `t`, made from the one for a row of `participant`
 */
export function attributeFilter(column: string, sqlOf: (sql: string) => string): KeyedFilterRule {
  return {
    operators: ANY_OPERATOR,
    values: "text",
    byKey: (key) => ({
      column,
      references: { table: "participant", by: attributeSql(key), many: true },
      scan: { value: sqlOf(attributeSql(key)), index: attributeIndex(key) },
    }),
    stored: (value) => [JSON.stringify(value), ...(isLiteral(value) ? [value] : [])],
  };
}

/** Whether JSON writes a number, true or false as this text. */
function isLiteral(text: string): boolean {
  return text === "true" || text === "false" || (Number.isFinite(Number(text)) && String(Number(text)) === text);
}
