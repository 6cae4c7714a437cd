// What the builder calls the members of a question, also where what is wrong with one names another one.

import type { IncompletePiece } from "../../client/types.ts";
import { OF_MEMBERS } from "../../nouns/content/incomplete/pieces.ts";
import { cards } from "../../nouns/question-types/registry.ts";

/** Of a type of question: the labels of its fields, by their members. */
type Labels = ReadonlyMap<string, string>;

const NONE: Labels = new Map();

const labels: ReadonlyMap<string, Labels> = new Map(
  Object.entries(cards).map(([type, { fields }]) => [
    type,
    new Map(
      fields.flatMap((field): (readonly [string, string])[] => {
        if (field.has === "limits") return [field.least, field.most];
        return "label" in field ? [[field.member, field.label]] : [];
      }),
    ),
  ]),
);

/** What a choice is called, by its value. */
const choices: ReadonlyMap<string | null, string> = new Map(
  Object.values(cards).flatMap(({ fields }) =>
    fields.flatMap((field) =>
      field.has === "choice" ? field.options.map(({ value, label }) => [value, label] as const) : [],
    ),
  ),
);

/** The labels of the fields of what is incomplete, by their members. */
export function labelsOf({ value }: Pick<IncompletePiece, "value">): Labels {
  const type = typeof value === "object" && value !== null && "_type" in value ? value._type : undefined;
  return labels.get(String(type)) ?? NONE;
}

/** What is wrong, as the builder's fields are called. */
export function inFieldWords(message: string, of: Labels): string {
  const named = (member: string) => `“${of.get(member)}”`;
  return message
    .replace(OF_MEMBERS, "")
    .replace(/, or \{ "today": "[^"]*" \}/, ", or “18 years ago”")
    .replace(/\b(\w+) must be false$/, (all, member) => (of.has(member) ? `${named(member)} must not be ticked` : all))
    .replace(/\b(\w+) is ([A-Z]+)$/, (all, member, value) =>
      of.has(member) ? `${named(member)} is “${choices.get(value) ?? value}”` : all,
    )
    .replace(/\b(less than|greater than|before|where there is a) (\w+)$/, (all, before, member) =>
      of.has(member) ? `${before} ${named(member)}`.replace("where there is a", "where there is something in") : all,
    );
}

/** The same pieces, with what is wrong as the builder's fields are called. */
export function withFieldWords(pieces: readonly IncompletePiece[]): IncompletePiece[] {
  return pieces.map((piece) => ({
    ...piece,
    errors: piece.errors.map((error) => ({ ...error, message: inFieldWords(error.message, labelsOf(piece)) })),
  }));
}
