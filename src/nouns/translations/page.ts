// A page of a draft's texts with their translations, for people. A thread makes it, because it looks at all texts.

import type { ProblemDocument } from "../../base/problems.ts";
import type { SideTask } from "../../engine/threads/side-task.ts";
import { type Direction, directionOf } from "../../languages/tags.ts";
import type { Content } from "../content/content.ts";
import { pageString, questionString } from "../content/strings.ts";
import { baseLanguageOf } from "../content/wording.ts";
import { type AskedForOne, contentToTranslate, orProblem, readOne } from "./reading.ts";
import { type Entry, entriesOf, type Progress, progressOf, readTranslations, type State } from "./states.ts";

interface AskedForPage extends AskedForOne {
  /** Only texts in this state. Null: all. */
  state: State | null;
  offset: number;
  limit: number;
  /** Texts of which it is said where they are, by their ids. */
  ids: readonly string[];
}

/** Where a text is. */
export interface TextPlace {
  id: string;
  /** Among all texts of the draft, from 0 on. */
  index: number;
  /** JSON Pointer into the draft. */
  pointer: string;
  text: string;
  /** The prompt of its question, the title of its page or the name of its quota. Null: it is of none, or is that itself. */
  of: string | null;
}

export interface TranslationPage {
  base: { language: string; direction: Direction };
  direction: Direction;
  progress: Progress;
  entries: Entry[];
  /** How many there are in the state. */
  found: number;
  /** The texts that were asked for, as far as the draft has them. */
  places: TextPlace[];
}

export const pageOfTranslation: SideTask<AskedForPage, TranslationPage | { problem: ProblemDocument }> = {
  name: "page-of-translation",
  perform({ workspaces }, { workspaceUid, screenerUid, language, state, offset, limit, ids }) {
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
        places: placesOf(content, all, ids),
      };
    });
  },
};

function placesOf({ quotas = [] }: Content, all: readonly Entry[], ids: readonly string[]): TextPlace[] {
  if (!ids.length) return [];
  const indexOf = new Map(all.map(({ id }, index) => [id, index]));
  const textOf = (id: string) => all[indexOf.get(id) ?? -1]?.text;
  const nameOf = (id: string): string | undefined => {
    const [kind, uid = ""] = id.split("/");
    const own = { question: questionString(uid, "prompt"), page: pageString(uid, "title") }[kind!];
    if (own !== undefined) return own === id ? undefined : textOf(own);
    return kind === "quota" ? (quotas.find((one) => one.id === uid)?.name ?? undefined) : undefined;
  };
  return ids.flatMap((id) => {
    const index = indexOf.get(id);
    if (index === undefined) return [];
    const { pointer, text } = all[index]!;
    return [{ id, index, pointer, text, of: nameOf(id) ?? null }];
  });
}
