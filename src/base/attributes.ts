// Attributes of participants: what a customer knows of them, by key. They are stored as one JSON text whose keys are
// sorted, so that equal attributes have equal texts.

import * as v from "valibot";
import type { Reader } from "../../db/sqlite/connection.ts";
import { isCleanText, lengthOf } from "./clean-text.ts";

export type AttributeValue = string | number | boolean;

type Attributes = ReadonlyMap<string, AttributeValue>;

/** null removes a key. */
export type AttributeChanges = ReadonlyMap<string, AttributeValue | null>;

/** Of one participant. */
const MAX_ATTRIBUTES = 150;
/** Of all participants of a workspace together, because tables have a column for each. */
export const MAX_ATTRIBUTE_KEYS = 1000;
/** Of one participant, in UTF-8, as stored. */
const MAX_ATTRIBUTES_BYTES = 16 * 1024;
const MAX_KEY_LENGTH = 100;
const MAX_VALUE_LENGTH = 1000;

/** The stored text of a participant without attributes. */
export const NO_ATTRIBUTES = "{}";

const BAD_KEY = `must have a key of 1 to ${MAX_KEY_LENGTH} characters`;

/** Whether a trimmed text can be a key. */
export function isAttributeKey(text: string): boolean {
  return text !== "" && lengthOf(text) <= MAX_KEY_LENGTH && isCleanText(text);
}

/** What is wrong with a value. */
export function attributeValueError(value: unknown): string | undefined {
  if (typeof value === "string") {
    const isShort = value.length <= MAX_VALUE_LENGTH || lengthOf(value) <= MAX_VALUE_LENGTH;
    return isShort ? undefined : `must be at most ${MAX_VALUE_LENGTH} characters`;
  }
  // JSON can have numbers that are too large, such as 1e999. They are read as Infinity.
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "must be a finite number";
  return typeof value === "boolean" ? undefined : "must be a string, a number, true or false";
}

/**
 * Reads changes that a caller sent. Keys are trimmed.
 * @param fail called with each error, and the key as it was sent; without a key for an error of the whole
 */
function readAttributes(raw: unknown, fail: (message: string, key?: string) => void): AttributeChanges | undefined {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    fail("must be an object or null");
    return undefined;
  }
  const entries = Object.entries(raw);
  const set = entries.filter(([, value]) => value !== null);
  // First: a million wrong keys would be a million errors.
  if (set.length > MAX_ATTRIBUTES) {
    fail(`must have at most ${MAX_ATTRIBUTES} keys`);
    return undefined;
  }
  const changes = new Map<string, AttributeValue | null>();
  let isRight = true;
  for (const [sent, value] of entries) {
    const key = sent.trim();
    const isKey = isAttributeKey(key);
    // Nothing has a key that can't be, so there is nothing to remove.
    if (!isKey && value === null) continue;
    const error = !isKey ? BAD_KEY : changes.has(key) ? "is given twice" : value !== null && attributeValueError(value);
    if (!error) changes.set(key, value);
    else {
      isRight = false;
      // A pointer must not become longer than what it points at.
      fail(error, sent.length <= 2 * MAX_KEY_LENGTH ? sent : undefined);
    }
  }
  if (!isRight) return undefined;
  const { error } = changeAttributes(NO_ATTRIBUTES, changes);
  if (error !== undefined) fail(error);
  return error === undefined ? changes : undefined;
}

/** Attributes of fewer UTF-16 units have fewer bytes than are allowed, even if JSON writes each unit in six. */
const MAX_PLAIN_LENGTH = 2000;

/** The text to store of attributes that are plainly right, without null. Where it is undefined, `readAttributes` decides. */
export function plainAttributes(raw: unknown): string | undefined {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return undefined;
  const entries = Object.entries(raw);
  let last = "";
  let length = 0;
  let isSorted = true;
  for (const [key, value] of entries) {
    if (key.trim().length !== key.length || !isAttributeKey(key)) return undefined;
    if (attributeValueError(value) !== undefined) return undefined;
    if (key < last) isSorted = false;
    last = key;
    length += key.length + (typeof value === "string" ? value.length : 5);
  }
  if (entries.length > MAX_ATTRIBUTES || length > MAX_PLAIN_LENGTH) return undefined;
  return isSorted ? JSON.stringify(raw) : attributesText(new Map(entries));
}

/** What is wrong with all attributes of a participant together. @param text as stored */
function attributesError(attributes: Attributes, text: string): string | undefined {
  if (attributes.size > MAX_ATTRIBUTES) return `must have at most ${MAX_ATTRIBUTES} keys`;
  // A character has at most three bytes for each of its UTF-16 units.
  const isShort = text.length * 3 <= MAX_ATTRIBUTES_BYTES || Buffer.byteLength(text) <= MAX_ATTRIBUTES_BYTES;
  return isShort ? undefined : `must have at most ${MAX_ATTRIBUTES_BYTES} bytes as JSON`;
}

