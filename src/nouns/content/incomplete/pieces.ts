// What a draft does not have yet because something is missing or wrong in it: questions, quotas, assignments, rules and texts. They are set
// aside as they were sent, so that nothing is lost, and all that reads a draft finds only what is complete. The builder has this module, too.

import type { ProblemDetail } from "../../../base/problems.ts";
import { elements, members } from "./raw.ts";

/** A piece of a draft that is set aside. */
export interface Incomplete {
  /** Where it stands in the draft. */
  pointer: string;
  /** As it was sent. */
  value: unknown;
  errors: ProblemDetail[];
}

/** The same as it is stored. */
export interface SetAside extends Incomplete {
  /** Its own id, if it has one, and the ids of its parts that the service has given. */
  ids: string[];
}

/** What errors say of members of the API: the console has only fields that are needed. */
export const OF_MEMBERS = ", unless mode is COUNT";

export const PIECE =
  /^\/(?:pages\/\d+\/questions\/\d+|pages\/\d+\/(?:title|description|showWhen|disqualifyWhen|attentionCheck|contradictsWhen|shuffle|shuffleBlock|fixed)|quotas\/\d+|assignments\/\d+|qualifyWhen|thankYou|thankYouByOutcome|redirectByOutcome|signRedirects)(?=\/|$)/;

/** The piece in which an error is. Undefined: it is in none, so the draft is refused. */
export function pieceOf(pointer: string): string | undefined {
  return PIECE.exec(pointer)?.[0];
}

/** What stands at a pointer to a piece. */
export function valueAt(content: unknown, piece: string): unknown {
  const { parent, key } = find(content, piece);
  return Object.hasOwn(parent, key) ? (parent as Record<string, unknown>)[key] : undefined;
}

/** What was sent without some pieces. Others keep their positions: in lists, what is missing is undefined. */
export function withoutPieces(sent: object, pieces: Iterable<string>): object {
  const copy = structuredClone(sent);
  for (const piece of pieces) {
    const { parent, key } = find(copy, piece);
    (parent as Record<string, unknown>)[key] = undefined;
    if (!Array.isArray(parent)) delete (parent as Record<string, unknown>)[key];
  }
  return copy;
}

/** The draft with what was set aside, where it stands. */
export function withIncomplete<Content extends object>({
  incomplete,
  ...draft
}: Content & { incomplete?: readonly Pick<Incomplete, "pointer" | "value">[] | null }): Omit<Content, "incomplete"> {
  if (!incomplete?.length) return draft as Omit<Content, "incomplete">;
  const copy = structuredClone(draft) as Record<string, unknown>;
  // In the order of positions, so that each is put where it was.
  const inOrder = [...incomplete].sort((one, other) =>
    one.pointer.localeCompare(other.pointer, "en", { numeric: true }),
  );
  for (const { pointer, value } of inOrder) {
    const [, list] = /^\/(quotas|assignments)\//.exec(pointer) ?? [];
    if (list) copy[list] ??= [];
    const { parent, key } = find(copy, pointer);
    if (Array.isArray(parent)) parent.splice(Number(key), 0, value);
    else (parent as Record<string, unknown>)[key] = value;
  }
  return copy as Omit<Content, "incomplete">;
}

/** Whether there is what a piece is a part of: the page of a question, or of a rule. */
export function stands(content: unknown, pointer: string): boolean {
  const [, page] = /^\/pages\/(\d+)\//.exec(pointer) ?? [];
  return page === undefined || elements(members(content).pages)[Number(page)] !== undefined;
}

/** The object or list that has a piece. One that is not there is an empty one, of nobody. */
function find(content: unknown, piece: string): { parent: object; key: string } {
  const [first = "", second, third, fourth] = piece.slice(1).split("/");
  const root = members(content);
  if (second === undefined) return { parent: root, key: first };
  const list = elements(root[first]);
  if (third === undefined) return { parent: list, key: second };
  const page = members(list[Number(second)]);
  return fourth === undefined ? { parent: page, key: third } : { parent: elements(page[third]), key: fourth };
}
