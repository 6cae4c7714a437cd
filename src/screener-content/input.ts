// What callers send as a screener's content. References are checked after this (draft.ts).

import * as v from "valibot";
import { maxCharacters, requiredText, shortArray } from "../schemas.ts";
import { MAX_NUMBER } from "./answers.ts";
import { MAX_QUESTIONS } from "./content.ts";

export const MAX_PAGES = 500;
const MAX_OPTIONS = 500;

const label = v.optional(
  v.nullable(
    v.pipe(
      requiredText(64),
      v.description(
        "Of what is in the draft already: its id. Of what is new: any label, for conditions to refer to, or nothing",
      ),
    ),
  ),
);

/** Checked in its own right (conditions.ts), because a union's errors would point nowhere. */
const condition = v.pipe(
  v.unknown(),
  v.title("Condition"),
  v.description(
    'Null, or `{"all": […]}`, `{"any": […]}`, `{"not": …}`, or a comparison `{"questionId": …, …}` with exactly one of ' +
      "`answered` (true or false), `equals` (a text, a number or an option's id), `oneOf` (several of them), `contains` (a piece of a text, " +
      "in upper or lower case, or an option of a multi select), `lessThan`, `atMost`, `greaterThan`, `atLeast` (numbers). It may refer to earlier questions only; " +
      "one that was not shown, or was skipped, is not answered, and no comparison with it holds. A condition has at most 200 " +
      "parts, nested at most 10 deep, and `oneOf` at most 500 values; all conditions together have at most 10,000 parts.",
  ),
);

const text = (max: number) => v.optional(v.nullable(maxCharacters(max)));
const flag = v.optional(v.nullable(v.boolean("must be true or false")));
const count = (min: number, max: number) =>
  v.optional(
    v.nullable(
      v.pipe(
        v.number("must be a whole number or null"),
        v.integer("must be a whole number"),
        v.minValue(min, `must be at least ${min}`),
        v.maxValue(max, `must be at most ${max}`),
      ),
    ),
  );
const bound = v.optional(
  v.nullable(
    v.pipe(
      v.number("must be a number or null"),
      v.minValue(-MAX_NUMBER, `must be at least ${-MAX_NUMBER}`),
      v.maxValue(MAX_NUMBER, `must be at most ${MAX_NUMBER}`),
    ),
  ),
);

const common = {
  id: label,
  key: v.optional(
    v.nullable(
      v.pipe(
        v.string("must be a string"),
        v.regex(/^[A-Za-z][\w-]{0,63}$/, "must begin with a letter and have at most 64 letters, digits, - and _"),
        v.description("The question's heading in tables; its id when there is none"),
      ),
    ),
  ),
  prompt: requiredText(5000),
  helpText: text(5000),
  required: flag,
  showWhen: v.optional(condition),
};

const options = v.pipe(
  shortArray(v.object({ id: label, text: requiredText(1000) }, "must be an object"), MAX_OPTIONS),
  v.minLength(1, "must have at least one option"),
);

export const QuestionInput = v.pipe(
  v.variant(
    "_type",
    [
      v.object({
        _type: v.literal("ScreenerTextQuestion"),
        ...common,
        multiline: flag,
        minLength: count(0, 10_000),
        maxLength: count(1, 10_000),
      }),
      v.object({ _type: v.literal("ScreenerNumericQuestion"), ...common, min: bound, max: bound, wholeNumber: flag }),
      v.object({ _type: v.literal("ScreenerSingleSelectQuestion"), ...common, options, allowsWriteIn: flag }),
      v.object({
        _type: v.literal("ScreenerMultiSelectQuestion"),
        ...common,
        options,
        allowsWriteIn: flag,
        minChoices: count(1, 501),
        maxChoices: count(1, 501),
      }),
    ],
    "must be an object whose _type is ScreenerTextQuestion, ScreenerNumericQuestion, ScreenerSingleSelectQuestion or ScreenerMultiSelectQuestion",
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
export type QuestionInput = v.InferOutput<typeof QuestionInput>;
