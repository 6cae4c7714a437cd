// The translations that a publication has. They never change.

import type { Reader } from "../../../db/sqlite/connection.ts";
import type { Parsed } from "../../base/parsed.ts";
import type { Content } from "../content/content.ts";
import { baseLanguageOf, nearestOf, type Texts, Wording } from "../content/wording.ts";

/** What is kept of a publication's translation to one language. */
interface PublishedTranslation {
  texts: Texts;
  /** The ids of the texts that translate a former text. */
  stale: readonly string[];
}

/** The languages that a publication is translated to, in the order of their tags. */
function translatedLanguages(db: Reader, publicationId: number): string[] {
  return db.values(
    "SELECT language FROM publication_translation WHERE screener_publication_id = ? ORDER BY language",
    publicationId,
  );
}

/** The languages that a publication can be read in, its base language first. */
export function publicationLanguages(db: Reader, publicationId: number, content: Pick<Content, "language">): string[] {
  return [baseLanguageOf(content), ...translatedLanguages(db, publicationId)];
}

/** The words of a publication for somebody who wants a language. @param cache of the process */
export function wordingOf(
  db: Reader,
  cache: Parsed,
  publication: { id: number; uid: string },
  content: Pick<Content, "language">,
  wanted: string | null,
): Wording {
  if (wanted === null) return new Wording(content);
  const languages = translatedLanguages(db, publication.id);
  const nearest = nearestOf(wanted, baseLanguageOf(content), languages);
  return new Wording(
    content,
    nearest.map((language) => {
      const load = () => publishedTranslation(db, publication.id, language);
      const { texts } = cache.read(`${publication.uid} ${language}`, load) as PublishedTranslation;
      return { language, texts };
    }),
  );
}

/** JSON of a PublishedTranslation. */
function publishedTranslation(db: Reader, publicationId: number, language: string): string {
  return db.value<string>(
    "SELECT json FROM publication_translation WHERE screener_publication_id = ? AND language = ?",
    publicationId,
    language,
  )!;
}
