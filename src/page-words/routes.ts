// /workspace/words and /screeners/{id}/words: what participants' pages say by themselves, in any language.

import type { Reader } from "../../db/sqlite/connection.ts";
import { invalidRequest, type ProblemDetail } from "../base/problems.ts";
import { unknownMember } from "../base/schemas.ts";
import type { NewEvent } from "../events/record.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint, ok, requireMatch, withTag } from "../http/endpoint.ts";
import { canonicalLanguage } from "../languages/tags.ts";
import { findScreener, getScreener } from "../nouns/screeners/queries.ts";
import { languageOf } from "../nouns/translations/writing.ts";
import { faultOfText, type OwnWords, textsOf } from "../words/own.ts";
import type { Words } from "../words/words.ts";
import { writeOnce } from "../writes/write-once.ts";
import { findOwnWords, listOwnWords, setOwnWords, wordsFor } from "./queries.ts";
import {
  languagesView,
  PageLanguagesView,
  PageWordsChange,
  PageWordsView,
  pageLanguagesExample,
  pageWordsExample,
  viewOf,
} from "./resource.ts";

const tag = "Workspace";

/** For which there are words of a workspace's or a study's own. */
const MAX_LANGUAGES = 100;

/** Whose words they are. */
interface Owner {
  /** Null: the workspace's. */
  id: number | null;
  resource: NewEvent["resource"];
}

type OwnerOf = (request: Pick<ApiRequest, "principal" | "params">, db: Reader) => Owner;

const workspaceOf: OwnerOf = ({ principal }) => ({
  id: null,
  resource: { type: "Workspace", uid: principal.workspaceUid },
});

const screenerOf: OwnerOf = ({ params }, db) => {
  const { id, uid } = getScreener(db, params.id!);
  return { id, resource: { type: "Screener", uid } };
};

const list = defineEndpoint({
  method: "get",
  path: "/workspace/words",
  operationId: "listPageWords",
  scopes: ["read"],
  tag,
  summary: "List the languages of participants' pages",
  description:
    "The languages that the service itself has words for, and others that the workspace has given words for. Pages in another language say " +
    "their own words in English.",
  replies: { 200: { description: "The languages", schema: PageLanguagesView } },
  examples: { languages: { reply: pageLanguagesExample } },
  problems: [],
  handle: ({ context, principal }) =>
    ok(JSON.stringify(languagesView(context.workspaces.read(principal.workspaceUid, (db) => listOwnWords(db, null))))),
});

const DESCRIPTION =
  "All that participants' pages say beside the texts of studies: buttons, limits, errors, endings. What depends on a number has a text for each " +
  "plural form of the language.";

const REPLACES =
  "The texts take the place of all that were given before: what is left out, is null, or is what the pages would say anyway is none of them. " +
  "A text must have the values of the English one, such as `{count}`. What was read can be sent back.";

const MATCHED = { "If-None-Match": "The ETag of what the caller has" };

