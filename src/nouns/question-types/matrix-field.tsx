// What a matrix is, as it is kept and shown; and a matrix on the page: a group of radio buttons, or of check boxes, for each row.
//
// The same elements look like a table where there is room for one. Then a line with the columns' texts stands above, for the eye alone: each
// box has its own text in any case.

import * as v from "valibot";
import { clean } from "../../base/clean-text.ts";
import { fixedView, type Part, shuffleView } from "./entries.ts";
import { describedBy, Notes, Prompt } from "./field.tsx";
import { fieldId, partField } from "./form.ts";
import type { FieldProps, QuestionOf } from "./question-type.ts";
import { partsView } from "./select.ts";

export const matrixView = {
  rows: partsView("ScreenerMatrixRow", fixedView),
  columns: partsView("ScreenerMatrixColumn", {}),
  multiple: v.boolean(),
  requireEachRow: v.boolean(),
  ...shuffleView,
};

export type MatrixQuestion = QuestionOf<"Matrix", typeof matrixView>;

/** The radio buttons of a row; and the first box of it. */
export const rowPart = (rowId: string) => `row-${rowId}`;

/** The check box of a cell. */
export const boxPart = (rowId: string, columnId: string) => `row-${rowId}-${columnId}`;

export function MatrixField({ typed, wrong, ...notes }: FieldProps<MatrixQuestion>) {
  const { question, author } = notes;
  const { rows, columns, requireEachRow } = question;
  const isMissing = (row: Part) => {
    if (wrong?.code === "rows_missing") return wrong.rows.some(({ id }) => id === row.id);
    return wrong?.code === "required" && (requireEachRow || row === rows[0]);
  };
  /** Whether the error links to it. Else the question's link leads to the first row that is shown. */
  const isLinked = (row: Part) => wrong?.code === "rows_missing" && wrong.part === rowPart(row.id);
  return (
    <fieldset class="group" aria-describedby={describedBy(notes)}>
      <legend class="prompt">
        <Prompt {...notes} />
      </legend>
      <Notes {...notes} />
      <div class={fitsTable(columns) ? "matrix matrix-table" : "matrix"}>
        <div class="matrix-head" aria-hidden="true">
          {columns.map((column) => (
            <span key={column.id} {...author("column", column.id)}>
              {clean(column.text)}
            </span>
          ))}
        </div>
        {rows.map((row, index) => (
          <Row
            key={row.id}
            {...{ ...notes, typed, row }}
            firstId={index === 0 && !isLinked(row) ? fieldId(question.id) : partField(rowPart(row.id), question.id)}
            isMissing={isMissing(row)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface RowProps extends Omit<FieldProps<MatrixQuestion>, "wrong"> {
  row: Part;
  /** Of its first box. */
  firstId: string;
  isMissing: boolean;
}

function Row({ question, speech, author, typed, row, firstId, isMissing }: RowProps) {
  const { id, columns, multiple, required, requireEachRow } = question;
  const wrong = isMissing ? ("true" as const) : undefined;
  const errorId = partField("error", row.id);
  // An error is marked once on a group of radio buttons, but on each check box.
  const group = multiple
    ? {}
    : { role: "radiogroup" as const, "aria-invalid": wrong, "aria-required": required && requireEachRow };
  const part = (columnId: string) => (multiple ? boxPart(row.id, columnId) : rowPart(row.id));
  const box = (columnId: string) => ({
    class: "box",
    type: multiple ? ("checkbox" as const) : ("radio" as const),
    name: partField(part(columnId), id),
    value: columnId,
    checked: columnId !== "" && typed.parts[part(columnId)] === columnId,
    ...(multiple && wrong && { "aria-invalid": wrong }),
  });
  const isAnswered = (typed.parts[rowPart(row.id)] ?? "") !== "";
  return (
    <fieldset
      class={isMissing ? "matrix-row matrix-row-wrong" : "matrix-row"}
      aria-describedby={isMissing ? errorId : undefined}
      {...group}
    >
      <legend>
        <span {...author("row", row.id)}>{clean(row.text)}</span>
      </legend>
      {isMissing && (
        <p class="error" id={errorId}>
          <bdi>{speech.say("chooseAnswer")}</bdi>
        </p>
      )}
      <div class="cells">
        {columns.map((column, index) => (
          <label class="option" key={column.id}>
            <input {...box(column.id)} id={index === 0 ? firstId : undefined} />
            <span class="option-text" {...author("column", column.id)}>
              {clean(column.text)}
            </span>
          </label>
        ))}
      </div>
      {!multiple && !(required && requireEachRow) && isAnswered && (
        <label class="option">
          <input {...box("")} />
          <span class="option-text">
            <bdi>{speech.say("noAnswer")}</bdi>
          </span>
        </label>
      )}
    </fieldset>
  );
}

/** The room for all columns of a table, in letters of their texts. */
const TABLE_LETTERS = 46;
const MAX_TABLE_COLUMNS = 7;

/** Whether the longest words of the columns fit side by side. */
function fitsTable(columns: readonly Part[]): boolean {
  const longest = Math.max(...columns.flatMap(({ text }) => text.split(/\s+/).map((word) => word.length)));
  return columns.length <= MAX_TABLE_COLUMNS && longest <= TABLE_LETTERS / columns.length;
}
