// Says in words how one content differs from another one: pages, questions, options, rules, closing texts and quotas.

import { type Condition, quoted } from "../question-types/comparisons.ts";
import { type Question, typeOf } from "../question-types/registry.ts";
import type { SelectQuestion } from "../question-types/select.ts";
import type { Content, Page, Quota } from "./content.ts";
import { conditionText, type QuestionsById, shortened } from "./sentences.ts";

export interface ContentChange {
  /** A sentence, without its full stop. */
  text: string;
  /** Further sentences, if the first one does not say everything. */
  details: string[];
}

/** The changes from `before` to `after`. Pages, questions and options are matched by their ids. */
export function differenceOf(before: Content, after: Content): ContentChange[] {
  const [from, to] = [indexed(before), indexed(after)];
  const changes: ContentChange[] = [];
  const add = (text: string, details: string[] = []) => changes.push({ text, details });
  for (const [index, page] of before.pages.entries())
    if (!to.pages.has(page.id)) add(`Page removed: ${pageName(page, index)}`);
  for (const { question } of from.questions.values())
    if (!to.questions.has(question.id)) add(`Question removed: ${quoted(question.prompt)}`);
  for (const [index, page] of after.pages.entries()) {
    const name = pageName(page, index);
    const former = from.pages.get(page.id);
    if (!former) add(`Page added: ${name}`, [...rulesOf(EMPTY_PAGE, page, from.byId, to.byId)]);
    else {
      const details = [...textsOf(former, page), ...rulesOf(former, page, from.byId, to.byId)];
      if (details.length) add(`Page changed: ${name}`, details);
    }
    for (const question of page.questions) {
      const known = from.questions.get(question.id);
      if (!known) add(`Question added: ${quoted(question.prompt)}`, [`on ${placeName(page, index)}`]);
      else {
        const moves = known.pageId === page.id ? [] : [`moved to ${placeName(page, index)}`];
        const details = [...moves, ...questionChanges(known.question, question, from.byId, to.byId)];
        if (details.length) add(`Question changed: ${quoted(question.prompt)}`, details);
      }
    }
  }
  if (isMoved(from.pages, to.pages)) add("Pages are in another order");
  else if (isMoved(from.questions, to.questions)) add("Questions are in another order");
  const rule = ruleChange("Qualify only if", before.qualifyWhen, after.qualifyWhen, from.byId, to.byId);
  if (rule) add("The rule at the end changed", [rule]);
  if (before.thankYou !== after.thankYou || !isEqual(before.thankYouByOutcome, after.thankYouByOutcome))
    add("The closing texts changed");
  const redirects = redirectChanges(before, after);
  if (redirects.length) add("Where people are led at the end changed", redirects);
  return [...changes, ...quotaChanges(before, after, from.byId, to.byId)];
}

function quotaChanges(
  { quotas: before = [] }: Content,
  { quotas: after = [] }: Content,
  from: QuestionsById,
  to: QuestionsById,
): ContentChange[] {
  const byId = (quotas: readonly Quota[]) => new Map(quotas.map((quota) => [quota.id, quota]));
  const [former, present] = [byId(before), byId(after)];
  const changes: ContentChange[] = [];
  for (const { id, name } of before)
    if (!present.has(id)) changes.push({ text: `Quota removed: ${quoted(name)}`, details: [] });
  for (const quota of after) {
    const known = former.get(quota.id);
    if (!known) {
      const details = [quotaRule(quota, to), limitText(quota)];
      changes.push({ text: `Quota added: ${quoted(quota.name)}`, details });
      continue;
    }
    if (known.name !== quota.name)
      changes.push({ text: `Quota renamed: ${quoted(known.name)}, now ${quoted(quota.name)}`, details: [] });
    const rule = ruleChange(COUNTS, known.when, quota.when, from, to);
    const details = [
      ...(rule === undefined ? [] : [rule]),
      ...(limitText(known) === limitText(quota)
        ? []
        : [`it begins with: ${limitText(quota)}, before ${limitText(known)}`]),
      ...(isEqual(known.ending, quota.ending) ? [] : ["what people see who find it full"]),
    ];
    if (details.length) changes.push({ text: `Quota changed: ${quoted(quota.name)}`, details });
  }
  if (isMoved(former, present)) changes.push({ text: "Quotas are in another order", details: [] });
  return changes;
}

const COUNTS = "Counts people if";

/** Who counts in a quota. */
export function quotaRule({ when }: { when: Condition | null }, questions: QuestionsById): string {
  return when ? shortened(`${COUNTS} ${conditionText(when, questions)}`) : "Everybody counts";
}

function limitText({ mode, limit }: Quota): string {
  return mode === "COUNT" ? "only counts" : `limit ${limit?.toLocaleString("en-GB")}`;
}

const OUTCOMES = { QUALIFIED: "who qualifies", DISQUALIFIED: "who is screened out", UNKNOWN: "where no rule decides" };

