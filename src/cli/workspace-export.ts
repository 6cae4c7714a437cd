// Writes all that a workspace has into a folder: a file with a JSON object on each line for each kind of thing.

import { appendFileSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Slices } from "../../db/list/slices.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { makeFolders } from "../../db/sqlite/folders.ts";
import { backUpAlone } from "../backup/alone.ts";
import { findImage, findImageBytes, listImageIds } from "../images/queries.ts";
import { mailingList, messageList } from "../mailings/resource.ts";
import { suppressionList } from "../nouns/mail-suppressions/resource.ts";
import { noteList } from "../nouns/participant-notes/resource.ts";
import { requestList } from "../nouns/participant-requests/resource.ts";
import { participantList } from "../nouns/participants/resource.ts";
import { publicationList } from "../nouns/publications/resource.ts";
import { responseList } from "../nouns/responses/resource.ts";
import { assignmentList } from "../nouns/screener-participants/resource.ts";
import { screenerList } from "../nouns/screeners/resource.ts";
import { sessionList } from "../nouns/sessions/resource.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";
import { findSettings } from "../workspaces/settings.ts";
import { date } from "./running/command.ts";

/** The folder of the store in an export: a backup of that workspace. */
const STORE = "store";

/** Adds the store itself to an export, so that it can be imported. */
export function exportStore(
  where: { dataDir: string; erasedDir: string },
  uid: string,
  db: Reader,
  folder: string,
): Promise<void> {
  return backUpAlone(where, { ...findSettings(db, uid)!, uid }, join(folder, STORE));
}

/** @throws Error when an export has no store */
export function storeOfExport(folder: string): string {
  const store = join(folder, STORE);
  if (existsSync(store)) return store;
  if (existsSync(join(folder, "workspace.json")))
    throw new Error(`${folder} has no store: only what was exported with --with-store can be imported.`);
  return folder;
}

/** How many there are of each. */
type Exported = Record<string, number>;

/** @param folder is made, or must be empty. @throws Error */
export function exportWorkspace(db: Reader, workspace: WorkspaceRow, appUrl: string, folder: string): Exported {
  makeFolders(folder, 0o700);
  if (readdirSync(folder).length) throw new Error(`${folder} is not empty.`);
  const { uid, name, created_at } = workspace;
  const about = { id: uid, name, createdAt: date(created_at), exportedAt: date(Date.now()) };
  writeFileSync(join(folder, "workspace.json"), `${JSON.stringify(about)}\n`, { mode: 0o600 });
  // All files show the same moment.
  return db.snapshot(() => {
    const screeners = db.values<number>("SELECT id FROM screener ORDER BY id");
    const files: Record<string, Iterable<string[]>> = {
      [screenerList.name]: all(db, screenerList.slices(db, [])),
      "screener-contents": contents(
        db,
        `SELECT json_object('screenerId', s.uid, 'content', json(c.json)) FROM screener_content AS c
         JOIN screener AS s ON s.id = c.screener_id WHERE c.screener_id = ?`,
        screeners,
      ),
      "screener-translations": contents(
        db,
        `SELECT json_object('screenerId', s.uid, 'language', c.language, 'texts', json(${TEXTS})) FROM screener_translation AS c
         JOIN screener AS s ON s.id = c.screener_id WHERE c.id = ?`,
        db.values<number>("SELECT id FROM screener_translation ORDER BY id"),
      ),
      [publicationList.name]: each(screeners, (id) => all(db, publicationList.slices(db, [], id))),
      "screener-publication-contents": contents(
        db,
        `SELECT json_object('screenerPublicationId', p.uid, 'content', json(c.json)) FROM publication_content AS c
         JOIN screener_publication AS p ON p.id = c.screener_publication_id WHERE p.id = ?`,
        db.values<number>("SELECT id FROM screener_publication ORDER BY id"),
      ),
      "screener-publication-translations": contents(
        db,
        `SELECT json_object('screenerPublicationId', p.uid, 'language', c.language, 'texts', json(c.json)) FROM publication_translation AS c
         JOIN screener_publication AS p ON p.id = c.screener_publication_id WHERE c.id = ?`,
        db.values<number>("SELECT id FROM publication_translation ORDER BY id"),
      ),
      images: each(listImageIds(db), (id) => [[exportedImage(db, id)]]),
      [participantList.name]: all(db, participantList.slices(db, [])),
      [assignmentList.name]: all(db, assignmentList.slices(db, [])),
      [sessionList.name]: all(db, sessionList.slices(db, [], appUrl)),
      [responseList.name]: all(db, responseList.slices(db, [])),
      [requestList.name]: all(db, requestList.slices(db, [])),
      [noteList.name]: all(db, noteList.slices(db, [])),
      [suppressionList.name]: all(db, suppressionList.slices(db, [])),
      [mailingList.name]: all(db, mailingList.slices(db, [])),
      [messageList.name]: each(db.values<string>("SELECT uid FROM mailing ORDER BY id"), (id) =>
        all(db, messageList.slices(db, [], id)),
      ),
    };
    return Object.fromEntries(Object.entries(files).map(([file, slices]) => [file, write(folder, file, slices)]));
  });
}

/** Of a draft's translations the texts, without the hashes of what they translate. */
const TEXTS = "(SELECT json_group_object(t.key, t.value ->> 0) FROM json_each(c.json) AS t)";

function exportedImage(db: Reader, id: string): string {
  const { width, height } = findImage(db, id)!;
  return JSON.stringify({ id, width, height, file: findImageBytes(db, id)!.toString("base64") });
}

/** @returns how many lines */
function write(folder: string, file: string, slices: Iterable<string[]>): number {
  const path = join(folder, `${file}.ndjson`);
  writeFileSync(path, "", { mode: 0o600 });
  let count = 0;
  for (const items of slices) {
    count += items.length;
    if (items.length) appendFileSync(path, `${items.join("\n")}\n`);
  }
  return count;
}

function* all(db: Reader, slices: Slices): Iterable<string[]> {
  for (let items = slices.next(db); items; items = slices.next(db)) yield items;
}

function* each<Item>(items: readonly Item[], read: (item: Item) => Iterable<string[]>): Iterable<string[]> {
  for (const item of items) yield* read(item);
}

/** One at a time, because a content may have megabytes. */
function contents(db: Reader, sql: string, ids: readonly number[]): Iterable<string[]> {
  return each(ids, (id) => [db.values<string>(sql, id)]);
}
