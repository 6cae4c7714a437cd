// Changes of a draft, as new values: what was there before stays as it is, so that it can be undone.

import {
  type Arm,
  type ArmAssignment,
  askedIn,
  type Content,
  type Item,
  isQuestion,
  type Page,
  type Quota,
  STATEMENT,
  type Statement,
} from "../../../nouns/content/content.ts";
import type { Condition } from "../../../nouns/question-types/comparisons.ts";
import type { Part } from "../../../nouns/question-types/entries.ts";
import { partsOf, type Question } from "../../../nouns/question-types/registry.ts";

const NEW = "new-";

let made = 0;

/** A label for what is new. The service gives it an id when it is saved. */
export function newLabel(): string {
  made++;
  return `${NEW}${made}`;
}

/** Whether it is a label, which the service does not know. */
export function isLabel(id: string): boolean {
  return id.startsWith(NEW);
}

export function newPage(): Page {
  return {
    _type: "ScreenerPage",
    id: newLabel(),
    title: null,
    description: null,
    showWhen: null,
    disqualifyWhen: null,
    questions: [],
  };
}

/** A text between questions; as long as it has no text, a line. */
export function newStatement(): Statement {
  return { _type: STATEMENT, id: newLabel(), text: null, showWhen: null };
}

/** A quota that everybody counts in. @param more what it has besides */
export function newQuota(more: Partial<Quota> = {}): Quota {
  const ending = { at: "NOW", thankYou: null, redirect: null } as const;
  return { id: newLabel(), name: "", when: null, mode: "LIMIT", limit: null, ending, ...more };
}

export function newArm(name: string): Arm {
  return { id: newLabel(), name, when: null };
}

/** An assignment with two arms, for everybody. */
export function newAssignment(): ArmAssignment {
  return { id: newLabel(), name: "", pick: "LEAST_FULL", arms: [newArm("A"), newArm("B")] };
}

/** The content with other assignments. */
export function withAssignments({ assignments: _, ...content }: Content, assignments: ArmAssignment[]): Content {
  return { ...content, ...(assignments.length && { assignments }) };
}

/** The content with other quotas. */
export function withQuotas({ quotas: _, ...content }: Content, quotas: Quota[]): Content {
  return { ...content, ...(quotas.length && { quotas }) };
}

/** A list with one element replaced. */
export function withItem<Item>(list: readonly Item[], index: number, item: Item): Item[] {
  return list.map((one, at) => (at === index ? item : one));
}

/** Something with a member that is there only where it is true. */
export function withFlag<Of extends object>(of: Of, member: keyof Of & string, isSet: boolean): Of {
  const { [member]: _, ...plain } = of;
  return (isSet ? { ...plain, [member]: true } : plain) as Of;
}

/** A list without one element. */
export function without<Item>(list: readonly Item[], index: number): Item[] {
  return list.filter((_, at) => at !== index);
}

/** A list with one element some positions further, or back. */
export function moved<Item>(list: readonly Item[], index: number, by: number): Item[] {
  const all = [...list];
  const [item] = all.splice(index, 1);
  all.splice(index + by, 0, item!);
  return all;
}

/** The question with each of its lists of parts changed. */
export function withParts<Q extends Question>(question: Q, edit: (parts: readonly Part[]) => Part[]): Q {
  return { ...question, ...Object.fromEntries(partsOf(question).map(([list, parts]) => [list, edit(parts)])) };
}

/** The content with one page changed. */
export function withPage(content: Content, id: string, edit: (page: Page) => Page): Content {
  return { ...content, pages: content.pages.map((page) => (page.id === id ? edit(page) : page)) };
}

/** The content with a question, or a text between questions, at the end of another page. */
export function onPage(content: Content, item: Item, pageId: string): Content {
  const pages = content.pages.map((page) => {
    const others = page.questions.filter(({ id }) => id !== item.id);
    return { ...page, questions: page.id === pageId ? [...others, item] : others };
  });
  return { ...content, pages };
}

/** The questions that a rule may be about: those before a question, or before the end of a page. @param questionId undefined: all of the page */
export function questionsBefore(content: Content, pageId: string, questionId?: string): Question[] {
  const before: Question[] = [];
  for (const page of content.pages) {
    if (page.id === pageId) {
      const index =
        questionId === undefined ? page.questions.length : page.questions.findIndex(({ id }) => id === questionId);
      return [...before, ...askedIn({ questions: page.questions.slice(0, index) })];
    }
    before.push(...askedIn(page));
  }
  return before;
}

