// Checks the answers of a submission: all that is wrong with them, at once.

import type { ProblemDetail } from "../base/problems.ts";
import { type Answers, checkAnswer, endsWithout, type ShownPage } from "../nouns/content/answers.ts";
import type { Content, PersonalContent } from "../nouns/content/content.ts";
import { type Counting, refersTo } from "../nouns/content/holds.ts";
import { baseLanguageOf } from "../nouns/content/wording.ts";
import { apiMessage } from "../nouns/question-types/errors.ts";
import { type Answer, type Question, typeOf } from "../nouns/question-types/registry.ts";

/** One submitted answer, with the pointers for its errors. */
export interface Submitted {
  questionId: string;
  /** JSON, or an answer that was checked already. */
  answer: { raw: unknown } | { checked: Answer };
  pointers: { question: string; answer: string };
}

export function checkAll(
  questions: readonly Question[],
  answers: readonly Submitted[],
  before: Answers,
  content: PersonalContent,
): { given: Map<string, Answer>; errors: ProblemDetail[]; wrong: Set<string> } {
  const byId = new Map(questions.map((question) => [question.id, question]));
  const given = new Map<string, Answer>();
  const errors: ProblemDetail[] = [];
  const wrong = new Set<string>();
  for (const { questionId, answer, pointers } of answers) {
    const question = byId.get(questionId);
    if (!question) errors.push({ pointer: pointers.question, message: "is not a question of this publication" });
    else if (given.has(questionId)) errors.push({ pointer: pointers.question, message: "is given twice" });
    else {
      // Whether an answer is required is checked later: it depends on what is shown.
      const checked =
        "checked" in answer ? { answer: answer.checked } : checkAnswer(question, answer.raw, content.today);
      if ("error" in checked) {
        for (const error of [checked.error, ...(checked.more ?? [])])
          errors.push({
            pointer: `${pointers.answer}${"pointer" in error ? error.pointer : ""}`,
            message: apiMessage(error),
          });
        wrong.add(questionId);
      } else
        given.set(
          questionId,
          asKept(
            question,
            before.get(questionId),
            "raw" in answer ? inBaseWords(question, checked.answer, content) : checked.answer,
            "raw" in answer ? answer.raw : undefined,
          ),
        );
    }
  }
  return { given, errors, wrong };
}

/** Programs ask in the content's own words. */
function inBaseWords(question: Question, answer: Answer, content: PersonalContent): Answer {
  const { asRead } = typeOf(question);
  return asRead && answer !== null ? asRead(answer, question, () => baseLanguageOf(content)) : answer;
}

/** The former answer where the new one says the same, or else the new one. */
function asKept(question: Question, former: Answer | undefined, answer: Answer, raw: unknown): Answer {
  const { keeps } = typeOf(question);
  return keeps && former && answer && keeps(former, answer, raw) ? former : answer;
}

/** The questions with wrong answers, and those that may be shown or not because of these answers. */
export function undecidedBy(wrong: ReadonlySet<string>, { pages }: Content): ReadonlySet<string> {
  const all = new Set(wrong);
  if (!all.size) return all;
  for (const page of pages) {
    const isUndecided = page.showWhen !== null && refersTo(page.showWhen, all);
    for (const { id, showWhen } of page.questions)
      if (isUndecided || (showWhen && refersTo(showWhen, all))) all.add(id);
  }
  return all;
}

/** Answers to questions that are not shown for these answers. Null counts as not sent. */
export function hiddenAnswers(
  answers: readonly Submitted[],
  given: ReadonlyMap<string, Answer>,
  counting: ReadonlyMap<string, Counting>,
): ProblemDetail[] {
  return answers
    .filter(({ questionId: id }) => (given.get(id) ?? null) !== null && !counting.has(id))
    .map(({ pointers }) => ({ pointer: pointers.question, message: "is not shown for these answers" }));
}

/** Required questions that are shown and were sent without an answer. */
export function skippedRequired(
  answers: readonly Submitted[],
  given: ReadonlyMap<string, Answer>,
  counting: ReadonlyMap<string, Counting>,
): ProblemDetail[] {
  return answers
    .filter(({ questionId: id }) => {
      const question = given.get(id) === null ? counting.get(id)?.question : undefined;
      return question?.required && !endsWithout(question);
    })
    .map(({ pointers }) => ({ pointer: pointers.answer, message: "is required" }));
}

/** Required questions that are shown and lack an answer; those that were sent are in `skippedRequired`. */
export function missingRequired(
  pages: readonly ShownPage[],
  merged: ReadonlyMap<string, Answer>,
  given: ReadonlyMap<string, Answer>,
  undecided: ReadonlySet<string>,
): ProblemDetail[] {
  return pages
    .flatMap((page) => page.questions)
    .filter(({ id, required }) => required && (merged.get(id) ?? null) === null && !given.has(id) && !undecided.has(id))
    .map(({ id }) => ({ pointer: "/responses", message: `lacks an answer to ${id}, which is required` }));
}

/**
 * The pages that are over after a submission: up to the last page that it has answers for. On that page all questions
 * must be answered or skipped; a complete submission skips the rest. Required answers must be there.
 */
export function endedPages(
  pages: readonly ShownPage[],
  { pageId, complete }: { pageId?: string | undefined; complete: boolean },
  given: ReadonlyMap<string, Answer>,
  merged: ReadonlyMap<string, Answer>,
): ShownPage[] {
  // A complete submission also submits what was answered before.
  const submitted = complete ? merged : given;
  const last = pages.findLastIndex(
    ({ page, questions }) => page.id === pageId || questions.some(({ id }) => submitted.has(id)),
  );
  return pages.slice(0, last + 1).filter(({ questions }, index) =>
    questions.every((question) => {
      const answer = merged.get(question.id);
      return question.required && !endsWithout(question)
        ? (answer ?? null) !== null
        : index < last || complete || answer !== undefined;
    }),
  );
}

/** The pages up to the last one that is over. */
export function reachedPages(pages: readonly ShownPage[], ended: readonly ShownPage[]): ShownPage[] {
  const last = ended.at(-1);
  return last ? pages.slice(0, pages.indexOf(last) + 1) : [];
}

/** What was asked on these pages: it was judged without what is not there. A consent that was left out is none that was refused. */
export function passedOver(reached: readonly ShownPage[]): Question[] {
  return reached.flatMap(({ questions }) => questions.filter((question) => !endsWithout(question)));
}
