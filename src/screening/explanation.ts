// The resource declaration of explanations: how a session's outcome came about, rule by rule.

import * as v from "valibot";
import { exampleIds } from "../base/examples.ts";
import { ActorView, plainValue, timestamp, uuid } from "../base/schemas.ts";
import { RULE_RESULTS } from "../nouns/content/advice/trace.ts";
import { OUTCOME_REASONS } from "../nouns/content/content.ts";
import { conditionView } from "../nouns/question-types/entries.ts";
import { RELEASE_REASONS } from "../nouns/quotas/place-queries.ts";
import { STATES, STATUSES } from "../nouns/sessions/resource.ts";

const outcomes = {
  outcome: v.nullable(v.picklist(["QUALIFIED", "DISQUALIFIED", "UNKNOWN"])),
  outcomeReason: v.nullable(v.picklist(OUTCOME_REASONS)),
};

const comparison = v.pipe(
  v.object({
    pointer: v.pipe(v.string(), v.description("Where it is in the rule's `condition`, as a JSON pointer")),
    sentence: v.string(),
    screenerQuestionId: v.pipe(v.nullable(uuid), v.description("The element of `answers` that it is about")),
    attribute: v.pipe(v.nullable(v.string()), v.description("The key of the element of `attributes` that it is about")),
    assignmentId: v.pipe(v.nullable(uuid), v.description("The element of `arms` that it is about")),
    holds: v.pipe(
      v.nullable(v.boolean()),
      v.description("null: it was not looked at, because it could not matter any more; or that is not known"),
    ),
  }),
  v.title("ExplainedComparison"),
);

const rule = v.pipe(
  v.object({
    kind: v.pipe(
      v.picklist(["CONSENT", "DISQUALIFY_WHEN", "QUALIFY_WHEN", "QUOTA", "QUOTA_CELL"]),
      v.description(
        "That a required consent is not given; a page's `disqualifyWhen`; the content's `qualifyWhen`; the publication's target; a quota of the content in which there was no place",
      ),
    ),
    screenerPageId: v.nullable(uuid),
    pageTitle: v.nullable(v.string()),
    condition: conditionView,
    sentence: v.string(),
    result: v.pipe(
      v.picklist(RULE_RESULTS),
      v.description(
        "`NOT_SHOWN`: its page is not shown for these answers. `NOT_REACHED`: a rule before it has decided. `UNKNOWN`: it depends on " +
          "answers that are not given yet, or not kept any more",
      ),
    ),
    decides: v.pipe(
      v.boolean(),
      v.description(
        "Whether it screens out, or finds no place left. At most one rule does; none where the participant qualifies",
      ),
    ),
    comparisons: v.array(comparison),
  }),
  v.title("ExplainedRule"),
);

const quota = v.pipe(
  v.object({
    screenerQuotaId: uuid,
    name: v.string(),
    isIn: v.pipe(
      v.nullable(v.boolean()),
      v.description("Whether the session is in it, by its answers and attributes now. null: that is not known yet"),
    ),
    place: v.pipe(
      v.nullable(v.picklist(["HELD", "TAKEN", "RELEASED"])),
      v.description("The session's latest place in it. null: it never had one"),
    ),
    reason: v.pipe(v.nullable(v.picklist(RELEASE_REASONS)), v.description("Why the place was given back")),
  }),
  v.title("ExplainedQuota"),
);

const arm = v.pipe(
  v.object({
    assignmentId: uuid,
    assignmentName: v.string(),
    armId: v.pipe(v.nullable(uuid), v.description("null: the session was given none, or none yet")),
    armName: v.nullable(v.string()),
  }),
  v.title("ExplainedArm"),
);

const answer = v.pipe(
  v.object({
    screenerQuestionId: uuid,
    screenerPageId: uuid,
    prompt: v.string(),
    state: v.pipe(
      v.picklist(["ANSWERED", "SKIPPED", "NOT_ANSWERED", "NOT_SHOWN", "NOT_KEPT"]),
      v.description("`NOT_SHOWN`: for these answers. `NOT_KEPT`: removed by retention, or sent without consent"),
    ),
    answer: v.pipe(v.unknown(), v.description("As a response has it. null where there is none")),
    normalizedAnswer: v.optional(v.pipe(v.string(), v.description("As a response has it, where it has one"))),
  }),
  v.title("ExplainedAnswer"),
);

const attribute = v.pipe(
  v.object({ key: v.string(), exists: v.boolean(), value: plainValue }),
  v.title("ExplainedAttribute"),
);

