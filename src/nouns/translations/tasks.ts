// Reads and changes translations in a thread: a draft may have a hundred thousand texts.

import { hash } from "node:crypto";
import type * as v from "valibot";
import { checkBody, type Together } from "../../base/check-body.ts";
import { parseJson } from "../../base/json.ts";
import { invalidRequest, type ProblemDetail, type ProblemDocument } from "../../base/problems.ts";
import type { SideTask } from "../../engine/threads/side-task.ts";
import { directionOf } from "../../languages/tags.ts";
import type { Content } from "../content/content.ts";
import { type ContentString, stringsOf } from "../content/strings.ts";
import { baseLanguageOf } from "../content/wording.ts";
import { AS_SENT, changeTranslations, type Ignored, type MadeChange, type Sent } from "./change.ts";
import { asReadFromCsv, readCsv, writeCsv } from "./csv.ts";
import { type Asked, type AskedForOne, contentToTranslate, orProblem, readAll, readOne } from "./reading.ts";
import { type ChangesJson, TranslationFile, type TranslationJson, type TranslationsJson } from "./resource.ts";
import { type Entry, entriesOf, progressOf, readTranslations, type Translations, writeTranslations } from "./states.ts";
import { readXliff } from "./xliff-read.ts";
import { writeXliff } from "./xliff-write.ts";

export type FileFormat = "json" | "csv" | "xliff";

export const listProgress: SideTask<Asked, { json: string } | { problem: ProblemDocument }> = {
  name: "list-translation-progress",
  perform({ workspaces }, { workspaceUid, screenerUid }) {
    return orProblem(() => {
      const { draft, rows } = workspaces.read(workspaceUid, (db) => readAll(db, screenerUid));
      const content: Content = JSON.parse(draft.json);
      const list: TranslationsJson = {
        _type: "ScreenerTranslations",
        screenerId: draft.uid,
        language: baseLanguageOf(content),
        items: rows.map(({ language, json }) => ({
          language,
          direction: directionOf(language),
          ...progressOf(entriesOf(content, draft.title, readTranslations(json))),
        })),
      };
      return { json: JSON.stringify(list) };
    });
  },
};

interface Read {
  text: string;
  /** A hash of the text, for its entity tag. */
  hashed: string;
  revision: number;
  title: string | null;
}

export const readTranslation: SideTask<AskedForOne & { format: FileFormat }, Read | { problem: ProblemDocument }> = {
  name: "read-translation",
  perform({ workspaces }, { workspaceUid, screenerUid, language, format }) {
    return orProblem(() => {
      const { draft, row } = workspaces.read(workspaceUid, (db) => readOne(db, screenerUid, language));
      const content = contentToTranslate(draft.json, language);
      const entries = entriesOf(content, draft.title, readTranslations(row?.json));
      const { title } = draft;
      const text = written(format, draft.uid, content, language, entries);
      return { text, hashed: hashOf(text), revision: row?.revision ?? 0, title };
    });
  },
};

function written(
  format: FileFormat,
  screenerUid: string,
  content: Content,
  language: string,
  entries: readonly Entry[],
): string {
  if (format === "json") return translationJson(screenerUid, language, entries);
  const base = baseLanguageOf(content);
  const directions = { base: directionOf(base), language: directionOf(language) };
  return (format === "csv" ? writeCsv : writeXliff)({ screenerUid, base, language, directions, entries });
}

/** Here, because of a long text it takes longer than other requests should wait. */
function hashOf(text: string): string {
  return hash("sha1", text).slice(0, 12);
}

function translationJson(screenerId: string, language: string, entries: readonly Entry[]): string {
  const translation: TranslationJson = {
    _type: "ScreenerTranslation",
    screenerId,
    language,
    direction: directionOf(language),
    strings: entries.map(({ id, pointer, text, translated, state }) => ({
      ...{ id, path: pointer, source: text, text: translated, state },
    })),
  };
  return JSON.stringify(translation);
}

/** What is to change: what a caller names, or a file. */
type Wanted = { strings: readonly Sent[] } | { format: FileFormat; bytes: Uint8Array; dryRun: boolean };

interface Prepared {
  /** The revision of the translations that these follow. 0: there are none yet. */
  revision: number;
  /** The translations as they are to be kept. */
  json: string;
  /** How many texts change. */
  changed: number;
  dryRun: boolean;
  reply: string;
  /** A hash of the reply, for its entity tag. */
  hashed: string;
}