/** The texts of lines that were pasted, without those that are there already. */
export function pastedOptions(text: string, present: readonly string[]): string[] {
  const known = new Set(present);
  const fresh: string[] = [];
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "" || known.has(line)) continue;
    known.add(line);
    fresh.push(line);
  }
  return fresh;
}

/** The ids that the service has given to labels. */
export type KnownIds = ReadonlyMap<string, string>;

/** The content with the service's ids instead of labels. */
export function withKnownIds(content: Content, ids: KnownIds): Content {
  const known = (id: string) => ids.get(id) ?? id;
  const knownIn = (value: unknown) =>
    typeof value === "object" && value !== null && "optionId" in value
      ? { ...value, optionId: known(String(value.optionId)) }
      : value;
  const inCondition = (condition: Condition): Condition => {
    if ("all" in condition) return { all: condition.all.map(inCondition) };
    if ("any" in condition) return { any: condition.any.map(inCondition) };
    if ("not" in condition) return { not: inCondition(condition.not) };
    if ("attribute" in condition) return condition;
    if ("arm" in condition) return { arm: known(condition.arm), is: known(condition.is) };
    const operands = Object.entries(condition).map(([member, value]) => [
      member,
      Array.isArray(value)
        ? value.map((one) => known(one as string))
        : typeof value === "string"
          ? known(value)
          : knownIn(value),
    ]);
    return Object.fromEntries(operands) as Condition;
  };
  const rule = (condition: Condition | null) => condition && inCondition(condition);
  return {
    ...content,
    qualifyWhen: rule(content.qualifyWhen),
    ...(content.quotas && {
      quotas: content.quotas.map((quota) => ({ ...quota, id: known(quota.id), when: rule(quota.when) })),
    }),
    ...(content.assignments && {
      assignments: content.assignments.map((assignment) => ({
        ...assignment,
        id: known(assignment.id),
        arms: assignment.arms.map((arm) => ({ ...arm, id: known(arm.id), when: rule(arm.when) })),
      })),
    }),
    pages: content.pages.map((page) => ({
      ...page,
      id: known(page.id),
      showWhen: rule(page.showWhen),
      disqualifyWhen: rule(page.disqualifyWhen),
      ...(page.attentionCheck && { attentionCheck: { when: rule(page.attentionCheck.when)! } }),
      ...(page.contradictsWhen && { contradictsWhen: rule(page.contradictsWhen)! }),
      questions: page.questions.map((question) => ({
        ...(isQuestion(question)
          ? withParts(question, (parts) => parts.map((part) => ({ ...part, id: known(part.id) })))
          : question),
        id: known(question.id),
        showWhen: rule(question.showWhen),
      })),
    })),
  };
}

/** Notes the ids that the service has given. What was sent and what came back have the same order. */
export function learnIds(ids: Map<string, string>, sent: Content, saved: Content): void {
  const learn = (ours: { id: string } | undefined, theirs: { id: string } | undefined) => {
    if (ours && theirs && ours.id !== theirs.id) ids.set(ours.id, theirs.id);
  };
  for (const [index, quota] of (sent.quotas ?? []).entries()) learn(quota, saved.quotas?.[index]);
  for (const [index, assignment] of (sent.assignments ?? []).entries()) {
    const savedOne = saved.assignments?.[index];
    learn(assignment, savedOne);
    for (const [at, arm] of assignment.arms.entries()) learn(arm, savedOne?.arms[at]);
  }
  for (const [index, page] of sent.pages.entries()) {
    const savedPage = saved.pages[index];
    learn(page, savedPage);
    for (const [at, question] of page.questions.entries()) {
      const savedQuestion = savedPage?.questions[at];
      learn(question, savedQuestion);
      if (!isQuestion(question) || !savedQuestion || !isQuestion(savedQuestion)) continue;
      const savedParts = new Map(partsOf(savedQuestion));
      for (const [list, parts] of partsOf(question))
        for (const [index, part] of parts.entries()) learn(part, savedParts.get(list)?.[index]);
    }
  }
}
