// What signals rest on, in words: the rules of pages, and the questions.

import type { ScreenerSession } from "../../client/types.ts";
import { ContentNames, conditionText, shortened } from "../../nouns/content/sentences.ts";
import type { VisitorRequest } from "../shell/request.ts";
import { readContent } from "../study/draft.ts";

export type Signal = NonNullable<ScreenerSession["signals"]>[number];

/** A signal, with the rules or the prompts of the questions that it is about. */
export interface SaidSignal extends Signal {
  about: readonly string[];
}

/** The signals of a session, as far as the caller sees them. */
export async function saidSignals(request: VisitorRequest, session: ScreenerSession): Promise<SaidSignal[]> {
  const signals = session.review?.signals ?? session.signals ?? [];
  const isAbout = ({ screenerPageIds = [], screenerQuestionIds = [] }: Signal) =>
    screenerPageIds.length + screenerQuestionIds.length > 0;
  const id = session.screenerPublicationId;
  const { content = undefined } = signals.some(isAbout)
    ? await readContent(request, "getScreenerPublicationContent", id)
    : {};
  if (!content) return signals.map((signal) => ({ ...signal, about: [] }));
  const names = new ContentNames(content);
  const ruleOf = (kind: Signal["kind"], pageId: string) => {
    const page = content.pages.find((one) => one.id === pageId);
    const rule = kind === "ATTENTION_CHECK" ? page?.attentionCheck?.when : page?.contradictsWhen;
    return rule ? [shortened(conditionText(rule, names))] : [];
  };
  return signals.map((signal) => {
    const { kind, screenerPageIds = [], screenerQuestionIds = [] } = signal;
    const questions = screenerQuestionIds.map((one) => `“${names.promptOf(one)}”`);
    return { ...signal, about: [...screenerPageIds.flatMap((one) => ruleOf(kind, one)), ...questions] };
  });
}
