// Step 3, stage: puts the checked rows into the scratch store, and checks them against each other. This does not touch the
// workspace store, so it may take long.

import { randomInt } from "node:crypto";
import type { Writer } from "../../db/sqlite/connection.ts";
import { deferred } from "../../db/sqlite/write.ts";
import { MAX_UNINDEXED_ROWS } from "../engine/ledger/rows.ts";
import { WRITTEN } from "../nouns/participants/resource.ts";
import type { MatchKey } from "../nouns/screener-participants/import-settings.ts";
import { GivenAttributes } from "./attributes.ts";
import type { CheckedSlice, UnknownMembers } from "./check.ts";
import { RowErrors, rowErrorSql } from "./row-errors.ts";
import { indexNames, STAGED } from "./tables.ts";

/** Members that must differ in all rows of a payload, and their positions in a checked row. */
const UNIQUE = [
  { member: "externalUid", column: WRITTEN.externalUid, at: STAGED.indexOf(WRITTEN.externalUid), foldsCase: false },
  { member: "email", column: WRITTEN.email, at: STAGED.indexOf(WRITTEN.email), foldsCase: true },
];

const FIRST_LENGTH = 1024;

const MAX_UNKNOWN_MEMBERS = 100;

/** What is known of a payload whose rows are staged. */
interface StagedRows {
  rows: number;
  /** How many rows have each member by which rows may be matched. */
  present: Record<MatchKey, number>;
  errors: RowErrors;
  unknown: UnknownMembers;
  attributes: GivenAttributes;
}

/** Statements that insert rows, by the number of their values: to look for what is not there takes time. */
const inserts = STAGED.map(
  (_, last) =>
    `INSERT INTO stage (id, ${STAGED.slice(0, last + 1).join(", ")})
     SELECT key + ?, ${STAGED.slice(0, last + 1).map((_, at) => `value ->> ${at}`)} FROM jsonb_each(?)`,
);

/**
 * Fills the table `stage`: each row's id (its position + 1) and line, and its values in columns named as those of
 * `participant`. `attributes` are those that it sets, until they are merged (attributes.ts). Then adds an error for each row
 * whose externalUid or email another row has too.
 * @param areTexts whether values of attributes are texts, whatever they mean, as those of a CSV are
 * @param onProgress called with the number of rows staged so far
 */
export function stageRows(
  scratch: Writer,
  slices: Iterable<CheckedSlice>,
  { areTexts, onProgress }: { areTexts: boolean; onProgress: (rows: number) => void },
): StagedRows {
  const errors = new RowErrors(scratch);
  const unknown: UnknownMembers = new Map();
  const attributes = new GivenAttributes(areTexts);
  const given = UNIQUE.map((unique) => ({ ...unique, repeats: new Repeats(unique.foldsCase) }));
  let staged = 0;
  deferred(scratch, () => {
    for (const { rows, ...found } of slices) {
      errors.add(found.errors);
      addUnknown(unknown, found.unknown);
      if (found.attributes) attributes.add(found.attributes);
      const values = rows.reduce((most, row) => Math.max(most, row.length), 1);
      scratch.run(inserts[values - 1]!, BigInt(staged + 1), JSON.stringify(rows));
      for (const { at, repeats } of given) {
        for (const { [at]: text } of rows) if (typeof text === "string") repeats.add(text);
      }
      staged += rows.length;
      onProgress(staged);
    }
  });
  if (staged > MAX_UNINDEXED_ROWS) indexNames(scratch);
  for (const { column, member, repeats, foldsCase } of given) {
    if (repeats.arePossible())
      findRepeated(scratch, { column, member, collation: foldsCase ? "COLLATE NOCASE" : "" }, errors);
  }
  const [externalUid, email] = given.map(({ repeats }) => repeats.count);
  return { rows: staged, present: { externalUid: externalUid!, email: email! }, errors, unknown, attributes };
}

function addUnknown(unknown: UnknownMembers, found: UnknownMembers): void {
  for (const [member, count] of found) {
    const rows = unknown.get(member);
    if (rows !== undefined || unknown.size < MAX_UNKNOWN_MEMBERS) unknown.set(member, (rows ?? 0) + count);
  }
}

function findRepeated(
  scratch: Writer,
  { column, member, collation }: { column: string; member: string; collation: string },
  errors: RowErrors,
): void {
  const twice = `SELECT ${column} FROM stage WHERE ${column} IS NOT NULL GROUP BY ${column} ${collation} HAVING count(*) > 1`;
  if (scratch.value(`${twice} LIMIT 1`) === undefined) return;
  errors.addFrom(
    `SELECT r.id, ${rowErrorSql(member, "'is in the payload more than once'", `r.${column}`)}
     FROM stage AS r WHERE r.${column} ${collation} IN (${twice}) ORDER BY r.id`,
  );
}

/**
 * Texts, known by hashes of 53 bits: finds quickly that no two of many are the same. To sort a million texts in SQL takes a
 * second; to sort their hashes takes a third of it, and 8 bytes a text.
 */
class Repeats {
  #hashes = new Float64Array(FIRST_LENGTH);
  #count = 0;
  readonly #foldsCase: boolean;
  // Random, so that nobody can send texts that only seem to be the same.
  readonly #seed = randomInt(2 ** 32);

  /** @param foldsCase whether A to Z count as a to z */
  constructor(foldsCase: boolean) {
    this.#foldsCase = foldsCase;
  }

  /** Adds a text. */
  add(text: string): void {
    let high = 0x811c9dc5 ^ this.#seed;
    let low = Math.imul(0x9747b28c, this.#seed | 1);
    const foldsCase = this.#foldsCase;
    for (let i = 0; i < text.length; i++) {
      let unit = text.charCodeAt(i);
      if (foldsCase && unit >= 0x41 && unit <= 0x5a) unit |= 0x20;
      high = Math.imul(high ^ unit, 0x9e3779b1);
      low = (Math.imul(low, 33) + unit) ^ (low >>> 17);
    }
    if (this.#count === this.#hashes.length) {
      const longer = new Float64Array(2 * this.#count);
      longer.set(this.#hashes);
      this.#hashes = longer;
    }
    this.#hashes[this.#count++] = (high >>> 0) * 2 ** 21 + (low >>> 11);
  }

  /** How many texts there are. */
  get count(): number {
    return this.#count;
  }

  /** Whether two texts may be the same. Hashes of different ones may be; then a slower search decides. */
  arePossible(): boolean {
    const sorted = this.#hashes.subarray(0, this.#count).sort();
    for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) return true;
    return false;
  }
}
