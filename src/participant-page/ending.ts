// How a session has ended, as its page shows it.

import { hasRules, type Outcome } from "../nouns/content/content.ts";
import { addressOverQuota } from "../nouns/content/quotas.ts";
import { redirectTo, type SessionNames } from "../nouns/content/redirects.ts";
import type { Markup } from "../nouns/question-types/markup/parse.ts";
import type { Refusal } from "../nouns/screeners/queries.ts";
import { UTC } from "../nouns/screeners/time-zones.ts";
import type { Speech } from "../words/speech.ts";
import type { SpokenContent } from "./spoken.ts";

/** Why the session takes no answers (any more). `thanks`, `fullNow` and `answered`: it is completed, just now or earlier. */
export type Ending = "thanks" | "answered" | "archived" | "removed" | "full" | "fullNow" | Refusal;

/** A page that shows how the session ended, or why it takes no answers now. */
export interface EndView {
  ending: Ending;
  /** The author's text, instead of ours. */
  thankYou: string | null;
  markup: Markup;
  /** Whether it has a tick, or else a neutral mark. */
  isTicked: boolean;
  /** The address that the browser goes to next. */
  leadsTo: string | null;
  /** When the screener opens, if it has such a time; and its time zone. */
  opensAt: string | null;
  timeZone: string;
  speech: Speech;
}

/** The page of a session that takes no answers. */
export function endingWith(ending: Ending, speech: Speech, opensAt: string | null = null, timeZone = UTC): EndView {
  return { ending, thankYou: null, markup: "PLAIN", isTicked: false, leadsTo: null, opensAt, timeZone, speech };
}

/**
 * The page for a participant who has answered before. If rules decide, all see the same mark, so that it does not show who has qualified.
 */
export function alreadyAnswered(content: SpokenContent): EndView {
  return { ...endingWith("answered", content.speech), isTicked: !hasRules(content) };
}

/** The page right after the end. @param outcome null: it is not known */
export function thanksFor(content: SpokenContent, outcome: Outcome | null, names: SessionNames): EndView {
  const { thankYou, thankYouByOutcome, redirectByOutcome } = content;
  const own = outcome && thankYouByOutcome?.[outcome];
  const address = outcome && redirectByOutcome?.[outcome];
  return {
    ...endingWith("thanks", content.speech),
    // The author's own text for the outcome says it already.
    isTicked: !hasRules(content) || (outcome === "QUALIFIED" && Boolean(own)),
    thankYou: own || thankYou,
    markup: content.markup ?? "PLAIN",
    leadsTo: address ? redirectTo(address, names) : null,
  };
}

/**
 * The page right after the end, where a quota had no room. The author's text or ours says that the study is full, and not which answer it
 * was. @param quotaId the first one without room
 */
export function overQuota(content: SpokenContent, quotaId: string, names: SessionNames): EndView {
  const { quotas = [], thankYouByOutcome } = content;
  const own = quotas.find(({ id }) => id === quotaId)?.ending;
  const address = addressOverQuota(content, quotaId);
  return {
    ...endingWith("fullNow", content.speech),
    thankYou: own?.thankYou ?? thankYouByOutcome?.DISQUALIFIED ?? null,
    markup: content.markup ?? "PLAIN",
    leadsTo: address ? redirectTo(address, names) : null,
  };
}
