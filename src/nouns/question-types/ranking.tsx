// Questions that are answered with options in an order: all of them, or the best ones.

import * as v from "valibot";
import { idOf, uuid } from "../../base/schemas.ts";
import { RankCounter } from "./charts/ranks.ts";
import { NO_ORDER, type OwnOperator, quoted } from "./comparisons.ts";
import { count, fixedInput, shuffleInput } from "./entries.ts";
import type { AnswerError } from "./errors.ts";
import { NOTHING_TYPED, type Typed } from "./form.ts";
import { type Checked, checkOrder, defineQuestionType } from "./question-type.ts";
import { RankingField, type RankingQuestion, rankingView, rankPart, ranksOf } from "./ranking-field.tsx";
import { buildSelect, type Choice, checkList, choicesInWords, partsInput, selectComparisons } from "./select.ts";
import { choiceCountOperators, excludesCounts } from "./values/choice-counts.ts";

/** Of each there is a list of all on the page. */
const MAX_RANKED_OPTIONS = 50;

const ranked = v.pipe(
  v.object({ optionId: uuid, text: v.string(), isWriteIn: v.literal(false) }),
  v.title("ScreenerRankedOption"),
);

type Ranked = v.InferOutput<typeof ranked>;

export const rankingType = defineQuestionType(
  {
    kind: "Ranking",
    input: {
      options: partsInput("ScreenerOptionInput", fixedInput, MAX_RANKED_OPTIONS, "options"),
      rankAtLeast: count(1, MAX_RANKED_OPTIONS),
      rankAtMost: count(1, MAX_RANKED_OPTIONS),
      ...shuffleInput,
    },
    view: rankingView,
    answer: v.pipe(v.array(ranked), v.description("From the first rank on")),
  },
  {
    card: {
      label: "Ranking",
      fresh: { rankAtLeast: null, rankAtMost: null },
      fields: [
        { has: "options", isSeveral: false, hasWriteIn: false },
        {
          has: "limits",
          least: ["rankAtLeast", "Minimum number of ranks"],
          most: ["rankAtMost", "Maximum number of ranks"],
        },
      ],
    },
    memberNames: {
      rankAtLeast: "the least number of ranks",
      rankAtMost: "the greatest number of ranks",
      shuffle: "options in an order by chance",
    },
    shuffledList: "options",
    optionCells: {
      none: null,
      of: (index) => index + 1,
      inWords: "rank, from 1 on",
      statistics: { measure: "ORDINAL", labels: [], isSet: false },
    },
    texts: { options: { part: "option" } },
    build({ rankAtLeast = null, rankAtMost = null, options, shuffle }, draft) {
      checkOrder(draft, ["rankAtLeast", rankAtLeast], ["rankAtMost", rankAtMost]);
      if (rankAtLeast !== null && rankAtLeast > options.length)
        draft.fail("/rankAtLeast", `must be at most ${options.length}, the number of options`);
      const { allowsWriteIn: _, ...built } = buildSelect({ options, allowsWriteIn: false, shuffle }, draft);
      return { ...built, rankAtLeast, rankAtMost };
    },
    check: checkRanking,
    comparisons: {
      readOperand: selectComparisons.readOperand,
      operandText: (question, optionId) => optionText(question, optionId),
      equality: {
        equals: "does not go with a ranking; use first",
        oneOf: "does not go with a ranking; use any of first",
      },
      contains: (answer, id) => answer.some(({ optionId }) => optionId === id),
      order: NO_ORDER,
      own: {
        first: firstOperator(),
        rankedAtMost: rankOperator(),
        ...choiceCountOperators((answer: Choice[], _: RankingQuestion) => answer.length),
      },
      excludesAll: (all, question) =>
        new Set(all.flatMap(([operator, optionId]) => (operator === "first" ? [optionId] : []))).size > 1 ||
        excludesCounts(all, ranksOf(question).length),
    },
    inWords: choicesInWords,
    toShown: (answer): Ranked[] =>
      answer.map(({ optionId, text }) => ({ optionId: optionId!, text, isWriteIn: false as const })),
    fromShown: (_, shown): Choice[] => shown,
    cell: (shown) => shown.map(({ text }) => text).join("; "),
    codebookText: () => "ranking, the first one first",
    counter: (versions, { groups }) => new RankCounter(versions, groups),
    inNewestWords(versions) {
      const texts = new Map(
        versions.toReversed().flatMap(({ options }) => options.map(({ id, text }) => [id, text] as const)),
      );
      return (shown) => shown.map((one) => ({ ...one, text: texts.get(one.optionId) ?? one.text }));
    },
    readTyped,
    toTyped: (answer) => ({
      ...NOTHING_TYPED,
      parts: Object.fromEntries(answer.map(({ optionId }, index) => [rankPart(index + 1), optionId!])),
    }),
    Field: RankingField,
    limitsText(question, speech) {
      const { options, rankAtLeast } = question;
      const most = ranksOf(question).length;
      const least = rankAtLeast ?? 1;
      if (least === most) return most === options.length ? speech.say("rankAll") : speech.count("rankExactly", most);
      if (least > 1) return speech.count("rankBetween", most, { min: least });
      return most < options.length ? speech.count("rankUpTo", most) : speech.say("rankAny");
    },
    missingText: ({ rankAtLeast }, speech) =>
      rankAtLeast !== null && rankAtLeast > 1 ? speech.count("rankAtLeast", rankAtLeast) : speech.say("chooseFirst"),
  },
);

