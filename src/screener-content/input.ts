// What callers send as a screener's content. References are checked after this (draft.ts).

import * as v from "valibot";
import { condition, label, text } from "../question-types/entries.ts";
import { questionInputs, typeNames } from "../question-types/registry.ts";
import { requiredText, shortArray } from "../schemas.ts";
import { MAX_QUESTIONS } from "./content.ts";

export const MAX_PAGES = 500;

export const QuestionInput = v.pipe(
  v.variant(
    "_type",
    questionInputs,
    `must be an object whose _type is ${typeNames.slice(0, -1).join(", ")} or ${typeNames.at(-1)}`,
  ),
  v.title("ScreenerQuestionInput"),
);

const page = {
  id: label,
  title: text(500),
  description: text(5000),
  showWhen: v.optional(condition),
  disqualifyWhen: v.optional(condition),
};

const thanks = v.optional(v.nullable(requiredText(5000)));

const content = {
  qualifyWhen: v.optional(condition),
  thankYou: text(5000),
  thankYouByOutcome: v.optional(
    v.nullable(v.object({ QUALIFIED: thanks, DISQUALIFIED: thanks, UNKNOWN: thanks }, "must be an object")),
  ),
};

export const ContentInput = v.pipe(
  v.object({
    pages: shortArray(
      v.object({ ...page, questions: shortArray(QuestionInput, MAX_QUESTIONS) }, "must be an object"),
      MAX_PAGES,
    ),
    ...content,
  }),
  v.title("ScreenerContentInput"),
);

/** The same in pieces: a draft is read piece by piece, so that one wrong piece does not hide what is wrong elsewhere. */
export const ContentShell = v.object({ pages: shortArray(v.unknown(), MAX_PAGES), ...content });
export const PageShell = v.object({ ...page, questions: shortArray(v.unknown(), MAX_QUESTIONS) }, "must be an object");

export type ContentInput = v.InferOutput<typeof ContentInput>;
