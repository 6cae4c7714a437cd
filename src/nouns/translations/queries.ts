// Statements on the translations of a screener's draft.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";

interface TranslationRow {
  language: string;
  /** Increases with each change, also over a deletion: it is at least the time of its first one. */
  revision: number;
  json: string;
}

/** In the order of the tags of their languages. */
export function listTranslations(db: Reader, screenerId: number): TranslationRow[] {
  return db.all(
    "SELECT language, revision, json FROM screener_translation WHERE screener_id = ? ORDER BY language",
    screenerId,
  );
}

/** In the order of their tags. */
export function translatedTo(db: Reader, screenerId: number): string[] {
  return db.values("SELECT language FROM screener_translation WHERE screener_id = ? ORDER BY language", screenerId);
}

export function findTranslation(db: Reader, screenerId: number, language: string): TranslationRow | undefined {
  return db.get(
    "SELECT language, revision, json FROM screener_translation WHERE screener_id = ? AND language = ?",
    screenerId,
    language,
  );
}

/** 0: there is none. */
export function revisionOf(db: Reader, screenerId: number, language: string): number {
  return (
    db.value<number>(
      "SELECT revision FROM screener_translation WHERE screener_id = ? AND language = ?",
      screenerId,
      language,
    ) ?? 0
  );
}

export function countTranslations(db: Reader, screenerId: number): number {
  return db.value("SELECT count(*) FROM screener_translation WHERE screener_id = ?", screenerId)!;
}

export function writeTranslation(db: Writer, screenerId: number, { language, revision, json }: TranslationRow): void {
  db.run(
    `INSERT INTO screener_translation (screener_id, language, revision, json) VALUES (?, ?, ?, ?)
     ON CONFLICT (screener_id, language) DO UPDATE SET revision = excluded.revision, json = excluded.json`,
    screenerId,
    language,
    revision,
    json,
  );
}

/** @returns whether there was one */
export function deleteTranslation(db: Writer, screenerId: number, language: string): boolean {
  const { changes } = db.run(
    "DELETE FROM screener_translation WHERE screener_id = ? AND language = ?",
    screenerId,
    language,
  );
  return changes > 0;
}
