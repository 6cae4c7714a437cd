// Reads and checks the content that an author sends. Large content takes long, so a thread does this.

import { parseJson } from "../../base/json.ts";
import { Problem, type ProblemDocument } from "../../base/problems.ts";
import type { SideTask } from "../../engine/threads/side-task.ts";
import { getScreener } from "../screeners/queries.ts";
import type { Content } from "./content.ts";
import { readDraft } from "./draft.ts";
import { aroundDraft } from "./draft-around.ts";
import { findDraft } from "./queries.ts";

interface DraftTask {
  workspaceUid: string;
  screenerUid: string;
  body: Uint8Array;
}

/** The new draft as JSON, the ids of its quotas, and the revision of the draft whose ids it keeps; or the problem. */
type Prepared = { revision: number; json: string; quotas: string[] } | { problem: ProblemDocument };

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
      const draft = readDraft(parseJson(Buffer.from(body)), current, around);
      const quotas = (draft.quotas ?? []).map(({ id }) => id);
      return { revision, json: JSON.stringify(draft), quotas };
    } catch (error) {
      if (error instanceof Problem) return { problem: error.document };
      throw error;
    }
  },
};
