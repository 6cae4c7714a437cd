// Questions that are answered with one option.

import * as v from "valibot";
import { defineQuestionType, type QuestionOf } from "./question-type.ts";
import {
  buildSelect,
  checkChoices,
  selectBehaviour,
  selectComparisons,
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
    card: { label: "One option", fresh: {}, fields: [{ has: "options", isSeveral: false, hasWriteIn: true }] },
    build: buildSelect,
    check(question, raw) {
      const checked = checkChoices(question, raw);
      const hasSeveral = "answer" in checked && (checked.answer?.length ?? 0) > 1;
      return hasSeveral ? { error: { code: "several_options" } } : checked;
    },
    comparisons: {
      ...selectComparisons,
      equality: ([choice]) => choice?.optionId ?? undefined,
      contains: "does not go with a single select; use equals",
    },
    Field: (props) => <SelectField {...props} isSingle={true} />,
    limitsText: () => null,
    missingText: (_, speech) => speech.say("chooseAnswer"),
  },
);
