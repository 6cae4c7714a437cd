// Reads and checks the content that an author sends. Large content takes long, so a thread does this.

import { parseJson } from "../../base/json.ts";
import { Problem, type ProblemDocument } from "../../base/problems.ts";
import type { SideTask } from "../../engine/threads/side-task.ts";
import { imagesOf } from "../../images/queries.ts";
import { getScreener } from "../screeners/queries.ts";
import type { Content } from "./content.ts";
import { readDraft } from "./draft.ts";
import { aroundDraft } from "./draft-around.ts";
import { findDraft } from "./queries.ts";
import { imageIdsIn } from "./statement.ts";

interface DraftTask {
  workspaceUid: string;
  screenerUid: string;
  body: Uint8Array;
}

/** The new draft as JSON, the ids of its quotas and images, and the revision of the draft whose ids it keeps; or the problem. */
type Prepared = { revision: number; json: string; quotas: string[]; images: string[] } | { problem: ProblemDocument };

export const prepareDraft: SideTask<DraftTask, Prepared> = {
  name: "prepare-draft",
  perform({ workspaces }, { workspaceUid, screenerUid, body }) {
    try {
      const { revision, current, around } = workspaces.read(workspaceUid, (db) =>
        db.snapshot(() => {
          const { id } = getScreener(db, screenerUid);
          const draft = findDraft(db, id);
          const content = JSON.parse(draft.json) as Content;
          return { revision: draft.revision, current: content, around: aroundDraft(db, id, content) };
        }),
      );
      const sent = parseJson(Buffer.from(body));
      const ids = imageIdsIn(sent);
      const images = ids.length ? workspaces.read(workspaceUid, (db) => imagesOf(db, ids)) : NO_IMAGES;
      const draft = readDraft(sent, current, { ...around, images });
      const quotas = (draft.quotas ?? []).map(({ id }) => id);
      return { revision, json: JSON.stringify(draft), quotas, images: [...images.keys()] };
    } catch (error) {
      if (error instanceof Problem) return { problem: error.document };
      throw error;
    }
  },
};

const NO_IMAGES = new Map<string, never>();
