// Statements on the content of drafts and publications.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { DRAW_VERSION } from "../../arms/draw.ts";
import type { Parsed } from "../../base/parsed.ts";
import type { Markup } from "../question-types/markup/parse.ts";
import { type Content, EMPTY_CONTENT, FORMER_EMPTY_CONTENT, STATEMENT } from "./content.ts";

export interface DraftRow {
  /** Increases with each change. 0 if nothing was written yet. */
  revision: number;
  json: string;
  /** What is set aside: JSON of its pieces. Null: nothing. */
  incomplete: string | null;
}

/** How a content begins whose texts are Markdown: `readDraft` writes its markup first. */
const MARKDOWN_BEGINS = '{"markup":"MARKDOWN",';

const EMPTY_JSON = JSON.stringify(EMPTY_CONTENT);
const FORMER_EMPTY_JSON = JSON.stringify(FORMER_EMPTY_CONTENT);

/** A screener's draft; with empty content if nothing was written yet. */
export function findDraft(db: Reader, screenerId: number): DraftRow {
  return (
    db.get<DraftRow>(
      `SELECT revision, json, CASE WHEN incomplete ->> 'revision' = revision THEN incomplete -> 'pieces' END AS incomplete
       FROM screener_content WHERE screener_id = ?`,
      screenerId,
    ) ?? { revision: 0, json: EMPTY_JSON, incomplete: null }
  );
}

export function writeDraft(db: Writer, screenerId: number, { revision, json, incomplete }: DraftRow): void {
  db.run(
    `INSERT INTO screener_content (screener_id, revision, json, incomplete) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET revision = excluded.revision, json = excluded.json, incomplete = excluded.incomplete`,
    screenerId,
    revision,
    json,
    incomplete && `{"revision":${revision},"pieces":${incomplete}}`,
  );
}

/** Copies a screener's draft into its publication, and stores its questions also as rows. @returns how many there are */
export function copyDraft(db: Writer, screenerId: number, publicationId: number): number {
  db.run(
    "INSERT INTO publication_content (screener_publication_id, json, draw_version) VALUES (?, ?, ?)",
    publicationId,
    findDraft(db, screenerId).json,
    DRAW_VERSION,
  );
  const { changes } = db.run(
    // MATERIALIZED, so that each page is parsed only once: a page of 2,000 questions has megabytes.
    `WITH page AS MATERIALIZED (
       SELECT p.key AS position, p.value ->> 'id' AS uid, p.value -> 'questions' AS questions
       FROM publication_content AS c, json_each(c.json, '$.pages') AS p WHERE c.screener_publication_id = ?)
     INSERT INTO publication_question (screener_publication_id, place, uid, page_uid, key, type, prompt)
     SELECT ?, row_number() OVER (ORDER BY p.position, q.key) - 1,
       q.value ->> 'id', p.uid, q.value ->> 'key', q.value ->> '_type', q.value ->> 'prompt'
     FROM page AS p, json_each(p.questions) AS q WHERE q.value ->> '_type' <> ?`,
    publicationId,
    publicationId,
    STATEMENT,
  );
  return changes;
}

/** How long a publication's content is, in bytes of JSON. */
export function publishedBytes(db: Reader, publicationId: number): number {
  return db.value(
    "SELECT octet_length(json) FROM publication_content WHERE screener_publication_id = ?",
    publicationId,
  )!;
}

/** Whether a publication may shuffle anything, by a look at its text: contents are long, and most shuffle nothing. */
export function publishedShuffles(db: Reader, publicationId: number): boolean {
  const found = `SELECT instr(json, '"shuffle') > 0 FROM publication_content WHERE screener_publication_id = ?`;
  return db.value<number>(found, publicationId) === 1;
}

/** Longer drafts are not compared: that would hold the event loop. */
export const MAX_COMPARED_BYTES = 256 * 1024;

/** Whether the content of a screener's draft differs from that of its active publication. The length alone is read without the text. */
export function isDraftContentChanged(db: Reader, screenerUid: string): boolean {
  const isDraftActive = db.value<number>(
    `SELECT (c.json IS NULL AND p.json = ?)
       OR (octet_length(p.json) = octet_length(coalesce(c.json, ?)) AND (octet_length(p.json) > ? OR p.json = coalesce(c.json, ?)))
     FROM screener AS s JOIN publication_content AS p ON p.screener_publication_id = s.active_publication_id
       LEFT JOIN screener_content AS c ON c.screener_id = s.id
     WHERE s.uid = ?`,
    FORMER_EMPTY_JSON,
    EMPTY_JSON,
    MAX_COMPARED_BYTES,
    EMPTY_JSON,
    screenerUid,
  );
  return isDraftActive === 0;
}

/** The ids of the quotas of a publication. */
export function publishedQuotaIds(db: Reader, publicationId: number): string[] {
  return db.values(
    "SELECT q.value ->> 'id' FROM publication_content AS c, json_each(c.json, '$.quotas') AS q WHERE c.screener_publication_id = ?",
    publicationId,
  );
}

/** How the texts of a publication are read. Only the beginning of its content is looked at. */
export function findPublishedMarkup(db: Reader, publicationUid: string): Markup {
  const isMarkdown = db.value<number>(
    `SELECT substr(c.json, 1, ?) = ? FROM screener_publication AS p JOIN publication_content AS c ON c.screener_publication_id = p.id
     WHERE p.uid = ?`,
    MARKDOWN_BEGINS.length,
    MARKDOWN_BEGINS,
    publicationUid,
  );
  return isMarkdown ? "MARKDOWN" : "PLAIN";
}

/** A publication's content, as JSON text. It never changes. */
export function findPublishedJson(db: Reader, publicationId: number): string {
  return db.value<string>("SELECT json FROM publication_content WHERE screener_publication_id = ?", publicationId)!;
}

/** The content of a publication. @param cache of the process */
export function readPublished(db: Reader, cache: Parsed, publication: { id: number; uid: string }): Content {
  return cache.read(db, publication.uid, () => findPublishedJson(db, publication.id)) as Content;
}

/** The rowids of a publication's questions, by position. They never change. @param cache of the process */
export function publishedQuestionIds(
  db: Reader,
  cache: Parsed,
  publication: { id: number; uid: string },
): readonly number[] {
  const load = () =>
    db.value<string>(
      "SELECT json_group_array(id ORDER BY place) FROM publication_question WHERE screener_publication_id = ?",
      publication.id,
    )!;
  return cache.read(db, `${publication.uid} questions`, load) as number[];
}
