// A form of another version than its link has now: somebody has moved the link since the page was opened.

import type { Reader } from "../../db/sqlite/connection.ts";
import type { Answers } from "../nouns/content/answers.ts";
import { isTyped } from "../nouns/question-types/form.ts";
import type { Form } from "./input.ts";
import { type PageView, pageViewOf, viewOfTyped } from "./page-view.ts";
import { type LinkedSession, questionTypes } from "./queries.ts";
import type { SpokenContent } from "./spoken.ts";
import { frontierOf, resumeAt, stepsOf } from "./steps.ts";

/** Whether a form is of another version than its link: somebody has moved the link since the page was opened. */
export function isOfOther({ version }: LinkedSession, form: Form): boolean {
  return form.version !== undefined && form.version !== version;
}

/**
 * The page to answer in the version that the link has now, for a form of another version: with what was typed for the questions that both
 * have. It is not saved: the person has not seen these questions yet.
 */
export function viewOfOther(
  db: Reader,
  content: SpokenContent,
  session: LinkedSession,
  form: Form,
  answers: Answers,
): PageView {
  const former = questionTypes(db, session.screener_id, form.version!);
  const same = content.pages.flatMap(({ questions }) =>
    questions.flatMap(({ id, _type }) => (form.has(id) && former.get(id) === _type ? [id] : [])),
  );
  const isCut = [...form.questions].some((id) => !same.includes(id) && isTyped(form.typed(id)));
  const steps = stepsOf(content, answers);
  const update = isCut ? "PARTLY_KEPT" : "ALL_KEPT";
  if (!steps.length) return { ...pageViewOf(content, session, steps, -1, answers), update };
  const reached = steps.slice(0, frontierOf(steps) + 1);
  const step = reached.find(({ page }) => page.questions.some(({ id }) => same.includes(id))) ?? resumeAt(steps);
  return { ...viewOfTyped(content, session, steps, step, form.fieldsOf(same), answers), update };
}
