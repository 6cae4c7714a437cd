// How a session has ended, as its page shows it.

import type { Reader } from "../../db/sqlite/connection.ts";
import { referenceOf } from "../base/references.ts";
import type { Answers } from "../nouns/content/answers.ts";
import { hasRules, type Outcome } from "../nouns/content/content.ts";
import { addressOverQuota } from "../nouns/content/quotas.ts";
import { redirectTo } from "../nouns/content/redirects.ts";
import { outcomeString, questionString, quotaString, THANK_YOU } from "../nouns/content/strings.ts";
import { externalUidOf } from "../nouns/participants/queries.ts";
import type { Markup } from "../nouns/question-types/markup/parse.ts";
import type { Fill } from "../nouns/question-types/markup/plain.ts";
import { type Refusal, refusalOf } from "../nouns/screeners/queries.ts";
import { UTC } from "../nouns/screeners/time-zones.ts";
import { outcomeReasonOf } from "../nouns/sessions/outcome-reasons.ts";
import { quotaIdsOf } from "../nouns/sessions/queries.ts";
import { listSecrets } from "../nouns/signing-keys/queries.ts";
import { signedAddress } from "../nouns/signing-keys/sign.ts";
import type { Answering } from "../screening/answering.ts";
import { isFullAtStart } from "../screening/places.ts";
import type { Speech, TextAttributes } from "../words/speech.ts";
import { asksConsent, type LinkedSession } from "./queries.ts";
import { fillFor } from "./references.ts";
import { authorOf, type SpokenContent } from "./spoken.ts";

/** Why the session takes no answers (any more). `forged`: the address of an open link is not as it was signed. `thanks`, `fullNow` and `answered`: it is completed, just now or earlier. */
export type Ending =
  | "thanks"
  | "answered"
  | "archived"
  | "removed"
  | "full"
  | "fullNow"
  | "noConsent"
  | "refused"
  | "withdraw"
  | "withdrawn"
  | "forged"
  | "confirmSent"
  | "confirm"
  | Refusal;

/** Right after the end: the site around the page hears of it. */
export const JUST_NOW: ReadonlySet<Ending> = new Set(["thanks", "fullNow", "noConsent"]);

/** A page that shows how the session ended, or why it takes no answers now. */
export interface EndView {
  ending: Ending;
  /** The author's text, instead of ours. */
  thankYou: string | null;
  markup: Markup;
  /** The references in that text. */
  fill?: Fill;
  /** Whether it has a tick, or else a neutral mark. */
  isTicked: boolean;
  /** The address that the browser goes to next. */
  leadsTo: string | null;
  /** When the screener opens, if it has such a time; and its time zone. */
  opensAt: string | null;
  timeZone: string;
  /** What the form sends that confirms an email. */
  token?: string;
  /** When the answers were erased, after a withdrawal. */
  erasedAt?: string | null;
  speech: Speech;
  /** The attributes of the author's text. */
  author: TextAttributes;
  /** The languages that the page can be read in, and its own. Missing: no other one. */
  offered?: Offered;
}

/** Languages that a person can choose from. */
export interface Offered {
  languages: readonly string[];
  language: string;
}

/** The address of an ending, for one session. */
type LeadTo = (address: string) => string;

/** The page of a session that takes no answers. */
export function endingWith(ending: Ending, speech: Speech, opensAt: string | null = null, timeZone = UTC): EndView {
  const none = { thankYou: null, markup: "PLAIN", author: {}, isTicked: false, leadsTo: null } as const;
  return { ...none, ending, opensAt, timeZone, speech };
}

/**
 * The page for a participant who has answered before. If rules decide, all see the same mark, so that it does not show who has qualified.
 */
export function alreadyAnswered(content: SpokenContent, session: LinkedSession, answersSoFar: () => Answers): EndView {
  if (outcomeReasonOf(session) === "NO_CONSENT") {
    // They have sent no answers, and are led on only once.
    const refused = withoutConsent(content, session.refused_uid!, String, answersSoFar);
    return { ...refused, ending: "refused", leadsTo: null };
  }
  return { ...endingWith("answered", content.speech), isTicked: !hasRules(content) };
}

/** The page right after the end. @param outcome null: it is not known */
export function thanksFor(
  content: SpokenContent,
  outcome: Outcome | null,
  leadTo: LeadTo,
  answersSoFar: () => Answers,
): EndView {
  const { thankYou, thankYouByOutcome, redirectByOutcome } = content;
  const own = outcome && thankYouByOutcome?.[outcome];
  const address = outcome && redirectByOutcome?.[outcome];
  return {
    ...endingWith("thanks", content.speech),
    // The author's own text for the outcome says it already.
    isTicked: !hasRules(content) || (outcome === "QUALIFIED" && Boolean(own)),
    ...(own
      ? textOf(content, outcomeString(outcome), own, answersSoFar)
      : textOf(content, THANK_YOU, thankYou, answersSoFar)),
    leadsTo: address ? leadTo(address) : null,
  };
}

