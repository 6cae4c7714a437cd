// Questions that are answered with any number of options.

import type { Speech } from "../../words/speech.ts";
import { count, nullableNumber } from "./entries.ts";
import { type Checked, checkOrder, defineQuestionType, type QuestionOf } from "./question-type.ts";
import {
  buildSelect,
  type Choice,
  checkChoices,
  MAX_OPTIONS,
  multiSelectInput,
  multiSelectView,
  selectBehaviour,
  selectComparisons,
  shownChoices,
} from "./select.ts";
import { SelectField } from "./select-field.tsx";
import { choiceCountOperators, excludesCounts } from "./values/choice-counts.ts";

/** All options and the write-in. */
const MAX_CHOICES = MAX_OPTIONS + 1;

const view = { ...multiSelectView, minChoices: nullableNumber, maxChoices: nullableNumber };

export type MultiSelectQuestion = QuestionOf<"MultiSelect", typeof view>;

export const multiSelectType = defineQuestionType(
  {
    kind: "MultiSelect",
    input: { ...multiSelectInput, minChoices: count(1, MAX_CHOICES), maxChoices: count(1, MAX_CHOICES) },
    view,
    answer: shownChoices,
  },
  {
    ...selectBehaviour,
    card: {
      label: "Several options",
      fresh: { minChoices: null, maxChoices: null },
      fields: [
        { has: "options", isSeveral: true, hasWriteIn: true },
        {
          has: "limits",
          least: ["minChoices", "Minimum number of choices"],
          most: ["maxChoices", "Maximum number of choices"],
        },
      ],
    },
    memberNames: {
      ...selectBehaviour.memberNames,
      minChoices: "the least number of choices",
      maxChoices: "the greatest number of choices",
    },
    optionCells: {
      none: 0,
      of: () => 1,
      inWords: "1 or 0",
      statistics: {
        measure: "NOMINAL",
        labels: [
          [0, "Not chosen"],
          [1, "Chosen"],
        ],
        isSet: true,
      },
    },
    build({ minChoices = null, maxChoices = null, ...input }, draft) {
      const possible = input.options.length + Number(input.allowsWriteIn ?? false);
      checkOrder(draft, ["minChoices", minChoices], ["maxChoices", maxChoices]);
      if (minChoices !== null && minChoices > possible)
        draft.fail("/minChoices", `must be at most ${possible}, the number of options`);
      return { ...buildSelect(input, draft), minChoices, maxChoices };
    },
    assumed: () => ({ allowsWriteIn: true }),
    check: checkCount,
    comparisons: {
      ...selectComparisons,
      equality: {
        equals: "does not go with a multi select; use contains",
        oneOf: "does not go with a multi select; use any of contains",
      },
      contains: (answer, id) => answer.some(({ optionId }) => optionId === id),
      own: choiceCountOperators((answer: Choice[], question: MultiSelectQuestion) =>
        exclusiveAmong(question, answer) ? 0 : answer.length,
      ),
      excludesAll: (all, { options, allowsWriteIn, maxChoices }) =>
        excludesCounts(all, Math.min(maxChoices ?? MAX_CHOICES, options.length + Number(allowsWriteIn))),
    },
    Field: (props) => <SelectField {...props} isSingle={false} />,
    limitsText,
    missingText: ({ minChoices }, speech) =>
      minChoices !== null && minChoices > 1
        ? speech.count("chooseAtLeast", minChoices)
        : speech.say("chooseOneAtLeast"),
  },
);

function checkCount(question: MultiSelectQuestion, raw: unknown): Checked<Choice[]> {
  const checked = checkChoices(question, raw);
  if ("error" in checked || checked.answer === null) return checked;
  const { minChoices: min, maxChoices: max } = question;
  const { length } = checked.answer;
  const exclusive = exclusiveAmong(question, checked.answer);
  // It stands for “none of these”, so it is enough.
  if (exclusive)
    return length === 1
      ? checked
      : { error: { code: "exclusive_option", option: exclusive.text, optionId: exclusive.optionId } };
  if (min !== null && length < min) return { error: { code: "too_few_choices", limits: { min } } };
  if (max !== null && length > max) return { error: { code: "too_many_choices", limits: { max } } };
  return checked;
}

/** The option that excludes all others, if it was chosen. */
function exclusiveAmong({ options }: MultiSelectQuestion, choices: readonly Choice[]): Choice | undefined {
  const exclusive = new Set(options.filter((option) => option.exclusive).map(({ id }) => id));
  return exclusive.size ? choices.find(({ optionId }) => optionId !== null && exclusive.has(optionId)) : undefined;
}

function limitsText({ options, allowsWriteIn, minChoices, maxChoices }: MultiSelectQuestion, speech: Speech): string {
  const possible = options.length + Number(allowsWriteIn);
  const min = minChoices ?? 0;
  const max = maxChoices ?? possible;
  if (min > 1 && min === max) return speech.count("chooseExactly", min);
  if (min > 1) return max < possible ? speech.count("chooseBetween", max, { min }) : speech.count("chooseAtLeast", min);
  return max < possible ? speech.count("chooseUpTo", max) : speech.say("chooseAll");
}
