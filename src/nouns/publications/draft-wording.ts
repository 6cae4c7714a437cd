// The translations of a draft as it would be published: in which languages it can be tried, and what they change. In a thread, because
// a draft may have a hundred thousand texts.

import type { Reader } from "../../../db/sqlite/connection.ts";
import type { ProblemDocument } from "../../base/problems.ts";
import type { SideTask } from "../../engine/threads/side-task.ts";
import type { Content } from "../content/content.ts";
import { isDraftContentChanged, MAX_COMPARED_BYTES, publishedBytes } from "../content/queries.ts";
import { baseLanguageOf, nearestOf, type Texts } from "../content/wording.ts";
import { getScreener } from "../screeners/queries.ts";
import { type Asked, type AskedForOne, orProblem, readAll } from "../translations/reading.ts";
import { entriesOf, readTranslations } from "../translations/states.ts";
import { publishedTranslations, textsOf } from "./wording.ts";

interface DraftWording {
  /** Texts by language: the nearest to the one that was asked for first. */
  translations: { language: string; texts: Texts }[];
}

export const readDraftWording: SideTask<AskedForOne, DraftWording | { problem: ProblemDocument }> = {
  name: "read-draft-wording",
  perform({ workspaces }, { workspaceUid, screenerUid, language: wanted }) {
    return orProblem(() => {
      const { draft, rows } = workspaces.read(workspaceUid, (db) => readAll(db, screenerUid));
      const content: Content = JSON.parse(draft.json);
      const known = new Map(rows.map(({ language, json }) => [language, json]));
      const translations = nearestOf(wanted, baseLanguageOf(content), known.keys()).map((language) => {
        const entries = entriesOf(content, draft.title, readTranslations(known.get(language)));
        return { language, texts: Object.fromEntries(textsOf(entries, content.markup)) };
      });
      return { translations };
    });
  },
};

/** What publishing would change of a language. */
export interface LanguageChange {
  language: string;
  kind: "ADDED" | "REMOVED" | "CHANGED";
  /** How many translations are new, other ones, and gone. */
  added: number;
  changed: number;
  removed: number;
}

export const changedLanguages: SideTask<Asked, { changes: LanguageChange[] } | { problem: ProblemDocument }> = {
  name: "changed-languages",
  perform({ workspaces }, { workspaceUid, screenerUid }) {
    return orProblem(() => ({
      changes: workspaces.read(workspaceUid, (db) => db.snapshot(() => languageChanges(db, screenerUid))),
    }));
  },
};

function languageChanges(db: Reader, screenerUid: string): LanguageChange[] {
  const { active_publication_id: active } = getScreener(db, screenerUid);
  const { draft, rows } = readAll(db, screenerUid);
  const published = active === null ? new Map<string, string>() : publishedTranslations(db, active);
  const content: Content = JSON.parse(draft.json);
  const drafted = new Map(rows.map(({ language, json }) => [language, json]));
  drafted.delete(baseLanguageOf(content));
  return [...new Set([...published.keys(), ...drafted.keys()])].sort().flatMap((language) => {
    const [was, is] = [published.get(language), drafted.get(language)];
    const before = new Map<string, string>(Object.entries(JSON.parse(was ?? "{}")));
    const entries = is === undefined ? [] : entriesOf(content, draft.title, readTranslations(is));
    return changeOf(language, was === undefined, is === undefined, before, new Map(textsOf(entries, content.markup)));
  });
}

/** Whether publishing would change what people see of a published screener: its content, or its translations. */
export function isDraftChanged(db: Reader, screenerUid: string): boolean {
  if (isDraftContentChanged(db, screenerUid)) return true;
  const { id, active_publication_id: active } = getScreener(db, screenerUid);
  if (active === null) return false;
  const bytes = translationBytes(db, id, active);
  // Long ones are not compared, as in contents.
  if (bytes === 0 || bytes + publishedBytes(db, active) > MAX_COMPARED_BYTES) return false;
  return languageChanges(db, screenerUid).length > 0;
}

/** How long the translations of a draft and of a publication are. 0: there are none. */
function translationBytes(db: Reader, screenerId: number, publicationId: number): number {
  return db.value<number>(
    `SELECT coalesce(sum(octet_length(json)), 0) FROM (
       SELECT json FROM screener_translation WHERE screener_id = ?
       UNION ALL SELECT json FROM publication_translation WHERE screener_publication_id = ?)`,
    screenerId,
    publicationId,
  )!;
}

function changeOf(
  language: string,
  isNew: boolean,
  isGone: boolean,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): LanguageChange[] {
  const added = [...after.keys()].filter((id) => !before.has(id)).length;
  const removed = [...before.keys()].filter((id) => !after.has(id)).length;
  const changed = [...after].filter(([id, text]) => before.has(id) && before.get(id) !== text).length;
  if (!isNew && !isGone && added + removed + changed === 0) return [];
  return [{ language, kind: isNew ? "ADDED" : isGone ? "REMOVED" : "CHANGED", added, changed, removed }];
}