export const Explanation = v.pipe(
  v.object({
    _type: v.literal("ScreenerSessionExplanation"),
    screenerSessionId: uuid,
    screenerPublicationId: uuid,
    version: v.pipe(v.number(), v.description("Of the publication")),
    status: v.picklist(STATUSES),
    state: v.picklist(STATES),
    ...outcomes,
    sentence: v.pipe(v.string(), v.description("What decided, for a person to read")),
    override: v.pipe(
      v.nullable(
        v.pipe(
          v.object({
            judged: v.pipe(v.object(outcomes), v.title("Judgement")),
            reason: v.string(),
            createdBy: ActorView,
            createdAt: timestamp,
          }),
          v.title("OutcomeOverride"),
        ),
      ),
      v.description("By whom `outcome` was set by hand, and what the rules had come to (`judged`). null: by the rules"),
    ),
    judgedNow: v.pipe(
      v.nullable(v.pipe(v.object(outcomes), v.title("Judgement"))),
      v.description(
        "What the rules come to now. Of a completed session that is its outcome, unless what `basis` names has changed. Of another one: " +
          "what it would come to if its answers stay. null: that is not known",
      ),
    ),
    basis: v.pipe(
      v.object({
        answers: v.pipe(
          v.picklist(["KEPT", "NOT_KEPT"]),
          v.description("`NOT_KEPT`: the workspace's retention has removed the answers"),
        ),
        attributes: v.pipe(
          v.picklist(["NOT_USED", "CURRENT", "AS_JUDGED", "MAY_HAVE_CHANGED"]),
          v.description(
            "`CURRENT`: the session is not completed. `AS_JUDGED`: the participant was not changed since it was. " +
              "`MAY_HAVE_CHANGED`: the participant was",
          ),
        ),
      }),
      v.title("ExplanationBasis"),
    ),
    rules: v.pipe(v.array(rule), v.description("In the content's order; they are looked at in the order shown")),
    quotas: v.pipe(v.array(quota), v.description("Those of the session's publication, in their order")),
    arms: v.pipe(v.array(arm), v.description("Of each assignment of the session's publication, in their order")),
    answers: v.pipe(v.array(answer), v.description("To the questions that rules are about")),
    attributes: v.pipe(v.array(attribute), v.description("Those that rules are about, as they are now")),
  }),
  v.title("ScreenerSessionExplanation"),
);

export type Explanation = v.InferOutput<typeof Explanation>;

export const explanationExample: Explanation = {
  _type: "ScreenerSessionExplanation",
  screenerSessionId: exampleIds.session,
  screenerPublicationId: exampleIds.publication,
  version: 1,
  status: "ACTIVE",
  state: "COMPLETED",
  outcome: "DISQUALIFIED",
  outcomeReason: "SCREENED_OUT",
  sentence:
    "Screened out by the page “About you”: “How old are you?” is less than 18. “How old are you?” was answered 16.",
  override: null,
  judgedNow: { outcome: "DISQUALIFIED", outcomeReason: "SCREENED_OUT" },
  basis: { answers: "KEPT", attributes: "NOT_USED" },
  rules: [
    {
      kind: "DISQUALIFY_WHEN",
      screenerPageId: exampleIds.page,
      pageTitle: "About you",
      condition: { questionId: exampleIds.ageQuestion, lessThan: 18 },
      sentence: "Screen out if “How old are you?” is less than 18",
      result: "HOLDS",
      decides: true,
      comparisons: [
        {
          pointer: "",
          sentence: "“How old are you?” is less than 18",
          screenerQuestionId: exampleIds.ageQuestion,
          attribute: null,
          assignmentId: null,
          holds: true,
        },
      ],
    },
    {
      kind: "QUALIFY_WHEN",
      screenerPageId: null,
      pageTitle: null,
      condition: { questionId: exampleIds.drinkQuestion, oneOf: [exampleIds.tea, exampleIds.coffee] },
      sentence: "Qualify only if “What do you drink in the morning?” is “Tea” or “Coffee”",
      result: "NOT_REACHED",
      decides: false,
      comparisons: [
        {
          pointer: "",
          sentence: "“What do you drink in the morning?” is “Tea” or “Coffee”",
          screenerQuestionId: exampleIds.drinkQuestion,
          attribute: null,
          assignmentId: null,
          holds: null,
        },
      ],
    },
    {
      kind: "QUOTA",
      screenerPageId: null,
      pageTitle: null,
      condition: null,
      sentence: "Full if 100 other participants have qualified by this publication",
      result: "NOT_REACHED",
      decides: false,
      comparisons: [],
    },
  ],
  quotas: [],
  arms: [],
  answers: [
    {
      screenerQuestionId: exampleIds.ageQuestion,
      screenerPageId: exampleIds.page,
      prompt: "How old are you?",
      state: "ANSWERED",
      answer: 16,
    },
    {
      screenerQuestionId: exampleIds.drinkQuestion,
      screenerPageId: exampleIds.page,
      prompt: "What do you drink in the morning?",
      state: "NOT_SHOWN",
      answer: null,
    },
  ],
  attributes: [],
};
