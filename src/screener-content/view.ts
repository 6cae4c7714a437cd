// How content is shown.

import * as v from "valibot";
import { conditionView as condition, nullableText } from "../question-types/entries.ts";
import { questionViews } from "../question-types/registry.ts";
import { uuid } from "../schemas.ts";

const QuestionView = v.pipe(v.variant("_type", questionViews), v.title("ScreenerQuestion"));

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
