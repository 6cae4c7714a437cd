// What an explanation says in one or two sentences.

import type { Trace, TracedRule } from "../nouns/content/advice/trace.ts";
import type { OutcomeReason } from "../nouns/content/content.ts";
import { type ContentNames, conditionText, shortened } from "../nouns/content/sentences.ts";
import { quoted } from "../nouns/question-types/comparisons.ts";
import { typeOf } from "../nouns/question-types/registry.ts";
import type { Explanation } from "./explanation.ts";

/** How many answers are named. All are in the explanation. */
const MAX_NAMED_ANSWERS = 3;

/** What decided, and by which answers; or why that is not known. @param full the names of the quotas in which there was no place */
export function explanationSentence(
  explanation: Omit<Explanation, "sentence">,
  traced: Trace,
  questions: ContentNames,
  full: readonly string[],
): string {
  const { state, status, outcome, outcomeReason, judgedNow, basis } = explanation;
  if (state === "COMPLETED") {
    const isJudgedTheSame = judgedNow?.outcome === outcome && judgedNow.outcomeReason === outcomeReason;
    // Even if answers were removed since, it is certain that no rule screened out.
    if (outcomeReason === "OVER_QUOTA") return reasonOf(explanation, traced, explanation, questions, full);
    if (basis.answers === "NOT_KEPT" && !isJudgedTheSame)
      return `${nameOf(explanation)}. The answers are not kept any more, so it is not known what decided.`;
    const doubt =
      basis.attributes === "MAY_HAVE_CHANGED"
        ? " The participant was changed since, so other attributes may have been judged."
        : "";
    if (isJudgedTheSame) return `${reasonOf(judgedNow, traced, explanation, questions)}${doubt}`;
    const now = judgedNow
      ? `they would come to this now: ${nameOf(judgedNow)}.`
      : "it is not known what they come to now.";
    return `${nameOf(explanation)}, when the rules were looked at; ${now}${doubt}`;
  }
  const start = {
    REMOVED: "The session was removed, and has no outcome.",
    ARCHIVED: "The session takes no more answers, and has no outcome.",
    ACTIVE: state === "NOT_STARTED" ? "The session is not started." : "The session is not completed.",
  }[status];
  if (!judgedNow) return `${start} What it would come to depends on answers that are not there.`;
  return `${start} By what is known it would come to this: ${reasonOf(judgedNow, traced, explanation, questions)}`;
}

/** Of an outcome that was set by hand. @param byRules the sentence of what the rules came to */
export function overrideSentence(
  outcome: Explanation["outcome"],
  { reason, createdBy, createdAt }: NonNullable<Explanation["override"]>,
  byRules: string,
): string {
  const name = outcome === "QUALIFIED" ? "Qualified" : "Screened out";
  return `${name}: set by ${createdBy.name} on ${createdAt.slice(0, 10)}, because: ${reason.replace(/\.?$/, ".")} By the rules: ${byRules}`;
}

type Judged = Pick<Explanation, "outcome" | "outcomeReason">;

const REASONS: Record<OutcomeReason, string> = {
  SCREENED_OUT: "Screened out",
  OVER_QUOTA: "Full",
  NO_CONSENT: "No consent",
};

function nameOf({ outcome, outcomeReason }: Judged): string {
  if (outcomeReason) return REASONS[outcomeReason];
  return outcome === "QUALIFIED" ? "Qualified" : "Neither qualified nor screened out";
}

/**
 * What decides, and by which answers. @param rules it only matters whether they have a target @param full the names of the quotas in which
 * there was no place
 */
