// Questions that are answered with one option, out of a list of radio buttons or out of a menu.

import * as v from "valibot";
import type { AnswerError } from "./errors.ts";
import type { Typed } from "./form.ts";
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
import { isSearched, MenuField, SelectField } from "./select-field.tsx";

const DISPLAYS = ["LIST", "MENU"] as const;
const display = v.picklist(DISPLAYS, `must be ${DISPLAYS.join(" or ")}`);

const view = { ...selectView, display: v.optional(v.pipe(display, v.description("Missing: LIST"))) };

export type SingleSelectQuestion = QuestionOf<"SingleSelect", typeof view>;

export const singleSelectType = defineQuestionType(
  {
    kind: "SingleSelect",
    input: { ...selectInput, display: v.optional(v.nullable(display)) },
    view,
    answer: v.pipe(shownChoices, v.maxLength(1)),
  },
  {
    ...selectBehaviour,
    statistics: () => ({ are: "CODES" }),
    card: {
      label: "One option",
      fresh: {},
      fields: [
        { has: "options", isSeveral: false, hasWriteIn: true },
        {
          has: "choice",
          member: "display",
          label: "Looks like",
          options: [
            { value: "LIST", label: "A list, with all options to be seen" },
            { value: "MENU", label: "A menu that opens; with 20 options or more it can be searched by typing" },
          ],
        },
      ],
    },
    memberNames: { ...selectBehaviour.memberNames, display: "how it looks" },
    whenMissing: { display: "LIST" },
    build: ({ display, ...input }, draft) => ({ ...buildSelect(input, draft), ...(display && { display }) }),
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
    readTyped,
    Field: (props) => (isMenu(props.question) ? <MenuField {...props} /> : <SelectField {...props} isSingle={true} />),
    needsMenuScript: (question) => isMenu(question) && isSearched(question),
    limitsText: () => null,
    missingText: (_, speech) => speech.say("chooseAnswer"),
  },
);

function isMenu({ display }: SingleSelectQuestion): boolean {
  return display === "MENU";
}

function readTyped(question: SingleSelectQuestion, typed: Typed): { raw: unknown } | { error: AnswerError } {
  if (!isMenu(question)) return selectBehaviour.readTyped(question, typed);
  // A menu always sends something: what is written counts where nothing was chosen in it.
  const chosen = new Set([...typed.chosen].filter((one) => one !== ""));
  return selectBehaviour.readTyped(question, { ...typed, chosen });
}
