// What the participant of a session answers.

import type { Reader } from "../../db/sqlite/connection.ts";
import type { Parsed } from "../base/parsed.ts";
import type { PersonalContent } from "../nouns/content/content.ts";
import { knownAttributes } from "../nouns/content/holds.ts";
import { readPublished } from "../nouns/content/published.ts";
import { findPublicationById, type PublicationRow } from "../nouns/publications/queries.ts";
import type { Question } from "../nouns/question-types/registry.ts";
import type { SessionRow } from "../nouns/sessions/queries.ts";

export interface Answering {
  publication: PublicationRow;
  content: PersonalContent;
  /** Of all pages, in their order. */
  questions: readonly Question[];
}

export function answeringOf(db: Reader, published: Parsed, session: SessionRow): Answering {
  const publication = findPublicationById(db, session.screener_publication_id)!;
  const stored = "SELECT attributes FROM participant WHERE id = ?";
  const attributes = knownAttributes(() => db.value<string>(stored, session.participant_id)!);
  const content = { ...readPublished(db, published, publication), attributes };
  return { publication, content, questions: content.pages.flatMap((page) => page.questions) };
}
