// Questions that are answered in several rows, each with one or several of the same columns.

import * as v from "valibot";
import { uuid } from "../../base/schemas.ts";
import type { Speech } from "../../words/speech.ts";
import { MatrixCounter } from "./charts/matrix.ts";
import { NO_ORDER } from "./comparisons.ts";
import { fixedInput, flag, shuffleInput } from "./entries.ts";
import type { AnswerError } from "./errors.ts";
import { NOTHING_TYPED, type Typed } from "./form.ts";
import { boxPart, MatrixField, type MatrixQuestion, matrixView, rowPart } from "./matrix-field.tsx";
import { type Checked, defineQuestionType } from "./question-type.ts";
import { buildParts, type Choice, partsInput, selectBehaviour } from "./select.ts";
import { Parts } from "./values/parts.ts";

/** Each cell is a field on the page. */
const MAX_ROWS = 50;
const MAX_COLUMNS = 20;

const MAX_ERRORS = 100;

const choice = v.pipe(v.object({ columnId: uuid, text: v.string() }), v.title("ScreenerMatrixChoice"));
const answeredRow = v.pipe(
  v.object({ rowId: uuid, text: v.string(), choices: v.array(choice) }),
  v.title("ScreenerMatrixAnswerRow"),
);
const answer = v.pipe(
  v.object({
    rows: v.pipe(v.array(answeredRow), v.description("Those with a choice, in the order of the question")),
  }),
  v.title("ScreenerMatrixAnswer"),
);

type Matrix = v.InferOutput<typeof answer>;

const WHOLE = "does not go with a whole matrix; say which row";

export const matrixType = defineQuestionType(
  {
    kind: "Matrix",
    input: {
      rows: partsInput("ScreenerMatrixRowInput", fixedInput, MAX_ROWS, "rows"),
      columns: partsInput("ScreenerMatrixColumnInput", {}, MAX_COLUMNS, "columns"),
      multiple: flag,
      requireEachRow: flag,
      ...shuffleInput,
    },
    view: matrixView,
    answer,
  },
  {
    card: {
      label: "Matrix",
      fresh: { multiple: false, requireEachRow: true },
      fields: [
        { has: "parts", member: "rows", legend: "Rows: what people are asked about" },
        { has: "parts", member: "columns", legend: "Columns: what they can choose in each row" },
        { has: "box", member: "multiple", label: "People may choose several columns in a row" },
        { has: "box", member: "requireEachRow", label: "People have to choose in each row" },
      ],
    },
    memberNames: {
      multiple: "several choices in a row",
      requireEachRow: "a choice in each row",
      shuffle: "rows in an order by chance",
    },
    texts: { rows: { part: "row" }, columns: { part: "column" } },
    shuffledList: "rows",
    build: ({ rows, columns, multiple, requireEachRow, shuffle }, draft) => ({
      rows: buildParts("rows", rows, draft),
      columns: buildParts("columns", columns, draft),
      multiple: multiple ?? false,
      requireEachRow: requireEachRow ?? false,
      ...(shuffle && { shuffle }),
    }),
    check: checkMatrix,
    comparisons: {
      readOperand: () => ({ message: WHOLE }),
      operandText: (_, value: string) => value,
      equality: { equals: WHOLE, oneOf: WHOLE },
      contains: WHOLE,
      order: NO_ORDER,
    },
    rows: {
      question: ({ rows: _, columns, multiple, requireEachRow: __, shuffle: ___, ...question }, { text }) => ({
        ...question,
        _type: multiple ? "ScreenerMultiSelectQuestion" : "ScreenerSingleSelectQuestion",
        prompt: `${question.prompt} – ${text}`,
        options: columns,
        allowsWriteIn: false,
        ...(multiple && { minChoices: null, maxChoices: null }),
      }),
      answer: choicesIn,
      shown: (shown, rowId) => choicesIn(shown as Matrix, rowId),
    },
    inWords: asSentence,
    toShown: (answer: Matrix) => answer,
    fromShown: (_, shown) => shown,
    cell: ({ rows }) =>
      rows.map(({ text, choices }) => `${text}: ${choices.map((one) => one.text).join(", ")}`).join("; "),
    codebookText: ({ multiple }) => `matrix, ${multiple ? "several options" : "one option"} in a row`,
    counter: (versions, counting) => {
      const asSelects = versions.map(({ columns, ...question }) => ({
        ...question,
        options: columns,
        allowsWriteIn: false,
      }));
      return new MatrixCounter(versions, counting.groups, () => selectBehaviour.counter(asSelects, counting));
    },
    inNewestWords(versions) {
      const texts = new Map(
        versions.toReversed().flatMap(({ rows, columns }) => [...rows, ...columns].map(({ id, text }) => [id, text])),
      );
      return ({ rows }) => ({
        rows: rows.map(({ rowId, text, choices }) => ({
          rowId,
          text: texts.get(rowId) ?? text,
          choices: choices.map((one) => ({ ...one, text: texts.get(one.columnId) ?? one.text })),
        })),
      });
    },
    readTyped,
    toTyped: ({ rows }) => ({
      ...NOTHING_TYPED,
      parts: Object.fromEntries(
        rows.flatMap(({ rowId, choices }) =>
          choices.flatMap(({ columnId }) => [
            [rowPart(rowId), columnId],
            [boxPart(rowId, columnId), columnId],
          ]),
        ),
      ),
    }),
    Field: MatrixField,
    limitsText: ({ multiple, requireEachRow }, speech) => {
      if (multiple) return speech.say(requireEachRow ? "someInEachRow" : "allInEachRow");
      return requireEachRow ? speech.say("oneInEachRow") : null;
    },
    missingText({ multiple, requireEachRow }, speech) {
      if (!requireEachRow) return speech.say("someInOneRow");
      return speech.say(multiple ? "someInEachRow" : "oneInEachRow");
    },
  },
);

