// Says in words how one content differs from another one: pages, questions, options, rules, closing texts, quotas and arms.

import { quoted } from "../../question-types/comparisons.ts";
import { PARTS, type Part } from "../../question-types/entries.ts";
import { plainOf } from "../../question-types/markup/plain.ts";
import { partsOf, type Question, typeOf } from "../../question-types/registry.ts";
import { askedIn, type Content, isQuestion, type Page } from "../content.ts";
import { ContentNames, placeName } from "../sentences.ts";
import { baseLanguageOf } from "../wording.ts";
import { type ContentChange, isEqual, isMoved, ruleChange } from "./changes.ts";
import { armChanges, quotaChanges } from "./difference-cells.ts";

/** The changes from `before` to `after`. Pages, questions and options are matched by their ids. */
export function differenceOf(before: Content, after: Content): ContentChange[] {
  const [from, to] = [indexed(before), indexed(after)];
  const changes: ContentChange[] = [];
  const add = (text: string, details: string[] = []) => changes.push({ text, details });
  for (const [index, page] of before.pages.entries())
    if (!to.pages.has(page.id)) add(`Page removed: ${pageName(page, index, before.markup)}`);
  for (const { question } of from.questions.values())
    if (!to.questions.has(question.id)) add(`Question removed: ${quoted(from.byId.promptOf(question.id))}`);
  for (const [index, page] of after.pages.entries()) {
    const name = pageName(page, index, after.markup);
    const former = from.pages.get(page.id);
    if (!former) add(`Page added: ${name}`, [...rulesOf(EMPTY_PAGE, page, from.byId, to.byId)]);
    else {
      const details = [
        ...textsOf(former, page),
        ...orderChanges(former, page),
        ...rulesOf(former, page, from.byId, to.byId),
      ];
      if (details.length) add(`Page changed: ${name}`, details);
    }
    for (const question of askedIn(page)) {
      const known = from.questions.get(question.id);
      const prompt = quoted(to.byId.promptOf(question.id));
      if (!known) add(`Question added: ${prompt}`, [`on ${placeName(page, index, after.markup)}`]);
      else {
        const moves = known.pageId === page.id ? [] : [`moved to ${placeName(page, index, after.markup)}`];
        const details = [...moves, ...questionChanges(known.question, question, from.byId, to.byId)];
        if (details.length) add(`Question changed: ${prompt}`, details);
      }
    }
  }
  if (isMoved(from.pages, to.pages)) add("Pages are in another order");
  else if (isMoved(from.questions, to.questions)) add("Questions are in another order");
  if (!isEqual(statementsOf(before), statementsOf(after))) add("Texts between questions changed");
  const rule = ruleChange("Qualify only if", before.qualifyWhen, after.qualifyWhen, from.byId, to.byId);
  if (rule) add("The rule at the end changed", [rule]);
  const markup = after.markup ?? "PLAIN";
  if ((before.markup ?? "PLAIN") !== markup)
    add(markup === "PLAIN" ? "Texts are shown as they are typed" : "Texts are read as Markdown");
  const languages = [before, after].map(baseLanguageOf);
  if (languages[0] !== languages[1])
    add(`The study's own texts were in ${languages[0]}, and are now in ${languages[1]}`);
  if (before.thankYou !== after.thankYou || !isEqual(before.thankYouByOutcome, after.thankYouByOutcome))
    add("The closing texts changed");
  const redirects = redirectChanges(before, after);
  if (redirects.length) add("Where people are led at the end changed", redirects);
  return [
    ...changes,
    ...quotaChanges(before, after, from.byId, to.byId),
    ...armChanges(before, after, from.byId, to.byId),
  ];
}

const OUTCOMES = { QUALIFIED: "who qualifies", DISQUALIFIED: "who is screened out", UNKNOWN: "where no rule decides" };

function redirectChanges(before: Content, after: Content): string[] {
  const { redirectByOutcome: from = {} } = before;
  const { redirectByOutcome: to = {} } = after;
  const changes = (["QUALIFIED", "DISQUALIFIED", "UNKNOWN"] as const)
    .filter((outcome) => from[outcome] !== to[outcome])
    .map((outcome) => `${OUTCOMES[outcome]}: ${from[outcome] ?? "nowhere"}, now ${to[outcome] ?? "nowhere"}`);
  if (before.signRedirects === after.signRedirects) return changes;
  return [...changes, after.signRedirects ? "The addresses are signed" : "The addresses are not signed any more"];
}

const statementsOf = ({ pages }: Content) =>
  pages.flatMap(({ id, questions }) => questions.flatMap((item) => (isQuestion(item) ? [] : [[id, item]])));

interface Index {
  pages: ReadonlyMap<string, Page>;
  questions: ReadonlyMap<string, { question: Question; pageId: string }>;
  byId: ContentNames;
}

