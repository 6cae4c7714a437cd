// The card of a type of question in the builder: plain data, which the builder's page is given.

import type { PartList } from "./entries.ts";

/** A field of a card. `Values`: what the type adds to a question. */
export type CardField<Values> =
  | {
      has: "options";
      /** Whether people may choose several of them. */
      isSeveral: boolean;
      /** Whether people may write one of their own. */
      hasWriteIn: boolean;
    }
  /** Rows or columns. */
  | { has: "parts"; member: keyof Values & PartList; legend: string }
  /** As `typedMembers` of the type reads it. */
  | { has: "typed"; member: keyof Values & string; label: string }
  /** `onlyWith`: it is there only where this member has a value, or where it has one itself. `rows`: of a longer text. */
  | {
      has: "text";
      member: keyof Values & string;
      label: string;
      hint?: string;
      rows?: number;
      onlyWith?: keyof Values & string;
    }
  /** The first one stands for a member that is missing. */
  | { has: "choice"; member: keyof Values & string; label: string; options: readonly CardChoice<Values>[] }
  | { has: "limits"; least: Limit<Values>; most: Limit<Values> }
  | { has: "box"; member: keyof Values & string; label: string };

/** One of several values of a member. Null: the member has none. */
interface CardChoice<Values> {
  value: string | null;
  label: string;
  /** What other members become when it is chosen. */
  sets?: Partial<Values>;
}

/** A number, or null, and what it is called. */
export type Limit<Values> = readonly [member: keyof Values & string, label: string];

export interface Card<Values> {
  /** What the type is called, in the builder and, in lower case, in the codebook. */
  label: string;
  /** The values of a new question. Options and other parts come from the question that it is made from. */
  fresh: Omit<Values, PartList | "allowsWriteIn">;
  /** In their order. */
  fields: readonly CardField<Values>[];
}

/** A card of any type. */
export type AnyCard = Card<Record<string, unknown>>;
