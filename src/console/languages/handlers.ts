// A study's languages: which there are, a table of each, and files for translators.

import { Readable } from "node:stream";
import { Problem } from "../../base/problems.ts";
import type { ScreenerTranslationChanges } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { counted } from "../../languages/counted.ts";
import { canonicalLanguage, NO_LANGUAGE } from "../../languages/tags.ts";
import { pageOfTranslation } from "../../nouns/translations/page.ts";
import { STATES } from "../../nouns/translations/states.ts";
import { prepareTranslation } from "../../nouns/translations/tasks.ts";
import { SentFile } from "../shell/calls.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { offsetOf, page, redirect, type VisitorRequest } from "../shell/request.ts";
import { readContent } from "../study/draft.ts";
import { studyFrame } from "../study/handlers.ts";
import { type BrokenFile, brokenTexts } from "./broken-file.tsx";
import type { Dry } from "./files.tsx";
import { renderLanguages } from "./page.tsx";
import { renderTable, type Typed } from "./table-page.tsx";

/** Of the form of a table: the texts, and what is typed, at three bytes a character. */
export const MAX_TABLE_FORM_BYTES = 4 * 1024 * 1024;

const MAX_FILE_BYTES = 32 * 1024 * 1024;

const TEXTS_PER_PAGE = 25;

/** A longer list of changes is not shown. */
const MAX_SHOWN_LENGTH = 500_000;

/** GET of the languages. */
export function showLanguages(request: VisitorRequest): Promise<Reply> {
  return replyWithLanguages(request, {});
}

/** POST: adds a language, or sets that of the study's own texts. */
export async function changeLanguages(request: VisitorRequest): Promise<Reply> {
  const { calls, fields, params } = request;
  const isOwn = fields("make") === "own";
  const name = isOwn ? "own" : "language";
  const typed = fields(name).trim();
  const language = canonicalLanguage(typed);
  if (language === undefined) return replyWithLanguages(request, { [name]: NO_LANGUAGE }, typed);
  try {
    if (isOwn) await setOwn(request, language);
    else await calls.send("changeScreenerTranslation", { id: params.id!, language, body: { strings: [] } });
  } catch (error) {
    const faults = faultsOf(error, []);
    return replyWithLanguages(request, { [name]: Object.values(faults)[0]!.replace(/^language /, "") }, typed);
  }
  return redirect(isOwn ? pathOf(request) : pathOf(request, language));
}

async function setOwn(request: VisitorRequest, language: string): Promise<void> {
  const { calls, params } = request;
  const { content, etag } = await readContent(request, "getScreenerContent", params.id!);
  if (!content) throw new Problem("body_too_large", { detail: "The draft is too long to be changed here." });
  const headers = { "if-match": etag };
  await calls.send("putScreenerContent", { id: params.id!, headers, body: { ...content, language } as never });
}

/** POST: deletes a language. */
export async function deleteLanguage(request: VisitorRequest): Promise<Reply> {
  const { calls, params } = request;
  await calls.send("deleteScreenerTranslation", { id: params.id!, language: languageOf(request) });
  return redirect(pathOf(request));
}

async function replyWithLanguages(request: VisitorRequest, faults: Faults, typed = ""): Promise<Reply> {
  const { calls, params } = request;
  const { frame } = await studyFrame(request);
  const languages = await calls.get("listScreenerTranslations", { id: params.id! });
  const curl = calls.curl("listScreenerTranslations", { id: params.id! });
  return page(Object.keys(faults).length ? 422 : 200, renderLanguages(frame, { ...languages, faults, typed, curl }));
}

/** GET of a language's table. */
export function showTable(request: VisitorRequest): Promise<Reply> {
  return replyWithTable(request, {});
}

