// Statements on what the attributes of a workspace are.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
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
