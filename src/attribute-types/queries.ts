// Statements on what the attributes of a workspace are.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { attributeKeys } from "../base/attributes.ts";
import type { AttributeType } from "./resource.ts";

/** In the order in which they were given. */
export function listTypes(db: Reader): AttributeType[] {
  return JSON.parse(db.value<string>("SELECT json FROM attribute_types WHERE id = 1") ?? "[]") as AttributeType[];
}

export function setTypes(db: Writer, types: readonly AttributeType[]): void {
  db.run(
    "INSERT INTO attribute_types (id, json) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json",
    JSON.stringify(types),
  );
}

/** An attribute that somebody has or had, or whose type is known. */
export interface KnownAttribute {
  key: string;
  label: string | null;
  /** Undefined: nobody has said it. */
  type?: AttributeType["type"];
  values?: string[] | undefined;
  /** Some values that people have. */
  examples: string[];
  /** Whether anybody has it, or had it. */
  isHad: boolean;
}

/** So many of the newest people are looked at for examples. */
const EXAMPLE_PEOPLE = 100;
const EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 40;

/** In the order of the types, then of the keys. */
export function listKnown(db: Reader): KnownAttribute[] {
  const had = new Set(attributeKeys(db));
  const found = db.all<{ key: string; value: string }>(
    `SELECT DISTINCT a.key, substr(iif(a.type IN ('true', 'false'), a.type, a.value), 1, ${MAX_EXAMPLE_LENGTH}) AS value
     FROM (SELECT attributes FROM participant ORDER BY id DESC LIMIT ${EXAMPLE_PEOPLE}) AS p, json_each(p.attributes) AS a`,
  );
  const examples = Map.groupBy(found, ({ key }) => key);
  const types = listTypes(db);
  const others = [...had].filter((key) => !types.some((type) => type.key === key));
  const all = [...types, ...others.map((key) => ({ key, label: null }))];
  return all.map((one) => ({
    ...one,
    examples: (examples.get(one.key) ?? []).slice(0, EXAMPLES).map(({ value }) => String(value)),
    isHad: had.has(one.key),
  }));
}
