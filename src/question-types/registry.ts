// The types of questions. Whatever depends on a question's type asks here.

import type * as v from "valibot";
import type { Operand } from "./comparisons.ts";
import { multiSelectType } from "./multi-select.tsx";
import { numericType } from "./numeric.tsx";
import type { Behaviour, Common, QuestionDraft } from "./question-type.ts";
import { singleSelectType } from "./single-select.tsx";
import { textType } from "./text.tsx";

const types = [textType, numericType, singleSelectType, multiSelectType] as const;

type Types = (typeof types)[number];

/** A question as it is kept. */
export type Question = QuestionFrom<Types>;
type QuestionFrom<Type> = Type extends { fromShown(question: infer One, shown: never): unknown } ? One : never;

/** An answer as the service works with it; null where the question was skipped. */
export type Answer = ReturnType<Types["fromShown"]> | null;

type Input = v.InferOutput<Types["input"]>;

/** A type of which no more is known than that it is one. */
interface AnyType extends Behaviour<Question, Input, object, NonNullable<Answer>, unknown, Operand> {
  buildQuestion(input: Input, common: Common, draft: QuestionDraft): Question;
}

// A type takes only its own questions, and what belongs to them. All come to it by their `_type`, so it is given no
// others; but that is more than the compiler can follow.
const byName = new Map(types.map((type) => [type._type, type as unknown as AnyType]));

/** What a question's type says of it. */
export function typeOf({ _type }: { _type: Question["_type"] }): AnyType {
  return byName.get(_type)!;
}

export const typeNames = types.map(({ _type }) => _type);

/** What authors send as a question, and how it is shown: a schema for each type. */
export const questionInputs = types.map(({ input }) => input);
export const questionViews = types.map(({ view }) => view);

/** What a response has of its question's type: its `_type`, that of the question, and the answer. */
export const responseVariants = types.map(({ response }) => response);

/** An answer, as it is kept and shown, as a cell of a table. */
export function answerCell(questionType: Question["_type"], shown: unknown): string | number | null {
  return shown === null ? null : typeOf({ _type: questionType }).cell(shown);
}