export function reasonOf(
  judged: Judged,
  traced: Trace,
  { rules }: { rules: readonly Pick<Explanation["rules"][number], "kind">[] },
  questions: ContentNames,
  full: readonly string[] = [],
): string {
  const name = nameOf(judged);
  if (judged.outcome === "UNKNOWN") return `${name}: the content has no rules.`;
  if (judged.outcomeReason === "NO_CONSENT") {
    const asked = traced.firstOut?.needed;
    return asked ? `${name}: ${quoted(asked.prompt)} was not agreed to.` : `${name}.`;
  }
  if (judged.outcomeReason === "SCREENED_OUT") {
    const rule = traced.screenedOutBy;
    if (!rule) return `${name}. Which rule decides depends on answers that are not there.`;
    const condition = shortened(conditionText(rule.condition, questions));
    const answers = answersOf(rule, traced, questions);
    if (!rule.page) return `${name}, because this does not hold: ${condition}.${answers}`;
    const { title } = rule.page;
    const page =
      title === null
        ? `page ${traced.pages.findIndex(({ id }) => id === rule.page!.id) + 1}`
        : `the page ${quoted(questions.read(title))}`;
    return `${name} by ${page}: ${condition}.${answers}`;
  }
  if (judged.outcomeReason === "OVER_QUOTA" && full.length) {
    const names = full.slice(0, MAX_NAMED_ANSWERS).map(quoted).join(", ");
    const more = full.length > MAX_NAMED_ANSWERS ? ` and ${full.length - MAX_NAMED_ANSWERS} more` : "";
    return `${name}: there was no place in the quota${full.length > 1 ? "s" : ""} ${names}${more}.`;
  }
  if (judged.outcomeReason === "OVER_QUOTA")
    return `${name}: no rule screens out, but other participants had taken all places of the publication's target.`;
  const qualifying = traced.rules.find(({ page }) => page === null);
  const hasQuota = rules.some(({ kind }) => kind === "QUOTA");
  const reasons = [
    "no page screens out",
    ...(qualifying ? [`this holds: ${shortened(conditionText(qualifying.condition, questions))}`] : []),
  ];
  const answers = qualifying ? answersOf(qualifying, traced, questions) : "";
  return `${name}: ${reasons.join(", and ")}.${answers}${hasQuota ? " The target was not reached." : ""}`;
}

/** The answers and attributes that a rule was compared with. */
function answersOf({ comparisons }: TracedRule, { facts, shownQuestions }: Trace, questions: ContentNames): string {
  const named = new Map<string, string>();
  for (const { comparison, isHolding } of comparisons) {
    if (isHolding === null) continue;
    if ("attribute" in comparison) {
      const known = facts.attributes().get(comparison.attribute);
      const value = known ? (typeof known.value === "string" ? quoted(known.value) : String(known.value)) : "missing";
      named.set(`a ${comparison.attribute}`, `the attribute ${quoted(comparison.attribute)} is ${value}`);
      continue;
    }
    if ("arm" in comparison) {
      const assignment = questions.assignments.get(comparison.arm);
      const given = assignment?.arms.find(({ id }) => id === facts.arms.get(comparison.arm));
      const value = given ? quoted(given.name) : "not given";
      named.set(`r ${comparison.arm}`, `the arm of ${quoted(assignment?.name ?? comparison.arm)} is ${value}`);
      continue;
    }
    const given = facts.get(comparison.questionId);
    if (!given) {
      const state = shownQuestions.has(comparison.questionId) ? "answered" : "shown";
      const prompt = questions.promptOf(comparison.questionId);
      named.set(`q ${comparison.questionId}`, `${quoted(prompt)} was not ${state}`);
      continue;
    }
    const { question, answer } = given;
    const cell = answer === null ? null : typeOf(question).cell(typeOf(question).toShown(answer));
    const value = cell === null ? "was skipped" : `was answered ${typeof cell === "number" ? cell : quoted(cell)}`;
    named.set(`q ${comparison.questionId}`, `${quoted(questions.read(question.prompt))} ${value}`);
  }
  if (!named.size) return "";
  const all = [...named.values()];
  const more = all.length > MAX_NAMED_ANSWERS ? ` and ${all.length - MAX_NAMED_ANSWERS} more` : "";
  const text = all.slice(0, MAX_NAMED_ANSWERS).join(", ");
  return ` ${text.charAt(0).toUpperCase()}${text.slice(1)}${more}.`;
}
