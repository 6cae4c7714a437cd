// Writes of translations, and their entity tags.

import { invalidRequest, Problem, type ProblemDetail, type ProblemDocument } from "../../base/problems.ts";
import { recordEvent } from "../../events/record.ts";
import { type ApiRequest, causeOf, ok, type Reply } from "../../http/endpoint.ts";
import { tagsNamed } from "../../http/wire/etag.ts";
import { canonicalLanguage, NO_LANGUAGE } from "../../languages/tags.ts";
import { getScreener } from "../screeners/queries.ts";
import { givenTwice, type Sent } from "./change.ts";
import { countTranslations, revisionOf, writeTranslation } from "./queries.ts";
import { checkTranslation, prepareTranslation } from "./tasks.ts";

/** Of one screener. */
const MAX_LANGUAGES = 100;
const TOO_MANY = `can't be added: a screener has at most ${MAX_LANGUAGES} of them`;

/** How often one request reads translations that others keep changing. */
const MAX_TRIES = 5;

/** Changes translations, once a thread has worked out how. It does so again when others have changed them meanwhile. */
export async function changeByThread(
  request: ApiRequest<unknown, unknown>,
  wanted: Parameters<typeof prepareTranslation.perform>[1]["wanted"],
): Promise<Reply<string>> {
  const { context, principal, params } = request;
  const { workspaceUid } = principal;
  const language = languageOf(params);
  const asked = { workspaceUid, screenerUid: params.id!, language, wanted };
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const prepared = required(await context.pool.ask(prepareTranslation, asked));
    const { revision: before, json, changed, dryRun, reply, hashed } = prepared;
    const isNew = before === 0 && !dryRun;
    const revision = await context.workspaces.writeWhenFree(workspaceUid, context.config.writeWaitMs, (db) => {
      const { id, uid } = getScreener(db, params.id!);
      const current = revisionOf(db, id, language);
      requireRevision(request, current);
      if (current !== before) return undefined;
      if (dryRun || !(changed || isNew)) return before;
      if (isNew && countTranslations(db, id) >= MAX_LANGUAGES)
        throw invalidRequest([{ pointer: "language", message: TOO_MANY }]);
      const at = new Date();
      const next = Math.max(before + 1, at.getTime());
      writeTranslation(db, id, { language, revision: next, json });
      const resource = { type: "Screener", uid };
      const summary = { language, strings: changed };
      recordEvent(db, causeOf(request), { type: "screener-translation.updated", resource, summary, at });
      return next;
    });
    if (revision !== undefined) return { ...ok(reply), headers: { ETag: etagOfTranslation(revision, hashed) } };
  }
  throw new Problem("store_busy", { headers: { "Retry-After": "1" } });
}

/** What is wrong with some translations beside the draft. Of what is not there, the handler says so. */
export async function faultsByThread(
  { context, principal, params }: ApiRequest,
  sent: readonly Sent[],
): Promise<readonly ProblemDetail[]> {
  const language = canonicalLanguage(params.language!);
  if (language === undefined) return [NO_SUCH_LANGUAGE, ...givenTwice(sent)];
  const asked = { workspaceUid: principal.workspaceUid, screenerUid: params.id!, language, sent };
  const checked = await context.pool.ask(checkTranslation, asked);
  return "problem" in checked ? [...(checked.problem.errors ?? []), ...givenTwice(sent)] : checked.errors;
}

const NO_SUCH_LANGUAGE: ProblemDetail = { pointer: "language", message: NO_LANGUAGE };

/** @throws Problem 400 */
export function languageOf({ language }: Record<string, string>): string {
  const canonical = canonicalLanguage(language!);
  if (canonical === undefined) throw invalidRequest([NO_SUCH_LANGUAGE]);
  return canonical;
}

/** @throws Problem what a thread has answered with instead */
export function required<Answer extends object>(answer: Answer | { problem: ProblemDocument }): Answer {
  if ("problem" in answer) throw Problem.fromDocument(answer.problem);
  return answer;
}

/** The revision of the translations, for If-Match, and a hash of the text, which a change of the draft changes, too. */
export function etagOfTranslation(revision: number, hashed: string): string {
  return `"${revision}.${hashed}"`;
}

/** @throws Problem 412 when If-Match names other translations */
export function requireRevision({ headers }: ApiRequest, revision: number): void {
  const expected = headers["if-match"];
  if (expected === undefined || expected.trim() === "*") return;
  const named = tagsNamed(expected).map((tag) => /^"(\d+)\./.exec(tag)?.[1]);
  if (!named.includes(String(revision))) throw new Problem("precondition_failed");
}
