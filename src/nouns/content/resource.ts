// The resource ScreenerContent: its JSON, and what authors send. Ids, labels and conditions are checked later (draft.ts).

import * as v from "valibot";
import { closedObject, requiredText, sentBack, shortArray, uuid } from "../../base/schemas.ts";
import { languageTag } from "../../languages/tags.ts";
import { condition, conditionView, label, nullableText, places, ruleView, text } from "../question-types/entries.ts";
import { MARKUPS } from "../question-types/markup/parse.ts";
import { questionInputs, questionViews, typeNames } from "../question-types/registry.ts";
import { AssignmentInput, AssignmentView } from "./arms-resource.ts";
import { describedCondition } from "./conditions/condition-language.ts";
import { MAX_ASSIGNMENTS, MAX_QUESTIONS, MAX_QUOTAS, STATEMENT } from "./content.ts";
import { orderInput, orderView } from "./draft-shuffles.ts";
import { incompleteInput, incompleteView } from "./incomplete/resource.ts";
import { redirect } from "./redirects.ts";
import { StatementInput, StatementView } from "./statement.ts";

const QuestionView = v.pipe(v.variant("_type", [...questionViews, StatementView]), v.title("ScreenerQuestion"));

const QuotaView = v.pipe(
  v.object({
    id: uuid,
    name: v.string(),
    when: conditionView,
    mode: v.picklist(["LIMIT", "COUNT"]),
    limit: v.nullable(v.number()),
    ending: v.object({ at: v.picklist(["NOW", "END"]), thankYou: nullableText, redirect: nullableText }),
  }),
  v.title("ScreenerContentQuota"),
);

const shown = {
  markup: v.pipe(
    v.picklist(MARKUPS),
    v.description(
      "How prompts, help, titles and texts of pages, and closing texts are read. They are shown here as they were written",
    ),
  ),
  language: v.optional(
    v.pipe(
      v.string(),
      v.description("The language of its texts, as BCP 47 names it. Missing: `en`"),
      v.examples(["de-AT"]),
    ),
  ),
  pages: v.array(
    v.pipe(
      v.object({
        _type: v.literal("ScreenerPage"),
        id: uuid,
        title: nullableText,
        description: nullableText,
        showWhen: conditionView,
        disqualifyWhen: conditionView,
        attentionCheck: v.optional(v.pipe(v.object({ when: ruleView }), v.title("ScreenerAttentionCheck"))),
        contradictsWhen: v.optional(ruleView),
        questions: v.array(QuestionView),
        ...orderView,
      }),
      v.title("ScreenerPage"),
    ),
  ),
  qualifyWhen: conditionView,
  thankYou: nullableText,
  thankYouByOutcome: v.nullable(
    v.pipe(
      v.object({
        QUALIFIED: v.optional(v.string()),
        DISQUALIFIED: v.optional(v.string()),
        UNKNOWN: v.optional(v.string()),
      }),
      v.title("ThankYouByOutcome"),
    ),
  ),
  redirectByOutcome: v.optional(
    v.pipe(
      v.object({
        QUALIFIED: v.optional(v.string()),
        DISQUALIFIED: v.optional(v.string()),
        UNKNOWN: v.optional(v.string()),
      }),
      v.title("RedirectByOutcome"),
      v.description("Missing where nobody is led anywhere"),
    ),
  ),
  signRedirects: v.optional(v.literal(true)),
  quotas: v.optional(v.pipe(v.array(QuotaView), v.description("Missing where there are none"))),
  assignments: v.optional(
    v.pipe(v.array(AssignmentView), v.description("Of each a session is given one arm. Missing where there are none")),
  ),
};

export const ContentView = v.pipe(
  v.object({ _type: v.literal("ScreenerContent"), screenerId: uuid, ...shown, ...incompleteView }),
  v.title("ScreenerContent"),
);

export const PublishedContentView = v.pipe(
  v.object({
    _type: v.literal("ScreenerPublicationContent"),
    screenerId: uuid,
    screenerPublicationId: uuid,
    version: v.number(),
    ...shown,
  }),
  v.title("ScreenerPublicationContent"),
);

