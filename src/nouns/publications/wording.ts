// The translations that a publication has. They never change.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import type { Parsed } from "../../base/parsed.ts";
import { Problem } from "../../base/problems.ts";
import type { Content } from "../content/content.ts";
import { baseLanguageOf, nearestOf, type Texts, Wording } from "../content/wording.ts";
import { listTranslations } from "../translations/queries.ts";
import { type Entry, entriesOf, progressOf, readTranslations } from "../translations/states.ts";
import { faultOfTranslation } from "../translations/survive.ts";

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
  return cache.read(db, `${uid} languages`, load) as string[];
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

/** The words of a publication for somebody who wants a language. @param cache of the process @param wanted null: the publication's own */
export function wordingOf(
  db: Reader,
  cache: Parsed,
  publication: Publication,
  content: Pick<Content, "language">,
  wanted: string | null,
): Wording {
  if (wanted === null) return new Wording(content);
  const languages = translatedLanguages(db, cache, publication);
  return new Wording(
    content,
    nearestOf(wanted, baseLanguageOf(content), languages).map((language) => {
      const load = () => publishedTexts(db, publication.id, language);
      return { language, texts: cache.read(db, `${publication.uid} ${language}`, load) as Texts };
    }),
  );
}

/** JSON of Texts. */
function publishedTexts(db: Reader, publicationId: number, language: string): string {
  return db.value<string>(
    "SELECT json FROM publication_translation WHERE screener_publication_id = ? AND language = ?",
    publicationId,
    language,
  )!;
}

/** A language of a draft, and its texts with their translations. */
interface DraftLanguage {
  language: string;
  entries: Entry[];
}

/** The languages that a screener's draft is translated to. */
export function draftLanguages(
  db: Reader,
  screenerId: number,
  content: Content,
  title: string | null,
): DraftLanguage[] {
  return listTranslations(db, screenerId)
    .filter(({ language }) => language !== baseLanguageOf(content))
    .map(({ language, json }) => ({ language, entries: entriesOf(content, title, readTranslations(json)) }));
}

/** What is missing or stale, in words. */
export function incompleteIn(languages: readonly DraftLanguage[]): string[] {
  return languages.flatMap(({ language, entries }) => {
    const { total, missing, stale } = progressOf(entries);
    const gaps = [...(missing ? [`${missing} missing`] : []), ...(stale ? [`${stale} of a former text`] : [])];
    return gaps.length ? `The translation to ${language} is incomplete: of ${total} texts, ${gaps.join(", ")}.` : [];
  });
}

/** @throws Problem translations_incomplete, with all that is missing or stale */
export function requireTranslations(languages: readonly DraftLanguage[]): void {
  const errors = languages.flatMap(({ language, entries }) =>
    entries.flatMap(({ id, state }) =>
      state === "DONE"
        ? []
        : {
            pointer: `/${language}/${id}`,
            message: state === "MISSING" ? "is not translated" : "translates a former text",
          },
    ),
  );
  if (errors.length) throw new Problem("translations_incomplete", { errors });
}

/** The texts of a draft's translations that are published, by their ids. Of a former text, a translation is among them that fits the present one. */
export function textsOf(entries: readonly Entry[], markup: Content["markup"]): [id: string, text: string][] {
  return entries.flatMap(({ id, text, translated, state }): [string, string][] => {
    if (translated === null) return [];
    const isFit = state === "DONE" || faultOfTranslation(text, translated, markup) === undefined;
    return isFit ? [[id, translated]] : [];
  });
}

/** The translations of a publication: JSON of Texts, by their languages. */
export function publishedTranslations(db: Reader, publicationId: number): Map<string, string> {
  const rows = db.all<{ language: string; json: string }>(
    "SELECT language, json FROM publication_translation WHERE screener_publication_id = ?",
    publicationId,
  );
  return new Map(rows.map(({ language, json }) => [language, json]));
}

/** Copies the translations of a draft into its publication. */
export function publishTranslations(
  db: Writer,
  publicationId: number,
  content: Content,
  languages: readonly DraftLanguage[],
): void {
  for (const { language, entries } of languages) {
    db.run(
      "INSERT INTO publication_translation (screener_publication_id, language, json) VALUES (?, ?, ?)",
      publicationId,
      language,
      JSON.stringify(Object.fromEntries(textsOf(entries, content.markup))),
    );
  }
  db.run(
    "UPDATE screener_publication SET languages = ? WHERE id = ?",
    JSON.stringify([baseLanguageOf(content), ...languages.map(({ language }) => language)]),
    publicationId,
  );
}
