// Warnings about a content: what is allowed, but is probably a mistake.

import { nearest } from "../../../base/schemas.ts";
import { type Condition, quoted } from "../../question-types/comparisons.ts";
import { PARTS } from "../../question-types/entries.ts";
import { plainOf } from "../../question-types/markup/plain.ts";
import { partsOf, type Question } from "../../question-types/registry.ts";
import { askedIn, type Content, conditionsOf, hasRules, isQuestion, type Outcome } from "../content.ts";
import { attributesReferredTo } from "../draft-references.ts";
import { attributesIn } from "../holds.ts";
import { attributesInRedirects, givesLinkAway, hasSharedSignature } from "../redirects.ts";
import { placeName } from "../sentences.ts";
import { lateArmsOf } from "./late-arms.ts";
import { neverHolds } from "./never.ts";

export const NO_QUESTIONS = "There are no questions: there is nothing to answer.";

/** Sentences. */
export function warningsOf(content: Content): string[] {
  const questions = content.pages.flatMap(askedIn);
  const warnings: string[] = [];
  if (!questions.length) warnings.push(NO_QUESTIONS);
  else if (!hasRules(content))
    warnings.push(
      content.quotas
        ? "Without rules nobody qualifies; completed sessions take the places."
        : "There is no rule: nobody is screened out, nobody qualifies, and no target is ever reached.",
    );
  for (const question of questions) warnings.push(...repeatedParts(question, content.markup));
  return [
    ...warnings,
    ...linksGivenAway(content).map(({ message }) => message),
    ...sharedSignatures(content),
    ...deadEndsOf(content).map(({ text }) => text),
    ...lateArmsOf(content).map(({ message }) => message),
  ];
}

/** Of a publication with a target, where people review who qualifies. */
export const TARGET_WITH_REVIEW =
  "The target counts everybody who qualifies, also people who wait for a review and people who are rejected: the study may be full before enough people are accepted. A quota counts the people who are accepted.";

/** A redirect to an address with the session's id. */
interface LinkGivenAway {
  outcome: Outcome;
  /** A sentence. */
  message: string;
}

const OUTCOMES_IN_WORDS = { QUALIFIED: "qualified", DISQUALIFIED: "screened out", UNKNOWN: "without a rule" } as const;

/** The redirects that give another site what opens a session's page. */
export function linksGivenAway({ redirectByOutcome = {} }: Content): LinkGivenAway[] {
  return Object.entries(redirectByOutcome).flatMap(([outcome, address]) => {
    if (!address || !givesLinkAway(address)) return [];
    const of = outcome as Outcome;
    const message = `The address to which people who are ${OUTCOMES_IN_WORDS[of]} are led has {sessionId}: the other site gets a working link wherever a session can be opened again. Use {reference}.`;
    return [{ outcome: of, message }];
  });
}

/** Signatures that say nothing of who comes. Sentences. */
export function sharedSignatures(content: Content): string[] {
  return hasSharedSignature(content)
    ? [
        "An address that is signed is the same for everybody, so that one person can give it to another. Use {reference}.",
      ]
    : [];
}

/** Quotas that are full before anybody has come. @param limitOf the limit that counts, where the quota is published */
export function closedQuotas({ quotas = [] }: Content, limitOf: (id: string) => number | null | undefined): string[] {
  return quotas
    .filter(({ id, mode, limit }) => mode === "LIMIT" && (limitOf(id) ?? limit) === 0)
    .map(({ name }) => `The quota ${quoted(name)} has the limit 0: people who count in it are turned away.`);
}

/** The attributes of participants that rules and quotas name. */
export function attributesUsed(content: Content): string[] {
  return [...new Set(conditionsOf(content).flatMap(attributesIn))];
}

/** An attribute that a rule or a text names, but no participant has. The rule holds for nobody, or for everybody. */
interface MissingAttribute {
  attribute: string;
  /** A sentence. */
  message: string;
}

/** The key of an attribute that is probably meant: also where only upper and lower case differ. */
export function nearestKey(attribute: string, known: readonly string[]): string | undefined {
  return known.find((key) => key.toLowerCase() === attribute.toLowerCase()) ?? nearest(attribute, known);
}

