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
}

/**
 * Makes slots: where answers go. Equal slots are shared, because most questions stay the same from publication to publication, and a
 * copy of the plan would take long.
 */
export function slotsIn(columns: readonly Columns[]): (asked: Asked) => Slot {
  const known = new Map<string, Slot>();
  return ({ question, type, options, hasWriteIn }) => {
    const { first, normalized, options: all } = columns[question]!;
    const name = JSON.stringify([first, type, ...(all ? [hasWriteIn, ...options] : [])]);
    let slot = known.get(name);
    if (!slot) {
      slot = { type, column: first, ...(normalized !== undefined && { normalized }) };
      if (all) {
        slot.options = new Map(options.map((text) => [text, all.get(text)!]));
        if (hasWriteIn) slot.writeIn = first + all.size;
      }
      known.set(name, slot);
    }
    return slot;
  };
}
