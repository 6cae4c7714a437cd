// Questions that are answered with one of several options.

import * as v from "valibot";
import { NO_ORDER } from "./comparisons.ts";
import { type Checked, defineQuestionType, type QuestionOf } from "./question-type.ts";
import {
  buildSelect,
  type Choice,
  checkChoices,
  readOptionId,
  selectBehaviour,
  selectInput,
  selectView,
  shownChoices,
} from "./select.ts";
import { SelectField } from "./select-field.tsx";

export type SingleSelectQuestion = QuestionOf<"SingleSelect", typeof selectView>;

export const singleSelectType = defineQuestionType(
  { kind: "SingleSelect", input: selectInput, view: selectView, answer: v.pipe(shownChoices, v.maxLength(1)) },
  {
    ...selectBehaviour,
    build: buildSelect,
    check: checkChoice,
    comparisons: {
      readOperand: (raw, _, partIds) => readOptionId(raw, partIds),
      equality: ([choice]) => choice?.optionId ?? undefined,
      contains: "does not go with a single select; use equals",
      order: NO_ORDER,
    },
    Field: (props) => <SelectField {...props} limits={null} isSingle={true} />,
    missingText: () => "Choose an answer",
  },
);

function checkChoice(question: SingleSelectQuestion, raw: unknown): Checked<Choice[]> {
  const checked = checkChoices(question, raw);
  const isOne = "error" in checked || checked.answer === null || checked.answer.length === 1;
  return isOne ? checked : { error: { code: "several_options" } };
}
