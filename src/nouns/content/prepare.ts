// Reads and checks the content that an author sends: as a whole, or without what is missing or wrong in it, which is set aside then. Large content takes long, so a thread does this.

import { requireObject } from "../../base/check-body.ts";
import { parseJson } from "../../base/json.ts";
import { invalidRequest, Problem, type ProblemDetail, type ProblemDocument } from "../../base/problems.ts";
import { NOT_KNOWN } from "../../base/schemas.ts";
import type { SideTask } from "../../engine/threads/side-task.ts";
import { imagesOf } from "../../images/queries.ts";
import { getScreener } from "../screeners/queries.ts";
import type { Content } from "./content.ts";
import { DraftReader, type Known } from "./draft.ts";
import { aroundDraft } from "./draft-around.ts";
import { type Current, kindOf } from "./draft-ids.ts";
import {
  type Incomplete,
  pieceOf,
  type SetAside,
  stands,
  valueAt,
  withIncomplete,
  withoutPieces,
} from "./incomplete/pieces.ts";
import { elements, labelOf, members } from "./incomplete/raw.ts";
import { withIds } from "./incomplete/references.ts";
import { findDraft } from "./queries.ts";
import { imageIdsIn } from "./statement.ts";

interface DraftTask {
  workspaceUid: string;
  screenerUid: string;
  body: Uint8Array;
}

/** The new draft as JSON, what of it is set aside, the ids of its quotas and images, and the revision of the draft whose ids it keeps; or the problem. */
type Prepared =
  | { revision: number; json: string; incomplete: string | null; quotas: string[]; images: string[] }
  | { problem: ProblemDocument };

export const prepareDraft: SideTask<DraftTask, Prepared> = {
  name: "prepare-draft",
  perform({ workspaces }, { workspaceUid, screenerUid, body }) {
    try {
      const { revision, current, aside, around } = workspaces.read(workspaceUid, (db) =>
        db.snapshot(() => {
          const { id } = getScreener(db, screenerUid);
          const draft = findDraft(db, id);
          const content = JSON.parse(draft.json) as Content;
          const aside: SetAside[] = draft.incomplete === null ? [] : JSON.parse(draft.incomplete);
          return { revision: draft.revision, current: content, aside, around: aroundDraft(db, id, content) };
        }),
      );
      const sent = parseJson(Buffer.from(body));
      const ids = imageIdsIn(sent);
      const images = ids.length ? workspaces.read(workspaceUid, (db) => imagesOf(db, ids)) : NO_IMAGES;
      const { content, incomplete } = readDraft(sent, { draft: current, aside }, { ...around, images });
      return {
        revision,
        json: JSON.stringify(content),
        incomplete: incomplete.length ? JSON.stringify(incomplete) : null,
        quotas: (content.quotas ?? []).map(({ id }) => id),
        images: [...images.keys()],
      };
    } catch (error) {
      if (error instanceof Problem) return { problem: error.document };
      throw error;
    }
  },
};

const NO_IMAGES = new Map<string, never>();

/** How often a draft is read again without what refers to something that is set aside. */
const MAX_ROUNDS = 20;

/**
 * Without `allowIncomplete` nothing is set aside. @throws Problem 400 with all errors; quota_rule_changed if there are no others
 */
export function readDraft(
  body: unknown,
  current: Current,
  around: Known,
): { content: Content; incomplete: SetAside[] } {
  requireObject(body);
  const { allowIncomplete, incomplete } = members(body);
  const lost = elements(incomplete).flatMap((one, index) => {
    const { pointer } = members(one);
    if (typeof pointer !== "string" || stands(body, pointer)) return [];
    return [{ pointer: `/incomplete/${index}/pointer`, message: "leads to no page of this draft" }];
  });
  if (lost.length) throw invalidRequest(lost);
  const known = elements(incomplete).filter((one) => isWholePiece(members(one).pointer)) as Incomplete[];
  const sent = known.length ? withIncomplete({ ...body, incomplete: known }) : body;
  const errorsOf = new Map<string, ProblemDetail[]>();
  for (let round = 0; ; round++) {
    const reader = new DraftReader(current, around);
    // The members themselves are looked at with all others.
    const input = errorsOf.size ? withoutPieces({ ...sent, incomplete }, errorsOf.keys()) : { ...sent, incomplete };
    const content = reader.read(input);
    const { errors } = reader;
    const isAllowed = allowIncomplete === true && round < MAX_ROUNDS && errors.every(isSetAside);
    if (errors.length && !isAllowed) throw invalidRequest([...errors, ...reader.changedRules]);
    if (!errors.length) {
      if (reader.changedRules.length) throw new Problem("quota_rule_changed", { errors: reader.changedRules });
      return { content, incomplete: setAside(sent, errorsOf, reader) };
    }
    for (const error of errors) {
      const piece = pieceOf(error.pointer)!;
      errorsOf.set(piece, [...(errorsOf.get(piece) ?? []), error]);
    }
  }
}

const isWholePiece = (pointer: unknown): boolean => typeof pointer === "string" && pieceOf(pointer) === pointer;

/** A misspelt member is never only incomplete. */
const isSetAside = ({ pointer, message }: ProblemDetail): boolean =>
  pieceOf(pointer) !== undefined && !message.startsWith(NOT_KNOWN);

/** What is set aside, as it is stored: things have ids, and refer to others by theirs. @param reader has read all else */
function setAside(
  sent: object,
  errorsOf: ReadonlyMap<string, ProblemDetail[]>,
  { ids: known, earlier, assignments }: DraftReader,
): SetAside[] {
  const given = new Map<string, string>();
  const pieces = [...errorsOf].map(([pointer, errors]) => {
    const value = valueAt(sent, pointer);
    const kind = kindOf(pointer);
    if (!kind) return { pointer, value, errors, ids: [] };
    const label = labelOf(value);
    const ids = known.takeAside(kind, label);
    if (label) given.set(label, ids[0]!);
    return { pointer, value: { ...members(value), id: ids[0] }, errors, ids };
  });
  return pieces.map((piece) => ({ ...piece, value: withIds(piece.value, { earlier, assignments, given }) }));
}