/** The page where consent was not given. It says so, and nothing of the rules. @param questionId what was not agreed to */
export function withoutConsent(
  content: SpokenContent,
  questionId: string,
  leadTo: LeadTo,
  answersSoFar: () => Answers,
): EndView {
  const asked = content.pages.flatMap(({ questions }) => questions).find(({ id }) => id === questionId);
  const address = content.redirectByOutcome?.DISQUALIFIED;
  return {
    ...endingWith("noConsent", content.speech),
    ...textOf(
      content,
      questionString(questionId, "declinedText"),
      asked && "declinedText" in asked ? asked.declinedText : null,
      answersSoFar,
    ),
    leadsTo: address ? leadTo(address) : null,
  };
}

/** What people read before they withdraw: the text of the first consent that has one, or ours. */
export function beforeWithdrawal(content: SpokenContent): EndView {
  const asked = content.pages
    .flatMap(({ questions }) => questions)
    .find((question) => "withdrawText" in question && question.withdrawText !== null);
  const own = asked && "withdrawText" in asked ? asked.withdrawText : null;
  return {
    ...endingWith("withdraw", content.speech),
    ...textOf(content, questionString(asked?.id ?? "", "withdrawText"), own, () => new Map()),
  };
}

/**
 * The page right after the end, where a quota had no room. The author's text or ours says that the study is full, and not which answer it
 * was. @param quotaId the first one without room
 */
function overQuota(content: SpokenContent, quotaId: string, leadTo: LeadTo, answersSoFar: () => Answers): EndView {
  const { quotas = [], thankYouByOutcome } = content;
  const own = quotas.find(({ id }) => id === quotaId)?.ending;
  const address = addressOverQuota(content, quotaId);
  return {
    ...endingWith("fullNow", content.speech),
    ...(own?.thankYou
      ? textOf(content, quotaString(quotaId), own.thankYou, answersSoFar)
      : textOf(content, outcomeString("DISQUALIFIED"), thankYouByOutcome?.DISQUALIFIED ?? null, answersSoFar)),
    leadsTo: address ? leadTo(address) : null,
  };
}

/** An author's text by its id, in the person's language. */
function textOf(
  content: SpokenContent,
  id: string,
  own: string | null,
  answersSoFar: () => Answers,
): Pick<EndView, "thankYou" | "markup" | "fill" | "author"> {
  const thankYou = own === null ? null : content.wording.text(id, own);
  const fill = fillFor(content, [thankYou], answersSoFar);
  return { thankYou, markup: content.markup ?? "PLAIN", fill, author: authorOf(content, id) };
}

/** Where consent was asked for, whoever has begun can take it back. */
export function canWithdraw(db: Reader, session: LinkedSession): boolean {
  const { started_at, withdrawn_at, status } = session;
  return started_at !== null && withdrawn_at === null && status !== "REMOVED" && asksConsent(db, session);
}

/** The page right after the end. */
export function endOf(
  db: Reader,
  content: SpokenContent,
  session: LinkedSession,
  answersSoFar: () => Answers,
): EndView {
  const leadTo = leadingFrom(db, content, session);
  const [quotaId] = quotaIdsOf(session.outcome_quota_ids);
  if (quotaId !== undefined) return overQuota(content, quotaId, leadTo, answersSoFar);
  return outcomeReasonOf(session) === "NO_CONSENT"
    ? withoutConsent(content, session.refused_uid!, leadTo, answersSoFar)
    : thanksFor(content, session.outcome, leadTo, answersSoFar);
}

/** Fills the addresses of a content for a session, and signs them where that is asked for. */
function leadingFrom(db: Reader, content: SpokenContent, session: LinkedSession): LeadTo {
  return (address) => {
    const { uid, reference, participant_id, outcome_quota_ids, quota_ids } = session;
    // The first quota without room, or else the first one in which the session has a place.
    const [quotaId] = [...quotaIdsOf(outcome_quota_ids), ...quotaIdsOf(quota_ids)];
    const filled = redirectTo(address, {
      reference: reference ?? referenceOf(db, uid),
      sessionId: uid,
      externalUid: externalUidOf(db, participant_id),
      quotaCode: content.quotas?.find(({ id }) => id === quotaId)?.name ?? "",
      attribute: (key) => String(content.attributes().get(key)?.value ?? ""),
    });
    return content.signRedirects ? signedAddress(filled, listSecrets(db, new Date())) : filled;
  };
}

/** Why a session takes no answers, for the same reasons for which `submit` refuses them. */
export function endingOf(db: Reader, session: LinkedSession, answering: Answering): Ending | undefined {
  if (session.status === "REMOVED") return "removed";
  if (session.withdrawn_at !== null) return "withdrawn";
  // This comes first: a participant who has answered need not know that the study was closed later.
  if (session.state === "COMPLETED") return "answered";
  if (session.status !== "ACTIVE") return "archived";
  if (session.is_test) return undefined;
  const refusal = refusalOf(session);
  if (refusal) return refusal;
  return isFullAtStart(db, answering, session) ? "full" : undefined;
}