/** In the words of the question, which may be those of another language. */
function asSentence({ rows, columns }: MatrixQuestion, answer: Matrix, speech: Speech): string {
  const texts = new Map([...rows, ...columns].map(({ id, text }) => [id, text]));
  const choicesOf = ({ choices }: Matrix["rows"][number]) =>
    speech.list(choices.map(({ columnId, text }) => texts.get(columnId) ?? text));
  return answer.rows.map((row) => `${texts.get(row.rowId) ?? row.text}: ${choicesOf(row)}`).join("; ");
}

/** As those of a select. */
function choicesIn({ rows }: Matrix, rowId: string): Choice[] | null {
  const row = rows.find((one) => one.rowId === rowId);
  return row ? row.choices.map(({ columnId, text }) => ({ optionId: columnId, text, isWriteIn: false })) : null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function checkMatrix(question: MatrixQuestion, raw: unknown): Checked<Matrix> {
  if (!isObject(raw) || !Array.isArray(raw.rows)) return { error: { code: "not_matrix" } };
  const [rows, columns] = [new Parts(question.rows), new Parts(question.columns)];
  const errors: AnswerError[] = [];
  const chosen = new Map<string, Set<string>>();
  for (const [index, item] of raw.rows.entries()) {
    if (errors.length >= MAX_ERRORS) break;
    const pointer = `/rows/${index}`;
    if (!isObject(item)) {
      errors.push({ code: "not_row", pointer });
      continue;
    }
    const row = rows.find(item.rowId, item.text);
    if (typeof row === "string") errors.push({ code: `${row}_row`, pointer });
    else if (chosen.has(row.id)) errors.push({ code: "row_twice", pointer });
    const ids = checkChoices(question, columns, item.choices ?? [], `${pointer}/choices`, errors);
    if (typeof row !== "string") chosen.set(row.id, ids);
  }
  const answer = answerOf(question, chosen);
  const isPartly = question.requireEachRow && answer.rows.length > 0;
  const missing = isPartly ? question.rows.filter(({ id }) => !chosen.get(id)?.size) : [];
  if (missing.length && !errors.length)
    errors.push({ code: "rows_missing", rows: missing, part: rowPart(missing[0]!.id) });
  const [error, ...more] = errors;
  if (error) return { error, more };
  return { answer: answer.rows.length ? answer : null };
}

/** The columns that are chosen in a row. Adds what is wrong with them to `errors`. */
function checkChoices(
  { multiple }: MatrixQuestion,
  columns: Parts,
  raw: unknown,
  at: string,
  errors: AnswerError[],
): Set<string> {
  const ids = new Set<string>();
  if (!Array.isArray(raw)) {
    errors.push({ code: "not_row_choices", pointer: at });
    return ids;
  }
  if (!multiple && raw.length > 1) errors.push({ code: "several_columns", pointer: at });
  for (const [index, item] of raw.entries()) {
    if (errors.length >= MAX_ERRORS) break;
    const pointer = `${at}/${index}`;
    const column = isObject(item) ? columns.find(item.columnId, item.text) : "unknown";
    if (typeof column === "string") errors.push({ code: `${column}_column`, pointer });
    else if (ids.has(column.id)) errors.push({ code: "column_twice", pointer });
    else ids.add(column.id);
  }
  return ids;
}

/** In the order of the question. */
function answerOf({ rows, columns }: MatrixQuestion, chosen: ReadonlyMap<string, ReadonlySet<string>>): Matrix {
  return {
    rows: rows.flatMap(({ id: rowId, text }) => {
      const ids = chosen.get(rowId);
      if (!ids?.size) return [];
      const choices = columns.filter(({ id }) => ids.has(id)).map(({ id, text }) => ({ columnId: id, text }));
      return [{ rowId, text, choices }];
    }),
  };
}

function readTyped({ rows, columns, multiple }: MatrixQuestion, { parts }: Typed): { raw: unknown } {
  const columnsIn = (rowId: string) =>
    multiple
      ? columns.flatMap(({ id }) => parts[boxPart(rowId, id)] ?? [])
      : [parts[rowPart(rowId)] ?? ""].filter((id) => id !== "");
  return {
    raw: {
      rows: rows.map(({ id }) => ({ rowId: id, choices: columnsIn(id).map((columnId) => ({ columnId })) })),
    },
  };
}
