// What the participant of a session answers.

import type { Reader } from "../../db/connection.ts";
import { attributesOf } from "../participants/queries.ts";
import type { Question } from "../question-types/registry.ts";
import type { PersonalContent } from "../screener-content/content.ts";
import type { PublishedContents } from "../screener-content/published.ts";
import { findPublicationById, type PublicationRow } from "../screener-publications/queries.ts";
import type { SessionRow } from "./queries.ts";

export interface Answering {
  publication: PublicationRow;
  content: PersonalContent;
  /** Of all pages, in their order. */
  questions: readonly Question[];
}

export function answeringOf(db: Reader, published: PublishedContents, session: SessionRow): Answering {
  const publication = findPublicationById(db, session.screener_publication_id)!;
  const attributes = attributesOf(db, session.participant_id);
  const content = { ...published.read(db, publication), attributes };
  return { publication, content, questions: content.pages.flatMap((page) => page.questions) };
}