export const prepareTranslation: SideTask<AskedForOne & { wanted: Wanted }, Prepared | { problem: ProblemDocument }> = {
  name: "prepare-translation",
  perform({ workspaces }, { workspaceUid, screenerUid, language, wanted }) {
    return orProblem(() => {
      const { draft, row } = workspaces.read(workspaceUid, (db) => readOne(db, screenerUid, language));
      const content = contentToTranslate(draft.json, language);
      const before = readTranslations(row?.json);
      const strings = stringsOf(content, draft.title);
      const make = ({ sent, isFile, asRead }: Omit<Sending, "dryRun">) =>
        changeTranslations(strings, before, sent, { isFile, asRead, markup: content.markup });
      const sending = sentIn(wanted, { base: baseLanguageOf(content), language }, (some) => make(some).errors);
      const { dryRun, isFile } = sending;
      const made = make(sending);
      if (made.errors.length) throw invalidRequest(made.errors);
      const reply = isFile
        ? changesJson(draft.uid, language, dryRun, made)
        : translationJson(draft.uid, language, entriesOf(content, draft.title, made.translations));
      const { length: changed } = made.changes;
      const kept =
        made.translations.size > strings.length + MAX_FORMER ? within(strings, made.translations) : made.translations;
      const hashed = hashOf(reply);
      return { revision: row?.revision ?? 0, json: writeTranslations(kept), changed, dryRun, reply, hashed };
    });
  },
};

/** What is wrong with some of a request's translations beside the draft, or why nobody can say so. */
export const checkTranslation: SideTask<
  AskedForOne & { sent: readonly Sent[] },
  { errors: readonly ProblemDetail[] } | { problem: ProblemDocument }
> = {
  name: "check-translation",
  perform({ workspaces }, { workspaceUid, screenerUid, language, sent }) {
    return orProblem(() => {
      const { draft, row } = workspaces.read(workspaceUid, (db) => readOne(db, screenerUid, language));
      const content = contentToTranslate(draft.json, language);
      const strings = stringsOf(content, draft.title);
      const reading = { ...AS_SENT, markup: content.markup };
      return { errors: changeTranslations(strings, readTranslations(row?.json), sent, reading).errors };
    });
  },
};

/** So many texts are kept that the draft has no more. */
const MAX_FORMER = 20_000;

function within(strings: readonly ContentString[], translations: Translations): Translations {
  const ids = new Set(strings.map(({ id }) => id));
  return new Map([...translations].filter(([id]) => ids.has(id)));
}

type Sending = { sent: readonly Sent[]; dryRun: boolean } & typeof AS_SENT;

/** What is wrong with translations beside the draft. */
type FaultsOf = (sending: Omit<Sending, "dryRun">) => readonly ProblemDetail[];

/** @throws Problem 400 when a file can't be read */
function sentIn(wanted: Wanted, languages: { base: string; language: string }, faultsOf: FaultsOf): Sending {
  if ("strings" in wanted) return { ...AS_SENT, sent: wanted.strings, dryRun: false };
  const { format, bytes, dryRun } = wanted;
  if (format === "json") return sentAsJson(bytes, faultsOf);
  const read = format === "csv" ? readCsv(bytes) : readXliff(bytes, languages);
  const [first] = read;
  if (first && "message" in first) throw invalidRequest(read as Parameters<typeof invalidRequest>[0]);
  const asRead = format === "csv" ? asReadFromCsv : AS_SENT.asRead;
  return { sent: read as Sent[], dryRun, isFile: true, asRead };
}

function sentAsJson(bytes: Uint8Array, faultsOf: FaultsOf): Sending {
  const json = parseJson(Buffer.from(bytes));
  const together: Together<File> = (_, __, { strings = [] }) => {
    return faultsOf({ ...AS_SENT, sent: sentOf(strings.map(sureOf)), isFile: true });
  };
  const { strings, dryRun = false } = checkBody(TranslationFile, json, [], together);
  return { ...AS_SENT, sent: sentOf(strings), dryRun, isFile: true };
}

type File = v.InferOutput<typeof TranslationFile>;

/** Without its source, which is wrong, a text would be one of the present source: nothing is said of it. */
export function sureOf<Text extends { text?: string | null | undefined }>(one: Text | undefined): Text | undefined {
  return one && "source" in one && one.source === undefined ? { ...one, text: null } : one;
}

/** What entries say, but for those whose id is wrong. Where the text is, it says nothing. */
function sentOf(strings: readonly (Partial<File["strings"][number]> | undefined)[]): Sent[] {
  return strings.flatMap(({ id, text = null, source, state } = {}, index) => {
    if (id === undefined) return [];
    const isConfirmed = state === undefined || state === "DONE";
    return { id, text, source, isConfirmed, at: { pointer: `/strings/${index}` } };
  });
}

function changesJson(
  screenerId: string,
  language: string,
  dryRun: boolean,
  { changes, ignored }: { changes: MadeChange[]; ignored: Ignored[] },
): string {
  const reply: ChangesJson = {
    _type: "ScreenerTranslationChanges",
    ...{ screenerId, language, dryRun, changes, ignored },
  };
  return JSON.stringify(reply);
}
