// In which language a draft is tried, and what it says there.

import { suitingLanguage } from "../../languages/negotiate.ts";
import type { Content } from "../../nouns/content/content.ts";
import { baseLanguageOf, Wording } from "../../nouns/content/wording.ts";
import { readDraftWording } from "../../nouns/publications/draft-wording.ts";
import { getScreener } from "../../nouns/screeners/queries.ts";
import { translatedTo } from "../../nouns/translations/queries.ts";
import { required } from "../../nouns/translations/writing.ts";
import { speechFor } from "../../page-words/queries.ts";
import type { SpokenContent } from "../../participant-page/spoken.ts";
import type { VisitorRequest } from "../shell/request.ts";

export type Said = Pick<SpokenContent, "languages" | "language" | "wording" | "speech">;

/** The field with the language of a test drive. */
export const SPOKEN = "spoken";

/** @param wanted the best first. What is none of the draft's is left out, and the draft's own comes last */
export async function saidIn(
  { context, params, visitor }: VisitorRequest,
  draft: Content,
  wanted: readonly (string | null | undefined)[],
): Promise<Said> {
  const { workspaces } = context;
  const workspaceUid = visitor.workspace_uid;
  const base = baseLanguageOf(draft);
  const { id, translated } = workspaces.read(workspaceUid, (db) => {
    const screener = getScreener(db, params.id!);
    return { id: screener.id, translated: translatedTo(db, screener.id) };
  });
  const languages = [base, ...translated.filter((one) => one !== base)];
  const language = suitingLanguage(
    wanted.filter((one) => typeof one === "string"),
    languages,
  );
  const speech = workspaces.read(workspaceUid, (db) => speechFor(db, language ?? base, id));
  if (language === undefined || language === base)
    return { languages, language: base, wording: new Wording(draft), speech };
  const ask = () => context.pool.ask(readDraftWording, { workspaceUid, screenerUid: params.id!, language });
  const { translations } = required(await context.turns.inThread(workspaceUid, ask));
  return { languages, language, wording: new Wording(draft, translations), speech };
}
