// Questions that are answered with a step of a scale: a number, a number of stars, or the likelihood of a recommendation.

import * as v from "valibot";
import { ScaleCounter } from "./charts/scale.ts";
import { count, text } from "./entries.ts";
import { NOTHING_TYPED } from "./form.ts";
import { type Checked, defineQuestionType } from "./question-type.ts";
import { LOOKS, type Look, ScaleField, type ScaleQuestion, scaleView } from "./scale-field.tsx";
import { numberComparisons } from "./values/numbers.ts";

const LAST = 10;
const MAX_LABEL_LENGTH = 100;

/** The steps where the author says nothing else; and those that a look must have. */
const STEPS: Record<Look, { from: number; to: number }> = {
  NUMBERS: { from: 1, to: 5 },
  STARS: { from: 1, to: 5 },
  NPS: { from: 0, to: LAST },
};
const FIXED: Record<Look, readonly ("from" | "to")[]> = { NUMBERS: [], STARS: ["from"], NPS: ["from", "to"] };

const step = count(0, LAST);
const endLabel = text(MAX_LABEL_LENGTH);

export const scaleType = defineQuestionType(
  {
    kind: "Scale",
    input: {
      look: v.optional(v.nullable(v.picklist(LOOKS, `must be ${LOOKS.slice(0, -1).join(", ")} or ${LOOKS.at(-1)}`))),
      from: step,
      to: step,
      lowLabel: endLabel,
      highLabel: endLabel,
    },
    view: scaleView,
    answer: v.number(),
  },
  {
    card: {
      label: "Scale",
      fresh: { look: "NUMBERS", ...STEPS.NUMBERS, lowLabel: null, highLabel: null },
      fields: [
        {
          has: "choice",
          member: "look",
          label: "Looks like",
          options: [
            { value: "NUMBERS", label: "Numbers" },
            { value: "STARS", label: "Stars", sets: STEPS.STARS },
            { value: "NPS", label: "Likelihood of a recommendation, 0 to 10 (NPS)", sets: STEPS.NPS },
          ],
        },
        { has: "limits", least: ["from", "First step"], most: ["to", "Last step"] },
        { has: "text", member: "lowLabel", label: "Words at the first step" },
        { has: "text", member: "highLabel", label: "Words at the last step" },
      ],
    },
    memberNames: {
      look: "how it looks",
      from: "the first step",
      to: "the last step",
      lowLabel: "the words at the first step",
      highLabel: "the words at the last step",
    },
    texts: { lowLabel: "text", highLabel: "text" },
    build(input, draft) {
      const look = input.look ?? "NUMBERS";
      const steps = STEPS[look];
      const [from, to] = [
        input.from ?? steps.from,
        input.to ?? Math.min(Math.max(steps.to, (input.from ?? 0) + 1), LAST),
      ];
      for (const member of FIXED[look])
        if ({ from, to }[member] !== steps[member])
          draft.fail(`/${member}`, `must be ${steps[member]}, because look is ${look}`);
      if (to <= from) draft.fail("/to", "must be greater than from");
      const [lowLabel, highLabel] = [input.lowLabel?.trim() || null, input.highLabel?.trim() || null];
      return { look, from, to, lowLabel, highLabel };
    },
    assumed: () => ({ from: 0 }),
    check: checkStep,
    comparisons: { ...numberComparisons, range: ({ from, to }) => ({ min: from, max: to, isWhole: true }) },
    inWords: (_, answer, speech) => speech.number(answer),
    toShown: (answer) => answer,
    fromShown: (_, shown) => shown,
    cell: (shown) => shown,
    statistics: ({ from, to, lowLabel, highLabel }) => ({
      are: "STEPS",
      labels: [
        ...(lowLabel === null ? [] : [[from, lowLabel] as const]),
        ...(highLabel === null ? [] : [[to, highLabel] as const]),
      ],
    }),
    codebookText: ({ from, to, lowLabel, highLabel }) =>
      [
        `scale from ${from} to ${to}`,
        ...(lowLabel === null ? [] : [`${from}: ${lowLabel}`]),
        ...(highLabel === null ? [] : [`${to}: ${highLabel}`]),
      ].join("; "),
    counter: (versions, { groups }) => new ScaleCounter(versions, groups),
    readTyped(_, { text }) {
      if (!text) return { raw: null };
      return /^\d{1,2}$/.test(text) ? { raw: Number(text) } : { error: { code: "not_number", wholeNumber: true } };
    },
    toTyped: (step) => ({ ...NOTHING_TYPED, text: String(step) }),
    Field: ScaleField,
    limitsText: () => null,
    missingText: ({ look }, speech) => speech.say(look === "STARS" ? "chooseStars" : "chooseNumber"),
  },
);

function checkStep({ from: min, to: max }: ScaleQuestion, raw: unknown): Checked<number> {
  if (typeof raw !== "number" || !Number.isFinite(raw)) return { error: { code: "not_number", wholeNumber: true } };
  if (!Number.isInteger(raw)) return { error: { code: "not_whole" } };
  if (raw < min) return { error: { code: "too_small", limits: { min } } };
  return raw > max ? { error: { code: "too_large", limits: { max } } } : { answer: raw };
}