/** A participant's stored attributes. */
export function parseAttributes(text: string): Map<string, AttributeValue> {
  return new Map(Object.entries(JSON.parse(text) as Record<string, AttributeValue>));
}

/** The text to store. */
export function attributesText(attributes: Attributes): string {
  const members = [...attributes]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{${members.join(",")}}`;
}

/**
 * The stored text after changes, key by key; null clears all.
 * @returns the text, and what is wrong with it
 */
export function changeAttributes(text: string, changes: AttributeChanges | null): { text: string; error?: string } {
  if (!changes) return { text: NO_ATTRIBUTES };
  const attributes = parseAttributes(text);
  for (const [key, value] of changes) {
    if (value === null) attributes.delete(key);
    else attributes.set(key, value);
  }
  const changed = attributesText(attributes);
  const error = attributesError(attributes, changed);
  return { text: changed, ...(error !== undefined && { error }) };
}

/** The schema of attributes in a request: changes, or null. A Map, because a key may be `__proto__`. */
export const givenAttributes = v.pipe(
  v.unknown(),
  v.metadata({
    description: `By key: a text, a number, true or false. null removes the key. At most ${MAX_ATTRIBUTES} keys and ${MAX_ATTRIBUTES_BYTES} bytes`,
    anyOf: [
      {
        type: "object",
        maxProperties: MAX_ATTRIBUTES,
        propertyNames: { type: "string", minLength: 1, maxLength: MAX_KEY_LENGTH },
        additionalProperties: {
          anyOf: [
            { type: "string", maxLength: MAX_VALUE_LENGTH },
            { type: "number" },
            { type: "boolean" },
            { type: "null" },
          ],
        },
      },
      { type: "null" },
    ],
  }),
  v.rawTransform<unknown, AttributeChanges | null>(({ dataset, addIssue, NEVER }) => {
    const input = dataset.value;
    if (input === null) return null;
    const changes = readAttributes(input, (message, key) => {
      if (key === undefined) return addIssue({ message });
      const value = (input as Record<string, unknown>)[key];
      return addIssue({ message, input: value, path: [{ type: "object", origin: "value", input: {}, key, value }] });
    });
    return changes ?? NEVER;
  }),
);

/** The keys that attributes of participants have or had, in order. */
export function attributeKeys(db: Reader): string[] {
  return db.values("SELECT key FROM participant_attribute ORDER BY key");
}

/** Whether a participant has or had the attribute. */
export function isKnownAttribute(db: Reader, key: string): boolean {
  return db.value("SELECT 1 FROM participant_attribute WHERE key = ?", key) === 1;
}

/** SQL expression of an attribute in a row of `participant`: its JSON text, or null. An index needs this very expression. */
export function attributeSql(key: string): string {
  return `attributes -> ${pathSql(key)}`;
}

function pathSql(key: string): string {
  return `'$.${JSON.stringify(key).replaceAll("'", "''")}'`;
}

/** SQLite takes at most 1,000 values for a function. */
const MAX_PATHS = 500;

/**
 * SQL expression of several attributes in a row of `participant`, as one text that says nothing of the others. @param keys at least one
 * @see attributesOf
 */
export function attributesSql(keys: readonly string[]): string {
  const parts: string[] = [];
  for (let at = 0; at < keys.length; at += MAX_PATHS) {
    const paths = keys.slice(at, at + MAX_PATHS).map(pathSql);
    // Of one path alone it would give the value, and not JSON.
    parts.push(`json_extract(attributes, ${[...paths, paths[0]!].join(", ")})`);
  }
  return parts.join(" || ',' || ");
}

/** The attributes that such a text has, as they are stored. */
export function attributesOf(keys: readonly string[], values: string): string {
  const parts = JSON.parse(`[${values}]`) as (AttributeValue | null)[][];
  const known = parts.flatMap((part) => part.slice(0, -1)).map((value, at) => [keys[at]!, value] as const);
  return attributesText(new Map(known.filter((one): one is [string, AttributeValue] => one[1] !== null)));
}

const INDEX = "participant_attribute_";

/** The name of the index on an attribute, if there is one. In hexadecimal, because names of indexes ignore case. */
export function attributeIndex(key: string): string {
  return INDEX + Buffer.from(key).toString("hex");
}

/** The key that an index of this name is for; undefined for other indexes. */
export function attributeOfIndex(name: string): string | undefined {
  return name.startsWith(INDEX) ? Buffer.from(name.slice(INDEX.length), "hex").toString() : undefined;
}

/** Whether two values are the same as texts. A CSV has only texts: its 42 is what JSON has as 42. */
export function areEqualAttributes(one: AttributeValue, other: AttributeValue): boolean {
  return String(one) === String(other);
}

/** The number that a value is, also as a text. */
export function numberOf(value: AttributeValue): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}
