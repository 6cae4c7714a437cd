// All columns that a table of answers can have, each with the filters that fit it.

import * as v from "valibot";
import type { SideTask } from "../engine/threads/side-task.ts";
import { namedQuestions } from "../exports/asked-questions.ts";
import { operatorsFor } from "../exports/filters.ts";
import { partsOf, type Question, rowsOf } from "../nouns/question-types/registry.ts";
import { findScreener } from "../nouns/screeners/queries.ts";
import { type AnswerColumn, columnsOf } from "./columns.ts";

export const Column = v.pipe(
  v.object({
    column: v.pipe(v.string(), v.description("As `columns` takes it")),
    label: v.pipe(v.string(), v.description("What people call it; of a question, its prompt")),
    questionType: v.nullable(v.string()),
    page: v.pipe(v.nullable(v.string()), v.description("Of a question: the title of its page")),
    operators: v.pipe(
      v.array(v.string()),
      v.description("Of a question or an attribute: those of `filter[<column>][<operator>]`"),
    ),
    options: v.pipe(
      v.array(v.pipe(v.object({ id: v.string(), text: v.string() }), v.title("ScreenerAnswerColumnOption"))),
      v.description("What the newest version of a question lets people choose from"),
    ),
  }),
  v.title("ScreenerAnswerColumn"),
);

export const listColumns: SideTask<
  { workspaceUid: string; screenerUid: string },
  { json: string } | { missing: true }
> = {
  name: "list-answer-columns",
  perform: ({ workspaces }, { workspaceUid, screenerUid }) =>
    workspaces.read(workspaceUid, (db) =>
      db.snapshot(() => {
        const screener = findScreener(db, screenerUid);
        if (!screener) return { missing: true };
        const questions = namedQuestions(db, screener.id);
        const pages = new Map(questions.list.map(({ asked, page }) => [asked[0]!.question, page]));
        const columns = columnsOf(db, screener.id, questions);
        const items = [...columns.values()].map((column) => {
          const { question } = column;
          return {
            column: column.name,
            label: column.label,
            questionType: column.questionType,
            page: (question && pages.get(question)) ?? null,
            operators: operatorsFor("attribute" in column.of ? "attribute" : question),
            options: question ? optionsOf(question) : [],
          };
        });
        return { json: JSON.stringify({ _type: "ScreenerAnswerColumns", items }) };
      }),
    ),
};

/** Of a matrix none: each of its rows has them. */
function optionsOf(question: Question): { id: string; text: string }[] {
  if (rowsOf(question).size) return [];
  return partsOf(question).flatMap(([, parts]) => parts.map(({ id, text }) => ({ id, text })));
}

/** A column without the question that it was made from: copies of it would be long. */
export function withoutQuestion({ question: _, ...column }: AnswerColumn): AnswerColumn {
  return column;
}