/** GET and PUT of the words of an owner. */
function endpointsAt(
  path: string,
  names: { read: string; write: string },
  scope: "admin" | "author",
  summary: { read: string; write: string },
  ownerOf: OwnerOf,
): AnyEndpoint[] {
  const isOfScreener = path.includes(":id");
  const problems = isOfScreener ? (["screener_not_found"] as const) : ([] as const);
  const read = defineEndpoint({
    method: "get",
    path,
    operationId: names.read,
    scopes: ["read"],
    tag: isOfScreener ? "Screeners" : tag,
    summary: summary.read,
    description: DESCRIPTION,
    headers: MATCHED,
    replies: {
      200: { description: "The words", schema: PageWordsView, headers: { ETag: "For If-Match and If-None-Match" } },
      304: { description: "If-None-Match names them as they are", headers: { ETag: "Their ETag" } },
    },
    examples: { german: { reply: pageWordsExample } },
    problems: [...problems],
    handle(request) {
      const language = languageOf(request.params);
      return withTag(
        request.context.workspaces.read(request.principal.workspaceUid, (db) =>
          json(db, ownerOf(request, db), language),
        ),
      );
    },
  });
  const write = defineEndpoint({
    method: "put",
    path,
    operationId: names.write,
    scopes: [scope],
    tag: isOfScreener ? "Screeners" : tag,
    summary: summary.write,
    description: REPLACES,
    body: PageWordsChange,
    together: (request, _, __, { words }) =>
      words ? request.context.workspaces.read(request.principal.workspaceUid, (db) => beside(db, request, words)) : [],
    isConditional: true,
    replies: { 200: { description: "The words now", schema: PageWordsView, headers: { ETag: "For If-Match" } } },
    examples: { button: { body: { words: [{ key: "continue", text: "Nächste Seite" }] }, reply: pageWordsExample } },
    problems: [...problems],
    handle(request) {
      const language = languageOf(request.params);
      return writeOnce(request, (db, record) => {
        const owner = ownerOf(request, db);
        requireMatch(request, json(db, owner, language));
        const before = findOwnWords(db, owner.id, language);
        const after = checked(request.body.words, wordsFor(db, language, owner.id, "ITSELF"), language);
        requireRoom(db, owner, language, after);
        setOwnWords(db, owner.id, language, after);
        const changes = changesOf(language, before, after);
        const type = isOfScreener ? "screener.updated" : "workspace.updated";
        if (changes.length) record({ type, resource: owner.resource, changes, at: new Date() });
        return withTag(json(db, owner, language));
      });
    },
  });
  /** What is wrong with words beside others that are wrong by themselves. Of a screener that is not there, the handler says so. */
  function beside(db: Reader, request: ApiRequest<unknown, unknown>, words: readonly SentWord[]): ProblemDetail[] {
    const language = canonicalLanguage(request.params.language!);
    if (language === undefined || (isOfScreener && !findScreener(db, request.params.id!))) return [];
    return review(words, wordsFor(db, language, ownerOf(request, db).id, "ITSELF"), language).errors;
  }
  return [read, write];
}

function json(db: Reader, { id }: Owner, language: string): string {
  return JSON.stringify(viewOf(language, findOwnWords(db, id, language), wordsFor(db, language, id, "ITSELF")));
}

/** The texts that differ from what the pages would say anyway. @throws Problem 400 with all errors */
function checked(words: readonly SentWord[], others: Words, language: string): OwnWords {
  const { own, errors } = review(words, others, language);
  if (errors.length) throw invalidRequest(errors);
  return own;
}

/** A word, without members that are wrong by themselves. Undefined: it is none. */
type SentWord = { key?: string; text?: string | null } | undefined;

function review(
  words: readonly SentWord[],
  others: Words,
  language: string,
): { own: OwnWords; errors: ProblemDetail[] } {
  const known = textsOf(others, language);
  const errors: ProblemDetail[] = [];
  const own: Record<string, string> = {};
  const seen = new Set<string>();
  for (const [index, { key, text } = {}] of words.entries()) {
    const at = `/words/${index}`;
    if (key === undefined) continue;
    if (!known.has(key)) errors.push({ pointer: `${at}/key`, message: unknownMember(key, [...known.keys()]) });
    else if (seen.has(key)) errors.push({ pointer: `${at}/key`, message: "is given twice" });
    else if (typeof text === "string" && text !== known.get(key)) {
      const fault = faultOfText(key, text);
      if (fault === undefined) own[key] = text;
      else errors.push({ pointer: `${at}/text`, message: fault });
    }
    seen.add(key);
  }
  return { own, errors };
}

/** @throws Problem 400 */
function requireRoom(db: Reader, { id }: Owner, language: string, own: OwnWords): void {
  if (!Object.keys(own).length) return;
  const languages = listOwnWords(db, id).filter((one) => one.language !== language);
  if (languages.length >= MAX_LANGUAGES)
    throw invalidRequest([{ pointer: "language", message: `is one more than ${MAX_LANGUAGES} languages` }]);
}

function changesOf(language: string, before: OwnWords, after: OwnWords) {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys]
    .map((key) => ({ field: `words.${language}.${key}`, from: before[key] ?? null, to: after[key] ?? null }))
    .filter(({ from, to }) => from !== to);
}

export const pageWordsRoutes: AnyEndpoint[] = [
  list,
  ...endpointsAt(
    "/workspace/words/:language",
    { read: "getPageWords", write: "putPageWords" },
    "admin",
    {
      read: "Get the words of participants' pages in a language",
      write: "Give words of your own to participants' pages",
    },
    workspaceOf,
  ),
  ...endpointsAt(
    "/screeners/:id/words/:language",
    { read: "getScreenerPageWords", write: "putScreenerPageWords" },
    "author",
    { read: "Get the words of a study's pages in a language", write: "Give words of its own to a study's pages" },
    screenerOf,
  ),
];
