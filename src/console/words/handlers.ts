// What participants' pages say by themselves: of the workspace, and of single studies. A page lists the languages, and one has the words of each.

import { Problem } from "../../base/problems.ts";
import type { PageWords } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { canonicalLanguage, NO_LANGUAGE } from "../../languages/tags.ts";
import { getScreener } from "../../nouns/screeners/queries.ts";
import { listOwnWords } from "../../page-words/queries.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { type ConsoleRoute, page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { studyFrame } from "../study/handlers.ts";
import { renderLanguages, renderWords, type Shell } from "./page.tsx";

const OF_WORKSPACE = "/console/words";
const OF_STUDY = "/console/studies/:id/words";

/** Of the texts of all words, at three bytes a character. */
const MAX_FORM_BYTES = 4 * 1024 * 1024;

export const wordPages: readonly ConsoleRoute[] = ([OF_WORKSPACE, OF_STUDY] as const).flatMap((path) => {
  const role = path === OF_STUDY ? "researcher" : "admin";
  return [
    { method: "get", path, role, handle: (request) => showLanguages(request, {}, "") },
    { method: "post", path, role, handle: openLanguage },
    { method: "get", path: `${path}/:language`, role, handle: (request) => showWords(request, {}) },
    { method: "post", path: `${path}/:language`, role, maxFormBytes: MAX_FORM_BYTES, handle: saveWords },
  ] satisfies ConsoleRoute[];
});

/** What is around the words: the frame of a study, or that of the workspace. */
async function shellOf(request: VisitorRequest): Promise<Shell> {
  const { base, params } = request;
  if (params.id === undefined) return { base, path: base + OF_WORKSPACE, signedIn: signedIn(request) };
  const { frame } = await studyFrame(request);
  return { base, path: base + OF_STUDY.replace(":id", frame.id), signedIn: frame.signedIn, frame };
}

async function showLanguages(request: VisitorRequest, faults: Faults, typed: string): Promise<Reply> {
  const { calls, context, params, visitor } = request;
  const { items } = await calls.get("listPageWords");
  const own = new Map(
    context.workspaces
      .read(visitor.workspace_uid, (db) =>
        listOwnWords(db, params.id === undefined ? null : getScreener(db, params.id).id),
      )
      .map(({ language, count }) => [language, count]),
  );
  const known = new Map(items.map(({ language, isBuiltIn }) => [language, isBuiltIn]));
  for (const language of own.keys()) if (!known.has(language)) known.set(language, false);
  const languages = [...known].map(([language, isBuiltIn]) => ({ language, isBuiltIn, own: own.get(language) ?? 0 }));
  const view = { languages, faults, typed, curl: calls.curl("listPageWords") };
  return page(Object.keys(faults).length ? 422 : 200, renderLanguages(await shellOf(request), view));
}

/** POST: goes to the words of any language. */
async function openLanguage(request: VisitorRequest): Promise<Reply> {
  const typed = request.fields("language").trim();
  const language = canonicalLanguage(typed);
  if (language === undefined) return showLanguages(request, { language: NO_LANGUAGE }, typed);
  return redirect(`${(await shellOf(request)).path}/${language}`);
}

/** The words, and the ETag that they had. */
async function readWords({ calls, params }: VisitorRequest): Promise<{ words: PageWords; etag: string }> {
  const { id, language = "" } = params;
  if (canonicalLanguage(language) === undefined) throw new Problem("route_not_found");
  const { body, headers } =
    id === undefined
      ? await calls.reply("getPageWords", { language })
      : await calls.reply("getScreenerPageWords", { id, language });
  return { words: JSON.parse(String(body)), etag: headers?.ETag ?? "" };
}

/** The name of the field with the text of a word. */
const fieldOf = (key: string) => `text-${key}`;

async function showWords(request: VisitorRequest, faults: Faults, typed?: ReadonlyMap<string, string>): Promise<Reply> {
  const { calls, params, query } = request;
  const { words, etag } = await readWords(request);
  const { id, language = "" } = params;
  const curl =
    id === undefined ? calls.curl("getPageWords", { language }) : calls.curl("getScreenerPageWords", { id, language });
  const view = {
    language: words.language,
    direction: words.direction,
    words: words.words.map((word) => ({
      ...word,
      field: fieldOf(word.key),
      typed: typed?.get(word.key) ?? (word.isOwn ? word.text : ""),
    })),
    ...{ etag, faults, isSaved: query.has("saved"), curl },
  };
  return page(Object.keys(faults).length ? 422 : 200, renderWords(await shellOf(request), view));
}

/** POST: all words of a language. An empty field is what the pages say anyway. */
async function saveWords(request: VisitorRequest): Promise<Reply> {
  const { calls, fields, params } = request;
  const { id, language = "" } = params;
  const { words } = await readWords(request);
  const keys = words.words.map(({ key }) => key);
  const typed = new Map(keys.map((key) => [key, fields(fieldOf(key))]));
  const sent = [...typed].map(([key, text]) => ({ key, text: text.trim() || null }));
  const options = { language, headers: { "if-match": fields("etag") }, body: { words: sent } };
  try {
    if (id === undefined) await calls.send("putPageWords", options);
    else await calls.send("putScreenerPageWords", { ...options, id });
  } catch (error) {
    if (error instanceof Problem && error.code === "precondition_failed")
      return showWords(
        request,
        { "": "Somebody has changed these words since you opened the page. Nothing is saved: look at them again." },
        typed,
      );
    return showWords(request, atFields(faultsOf(error, []), keys), typed);
  }
  return redirect(`${(await shellOf(request)).path}/${words.language}?saved`);
}

/** What is wrong, at its fields. */
function atFields(faults: Faults, keys: readonly string[]): Faults {
  return Object.fromEntries(
    Object.entries(faults).map(([pointer, text]) => {
      const key = keys[Number(/^\/words\/(\d+)\//.exec(pointer)?.[1] ?? "x")];
      return key === undefined ? [pointer, text] : [fieldOf(key), text.slice(pointer.length + 1)];
    }),
  );
}
