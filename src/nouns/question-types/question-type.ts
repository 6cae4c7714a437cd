// What the service needs to know about a question type. Each type is a module (text.tsx, numeric.tsx, …) that calls
// defineQuestionType; registry.ts lists them.

import type { VNode } from "preact";
import * as v from "valibot";
import { closedObject } from "../../base/schemas.ts";
import type { Speech, TextAttributes } from "../../words/speech.ts";
import type { Card } from "./card.ts";
import type { Counter, Counting } from "./charts/chart.ts";
import type { Comparisons, Today, TypedValue } from "./comparisons.ts";
import { commonInput, commonView, type Part, type PartList, type ValuesOf, whatFits } from "./entries.ts";
import type { AnswerError } from "./errors.ts";
import type { Typed } from "./form.ts";
import type { PatternCosts } from "./values/patterns.ts";

/** The members of every question. */
export type Common = ValuesOf<typeof commonView>;

/** A question of one type. */
export type QuestionOf<Kind extends string, View extends v.ObjectEntries> = Common & {
  _type: `Screener${Kind}Question`;
} & ValuesOf<View>;

/** An answer (null if there is none), or what is wrong with it: first what people are told, then what else there is. */
export type Checked<Answer> = { answer: Answer | null } | { error: AnswerError; more?: readonly AnswerError[] };

/** How a question is several in one: rules and tables take each of its rows as a question of its own. */
export interface Rows<Question, Answer, RowQuestion, RowAnswer> {
  question(question: Question, row: Part): RowQuestion;
  /** Null: there is none in this row. */
  answer(answer: Answer, rowId: string): RowAnswer | null;
  /** The same of an answer as it is shown. */
  shown(shown: unknown, rowId: string): unknown;
}

/** What a type gets of the draft to which a question belongs. */
export interface QuestionDraft {
  /** The ids of the question's parts before the change. Authors may send them back to keep them. */
  knownIds: ReadonlySet<string>;
  /** The type adds the ids of the question's parts here, by every id or label that conditions may use for them. */
  partIds: Map<string, string>;
  /** What the patterns of the draft cost so far. */
  patterns: PatternCosts;
  /** Reports an error. `pointer` starts at the question. */
  fail(pointer: string, message: string): void;
}

/** What a question's field on the page is made from. */
export interface FieldProps<Question> {
  question: Question;
  typed: Typed;
  /** The language of the page. Every word that is not the author's comes from it. */
  speech: Speech;
  /** The `lang` and `dir` of a text of its author, by the names of the text: `"prompt"`, or `"option"` and the option's id. */
  author(...names: string[]): TextAttributes;
  /** What the question allows; null if there is nothing to say. */
  limits: string | null;
  /** What is wrong, in words for participants. */
  error: string | undefined;
  /** The same as data. */
  wrong?: AnswerError | undefined;
}

/** How people meet a member that has text. `text`: they read it, so it is translated. `code`: it is no text for people. */
export type TextPlace =
  | "text"
  | "code"
  /** A list of parts with a text each, and what one of them is called in the ids of its texts. */
  | { part: string }
  /** An object with texts. */
  | { within: { [member: string]: TextPlace } };

/** The place of each member that can have text: a member without one does not compile. */
export type TextsOf<Built> = {
  [Member in keyof Built as PlaceOf<NonNullable<Built[Member]>> extends never ? never : Member]-?: PlaceOf<
    NonNullable<Built[Member]>
  >;
};

type PlaceOf<Value> = string extends Value
  ? "text" | "code"
  : Value extends readonly { id: string; text: string }[]
    ? { part: string }
    : Value extends readonly unknown[]
      ? never
      : Value extends object
        ? keyof TextsOf<Value> extends never
          ? never
          : { within: TextsOf<Value> }
        : never;

/** The schemas of a type. */
interface Schemas<Kind, Input, View, Shown> {
  /** The type's name, as in `Screener${kind}Question` and `Screener${kind}Response`. */
  kind: Kind;
  /** What authors send, beside what every question has. */
  input: Input;
  /** What is kept and shown of a question, beside what every question has. */
  view: View;
  /** An answer as it is kept and shown. */
  answer: Shown;
}

