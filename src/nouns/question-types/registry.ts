// The list of question types. All code that depends on a question's type asks here.

import type * as v from "valibot";
import type { AnyCard } from "./card.ts";
import type { Operand, OwnOperator, TypedValue } from "./comparisons.ts";
import { consentType } from "./consent.tsx";
import { dateType } from "./date.tsx";
import { PARTS, type Part, type PartList } from "./entries.ts";
import { matrixType } from "./matrix.tsx";
import { multiSelectType } from "./multi-select.tsx";
import { numericType } from "./numeric.tsx";
import type { Behaviour, Common, QuestionDraft, Rows, TextPlace } from "./question-type.ts";
import { rankingType } from "./ranking.tsx";
import { scaleType } from "./scale.tsx";
import { singleSelectType } from "./single-select.tsx";
import { textType } from "./text.tsx";

const types = [
  textType,
  numericType,
  singleSelectType,
  multiSelectType,
  scaleType,
  dateType,
  rankingType,
  matrixType,
  consentType,
] as const;

type Types = (typeof types)[number];

/** A question as it is kept. */
export type Question = ReturnType<Types["buildQuestion"]>;

/** An answer as the service works with it; null if the question was skipped. */
export type Answer = ReturnType<Types["fromShown"]> | null;

/** What is chosen in a row. */
type Choices = ReturnType<(typeof singleSelectType)["fromShown"]>;

type Input = v.InferOutput<Types["input"]>;

/** Any of the types. */
interface AnyType extends Behaviour<Question, Input, object, NonNullable<Answer>, unknown, Operand> {
  buildQuestion(input: Input, common: Common, draft: QuestionDraft): Question;
  checkOwn(raw: unknown, draft: QuestionDraft): void;
  name: string;
  memberNames: Record<string, string>;
  whenMissing?: Record<string, unknown>;
  texts: Record<string, TextPlace>;
  typedMembers?: Record<string, TypedValue>;
  rows?: Rows<Question, NonNullable<Answer>, Question, Choices>;
}

// A type takes only its own questions. It gets no others, because we find it by their `_type`. The compiler can't check
// that.
const byName = new Map(types.map((type) => [type._type, type as unknown as AnyType]));

export function typeOf({ _type }: { _type: Question["_type"] }): AnyType {
  return byName.get(_type)!;
}

/** The type with this name, which may be any value. */
export function findType(name: unknown): AnyType | undefined {
  return byName.get(name as Question["_type"]);
}

/** The lists of a question's parts, by the members that have them. */
export function partsOf(question: Question): [list: PartList, parts: readonly Part[]][] {
  const lists = question as { [list in PartList]?: readonly Part[] };
  return (Object.keys(PARTS) as PartList[]).flatMap((list) => (lists[list] ? [[list, lists[list]]] : []));
}

const rowQuestions = new WeakMap<Question, ReadonlyMap<string, Question>>();

/** The rows of a question, each as a question of its own, by their ids. It has the id of the whole. Empty: it has none. */
export function rowsOf(question: Question): ReadonlyMap<string, Question> {
  let known = rowQuestions.get(question);
  if (!known) {
    const { rows } = typeOf(question);
    known = new Map(
      rows && "rows" in question ? question.rows.map((row) => [row.id, rows.question(question, row)]) : [],
    );
    rowQuestions.set(question, known);
  }
  return known;
}

/** The card of each type in the builder, in the order in which authors choose from them: what is answered by choosing comes first. */
export const cards: Record<string, AnyCard> = Object.fromEntries(
  [true, false].flatMap((hasOptions) =>
    types
      .map(({ _type, card }): [string, AnyCard] => [_type, card])
      .filter(([, { fields }]) => fields.some(({ has }) => has === "options") === hasOptions),
  ),
);

/** What the texts are called that questions of one type alone have, by their members. */
export const textNames: ReadonlyMap<string, string> = new Map(
  [...byName.values()].flatMap(({ texts, memberNames }) =>
    Object.entries(memberNames).filter(([member]) => member in texts),
  ),
);

/** The types that fit, as part of a sentence: `text, numeric and single select`. */
export function namesOfTypes(isMeant: (type: AnyType) => boolean): string {
  const names = [...byName.values()].filter(isMeant).map(({ name }) => name);
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join();
}

/** The operators that few types have, by their names, each with how one of these types declares it. */
export const ownOperators: ReadonlyMap<string, OwnOperator<Question, NonNullable<Answer>>> = new Map(
  [...byName.values()].flatMap(({ comparisons }) => Object.entries(comparisons.own ?? {})),
);

/** The types that have one of them, as part of a sentence. */
export function typesWithOwn(operator: string): string {
  return namesOfTypes(({ comparisons }) => comparisons.own !== undefined && operator in comparisons.own);
}

export const typeNames = types.map(({ _type }) => _type);

/** A schema for each type: the question as authors send it, and as it is shown. */
export const questionInputs = types.map(({ input }) => input);
export const questionViews = types.map(({ view }) => view);

/** The entries of a response that depend on the question's type. */
export const responseVariants = types.map(({ response }) => response);

/** A cell of a table for an answer as it is kept and shown. */
export function answerCell(questionType: Question["_type"], shown: unknown): string | number | null {
  return shown === null ? null : typeOf({ _type: questionType }).cell(shown);
}