function optionText({ options }: RankingQuestion, optionId: string): string {
  return quoted(options.find(({ id }) => id === optionId)?.text ?? optionId);
}

type RankingOperator = OwnOperator<RankingQuestion, Choice[]>;

function readOption(raw: unknown, partIds: ReadonlyMap<string, string>): string | { message: string } {
  return selectComparisons.readOperand(raw, "equals", partIds);
}

function firstOperator(): RankingOperator {
  return {
    read(raw, { partIds }) {
      const option = readOption(raw, partIds);
      return typeof option === "string" ? { operand: option } : option;
    },
    holds: (answer, optionId) => answer[0]?.optionId === optionId,
    text: (optionId, question) => `has ${optionText(question, String(optionId))} first`,
    schema: { type: "string" },
    description: "Holds when this option (its id or label) is ranked first.",
    choice: "has as the first one",
    given: { by: "option" },
  };
}

interface RankOperand {
  optionId: string;
  rank: number;
}

function rankOperator(): RankingOperator {
  return {
    read(raw, { partIds }) {
      if (typeof raw !== "object" || raw === null || Array.isArray(raw))
        return { message: 'must be an object such as { "optionId": …, "rank": 3 }' };
      const { optionId: named, rank, ...others } = raw as Record<string, unknown>;
      if (Object.keys(others).length) return { message: "must have optionId and rank, and nothing else" };
      const optionId = readOption(named, partIds);
      if (typeof optionId !== "string") return { message: `has an optionId that ${optionId.message}` };
      const isRank = typeof rank === "number" && Number.isInteger(rank) && rank >= 1 && rank <= MAX_RANKED_OPTIONS;
      if (!isRank) return { message: `must have a rank from 1 to ${MAX_RANKED_OPTIONS}` };
      return { operand: { optionId, rank } satisfies RankOperand };
    },
    holds(answer, operand) {
      const { optionId, rank } = operand as RankOperand;
      return answer.slice(0, rank).some((one) => one.optionId === optionId);
    },
    text(operand, question) {
      const { optionId, rank } = operand as RankOperand;
      return `has ${optionText(question, optionId)} among the first ${rank ?? "…"}`;
    },
    schema: {
      type: "object",
      properties: {
        optionId: { type: "string", description: "An option by its id (or its label, in the request that makes it)" },
        rank: { type: "integer", minimum: 1, maximum: MAX_RANKED_OPTIONS },
      },
      required: ["optionId", "rank"],
      additionalProperties: false,
    },
    description: "Holds when the option has this rank or a better one: 1 is the best.",
    choice: "has among the first",
    given: { by: "rank" },
  };
}

function checkRanking(question: RankingQuestion, raw: unknown): Checked<Choice[]> {
  const checked = checkList({ ...question, allowsWriteIn: false }, raw);
  if ("error" in checked || checked.answer === null) return checked;
  const { length } = checked.answer;
  const max = ranksOf(question).length;
  const min = question.rankAtLeast ?? 1;
  if (length < min) return { error: { code: "too_few_ranks", limits: { min }, ...atRank(length + 1) } };
  if (length > max) return { error: { code: "too_many_choices", limits: { max } } };
  return checked;
}

/** The rank of an error, and its field, unless that is the first one. */
function atRank(rank: number): { rank: number; part?: string } {
  return rank === 1 ? { rank } : { rank, part: rankPart(rank) };
}

function readTyped(question: RankingQuestion, { parts }: Typed): { raw: unknown } | { error: AnswerError } {
  const chosen: string[] = [];
  let empty: number | undefined;
  for (const rank of ranksOf(question)) {
    const optionId = parts[rankPart(rank)] ?? "";
    if (optionId === "") empty ??= rank;
    else if (empty !== undefined) return { error: { code: "rank_empty", ...atRank(empty) } };
    else if (chosen.includes(optionId)) return { error: { code: "ranked_twice", ...atRank(rank) } };
    else chosen.push(idOf(optionId));
  }
  return { raw: chosen.map((optionId) => ({ optionId })) };
}
