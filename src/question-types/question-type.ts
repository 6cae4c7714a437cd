// What a type of question is: all that the service has to know of it. Each type is a module that says it (text.tsx,
// numeric.tsx, …); registry.ts lists them.

import type { VNode } from "preact";
import * as v from "valibot";
import type { Comparisons, Condition } from "./comparisons.ts";
import { commonInput, commonView, type ValuesOf } from "./entries.ts";
import type { AnswerError } from "./errors.ts";
import type { Typed } from "./form.ts";

/** What every question has. */
export interface Common {
  id: string;
  /** A short name that analysts find in tables; null: the id serves. */
  key: string | null;
  prompt: string;
  helpText: string | null;
  required: boolean;
  showWhen: Condition | null;
}

/** A question: what every one has, and what its type shows. */
export type QuestionOf<Kind extends string, View extends v.ObjectEntries> = Common & {
  _type: `Screener${Kind}Question`;
} & ValuesOf<View>;

/** An answer (null: none), or what is wrong with it. */
export type Checked<Answer> = { answer: Answer | null } | { error: AnswerError };

/** The draft that a question is read for. */
export interface QuestionDraft {
  /** The ids of its parts in the draft as it was: they may be sent back, and stay. */
  knownIds: ReadonlySet<string>;
  /** Takes the ids of its parts, by every id or label that conditions may use for them. */
  partIds: Map<string, string>;
  /** Takes what is wrong. `pointer` is within the question. */
  fail(pointer: string, message: string): void;
}

/** What a page's field is made from. */
export interface FieldProps<Question> {
  question: Question;
  typed: Typed;
  /** What is wrong, in the participant's words. */
  error: string | undefined;
}

/** A type in schemas. */
interface Schemas<Kind, Input, View, Shown> {
  /** Names the type: `Screener${kind}Question`, and `Screener${kind}Response`. */
  kind: Kind;
  /** What authors send, besides what every question has. */
  input: Input;
  /** What is kept and shown of a question, besides what every one has. */
  view: View;
  /** An answer as it is kept and shown. */
  answer: Shown;
}

/** What a type does. `Answer` is what the service works with, `Shown` what is kept and shown. */
export interface Behaviour<Question, Input, Built, Answer, Shown, Value> {
  /** The ids of a question's parts, such as options. */
  partIds(question: Question): string[];
  /** Makes what `view` says from what an author has sent; what the schemas can't tell is checked here. */
  build(input: Input, draft: QuestionDraft): Built;
  /** Checks an answer that came as JSON, and is not null. Whether there must be one is checked elsewhere. */
  check(question: Question, raw: unknown): Checked<Answer>;
  comparisons: Comparisons<Answer, Value>;
  toShown(answer: Answer): Shown;
  fromShown(question: Question, shown: Shown): Answer;
  /** An answer as a cell of a table. */
  cell(shown: Shown): string | number;
  /** What was typed on the page as JSON that `check` takes, null where it is nothing; or what is wrong with it. */
  readTyped(question: Question, typed: Typed): { raw: unknown } | { error: AnswerError };
  /** What the fields of the page hold for an answer. */
  toTyped(answer: Answer): Typed;
  /** The question on the page. */
  Field(props: FieldProps<Question>): VNode;
  /** What the page says where an answer is required and there is none. */
  missingText(question: Question): string;
}

export function defineQuestionType<
  Kind extends string,
  Input extends v.ObjectEntries,
  View extends v.ObjectEntries,
  Shown extends v.GenericSchema,
  Answer,
  Value,
>(
  { kind, input, view, answer }: Schemas<Kind, Input, View, Shown>,
  behaviour: Behaviour<QuestionOf<Kind, View>, ValuesOf<Input>, ValuesOf<View>, Answer, v.InferOutput<Shown>, Value>,
) {
  const _type = `Screener${kind}Question` as const;
  return {
    ...behaviour,
    _type,
    /** Makes a question from what an author has sent. */
    buildQuestion: (values: ValuesOf<Input>, common: Common, draft: QuestionDraft): QuestionOf<Kind, View> => ({
      _type,
      ...common,
      ...behaviour.build(values, draft),
    }),
    input: v.object({ _type: v.literal(_type), ...commonInput, ...input }),
    view: v.object({ _type: v.literal(_type), ...commonView, ...view }),
    response: {
      _type: v.literal(`Screener${kind}Response` as const),
      questionType: v.literal(_type),
      answer: v.nullable(answer),
    },
  };
}

/** Checks that of two bounds, the upper one is not below the lower one. */
export function checkOrder(
  draft: QuestionDraft,
  [lowName, low]: [string, number | null],
  [highName, high]: [string, number | null],
): void {
  if (low !== null && high !== null && high < low) draft.fail(`/${highName}`, `must not be less than ${lowName}`);
}
