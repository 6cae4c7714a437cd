// /screeners/{id}/translations: the draft's texts in other languages.

import { Problem } from "../../base/problems.ts";
import { type AnyEndpoint, defineEndpoint, ok } from "../../http/endpoint.ts";
import { attachmentOf } from "../../http/list-stream.ts";
import { piecesOf } from "../../http/wire/body.ts";
import { MEDIA_TYPES } from "../../http/wire/formats.ts";
import { writeOnce } from "../../writes/write-once.ts";
import { getScreener } from "../screeners/queries.ts";
import type { Sent } from "./change.ts";
import { deleteTranslation, revisionOf } from "./queries.ts";
import {
  ChangesView,
  changesExample,
  FileParameters,
  TranslationChange,
  TranslationFile,
  TranslationsView,
  TranslationView,
  translationExample,
  translationsExample,
} from "./resource.ts";
import { type FileFormat, listProgress, readTranslation, sureOf } from "./tasks.ts";
import { changeByThread, etagOfTranslation, faultsByThread, languageOf, required, requireRevision } from "./writing.ts";

const tag = "Translations";

/** As long as the longest draft, and its translations. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

const list = defineEndpoint({
  method: "get",
  path: "/screeners/:id/translations",
  operationId: "listScreenerTranslations",
  scopes: ["read"],
  tag,
  summary: "List the languages that a screener's draft is translated to",
  description:
    "How many of the draft's texts have a translation to each language. The order is that of the languages' tags.",
  replies: { 200: { description: "The languages", schema: TranslationsView } },
  examples: { languages: { reply: translationsExample } },
  problems: ["screener_not_found"],
  async handle({ context, principal, params }) {
    const { workspaceUid } = principal;
    const ask = () => context.pool.ask(listProgress, { workspaceUid, screenerUid: params.id! });
    return ok(required(await context.turns.inThread(workspaceUid, ask)).json);
  },
});

const read = defineEndpoint({
  method: "get",
  path: "/screeners/:id/translations/:language",
  operationId: "getScreenerTranslation",
  scopes: ["read"],
  tag,
  summary: "Get a draft's texts with their translations to a language",
  description:
    "All texts of the draft that participants read, and the study's title. A language that has no translations yet has all of them " +
    "missing. As CSV or XLIFF 2.0 it is a file for translators, which `PUT` takes back.",
  formats: ["json", "csv", "xliff"],
  headers: { "If-None-Match": "The ETag of the translations that the caller has" },
  replies: {
    200: {
      description: "The texts",
      schema: TranslationView,
      headers: { ETag: "For If-Match and If-None-Match" },
    },
    304: { description: "The translations are those that If-None-Match names", headers: { ETag: "Their ETag" } },
  },
  examples: { german: { reply: translationExample } },
  problems: ["screener_not_found"],
  async handle({ context, principal, params, format }) {
    const { workspaceUid } = principal;
    const language = languageOf(params);
    const asked = { workspaceUid, screenerUid: params.id!, language, format: format as FileFormat };
    const ask = () => context.pool.ask(readTranslation, asked);
    const { text, hashed, revision, title } = required(await context.turns.inThread(workspaceUid, ask));
    const headers = { ETag: etagOfTranslation(revision, hashed) };
    if (format === "json") return { ...ok(text), headers };
    const name = [title ?? "study", language].join("-").replaceAll(/[^\p{L}\p{N}-]+/gu, "-");
    return { status: 200, body: text, type: MEDIA_TYPES[format], headers, attachment: attachmentOf(name, format) };
  },
});

const MATCHED = "The ETag of the translations to change. Changes of the draft do not count";

const textAt = (index: number) => ({ pointer: `/strings/${index}/text` });

const change = defineEndpoint({
  method: "patch",
  path: "/screeners/:id/translations/:language",
  operationId: "changeScreenerTranslation",
  scopes: ["author"],
  tag,
  summary: "Change translations of a draft's texts",
  description:
    "Changes the given texts, all or none; null takes a translation away. Without texts, it adds the language to the list. " +
    "The draft does not change, nor its ETag.",
  body: TranslationChange,
  together(request, _, __, { strings = [] }) {
    const sent = strings.flatMap((one, index): Sent[] => {
      const { id, text, source } = sureOf(one) ?? {};
      // Where the text is said to be wrong already, the fault of the id stands at the id.
      const at = text === undefined ? { pointer: `/strings/${index}/id` } : textAt(index);
      return id === undefined ? [] : [{ id, text: text ?? null, source, isConfirmed: true, at }];
    });
    return faultsByThread(request, sent);
  },
  headers: { "If-Match": MATCHED },
  replies: {
    200: { description: "The texts as they are now", schema: TranslationView, headers: { ETag: "For If-Match" } },
  },
  examples: {
    prompt: {
      body: { strings: [{ id: "title", text: "Schlafstudie" }] },
      reply: translationExample,
    },
  },
  problems: ["screener_not_found", "precondition_failed"],
  handle(request) {
    const strings = request.body.strings.map(
      ({ id, text, source }, index): Sent => ({
        ...{ id, text, source, isConfirmed: true },
        at: textAt(index),
      }),
    );
    return changeByThread(request, { strings });
  },
});

const replace = defineEndpoint({
  method: "put",
  path: "/screeners/:id/translations/:language",
  operationId: "putScreenerTranslation",
  scopes: ["author"],
  tag,
  summary: "Take a file of translations",
  description:
    "Takes what `GET` has given in the same format, with translations filled in. An empty one changes nothing. All changes are made, or none: " +
    "a translation that lacks a placeholder `{{…}}` or a link of its source is an error. Of a text that is as it was, " +
    "the file says whether it fits its present source: as the state `DONE`, or `translated`, `reviewed` or `final` in XLIFF. With `dryRun` it says what would change.",
  body: TranslationFile,
  bodyFormats: ["json", "csv", "xliff"],
  parameters: FileParameters,
  streamsBody: true,
  headers: { "If-Match": MATCHED },
  replies: {
    200: { description: "What has changed, or would", schema: ChangesView, headers: { ETag: "For If-Match" } },
  },
  examples: {
    texts: {
      body: {
        strings: [
          { id: changesExample.changes[0]!.id, source: "How old are you?", text: "Wie alt sind Sie?", state: "DONE" },
        ],
      },
      reply: changesExample,
    },
  },
  problems: ["screener_not_found", "precondition_failed"],
  async handle(request) {
    const { importMaxBytes } = request.context.config;
    const { incoming, confirm, bodyFormat } = request;
    const pieces = piecesOf(incoming, Math.min(MAX_FILE_BYTES, importMaxBytes), confirm, bodyFormat);
    const bytes = Buffer.concat(await Array.fromAsync(pieces));
    const dryRun = request.parameters?.dryRun === "true";
    return changeByThread(request, { format: bodyFormat as FileFormat, bytes, dryRun });
  },
});

const remove = defineEndpoint({
  method: "delete",
  path: "/screeners/:id/translations/:language",
  operationId: "deleteScreenerTranslation",
  scopes: ["author"],
  tag,
  summary: "Delete all translations to a language",
  description: "Publications keep theirs.",
  headers: { "If-Match": MATCHED },
  replies: { 200: { description: "The texts, as they were", schema: TranslationView } },
  examples: { german: { reply: translationExample } },
  problems: ["screener_not_found", "precondition_failed", "translation_not_found"],
  async handle(request) {
    const { context, params, principal } = request;
    const { workspaceUid } = principal;
    const asked = { workspaceUid, screenerUid: params.id!, language: languageOf(params), format: "json" as const };
    const { text } = required(await context.pool.ask(readTranslation, asked));
    return writeOnce(request, (db, record) => {
      const { id, uid } = getScreener(db, params.id!);
      const { language } = asked;
      requireRevision(request, revisionOf(db, id, language));
      if (!deleteTranslation(db, id, language)) throw new Problem("translation_not_found");
      const resource = { type: "Screener", uid };
      record({ type: "screener-translation.deleted", resource, summary: { language } });
      return ok(text);
    });
  },
});

export const translationRoutes: AnyEndpoint[] = [list, read, change, replace, remove];