/** @param known the attributes that participants have */
export function missingAttributes(content: Content, known: readonly string[]): MissingAttribute[] {
  const all = new Set(known);
  const inRules = new Set(attributesUsed(content));
  const inTexts = new Set(attributesReferredTo(content));
  return [...inRules.union(inTexts).union(new Set(attributesInRedirects(content)))].flatMap((attribute) => {
    if (all.has(attribute)) return [];
    const near = nearestKey(attribute, known);
    const meant = near === undefined ? "" : ` Did you mean ${quoted(near)}?`;
    return [
      {
        attribute,
        message: `${inRules.has(attribute) ? "A rule" : inTexts.has(attribute) ? "A text" : "An address at the end"} uses the attribute ${quoted(attribute)}, which nobody has.${meant}`,
      },
    ];
  });
}

/** Options, rows or columns that look the same to a person. */
function repeatedParts(question: Question, markup: Content["markup"]): string[] {
  return partsOf(question).flatMap(([list, parts]) => {
    const known = new Set<string>();
    return parts.flatMap(({ text }) => {
      const plain = text.replace(/\s+/g, " ").trim().toLowerCase();
      if (known.has(plain))
        return [`${quoted(plainOf(question.prompt, markup))} has the ${PARTS[list]} ${quoted(text)} twice.`];
      known.add(plain);
      return [];
    });
  });
}

/** A page or a question that nobody sees, a rule that never holds, or a quota or an arm that is for nobody. */
interface DeadEnd {
  /** The page, the question, the quota, the arm, or `end`. */
  id: string;
  member: "showWhen" | "disqualifyWhen" | "qualifyWhen" | "when";
  /** A sentence. */
  text: string;
}

/** Pages, questions, quotas and arms that are for nobody, and rules that never hold, as far as simple contradictions show it. */
export function deadEndsOf({ markup, pages, qualifyWhen, quotas = [], assignments = [] }: Content): DeadEnd[] {
  const found: DeadEnd[] = [];
  const reachable = new Map<string, Question>();
  const isDead = (...conditions: (Condition | null)[]) => {
    const all = conditions.filter((one) => one !== null);
    return all.length > 0 && neverHolds({ all }, reachable);
  };
  for (const [index, page] of pages.entries()) {
    const name = placeName(page, index, markup);
    const isDeadPage = isDead(page.showWhen);
    if (isDeadPage) found.push({ id: page.id, member: "showWhen", text: `Nobody sees ${name}: its rule never holds.` });
    for (const question of page.questions) {
      if (isDeadPage) continue;
      if (!isQuestion(question)) {
        const text = `Nobody sees a text on ${name}: its rule never holds.`;
        if (isDead(page.showWhen, question.showWhen)) found.push({ id: question.id, member: "showWhen", text });
        continue;
      }
      if (isDead(page.showWhen, question.showWhen)) {
        const text = `Nobody is asked ${quoted(plainOf(question.prompt, markup))}: its rule never holds.`;
        found.push({ id: question.id, member: "showWhen", text });
      } else reachable.set(question.id, question);
    }
    if (!isDeadPage && page.disqualifyWhen && isDead(page.showWhen, page.disqualifyWhen))
      found.push({
        id: page.id,
        member: "disqualifyWhen",
        text: `The rule of ${name} never screens out: it never holds.`,
      });
  }
  if (isDead(qualifyWhen))
    found.push({ id: "end", member: "qualifyWhen", text: "Nobody can qualify: the rule at the end never holds." });
  for (const { id, name, when } of quotas) {
    const text = `Nobody who qualifies is in the quota ${quoted(name)}: its rule never holds.`;
    if (when && isDead(when, qualifyWhen)) found.push({ id, member: "when", text });
  }
  for (const { id, name, when } of assignments.flatMap(({ arms }) => arms))
    if (isDead(when))
      found.push({ id, member: "when", text: `Nobody is given the arm ${quoted(name)}: its rule never holds.` });
  return found;
}
