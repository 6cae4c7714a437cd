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

interface Publication {
  id: number;
  uid: string;
}

/** The languages that a publication is translated to, in the order of their tags. */
function translatedLanguages(db: Reader, cache: Parsed, { id, uid }: Publication): string[] {
  const load = () =>
    db.value<string>(
      `SELECT json_group_array(language) FROM
         (SELECT language FROM publication_translation WHERE screener_publication_id = ? ORDER BY language)`,
      id,
    )!;
  return cache.read(`${uid} languages`, load) as string[];
}

/** The languages that a publication can be read in, its base language first. @param cache of the process */
export function publicationLanguages(
  db: Reader,
  cache: Parsed,
  publication: Publication,
  content: Pick<Content, "language">,
): string[] {
  return [baseLanguageOf(content), ...translatedLanguages(db, cache, publication)];
}

/** The words of a publication for somebody who wants a language. @param cache of the process */
export function wordingOf(
  db: Reader,
  cache: Parsed,
  publication: Publication,
  content: Pick<Content, "language">,
  wanted: string | null,
): Wording {
  if (wanted === null) return new Wording(content);
  const languages = translatedLanguages(db, cache, publication);
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
