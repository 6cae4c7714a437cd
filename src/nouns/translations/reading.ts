// What threads read of a screener for its translations.

import type { Reader } from "../../../db/sqlite/connection.ts";
import { invalidRequest, Problem, type ProblemDocument } from "../../base/problems.ts";
import type { Content } from "../content/content.ts";
import { findDraft } from "../content/queries.ts";
import { baseLanguageOf } from "../content/wording.ts";
import { getScreener } from "../screeners/queries.ts";
import { findTranslation, listTranslations } from "./queries.ts";

export interface Asked {
  workspaceUid: string;
  screenerUid: string;
}

export interface AskedForOne extends Asked {
  language: string;
}

/** All that is read of a screener for its translations, of one moment. */
function draftOf(db: Reader, screenerUid: string) {
  const { id, uid, title } = getScreener(db, screenerUid);
  return { id, uid, title, json: findDraft(db, id).json };
}

/** A draft with all its translations. */
export function readAll(db: Reader, screenerUid: string) {
  return db.snapshot(() => {
    const draft = draftOf(db, screenerUid);
    return { draft, rows: listTranslations(db, draft.id) };
  });
}

export function readOne(db: Reader, screenerUid: string, language: string) {
  return db.snapshot(() => {
    const draft = draftOf(db, screenerUid);
    return { draft, row: findTranslation(db, draft.id, language) };
  });
}

/** @throws Problem 400 for the language of the draft itself */
export function contentToTranslate(json: string, language: string): Content {
  const content: Content = JSON.parse(json);
  if (baseLanguageOf(content) === language)
    throw invalidRequest([{ pointer: "language", message: "is the language of the texts themselves" }]);
  return content;
}

export function orProblem<Answer>(work: () => Answer): Answer | { problem: ProblemDocument } {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return { problem: error.document };
    throw error;
  }
}
