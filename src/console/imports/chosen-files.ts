// The files that people have chosen for an import: what is kept of one until it is applied, for a day.

import { open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { DateOrder, Decimals } from "../../attribute-types/values.ts";
import type { Config } from "../../base/config.ts";
import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import { isUuid } from "../../base/schemas.ts";
import { chosenFilesPath, listChosenFiles, makeChosenFiles } from "../../engine/files/chosen-files.ts";
import { PREVIEW_BYTES } from "../../imports/read/preview.ts";
import type { Imported } from "../../nouns/screener-participants/import-settings.ts";
import { Refusal } from "../shell/request.ts";

/** How many a workspace may have. */
const MAX_FILES = 100;

/** How much may come in before the budget is looked at again. */
const CHECK_BYTES = 8 * 1024 * 1024;

/** What is known of a chosen file. */
export interface ChosenFile {
  id: string;
  /** The name of the file, or where it comes from. */
  name: string;
  screenerId: string;
  by: string;
  /** ISO-8601. */
  at: string;
  /** What was chosen for it last. */
  choice?: Choice;
  /** Of a workbook: its sheets, and of the one that is read the name and the beginning, as a CSV. */
  workbook?: { sheets: string[]; sheet: string; start: string; isWhole: boolean };
  /** Of a table that was in Windows-1252: words that show whether it was. */
  examples?: string[];
  /** The job that was made of it last. */
  jobId?: string;
}

export interface Choice {
  importMode: "UPDATES_ONLY" | "FULL_SYNC";
  /** Whether FULL_SYNC removes those, too, who have joined by an open link. */
  includesJoined?: boolean;
  /** What each column is, in their order. */
  targets: (Imported | "")[];
  /** How the file writes decimals. */
  decimals?: Decimals;
  /** How it writes days. */
  dates?: DateOrder;
  /** Whether a table that was not in UTF-8 is read rightly. */
  isReadRightly?: boolean;
}

/** The chosen files of a workspace. */
export class ChosenFiles {
  readonly #config: Config;
  readonly #workspaceUid: string;

  constructor(config: Config, workspaceUid: string) {
    this.#config = config;
    this.#workspaceUid = workspaceUid;
  }

  /** Takes a file in. @returns its id; undefined when it is empty. @throws Problem 413 or 429 past the limits */
  async take(about: Omit<ChosenFile, "id" | "at">, bytes: Readable | Buffer): Promise<string | undefined> {
    const { dataDir, importMaxBytes } = this.#config;
    makeChosenFiles(dataDir, this.#workspaceUid);
    await this.#requireRoom(true);
    const id = newId();
    const file = await open(this.path(id), "wx");
    let length = 0;
    try {
      let unchecked = 0;
      for await (const chunk of Buffer.isBuffer(bytes) ? [bytes] : bytes) {
        length += chunk.length;
        unchecked += chunk.length;
        if (length > importMaxBytes)
          throw new Problem("body_too_large", { detail: `The file must have at most ${importMaxBytes} bytes.` });
        await file.appendFile(chunk);
        if (unchecked > CHECK_BYTES) {
          await this.#requireRoom();
          unchecked = 0;
        }
      }
      if (length) await this.note({ ...about, id, at: new Date().toISOString() });
    } catch (error) {
      length = 0;
      // Somebody was erased meanwhile, and all files of the workspace with that.
      throw isMissing(error) ? gone(409) : error;
    } finally {
      await file.close();
      if (!length) await rm(this.path(id), { force: true });
    }
    return length ? id : undefined;
  }

  /** What is known of a chosen file. @throws Refusal 404 */
  async get(id: string): Promise<ChosenFile> {
    const found = isUuid(id) ? await this.#find(id) : undefined;
    if (!found) throw gone(404);
    return found;
  }

  /** The chosen files for a screener, the newest first. */
  async of(screenerId: string): Promise<ChosenFile[]> {
    const { names } = await listChosenFiles(this.#config.dataDir, this.#workspaceUid);
    const ids = names.filter(isUuid).sort().reverse();
    const all = await Promise.all(ids.map((id) => this.#find(id)));
    return all.filter((one) => one?.screenerId === screenerId) as ChosenFile[];
  }

  /** Keeps what is known of a chosen file. */
  async note(chosen: ChosenFile): Promise<void> {
    const path = `${this.path(chosen.id)}.json`;
    // A reader at this moment finds the old one or the new one.
    const draft = `${path}.${newId()}`;
    await writeFile(draft, JSON.stringify(chosen));
    await rename(draft, path);
  }

  async remove(id: string): Promise<void> {
    await rm(this.path(id), { force: true });
    await rm(`${this.path(id)}.json`, { force: true });
    await rm(this.tablePath(id), { force: true });
  }

  /** Where the file is. @param id of a chosen file that was found */
  path(id: string): string {
    return join(chosenFilesPath(this.#config.dataDir, this.#workspaceUid), id);
  }

  /** Where the sheet of a workbook is, as a CSV, once somebody needs it. */
  tablePath(id: string): string {
    return `${this.path(id)}.csv`;
  }

  /** The beginning of the file, and whether that is all of it. */
  async start(id: string): Promise<{ bytes: Buffer; isWhole: boolean }> {
    const file = await open(this.path(id));
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(PREVIEW_BYTES), 0, PREVIEW_BYTES, 0);
      return { bytes: buffer.subarray(0, bytesRead), isWhole: (await file.stat()).size === bytesRead };
    } finally {
      await file.close();
    }
  }

  async #find(id: string): Promise<ChosenFile | undefined> {
    try {
      await stat(this.path(id));
      return JSON.parse(await readFile(`${this.path(id)}.json`, "utf8"));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** @throws Problem 429 when no more fits */
  async #requireRoom(isNew = false): Promise<void> {
    const { dataDir, workspaceSpoolMaxBytes } = this.#config;
    const { names, bytes } = await listChosenFiles(dataDir, this.#workspaceUid);
    if (bytes > workspaceSpoolMaxBytes || (isNew && names.filter(isUuid).length >= MAX_FILES))
      throw new Problem("import_budget_exceeded", {
        detail: "Too many files wait to be imported. Import or discard some of them, or try again tomorrow.",
      });
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

function gone(status: number): Refusal {
  return new Refusal(status, "This file is not kept any more", "Choose it again, on the study’s page “Import people”.");
}