/** What a type does. The service works with an `Answer`; it keeps and shows a `Shown`. */
export interface Behaviour<Question, Input, Built, Answer, Shown, Value> {
  /** What the type is called, and how authors set it. */
  card: Card<Built>;
  /** What the members that only this type has are called where a content is compared with another one. Options and other parts are compared by themselves. */
  memberNames: Record<Exclude<keyof Built & string, PartList>, string>;
  /** What members mean where older content has none of them. */
  whenMissing?: Partial<Built>;
  /** How members that are neither texts, numbers nor words are typed in the builder. */
  typedMembers?: Partial<Record<keyof Built & string, TypedValue>>;
  /** Where several options can be chosen, each can have a column of its own in tables. */
  optionCells?: OptionCells;
  /** Which of the members that only this type has are texts for people. */
  texts: TextsOf<Built>;
  /** Those of them that are read as the content's `markup` says, and may have references; with the prompt and the help text. */
  markedTexts?: readonly (keyof Built & string)[];
  /** Whether an answer is required where the author says nothing. */
  isRequiredByDefault?: true;
  /** Where an answer is required and none is given, that is no error: the session ends, screened out for this reason. */
  endsWithout?: "NO_CONSENT";
  /** The answer as it is kept, where what is kept depends on the words in which people were asked. @param languageOf a text, by its member */
  asRead?(answer: Answer, shown: Question, languageOf: (member: string) => string): Answer;
  /** Whether a former answer stays, because a new one says the same. Missing: the new one replaces it. @param raw as a program has sent it */
  keeps?(former: Answer, answer: Answer, raw: unknown): boolean;
  /** The list that is shown in an order by chance where the question has `shuffle`. Its items have ids, and may be `fixed`. */
  shuffledList?: "options" | "rows";
  rows?: Rows<Question, Answer, object, object>;
  /** Makes the values of `view` from an author's input. Checks what the schemas can't check. */
  build(input: Input, draft: QuestionDraft): Built;
  /** For what members are taken that do not fit their schemas: `build` then finds nothing wrong with another one on their account. Missing: as if they were not there. */
  assumed?(sent: Input): Partial<Input>;
  /** Checks an answer that came as JSON and is not null. Whether an answer is required is checked elsewhere. */
  check(question: Question, raw: unknown, today: Today): Checked<Answer>;
  comparisons: Comparisons<Question, Answer, Value>;
  /** Whether answers are texts that are searched for words. */
  isSearched?: true;
  toShown(answer: Answer): Shown;
  fromShown(question: Question, shown: Shown): Answer;
  /** Gives what stands beside an answer: the same in the form that programs can compare. Undefined: the question has no such form. */
  normalizer?(question: Question): ((shown: Shown) => string) | undefined;
  /** An answer within a text that refers to it. Without it, no text can. @param dayOf the day of a moment, by the study's clocks */
  inWords?(question: Question, answer: Answer, speech: Speech, dayOf: (at: string) => string): string;
  /** An answer as a cell of a table. */
  cell(shown: Shown): string | number;
  /** What its cells are in statistics programs. Without it: texts. */
  statistics?(question: Question): Statistics;
  /** What a cell can have, in words for the codebook. Without it: the card's label. */
  codebookText?(question: Question): string;
  /** Counts what many answers say together. @param versions of the question, the newest first */
  counter(versions: readonly Question[], counting: Counting): Counter<Shown>;
  /** An answer to one of a question's versions in the words of the newest version, if versions may have other words for the same. */
  inNewestWords?(versions: readonly Question[]): (shown: Shown, version: number) => Shown;
  /** Turns what was typed on the page into JSON for `check` (null if nothing was typed), or finds an error in it. */
  readTyped(question: Question, typed: Typed, speech: Speech): { raw: unknown } | { error: AnswerError };
  /** What the page's fields contain for an answer. */
  toTyped(answer: Answer, speech: Speech): Typed;
  /** The question on the page. */
  Field(props: FieldProps<Question>): VNode;
  /** Whether the field gets the script that searches menus. */
  needsMenuScript?(question: Question): boolean;
  /** What a question allows, in words for the page; null: nothing to say. */
  limitsText(question: Question, speech: Speech, today: Today): string | null;
  /** What the page says when a required answer is missing. */
  missingText(question: Question, speech: Speech): string;
}

/**
 * What cells are in statistics programs. CODES: one of the options, by a number. NUMBERS. STEPS: numbers whose order alone counts, with
 * words for some. DAYS. TEXTS.
 */
export type Statistics =
  | { are: "CODES" | "NUMBERS" | "DAYS" | "TEXTS" }
  | { are: "STEPS"; labels: readonly (readonly [step: number, label: string])[] };

/** The same of the columns of options. */
export interface OptionStatistics {
  measure: "NOMINAL" | "ORDINAL";
  labels: readonly (readonly [value: number, label: string])[];
  /** Whether each says if its option was chosen, so that they are a set of multiple responses. */
  isSet: boolean;
}

/** The cells of the columns of options. */
interface OptionCells {
  /** Of an option that was not chosen. */
  none: number | null;
  /** @param index of the option among those that were chosen */
  of(index: number): number;
  /** What they can have, for the codebook. */
  inWords: string;
  /** What they are in statistics programs. A set: each says whether its option was chosen. */
  statistics: OptionStatistics;
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
    /** The type's name in sentences: `single select`. */
    name: kind.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase(),
    /** Makes a question from an author's input. */
    buildQuestion: (values: ValuesOf<Input>, common: Common, draft: QuestionDraft): QuestionOf<Kind, View> => ({
      _type,
      ...common,
      ...behaviour.build(values, draft),
    }),
    /** Checks what only this type has, as far as that fits its schemas: of a question that does not fit as a whole. */
    checkOwn(raw: unknown, draft: QuestionDraft): void {
      const { values, wrong } = whatFits(input, raw);
      const assumed = Object.entries(behaviour.assumed?.(values) ?? {}).filter(([member]) => wrong.has(`/${member}`));
      const fail = (pointer: string, message: string) => {
        if (!wrong.has(pointer)) draft.fail(pointer, message);
      };
      behaviour.build({ ...values, ...Object.fromEntries(assumed) }, { ...draft, fail });
    },
    input: v.pipe(
      closedObject({ _type: v.literal(_type), ...commonInput, ...input }),
      v.title(`Screener${kind}QuestionInput`),
    ),
    view: v.pipe(v.object({ _type: v.literal(_type), ...commonView, ...view }), v.title(`Screener${kind}Question`)),
    response: {
      _type: v.literal(`Screener${kind}Response` as const),
      questionType: v.literal(_type),
      answer: v.nullable(answer),
    },
  };
}

/** Reports an error if the upper bound is below the lower bound. */
export function checkOrder<Bound extends number | string>(
  draft: QuestionDraft,
  [lowName, low]: [string, Bound | null],
  [highName, high]: [string, Bound | null],
): void {
  if (low !== null && high !== null && high < low) draft.fail(`/${highName}`, `must not be less than ${lowName}`);
}
