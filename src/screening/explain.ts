// Explains how a session's outcome came about: the rules of its publication, by the same code that decides.

import type { Reader } from "../../db/sqlite/connection.ts";
import { Parsed } from "../base/parsed.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { type Trace, trace } from "../nouns/content/advice/trace.ts";
import { attributesUsed } from "../nouns/content/advice/warnings.ts";
import { askedIn, type PersonalContent } from "../nouns/content/content.ts";
import { type Judgement, judgedBy, type Rule } from "../nouns/content/judge.ts";
import type { Missing } from "../nouns/content/open.ts";
import { publishedBytes } from "../nouns/content/queries.ts";
import { ContentNames, comparisonText, ruleSentence } from "../nouns/content/sentences.ts";
import { updatedAtOf } from "../nouns/participants/queries.ts";
import type { PublicationRow } from "../nouns/publications/queries.ts";
import { isTargetReached } from "../nouns/publications/target.ts";
import { type Answer, typeOf } from "../nouns/question-types/registry.ts";
import { findAnswers } from "../nouns/responses/queries.ts";
import { keptReason, outcomeReasonOf } from "../nouns/sessions/outcome-reasons.ts";
import { findSession, hasGivenAnswers, quotaIdsOf, type SessionRow } from "../nouns/sessions/queries.ts";
import { answeringOf } from "./answering.ts";
import { cellRule, explainedQuotas, OVER_QUOTA, targetDecision, targetRule } from "./explain-quotas.ts";
import type { Explanation } from "./explanation.ts";
import { overrideOf } from "./override.ts";
import { explanationSentence, overrideSentence } from "./sentence.ts";

type ExplainedRule = Explanation["rules"][number];

/** Up to this size of its content, a session is explained on the event loop: a few milliseconds. In bytes of JSON. */
const MAX_SHORT_CONTENT_BYTES = 64 * 1024;

/** Whether an explanation takes so long that a thread makes it. */
export function isLong(db: Reader, session: SessionRow): boolean {
  return publishedBytes(db, session.screener_publication_id) > MAX_SHORT_CONTENT_BYTES;
}

/** The explanation as JSON; undefined without such a session. */
export const explainLong: SideTask<{ workspaceUid: string; sessionUid: string }, string | undefined> = {
  name: "explain-session",
  perform: ({ workspaces }, { workspaceUid, sessionUid }) =>
    workspaces.read(workspaceUid, (db) =>
      db.snapshot(() => {
        const session = findSession(db, sessionUid);
        return session && JSON.stringify(explain(db, new Parsed(), session));
      }),
    ),
};

/** Explains a session, whatever its state. Call it inside a snapshot. */
export function explain(db: Reader, published: Parsed, row: SessionRow): Explanation {
  const override = overrideOf(row);
  // The explanation is of the outcome by the rules, also if a person has set another one.
  const session = override
    ? { ...row, outcome: override.judged.outcome, outcome_reason: keptReason(override.judged.outcomeReason) }
    : row;
  const reason = outcomeReasonOf(session);
  const answering = answeringOf(db, published, session);
  const { publication, inContentOrder, questions: allQuestions } = answering;
  const content = asRefused(answering.content, reason === "NO_CONSENT" ? session.refused_uid : null);
  const questions = new ContentNames(content);
  const answers = findAnswers(db, session.id, allQuestions);
  const isCompleted = session.state === "COMPLETED";
  const full = reason === "OVER_QUOTA" ? quotaIdsOf(session.outcome_quota_ids) : [];
  // A quota without room may have ended it before all was asked.
  const missing = isCompleted && !full.length ? "NONE" : "NOT_GIVEN";
  const traceBy = (by: Missing) => trace(content, answers, by, inContentOrder.pages);
  let traced = traceBy(missing);
  const isKept =
    session.answers_erased_at === null && (!isCompleted || answers.size > 0 || hadNoAnswers(db, session, traced));
  if (!isKept) traced = traceBy("ANY");
  const judgedNow = full.length ? OVER_QUOTA : judgementOf(db, content, publication, session, traced);
  const target = targetRule(publication, session, traced, judgedNow);
  const quotas = explainedQuotas(db, content, answers, session, traced, isKept ? missing : "ANY");
  // A rule has decided only if its outcome now is the recorded one.
  const decides = !isCompleted || (session.outcome === judgedNow?.outcome && reason === judgedNow.outcomeReason);
  const rules = traced.rules.map((rule): ExplainedRule => {
    return {
      kind: kindOf(rule),
      screenerPageId: rule.page?.id ?? null,
      pageTitle: rule.page?.title ?? null,
      condition: rule.condition,
      sentence: ruleSentence(rule, questions),
      result: rule.result,
      decides: decides && !override && rule === traced.screenedOutBy,
      comparisons: rule.comparisons.map(({ pointer, comparison, isHolding }) => ({
        pointer,
        sentence: comparisonText(comparison, questions),
        screenerQuestionId: "questionId" in comparison ? comparison.questionId : null,
        attribute: "attribute" in comparison ? comparison.attribute : null,
        assignmentId: "arm" in comparison ? comparison.arm : null,
        holds: isHolding,
      })),
    };
  });
  if (target) rules.push({ ...target, decides: target.decides && !override });
  for (const [index, id] of full.entries())
    rules.push({ ...cellRule(content, id, questions), decides: index === 0 && !override });
  const about = new Set(rules.flatMap((rule) => rule.comparisons.flatMap((one) => one.screenerQuestionId ?? [])));
  const keys = new Set(rules.flatMap((rule) => rule.comparisons.flatMap((one) => one.attribute ?? [])));
  const explanation: Omit<Explanation, "sentence"> = {
    _type: "ScreenerSessionExplanation",
    screenerSessionId: session.uid,
    screenerPublicationId: publication.uid,
    version: publication.version,
    status: session.status,
    state: session.state,
    outcome: session.outcome,
    outcomeReason: reason,
    override,
    judgedNow,
    basis: { answers: isKept ? "KEPT" : "NOT_KEPT", attributes: attributesBasis(db, content, session) },
    rules,
    quotas,
    arms: (content.assignments ?? []).map(({ id, name, arms }) => {
      const given = arms.find((arm) => arm.id === traced.facts.arms.get(id));
      return { assignmentId: id, assignmentName: name, armId: given?.id ?? null, armName: given?.name ?? null };
    }),
    answers: inContentOrder.pages.flatMap((page) =>
      askedIn(page)
        .filter(({ id }) => about.has(id))
        .map((question) => ({
          screenerQuestionId: question.id,
          screenerPageId: page.id,
          prompt: question.prompt,
          ...answerOf(question.id, traced, isKept, reason === "NO_CONSENT"),
        })),
    ),
    attributes: [...keys].map((key) => {
      const known = content.attributes().get(key);
      return { key, exists: known !== undefined, value: known?.value ?? null };
    }),
  };
  const fullNames = full.map((id) => quotas.find(({ screenerQuotaId }) => screenerQuotaId === id)?.name ?? id);
  const sentence = explanationSentence(explanation, traced, questions, fullNames);
  if (!override) return { ...explanation, sentence };
  const { outcome } = row;
  const outcomeReason = outcomeReasonOf(row);
  return { ...explanation, outcome, outcomeReason, sentence: overrideSentence(outcome, override, sentence) };
}