function redirectChanges({ redirectByOutcome: from = {} }: Content, { redirectByOutcome: to = {} }: Content): string[] {
  return (["QUALIFIED", "DISQUALIFIED", "UNKNOWN"] as const)
    .filter((outcome) => from[outcome] !== to[outcome])
    .map((outcome) => `${OUTCOMES[outcome]}: ${from[outcome] ?? "nowhere"}, now ${to[outcome] ?? "nowhere"}`);
}

interface Index {
  pages: ReadonlyMap<string, Page>;
  questions: ReadonlyMap<string, { question: Question; pageId: string }>;
  byId: QuestionsById;
}

function indexed({ pages }: Content): Index {
  const all = pages.flatMap((page) => page.questions.map((question) => ({ question, pageId: page.id })));
  return {
    pages: new Map(pages.map((page) => [page.id, page])),
    questions: new Map(all.map((one) => [one.question.id, one])),
    byId: new Map(all.map(({ question }) => [question.id, question])),
  };
}

const EMPTY_PAGE = { showWhen: null, disqualifyWhen: null };

function pageName({ title }: Page, index: number): string {
  return title === null ? String(index + 1) : quoted(title);
}

/** A page as part of a sentence. */
export function placeName({ title }: Page, index: number): string {
  return title === null ? `page ${index + 1}` : `the page ${quoted(title)}`;
}

/** Whether the ids that are in both have another order. */
function isMoved(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): boolean {
  const kept = [...before.keys()].filter((id) => after.has(id));
  const now = [...after.keys()].filter((id) => before.has(id));
  return kept.some((id, index) => id !== now[index]);
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function textsOf(before: Page, after: Page): string[] {
  return [
    textChange("the heading", before.title, after.title),
    textChange("the text", before.description, after.description),
  ].filter((one) => one !== undefined);
}

function textChange(name: string, before: string | null, after: string | null): string | undefined {
  if (before === after) return undefined;
  if (before === null) return `${name} is new: ${quoted(after!)}`;
  return after === null ? `${name} ${quoted(before)} is gone` : `${name} was ${quoted(before)}`;
}

type Rules = Pick<Page, "showWhen" | "disqualifyWhen">;

function rulesOf(before: Rules, after: Rules, from: QuestionsById, to: QuestionsById): string[] {
  return [
    ruleChange("Show only if", before.showWhen, after.showWhen, from, to),
    ruleChange("Screen out if", before.disqualifyWhen, after.disqualifyWhen, from, to),
  ].filter((one) => one !== undefined);
}

function ruleChange(
  start: string,
  before: Condition | null,
  after: Condition | null,
  from: QuestionsById,
  to: QuestionsById,
): string | undefined {
  if (isEqual(before, after)) return undefined;
  const was = before && shortened(conditionText(before, from));
  const is = after && shortened(conditionText(after, to));
  if (is === null) return `rule removed: ${start} ${was}`;
  return was === null
    ? `rule added: ${start} ${is}`
    : `rule changed: ${start} ${was}; now ${start.toLowerCase()} ${is}`;
}

/** Members of every question. Each has a sentence of its own. */
const NAMED = new Set(["id", "prompt", "helpText", "key", "required", "showWhen", "options", "_type"]);

function questionChanges(before: Question, after: Question, from: QuestionsById, to: QuestionsById): string[] {
  const rule = ruleChange("Ask only if", before.showWhen, after.showWhen, from, to);
  return [
    textChange("the text", before.prompt, after.prompt),
    textChange("the help text", before.helpText, after.helpText),
    textChange("the heading in tables", before.key, after.key),
    before._type === after._type ? undefined : "it has another type",
    before.required === after.required
      ? undefined
      : after.required
        ? "an answer is now required"
        : "an answer is now optional",
    ...optionChanges(before, after),
    ...memberChanges(before, after),
    rule,
  ].filter((one) => one !== undefined);
}

function memberChanges(before: Question, after: Question): string[] {
  if (before._type !== after._type) return [];
  const former: Record<string, unknown> = { ...before };
  const names = typeOf(after).memberNames;
  return Object.entries(after)
    .filter(([member, value]) => !NAMED.has(member) && !isEqual(former[member], value))
    .map(([member, value]) => `${names[member] ?? member}: ${valueText(former[member])}, now ${valueText(value)}`);
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "none";
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}

function optionChanges(before: Question, after: Question): string[] {
  if (!("options" in before) || !("options" in after)) return [];
  const byId = (options: SelectQuestion["options"]) => new Map(options.map((option) => [option.id, option]));
  const [former, present] = [byId(before.options), byId(after.options)];
  const changes: string[] = [];
  for (const { id, text } of before.options) if (!present.has(id)) changes.push(`option ${quoted(text)} removed`);
  for (const { id, text, exclusive } of present.values()) {
    const known = former.get(id);
    if (!known) changes.push(`option ${quoted(text)} added`);
    else if (known.text !== text) changes.push(`option ${quoted(known.text)} is now ${quoted(text)}`);
    if (known && known.exclusive !== exclusive)
      changes.push(`option ${quoted(text)} ${exclusive ? "now excludes" : "no longer excludes"} the others`);
  }
  if (isMoved(former, present)) changes.push("options are in another order");
  return changes;
}