/** POST of a page of the table: changes what was typed anew. */
export async function saveTable(request: VisitorRequest): Promise<Reply> {
  const { calls, fields, params, query } = request;
  const typed = typedIn(request);
  const changed = typed.filter(({ text, was, fits }) => text !== was || (fits && text !== ""));
  const strings = changed.map(({ id, source, text }) => ({ id, source, text: text === "" ? null : text }));
  try {
    await calls.send("changeScreenerTranslation", {
      ...{ id: params.id!, language: languageOf(request) },
      body: { strings },
    });
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error;
    const faults: Faults = {};
    for (const { pointer, message } of error.document.errors ?? []) {
      const [, index] = /^\/strings\/(\d+)\//.exec(pointer) ?? [];
      faults[index === undefined ? "" : `text-${typed.indexOf(changed[Number(index)]!)}`] = message;
    }
    return replyWithTable(request, { faults, typed });
  }
  const kept = new URLSearchParams([...query].filter(([name]) => name === "show" || name === "page"));
  kept.set("saved", String(strings.length));
  return redirect(`${pathOf(request, params.language)}?${kept}${fields("at") ? `#${fields("at")}` : ""}`);
}

function typedIn({ fields }: VisitorRequest): Typed[] {
  const plain = (text: string) => text.replaceAll("\r\n", "\n");
  return fields.all("id").map((id, index) => ({
    id,
    source: plain(fields(`source-${index}`)),
    was: plain(fields(`was-${index}`)),
    text: plain(fields(`text-${index}`)).trim(),
    fits: fields(`fits-${index}`) !== "",
  }));
}

async function replyWithTable(
  request: VisitorRequest,
  { faults = {}, typed, dry, broken }: { faults?: Faults; typed?: Typed[]; dry?: Dry; broken?: BrokenFile },
): Promise<Reply> {
  const { calls, context, params, query, visitor } = request;
  const { frame } = await studyFrame(request);
  const language = languageOf(request);
  const state = STATES.find((one) => one.toLowerCase() === query.get("show")) ?? null;
  const offset = offsetOf(query, TEXTS_PER_PAGE);
  const wanted = { workspaceUid: visitor.workspace_uid, screenerUid: params.id!, language, state };
  const ids = broken?.texts.map(({ id }) => id) ?? [];
  const found = await context.pool.ask(pageOfTranslation, { ...wanted, offset, limit: TEXTS_PER_PAGE, ids });
  if ("problem" in found) throw Problem.fromDocument(found.problem);
  const saved = query.get("saved");
  const html = renderTable(frame, {
    ...found,
    ...{ language, state, offset, limit: TEXTS_PER_PAGE, faults, typed, dry, broken },
    saved: saved !== null && /^\d{1,4}$/.test(saved) ? Number(saved) : undefined,
    curl: calls.curl("getScreenerTranslation", { id: params.id!, language }),
  });
  return page(Object.keys(faults).length ? 422 : 200, html);
}

/** GET of a file for translators. */
export function sendFile(request: VisitorRequest): Promise<Reply> {
  const { calls, params, query } = request;
  const format = query.get("format") === "csv" ? "csv" : "xliff";
  return calls.reply("getScreenerTranslation", { id: params.id!, language: languageOf(request) }, format);
}

/** POST of a file: says what it would change. */
export async function takeFile(request: VisitorRequest): Promise<Reply> {
  const { context, file, params, visitor } = request;
  const language = languageOf(request);
  if (!file) return replyWithTable(request, { faults: { file: "is missing: choose one" } });
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of file.bytes) {
    length += (piece as Buffer).length;
    // The rest flows by.
    if (length <= MAX_FILE_BYTES) pieces.push(piece as Buffer);
  }
  await file.rest;
  if (length > MAX_FILE_BYTES) return replyWithTable(request, { faults: { file: "is too large" } });
  const bytes = Buffer.concat(pieces);
  const format = beginsAsXml(bytes) ? ("xliff" as const) : ("csv" as const);
  const wanted = { format, bytes, dryRun: true };
  const asked = { workspaceUid: visitor.workspace_uid, screenerUid: params.id!, language, wanted };
  const prepared = await context.pool.ask(prepareTranslation, asked);
  if ("problem" in prepared) {
    const { errors = [], detail } = prepared.problem;
    const found = brokenTexts(prepared.problem);
    if (found) {
      const fault = `can’t be taken: ${counted(found.count, "text is wrong", "texts are wrong")}`;
      return replyWithTable(request, { faults: { file: fault }, broken: { name: file.name, format, ...found } });
    }
    const text = errors.length ? `can’t be taken: it ${errors.map(({ message }) => message).join("; ")}` : detail;
    return replyWithTable(request, { faults: { file: text } });
  }
  const { reply, changed } = prepared;
  const isShort = reply.length <= MAX_SHOWN_LENGTH;
  const changes = isShort ? (JSON.parse(reply) as ScreenerTranslationChanges) : null;
  return replyWithTable(request, { dry: { name: file.name, changed, changes } });
}

/** Whatever a file is called, an XLIFF begins with a tag. */
function beginsAsXml(bytes: Buffer): boolean {
  return /^(?:\xef\xbb\xbf)?\s*</.test(bytes.subarray(0, 200).toString("latin1"));
}

/** POST of the changes of a file that a person has looked at. */
export async function applyFile(request: VisitorRequest): Promise<Reply> {
  const { calls, fields, params } = request;
  const body = new SentFile("application/json", Readable.from([Buffer.from(fields("changes"))]));
  try {
    await calls.send("putScreenerTranslation", { id: params.id!, language: languageOf(request), body });
  } catch (error) {
    return replyWithTable(request, { faults: { file: Object.values(faultsOf(error, []))[0]! } });
  }
  return redirect(`${pathOf(request, params.language)}?saved=${Number(fields("changed")) || 0}`);
}

function languageOf({ params }: VisitorRequest): string {
  const language = canonicalLanguage(params.language!);
  if (language === undefined) throw new Problem("route_not_found");
  return language;
}

function pathOf({ base, params }: VisitorRequest, language?: string): string {
  const path = `${base}/console/studies/${params.id}/languages`;
  return language === undefined ? path : `${path}/${language}`;
}