/** The question without whose answer a session has ended was shown, also where the answers by which it was shown are not kept. */
function asRefused(content: PersonalContent, refusedUid: string | null): PersonalContent {
  if (refusedUid === null) return content;
  const isRefused = ({ id }: { id: string }) => id === refusedUid;
  return {
    ...content,
    pages: content.pages.map((page) =>
      page.questions.some(isRefused)
        ? {
            ...page,
            showWhen: null,
            questions: page.questions.map((item) => (isRefused(item) ? { ...item, showWhen: null } : item)),
          }
        : page,
    ),
  };
}

/** Whether a completed session without answers never had any: its first page has screened out, or there is nothing to answer. */
function hadNoAnswers(db: Reader, session: SessionRow, { shownQuestions, isScreenedOut }: Trace): boolean {
  if (!shownQuestions.size) return true;
  return isScreenedOut === true && session.outcome_reason === "SCREENED_OUT" && !hasGivenAnswers(db, session.uid);
}

/** The outcome by the rules now. Null: not known. */
function judgementOf(
  db: Reader,
  content: PersonalContent,
  publication: PublicationRow,
  session: SessionRow,
  { isScreenedOut, firstOut }: Trace,
): Judgement | null {
  if (isScreenedOut === undefined) return null;
  // Whether the target was reached counts as it was then: others may have qualified since, or the target may have changed.
  const passed = targetDecision(session);
  return judgedBy(
    content,
    firstOut,
    () => passed ?? (!session.is_test && isTargetReached(db, publication, session.participant_id)),
  );
}

function kindOf({ page, needed }: Rule): ExplainedRule["kind"] {
  if (needed) return "CONSENT";
  return page ? "DISQUALIFY_WHEN" : "QUALIFY_WHEN";
}

function attributesBasis(
  db: Reader,
  content: PersonalContent,
  { state, participant_id, completed_at }: SessionRow,
): Explanation["basis"]["attributes"] {
  if (!attributesUsed(content).length) return "NOT_USED";
  if (state !== "COMPLETED") return "CURRENT";
  // Within one millisecond the order is not known.
  return updatedAtOf(db, participant_id) < completed_at! ? "AS_JUDGED" : "MAY_HAVE_CHANGED";
}

/** @param isRefused whether consent was not given: then other answers of the same submission are not kept */
function answerOf(
  questionId: string,
  { facts, shownQuestions }: Trace,
  isKept: boolean,
  isRefused: boolean,
): Pick<Explanation["answers"][number], "state" | "answer" | "normalizedAnswer"> {
  if (!isKept) return { state: "NOT_KEPT", answer: null };
  if (!shownQuestions.has(questionId)) return { state: "NOT_SHOWN", answer: null };
  const given = facts.get(questionId);
  if (!given) return { state: isRefused ? "NOT_KEPT" : "NOT_ANSWERED", answer: null };
  const { question, answer } = given;
  if (answer === null) return { state: "SKIPPED", answer: null };
  const type = typeOf(question);
  const shown = type.toShown(answer as NonNullable<Answer>);
  const normalized = type.normalizer?.(question)?.(shown);
  return { state: "ANSWERED", answer: shown, ...(normalized !== undefined && { normalizedAnswer: normalized }) };
}
