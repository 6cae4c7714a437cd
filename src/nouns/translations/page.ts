// A page of a draft's texts with their translations, for people. A thread makes it, because it looks at all texts.

import type { ProblemDocument } from "../../base/problems.ts";
import type { SideTask } from "../../engine/threads/side-task.ts";
import { type Direction, directionOf } from "../../languages/tags.ts";
import { baseLanguageOf } from "../content/wording.ts";
import { type AskedForOne, contentToTranslate, orProblem, readOne } from "./reading.ts";
import { type Entry, entriesOf, type Progress, progressOf, readTranslations, type State } from "./states.ts";

interface AskedForPage extends AskedForOne {
  /** Only texts in this state. Null: all. */
  state: State | null;
  offset: number;
  limit: number;
}

export interface TranslationPage {
  base: { language: string; direction: Direction };
  direction: Direction;
  progress: Progress;
  entries: Entry[];
  /** How many there are in the state. */
  found: number;
}

export const pageOfTranslation: SideTask<AskedForPage, TranslationPage | { problem: ProblemDocument }> = {
  name: "page-of-translation",
  perform({ workspaces }, { workspaceUid, screenerUid, language, state, offset, limit }) {
    return orProblem(() => {
      const { draft, row } = workspaces.read(workspaceUid, (db) => readOne(db, screenerUid, language));
      const content = contentToTranslate(draft.json, language);
      const all = entriesOf(content, draft.title, readTranslations(row?.json));
      const found = state === null ? all : all.filter((entry) => entry.state === state);
      const base = baseLanguageOf(content);
      return {
        base: { language: base, direction: directionOf(base) },
        direction: directionOf(language),
        progress: progressOf(all),
        entries: found.slice(offset, offset + limit),
        found: found.length,
      };
    });
  },
};
