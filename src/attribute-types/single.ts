// Reads the attributes in a single write of a participant by their types, as imports read those of their rows.

import type { Reader } from "../../db/sqlite/connection.ts";
import {
  type AttributeChanges,
  type AttributeValue,
  changeAttributes,
  NO_ATTRIBUTES,
  parseAttributes,
} from "../base/attributes.ts";
import { escapePointer } from "../base/clean-text.ts";
import { invalidRequest, type ProblemDetail } from "../base/problems.ts";
import { listTypes } from "./queries.ts";
import { readValue } from "./values.ts";

/** @throws Problem 400 with each value that is none of its type */
export function readChanges(db: Reader, changes: AttributeChanges): AttributeChanges {
  const { read, errors } = readAll(db, changes);
  if (errors.length) throw invalidRequest(errors);
  return read;
}

/** Each value that is none of its type. @param changes of somebody who is there, or all attributes of somebody new: the text of src/base/attributes.ts */
export function faultsOfAttributes(db: Reader, changes: AttributeChanges | string | null | undefined): ProblemDetail[] {
  return changes ? readAll(db, typeof changes === "string" ? parseAttributes(changes) : changes).errors : [];
}

function readAll(db: Reader, changes: AttributeChanges): { read: AttributeChanges; errors: ProblemDetail[] } {
  const types = new Map(changes.size ? listTypes(db).map((type) => [type.key, type] as const) : []);
  const errors: ProblemDetail[] = [];
  const read = [...changes].map(([key, value]): [string, AttributeValue | null] => {
    const type = types.get(key);
    if (!type || value === null) return [key, value];
    const found = readValue(value, type, undefined);
    if ("value" in found) return [key, found.value];
    errors.push({ pointer: `/attributes/${escapePointer(key)}`, message: found.message });
    return [key, value];
  });
  return { read: new Map(read), errors };
}

/** The same of all attributes of somebody new. @param text of src/base/attributes.ts */
export function readNew(db: Reader, text: string): string {
  if (text === NO_ATTRIBUTES) return text;
  const read = changeAttributes(NO_ATTRIBUTES, readChanges(db, parseAttributes(text)));
  if (read.error !== undefined) throw invalidRequest([{ pointer: "/attributes", message: read.error }]);
  return read.text;
}
