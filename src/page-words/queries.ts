// Statements on a workspace's own words for participants' pages, and those of single studies.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { fallbacksOf } from "../languages/tags.ts";
import { speechIn, wordsIn } from "../words/languages.ts";
import { type OwnWords, withOwn } from "../words/own.ts";
import { Speech } from "../words/speech.ts";
import type { Words } from "../words/words.ts";

interface OwnRow {
  screener_id: number | null;
  language: string;
  /** JSON of OwnWords. */
  json: string;
}

/** Null: of the workspace. */
type Owner = number | null;

export function findOwnWords(db: Reader, owner: Owner, language: string): OwnWords {
  const json = db.value<string>("SELECT json FROM page_words WHERE screener_id IS ? AND language = ?", owner, language);
  return json === undefined ? {} : JSON.parse(json);
}

/** The languages for which there are own words, and how many. */
export function listOwnWords(db: Reader, owner: Owner): { language: string; count: number }[] {
  return db.all(
    `SELECT language, (SELECT count(*) FROM json_each(page_words.json)) AS count FROM page_words WHERE screener_id IS ? ORDER BY language`,
    owner,
  );
}

export function setOwnWords(db: Writer, owner: Owner, language: string, own: OwnWords): void {
  db.run("DELETE FROM page_words WHERE screener_id IS ? AND language = ?", owner, language);
  if (Object.keys(own).length)
    db.run(
      "INSERT INTO page_words (screener_id, language, json) VALUES (?, ?, ?)",
      owner,
      language,
      JSON.stringify(own),
    );
}

/** The own words that count for a language, the weakest first: those of the workspace, those of the study; of each the more general language first. */
function rowsFor(db: Reader, language: string, screenerId: Owner): OwnRow[] {
  const chain = fallbacksOf(language);
  const rows = db.all<OwnRow>(
    `SELECT screener_id, language, json FROM page_words
     WHERE language IN (SELECT value FROM json_each(?)) AND (screener_id IS NULL OR screener_id IS ?)`,
    JSON.stringify(chain),
    screenerId,
  );
  const weight = (row: OwnRow) => (row.screener_id === null ? 0 : chain.length) - chain.indexOf(row.language);
  return rows.length > 1 ? rows.sort((one, other) => weight(one) - weight(other)) : rows;
}

/** The words of the pages of a study, or of the workspace (null), in a language. @param exceptFor those of the owner itself */
export function wordsFor(db: Reader, language: string, screenerId: Owner, exceptFor?: "ITSELF"): Words {
  const rows = rowsFor(db, language, screenerId).filter(
    (row) => exceptFor === undefined || row.screener_id !== screenerId || row.language !== language,
  );
  return rows.reduce((words, { json }) => withOwn(words, JSON.parse(json)), wordsIn(language));
}

const MAX_KEPT = 200;

/** By the language and the JSON of what is its own: each is made once. */
const kept = new Map<string, Speech>();

/** How the pages of a study speak a language. */
export function speechFor(db: Reader, language: string, screenerId: number): Speech {
  const rows = rowsFor(db, language, screenerId);
  if (!rows.length) return speechIn(language);
  const key = [language, ...rows.map(({ json }) => json)].join("\n");
  let speech = kept.get(key);
  if (!speech) {
    speech = new Speech(
      language,
      rows.reduce((words, { json }) => withOwn(words, JSON.parse(json)), wordsIn(language)),
    );
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, speech);
  }
  return speech;
}