/** How contents begin whose texts are Markdown: those without it are PLAIN, as they were before it was known. */
const MARKED = /^\{"markup":/;

/** The content's JSON, with the members of `owner` before its own. */
export function withOwner(owner: object, json: string): string {
  const all = MARKED.test(json) ? owner : { ...owner, markup: "PLAIN" };
  return `${JSON.stringify(all).slice(0, -1)},${json.slice(1)}`;
}

export const MAX_PAGES = 500;

const NOT_KNOWN = `must be an object whose _type is ${typeNames.join(", ")} or ${STATEMENT}`;

export const QuestionInput = v.variant("_type", questionInputs, NOT_KNOWN);

const ItemInput = v.pipe(
  v.variant("_type", [...questionInputs, StatementInput], NOT_KNOWN),
  v.title("ScreenerQuestionInput"),
);

const page = {
  ...sentBack("_type"),
  id: label,
  title: text(500),
  description: text(5000),
  showWhen: v.optional(condition),
  disqualifyWhen: v.optional(condition),
  attentionCheck: v.optional(
    v.nullable(
      v.pipe(
        closedObject({ when: condition }),
        v.title("ScreenerAttentionCheckInput"),
        v.description(
          "Where it holds at the end, the person has not read what is asked: a signal for those who review. It decides nothing",
        ),
      ),
    ),
  ),
  contradictsWhen: v.optional(
    v.pipe(
      condition,
      v.description(
        "Where it holds at the end, answers contradict each other or an attribute: a signal. It decides nothing",
      ),
    ),
  ),
  ...orderInput,
};

const thanks = v.optional(v.nullable(requiredText(5000)));

export const QuotaInput = v.pipe(
  closedObject({
    id: label,
    name: requiredText(200),
    when: v.optional(condition),
    mode: v.optional(v.nullable(v.picklist(["LIMIT", "COUNT"], "must be LIMIT or COUNT"))),
    limit: v.optional(v.nullable(places)),
    ending: v.optional(
      v.nullable(
        v.pipe(
          closedObject({
            at: v.optional(v.nullable(v.picklist(["NOW", "END"], "must be NOW or END"))),
            thankYou: thanks,
            redirect,
          }),
          v.title("QuotaEndingInput"),
        ),
      ),
    ),
  }),
  v.title("ScreenerContentQuotaInput"),
);

const sent = {
  ...sentBack("_type", "screenerId", "screenerPublicationId", "version"),
  ...incompleteInput,
  markup: v.pipe(
    v.optional(v.nullable(v.picklist(MARKUPS, `must be ${MARKUPS.join(" or ")}`))),
    v.description(
      "How its texts are read. Without it: as those of the draft so far; as MARKDOWN where nothing was written yet",
    ),
  ),
  language: v.optional(v.nullable(languageTag)),
  qualifyWhen: v.optional(describedCondition),
  thankYou: text(5000),
  thankYouByOutcome: v.optional(
    v.nullable(
      v.pipe(
        closedObject({ QUALIFIED: thanks, DISQUALIFIED: thanks, UNKNOWN: thanks }),
        v.title("ThankYouByOutcomeInput"),
      ),
    ),
  ),
  redirectByOutcome: v.optional(
    v.nullable(
      v.pipe(
        closedObject({ QUALIFIED: redirect, DISQUALIFIED: redirect, UNKNOWN: redirect }),
        v.title("RedirectByOutcomeInput"),
      ),
    ),
  ),
  signRedirects: v.optional(
    v.pipe(
      v.nullable(v.boolean("must be true, false or null")),
      v.description("Whether the addresses to which people are led are signed with the workspace's key"),
    ),
  ),
};

export const ContentInput = v.pipe(
  closedObject({
    pages: shortArray(
      v.pipe(closedObject({ ...page, questions: shortArray(ItemInput, MAX_QUESTIONS) }), v.title("ScreenerPageInput")),
      MAX_PAGES,
    ),
    ...sent,
    quotas: v.optional(v.nullable(shortArray(QuotaInput, MAX_QUOTAS))),
    assignments: v.optional(v.nullable(shortArray(AssignmentInput, MAX_ASSIGNMENTS))),
  }),
  v.title("ScreenerContentInput"),
);

/** The same in pieces. Each is checked by itself, so that errors in one piece do not hide errors in another. */
export const ContentShell = closedObject({
  pages: shortArray(v.unknown(), MAX_PAGES),
  ...sent,
  quotas: v.optional(v.nullable(shortArray(v.unknown(), MAX_QUOTAS))),
  assignments: v.optional(v.nullable(shortArray(v.unknown(), MAX_ASSIGNMENTS))),
});
export const PageShell = closedObject({ ...page, questions: shortArray(v.unknown(), MAX_QUESTIONS) });

export type ContentInput = v.InferOutput<typeof ContentInput>;
