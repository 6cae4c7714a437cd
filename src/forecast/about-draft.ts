// What a body asks about a screener's draft and people, worked out in a thread, from a snapshot. It takes up to seconds, and changes nothing.

import type { Reader } from "../../db/sqlite/connection.ts";
import { parseJson } from "../base/json.ts";
import { Problem, type ProblemDocument } from "../base/problems.ts";
import type { SideTask } from "../engine/threads/side-task.ts";

interface Asked {
  workspaceUid: string;
  screenerUid: string;
  /** JSON. */
  body: Uint8Array;
}

export type AboutDraft = SideTask<Asked, { json: string } | { problem: ProblemDocument }>;

/** @param answer called inside a snapshot. It may throw problems */
export function aboutDraft(
  name: string,
  answer: (db: Reader, screenerUid: string, sent: unknown) => object,
): AboutDraft {
  return {
    name,
    perform({ workspaces }, { workspaceUid, screenerUid, body }) {
      try {
        const sent = parseJson(Buffer.from(body));
        return workspaces.read(workspaceUid, (db) =>
          db.snapshot(() => ({ json: JSON.stringify(answer(db, screenerUid, sent)) })),
        );
      } catch (error) {
        if (error instanceof Problem) return { problem: error.document };
        throw error;
      }
    },
  };
}
