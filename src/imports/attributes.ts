// The attributes in the rows of an import. A row has changes, key by key; from them and from what its participant has, the
// staged row gets all attributes that the participant then has. From there on they are a value like any other.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import {
  type AttributeChanges,
  type AttributeValue,
  areEqualAttributes,
  changeAttributes,
  MAX_ATTRIBUTE_KEYS,
  parseAttributes,
} from "../base/attributes.ts";
import { invalidRequest, type Problem } from "../base/problems.ts";
import { REJECTED, type RowErrors, rowErrorSql } from "./row-errors.ts";

/** JSON of the types of the workspace's attributes; undefined: there are none. */
export function findTypesJson(db: Reader): string | undefined {
  return db.value("SELECT json FROM w.attribute_types WHERE id = 1 AND json <> '[]'");
}

/** JSON of a screener's draft, if a rule of it asks for an attribute. */
export function findRulesJson(db: Reader, screenerId: number): string | undefined {
  return db.value(
    `SELECT json FROM w.screener_content WHERE screener_id = ? AND instr(json, '"attribute":') > 0`,
    screenerId,
  );
}

/** Rows that are read and changed at once. */
const SLICE_ROWS = 5000;

/** What the rows of an import have of attributes. */
export class GivenAttributes {
  readonly #keys = new Set<string>();
  /** Whether any row has some. */
  isGiven = false;
  /** Whether values are texts, whatever they mean, as those of a CSV are. */
  readonly areTexts: boolean;

  constructor(areTexts: boolean) {
    this.areTexts = areTexts;
  }

  /** Takes the attributes of a row. Keys beyond the limit of a workspace need not be known. */
  add(keys: Iterable<string>): void {
    this.isGiven = true;
    for (const key of keys) if (this.#keys.size <= MAX_ATTRIBUTE_KEYS) this.#keys.add(key);
  }

  get json(): string {
    return JSON.stringify([...this.#keys]);
  }
}

/** The changes of a row, as `stage` has them: the attributes that it sets, and the keys that it removes. */
export function stagedAttributes(changes: AttributeChanges): [attributes: string, removed: string | null] {
  const removed = [...changes].flatMap(([key, value]) => (value === null ? [key] : []));
  return [changeAttributes("{}", changes).text, removed.length ? JSON.stringify(removed) : null];
}

/** Merges the staged changes with what participants have. Adds an error for each row that brings them above a limit. */
export function mergeAttributes(db: Writer, given: GivenAttributes, errors: RowErrors): void {
  if (!given.isGiven) return;
  db.exec(`
    CREATE TABLE IF NOT EXISTS wrong_attributes (id INTEGER PRIMARY KEY, message TEXT NOT NULL) STRICT;
    DELETE FROM wrong_attributes;
  `);
  for (let last = 0; ; ) {
    // Most rows need no merge: they make a participant, or have just the attributes that the participant has.
    const rows = db.all<{ id: number; attributes: string; removed: string | null; kept: string }>(
      `SELECT r.id, r.attributes, r.removed_attributes AS removed, p.attributes AS kept
       FROM stage AS r CROSS JOIN w.participant AS p ON p.external_uid = r.external_uid
       WHERE r.id > ? AND r.attributes IS NOT NULL AND p.attributes <> '{}'
         AND (r.attributes <> p.attributes OR r.removed_attributes IS NOT NULL) AND NOT ${REJECTED}
       ORDER BY r.id LIMIT ${SLICE_ROWS}`,
      last,
    );
    if (!rows.length) break;
    const merged = rows.map((row) => ({ id: row.id, ...merge(row, given.areTexts) }));
    db.run(
      "UPDATE stage SET attributes = m.value ->> 'text' FROM json_each(?) AS m WHERE stage.id = m.value ->> 'id'",
      JSON.stringify(merged),
    );
    db.run(
      "INSERT INTO wrong_attributes (id, message) SELECT value ->> 'id', value ->> 'error' FROM json_each(?)",
      JSON.stringify(merged.filter(({ error }) => error !== undefined)),
    );
    last = rows.at(-1)!.id;
  }
  const message = "concat(e.message, ', together with those that the participant has')";
  errors.addFrom(
    `SELECT r.id, ${rowErrorSql("attributes", message, "r.attributes")}
     FROM wrong_attributes AS e JOIN stage AS r USING (id) ORDER BY r.id`,
  );
}

function merge(
  { attributes, removed, kept }: { attributes: string; removed: string | null; kept: string },
  areTexts: boolean,
) {
  const changes = new Map<string, AttributeValue | null>(parseAttributes(attributes));
  if (areTexts) {
    for (const [key, value] of parseAttributes(kept)) {
      const given = changes.get(key) ?? null;
      if (given !== null && areEqualAttributes(given, value)) changes.delete(key);
    }
  }
  for (const key of JSON.parse(removed ?? "[]") as string[]) changes.set(key, null);
  return changeAttributes(kept, changes);
}

/** 400 if the workspace would have too many different keys. */
export function tooManyKeys(db: Reader, given: GivenAttributes): Problem | undefined {
  if (!given.isGiven) return undefined;
  const keys = "SELECT key FROM w.participant_attribute UNION SELECT value FROM json_each(?)";
  if (db.value<number>(`SELECT count(*) FROM (${keys})`, given.json)! <= MAX_ATTRIBUTE_KEYS) return undefined;
  const message = `have new keys of attributes, and the participants of a workspace may have ${MAX_ATTRIBUTE_KEYS} different keys`;
  return invalidRequest([{ pointer: "/participants", message }]);
}

/** Keeps the keys, for tables. */
export function addKeys(db: Writer, given: GivenAttributes): void {
  if (!given.isGiven) return;
  db.run(
    "INSERT INTO w.participant_attribute (key) SELECT value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING",
    given.json,
  );
}