function indexed(content: Content): Index {
  const { pages } = content;
  const all = pages.flatMap((page) => askedIn(page).map((question) => ({ question, pageId: page.id })));
  return {
    pages: new Map(pages.map((page) => [page.id, page])),
    questions: new Map(all.map((one) => [one.question.id, one])),
    byId: new ContentNames(content),
  };
}

const EMPTY_PAGE = { showWhen: null, disqualifyWhen: null };

function pageName({ title }: Page, index: number, markup: Content["markup"]): string {
  return title === null ? String(index + 1) : quoted(plainOf(title, markup));
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

function orderChanges(before: Page, after: Page): string[] {
  const block = ({ shuffleBlock }: Page) =>
    shuffleBlock === undefined ? "no block" : `the block ${quoted(shuffleBlock)}`;
  return [
    before.shuffle === after.shuffle
      ? undefined
      : after.shuffle
        ? "its questions are now in an order by chance"
        : "its questions are now in this order",
    before.shuffleBlock === after.shuffleBlock
      ? undefined
      : `among pages in an order by chance: ${block(before)}, now ${block(after)}`,
    fixedChange("it", before, after),
  ].filter((one) => one !== undefined);
}

type Fixed = { fixed?: true | undefined };

/** Whether an item of a shuffled list keeps its position. */
function fixedChange(name: string, before: Fixed, after: Fixed): string | undefined {
  if (before.fixed === after.fixed) return undefined;
  return `${name} ${after.fixed ? "now keeps its position" : "no longer keeps its position"}`;
}

type Rules = Pick<Page, "showWhen" | "disqualifyWhen" | "attentionCheck" | "contradictsWhen">;

function rulesOf(before: Rules, after: Rules, from: ContentNames, to: ContentNames): string[] {
  return [
    ruleChange("Show only if", before.showWhen, after.showWhen, from, to),
    ruleChange("Screen out if", before.disqualifyWhen, after.disqualifyWhen, from, to),
    ruleChange("Attention check", before.attentionCheck?.when ?? null, after.attentionCheck?.when ?? null, from, to),
    ruleChange("Contradiction", before.contradictsWhen ?? null, after.contradictsWhen ?? null, from, to),
  ].filter((one) => one !== undefined);
}

/** Members of every question. Each has a sentence of its own. */
const NAMED = new Set([
  "id",
  "prompt",
  "helpText",
  "key",
  "required",
  "showWhen",
  "fixed",
  "_type",
  ...Object.keys(PARTS),
]);

function questionChanges(before: Question, after: Question, from: ContentNames, to: ContentNames): string[] {
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
    fixedChange("it", before, after),
    ...partChanges(before, after),
    ...memberChanges(before, after),
    rule,
  ].filter((one) => one !== undefined);
}

function memberChanges(before: Question, after: Question): string[] {
  if (before._type !== after._type) return [];
  const { memberNames: names, whenMissing } = typeOf(after);
  const former: Record<string, unknown> = { ...whenMissing, ...before };
  const present: Record<string, unknown> = { ...whenMissing, ...after };
  return Object.keys({ ...present, ...former })
    .filter((member) => !NAMED.has(member) && !isEqual(former[member], present[member]))
    .map((member) => `${names[member] ?? member}: ${valueText(former[member])}, now ${valueText(present[member])}`);
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "none";
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}

function partChanges(before: Question, after: Question): string[] {
  const former = new Map(partsOf(before));
  return partsOf(after).flatMap(([list, parts]) => {
    const known = former.get(list);
    return known ? listChanges(PARTS[list], known, parts) : [];
  });
}

/** @param name what a part of the list is called */
function listChanges(name: string, before: readonly ListedPart[], after: readonly ListedPart[]): string[] {
  const byId = (parts: readonly ListedPart[]) => new Map(parts.map((part) => [part.id, part]));
  const [former, present] = [byId(before), byId(after)];
  const changes: string[] = [];
  for (const { id, text } of before) if (!present.has(id)) changes.push(`${name} ${quoted(text)} removed`);
  for (const { id, text, exclusive, fixed } of after) {
    const known = former.get(id);
    if (!known) changes.push(`${name} ${quoted(text)} added`);
    else if (known.text !== text) changes.push(`${name} ${quoted(known.text)} is now ${quoted(text)}`);
    if (known && known.exclusive !== exclusive)
      changes.push(`${name} ${quoted(text)} ${exclusive ? "now excludes" : "no longer excludes"} the others`);
    const fixing = known && fixedChange(`${name} ${quoted(text)}`, known, { fixed });
    if (fixing !== undefined) changes.push(fixing);
  }
  if (isMoved(former, present)) changes.push(`${name}s are in another order`);
  return changes;
}

/** Only options can exclude others. */
interface ListedPart extends Part {
  exclusive?: true | undefined;
}
