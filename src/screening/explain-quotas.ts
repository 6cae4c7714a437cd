// What quotas, and the target of a publication, have to do with the outcome of a session.

import type { Reader } from "../../db/sqlite/connection.ts";
import type { Trace } from "../nouns/content/advice/trace.ts";
import type { Answers } from "../nouns/content/answers.ts";
import type { PersonalContent } from "../nouns/content/content.ts";
import type { Judgement } from "../nouns/content/judge.ts";
import type { Missing } from "../nouns/content/open.ts";
import { traceQuotas } from "../nouns/content/quotas.ts";
import { type ContentNames, conditionText, shortened } from "../nouns/content/sentences.ts";
import type { PublicationRow } from "../nouns/publications/queries.ts";
import { quoted } from "../nouns/question-types/comparisons.ts";
import { findLatestPlaces } from "../nouns/quotas/place-queries.ts";
import { quotaIdsOf, type SessionRow } from "../nouns/sessions/queries.ts";
import type { Explanation } from "./explanation.ts";

type ExplainedRule = Explanation["rules"][number];

export const OVER_QUOTA: Judgement = { outcome: "DISQUALIFIED", outcomeReason: "OVER_QUOTA" };

/** Whether the target was found reached when the session ended. Undefined: it was not checked. */
export function targetDecision(session: SessionRow): boolean | undefined {
  const { outcome, outcome_reason } = session;
  if (outcome === "QUALIFIED") return false;
  if (outcome_reason !== "OVER_QUOTA" || quotaIdsOf(session.outcome_quota_ids).length) return undefined;
  return true;
}

/** The target as a rule. Undefined: there is none. */
export function targetRule(
  publication: PublicationRow,
  session: SessionRow,
  { rules, isScreenedOut }: Trace,
  judgedNow: Judgement | null,
): ExplainedRule | undefined {
  const target = publication.target_qualified_participants;
  const decision = targetDecision(session);
  if (!rules.length || (target === null && decision !== true)) return undefined;
  const isHolding = decision ?? (judgedNow?.outcomeReason === "OVER_QUOTA" && judgedNow !== OVER_QUOTA);
  const isReached = decision !== undefined || isScreenedOut === false;
  const unreached = isScreenedOut ? "NOT_REACHED" : "UNKNOWN";
  return {
    kind: "QUOTA",
    screenerPageId: null,
    pageTitle: null,
    condition: null,
    sentence:
      target === null
        ? "Full if as many other participants as the target have qualified by this publication. It has no target any more"
        : `Full if ${target} other participants have qualified by this publication`,
    result: isReached ? (isHolding ? "HOLDS" : "DOES_NOT_HOLD") : unreached,
    decides: isReached && isHolding && (session.state !== "COMPLETED" || decision === true),
    comparisons: [],
  };
}

/** A quota in which there was no place, as a rule. */
export function cellRule(
  content: PersonalContent,
  id: string,
  questions: ContentNames,
): Omit<ExplainedRule, "decides"> {
  const { name = "", when = null } = content.quotas?.find((one) => one.id === id) ?? {};
  const who = when === null ? "everybody" : shortened(conditionText(when, questions));
  return {
    kind: "QUOTA_CELL",
    screenerPageId: null,
    pageTitle: null,
    condition: when,
    sentence: `Full if there is no place in the quota ${quoted(name)}: ${who}`,
    result: "HOLDS",
    comparisons: [],
  };
}

/** The quotas of the session's publication, and its places in them. */
export function explainedQuotas(
  db: Reader,
  content: PersonalContent,
  answers: Answers,
  session: SessionRow,
  { facts }: Trace,
  missing: Missing,
): Explanation["quotas"] {
  if (!content.quotas) return [];
  const places = findLatestPlaces(db, session.id, Date.now());
  return traceQuotas(content, answers, facts, missing).map(({ quota: { id, name }, isIn = null }) => {
    const { state = null, reason = null } = places.get(id) ?? {};
    return { screenerQuotaId: id, name, isIn, place: state, reason };
  });
}
