// Where the answers to the questions of a publication go in the table.

import type { Question } from "../nouns/question-types/registry.ts";

/** Where the answers to a question of a publication go. */
export interface Slot {
  type: Question["_type"];
  column: number;
  /** The column of the answers' form for programs. */
  normalized?: number;
  /** The columns of the options by their texts, and that of the write-in; undefined where the answer is in one cell. */
  options?: ReadonlyMap<string, number>;
  writeIn?: number;
  /** The codes of the options by their texts, where the answer is one of them. */
  codes?: ReadonlyMap<string, number>;
  /** Whether a number says that it was skipped. */
  marksSkipped?: boolean;
  /** Where those in each row go, by the row's id. */
  rows?: ReadonlyMap<string, Slot>;
}

/** A question of a publication, and which of the table's questions it is. */
export interface Asked {
  question: number;
  type: Question["_type"];
  options: string[];
  hasWriteIn: boolean;
}

/** The columns of a question. */
export interface Columns {
  first: number;
  normalized?: number;
  /** Where each option has its own. */
  options?: Map<string, number>;
  /** Where cells are codes. */
  codes?: Map<string, number>;
  marksSkipped?: boolean;
  /** Where each row has its own. `type`: of the rows as questions. */
  rows?: { type: Question["_type"]; places: ReadonlyMap<string, Columns> };
}

/**
 * Makes slots: where answers go. Equal slots are shared, because most questions stay the same from publication to publication, and a
 * copy of the plan would take long.
 */
export function slotsIn(columns: readonly Columns[]): (asked: Asked) => Slot {
  const known = new Map<string, Slot>();
  return (asked) => {
    const place = columns[asked.question]!;
    const { type, options, hasWriteIn } = asked;
    const name = JSON.stringify([
      place.first,
      type,
      ...(place.options || place.codes || place.rows ? [hasWriteIn, ...options] : []),
    ]);
    let slot = known.get(name);
    if (!slot) {
      slot = slotAt(place, asked);
      known.set(name, slot);
    }
    return slot;
  };
}

function slotAt({ first, normalized, options: all, codes, marksSkipped, rows }: Columns, asked: Asked): Slot {
  const { type, options, hasWriteIn } = asked;
  const slot: Slot = {
    type,
    column: first,
    ...(normalized !== undefined && { normalized }),
    ...(marksSkipped && { marksSkipped }),
  };
  if (all) {
    slot.options = new Map(options.map((text) => [text, all.get(text)!]));
    if (hasWriteIn) slot.writeIn = first + all.size;
  }
  if (codes) {
    slot.codes = codes;
    if (hasWriteIn) slot.writeIn = first + 1;
  }
  if (rows)
    slot.rows = new Map([...rows.places].map(([id, place]) => [id, slotAt(place, { ...asked, type: rows.type })]));
  return slot;
}
