// How content is shown.

import * as v from "valibot";
import { uuid } from "../schemas.ts";

const nullableText = v.nullable(v.string());
const nullableNumber = v.nullable(v.number());
const condition = v.pipe(v.unknown(), v.title("Condition"));

const common = {
  id: uuid,
  key: nullableText,
  prompt: v.string(),
  helpText: nullableText,
  required: v.boolean(),
  showWhen: condition,
};
const select = { options: v.array(v.object({ id: uuid, text: v.string() })), allowsWriteIn: v.boolean() };

const QuestionView = v.pipe(
  v.variant("_type", [
    v.object({
      _type: v.literal("ScreenerTextQuestion"),
      ...common,
      multiline: v.boolean(),
      minLength: nullableNumber,
      maxLength: nullableNumber,
    }),
    v.object({
      _type: v.literal("ScreenerNumericQuestion"),
      ...common,
      min: nullableNumber,
      max: nullableNumber,
      wholeNumber: v.boolean(),
    }),
    v.object({ _type: v.literal("ScreenerSingleSelectQuestion"), ...common, ...select }),
    v.object({
      _type: v.literal("ScreenerMultiSelectQuestion"),
      ...common,
      ...select,
      minChoices: nullableNumber,
      maxChoices: nullableNumber,
    }),
  ]),
  v.title("ScreenerQuestion"),
);

const content = {
  pages: v.array(
    v.object({
      _type: v.literal("ScreenerPage"),
      id: uuid,
      title: nullableText,
      description: nullableText,
      showWhen: condition,
      disqualifyWhen: condition,
      questions: v.array(QuestionView),
    }),
  ),
  qualifyWhen: condition,
  thankYou: nullableText,
  thankYouByOutcome: v.nullable(
    v.object({
      QUALIFIED: v.optional(v.string()),
      DISQUALIFIED: v.optional(v.string()),
      UNKNOWN: v.optional(v.string()),
    }),
  ),
};

export const ContentView = v.pipe(
  v.object({ _type: v.literal("ScreenerContent"), screenerId: uuid, ...content }),
  v.title("ScreenerContent"),
);

export const PublishedContentView = v.pipe(
  v.object({
    _type: v.literal("ScreenerPublicationContent"),
    screenerId: uuid,
    screenerPublicationId: uuid,
    version: v.number(),
    ...content,
  }),
  v.title("ScreenerPublicationContent"),
);

/** Content's JSON with what it belongs to put before it. */
export function withOwner(owner: object, json: string): string {
  return `${JSON.stringify(owner).slice(0, -1)},${json.slice(1)}`;
}
