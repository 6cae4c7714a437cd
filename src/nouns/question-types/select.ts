// What single and multi selects share: their options, the choices, and the write-in.

import * as v from "valibot";
import { isCleanText, lengthOf } from "../../base/clean-text.ts";
import { newId } from "../../base/ids.ts";
import { closedObject, idOf, requiredText, shortArray, uuid } from "../../base/schemas.ts";
import type { Speech } from "../../words/speech.ts";
import type { Counting } from "./charts/chart.ts";
import { ChoiceCounter, rowsOfOptions } from "./charts/choices.ts";
import { NO_ORDER, quoted, type ValueOperator } from "./comparisons.ts";
import {
  fixedInput,
  fixedView,
  flag,
  label,
  PARTS,
  type Part,
  type PartList,
  shuffleInput,
  shuffleView,
  type ValuesOf,
} from "./entries.ts";
import type { AnswerError } from "./errors.ts";
import { NOTHING_TYPED, type Typed, WRITE_IN, writeInOf } from "./form.ts";
import type { Checked, Common, QuestionDraft } from "./question-type.ts";

export const MAX_OPTIONS = 500;
const MAX_WRITE_IN_LENGTH = 500;

const part = { id: label, text: requiredText(1000) };
const partView = { id: uuid, text: v.string() };

/** @param title of one part's schema @param more what parts have beside id and text */
export const partsInput = <More extends v.ObjectEntries>(title: string, more: More, max: number, list: PartList) =>
  shortArray(v.pipe(closedObject({ ...part, ...more }), v.title(title)), max, `must have at least one ${PARTS[list]}`);

export const partsView = <More extends v.ObjectEntries>(title: string, more: More) =>
  v.array(v.pipe(v.object({ ...partView, ...more }), v.title(title)));

const inputOf = <More extends v.ObjectEntries>(title: string, more: More) => ({
  options: partsInput(title, { ...fixedInput, ...more }, MAX_OPTIONS, "options"),
  allowsWriteIn: flag,
  ...shuffleInput,
});

export const selectInput = inputOf("ScreenerOptionInput", {});

export const selectView = {
  options: partsView("ScreenerOption", fixedView),
  allowsWriteIn: v.boolean(),
  ...shuffleView,
};

/** Where several may be chosen, an option can exclude all others. */
export const multiSelectInput = inputOf("ScreenerMultiOptionInput", { exclusive: flag });

export const multiSelectView = {
  ...selectView,
  options: v.array(
    v.pipe(
      v.object({ ...partView, ...fixedView, exclusive: v.optional(v.literal(true)) }),
      v.title("ScreenerMultiOption"),
    ),
  ),
};

export type SelectQuestion = Common & ValuesOf<typeof multiSelectView>;
type SelectInput = ValuesOf<typeof multiSelectInput>;
type Option = SelectQuestion["options"][number];

/** A chosen option, or a write-in, whose `optionId` is null. */
export interface Choice {
  optionId: string | null;
  text: string;
  isWriteIn: boolean;
}

/** Choices as they are kept and shown. */
export const shownChoices = v.array(
  v.pipe(
    v.object({
      optionId: v.optional(
        v.pipe(
          v.nullable(uuid),
          v.description("null: a write-in. Missing in answers that were given before version 1.2 of the service"),
        ),
      ),
      text: v.string(),
      isWriteIn: v.boolean(),
    }),
    v.title("ScreenerChoice"),
  ),
);
type ShownChoices = v.InferOutput<typeof shownChoices>;

/** What both types do in the same way. */
export const selectBehaviour = {
  memberNames: { allowsWriteIn: "answers of one’s own", shuffle: "options in an order by chance" },
  texts: { options: { part: "option" } },
  shuffledList: "options" as const,
  inWords: choicesInWords,
  toShown: (answer: Choice[]): ShownChoices =>
    answer.map(({ optionId, text, isWriteIn }) => ({ optionId, text, isWriteIn })),
  /** Where an answer has no ids yet, an option is found by its text: no two options of a question have the same. */
  fromShown: ({ options }: SelectQuestion, shown: ShownChoices): Choice[] =>
    shown.map(({ optionId, text, isWriteIn }) => ({
      optionId: isWriteIn ? null : (optionId ?? options.find((option) => option.text === text)?.id ?? null),
      text,
      isWriteIn,
    })),
  cell: (shown: ShownChoices) =>
    shown.map(({ text, isWriteIn }) => (isWriteIn ? `${text} (write-in)` : text)).join("; "),
  counter: (versions: readonly SelectQuestion[], { groups }: Counting) => new ChoiceCounter(versions, groups),
  inNewestWords(versions: readonly SelectQuestion[]) {
    const { labels, rowOf } = rowsOfOptions(versions);
    return (shown: ShownChoices, version: number): ShownChoices =>
      shown.map((choice) => {
        const row = choice.isWriteIn ? undefined : rowOf[version]!.get(choice.text);
        return row === undefined ? choice : { ...choice, text: labels[row]!.label };
      });
  },
  readTyped(_: SelectQuestion, typed: Typed): { raw: unknown } | { error: AnswerError } {
    const { chosen } = typed;
    const writeIn = writeInOf(typed);
    // The radio button for no answer is a choice, too.
    if (chosen.has("") && writeIn.trim()) return { error: { code: "several_options" } };
    const raw: unknown[] = [...chosen].filter((id) => id && id !== WRITE_IN).map((optionId) => ({ optionId }));
    // A write-in counts even if its box is not ticked.
    if (chosen.has(WRITE_IN) || writeIn.trim()) raw.push({ text: writeIn, isWriteIn: true });
    return { raw };
  },
  toTyped: (answer: Choice[]): Typed => ({
    ...NOTHING_TYPED,
    chosen: new Set(answer.map(({ optionId, isWriteIn }) => (isWriteIn ? WRITE_IN : (optionId ?? "")))),
    parts: { [WRITE_IN]: answer.find(({ isWriteIn }) => isWriteIn)?.text ?? "" },
  }),
};

/** The options in the words of the question, which may be those of another language. */
export function choicesInWords(
  { options }: Pick<SelectQuestion, "options">,
  answer: readonly Choice[],
  speech: Speech,
): string {
  return speech.list(answer.map(({ optionId, text }) => options.find(({ id }) => id === optionId)?.text ?? text));
}

/** The comparisons that both types have. */
export const selectComparisons = {
  readOperand(raw: unknown, _: ValueOperator, partIds: ReadonlyMap<string, string>): string | { message: string } {
    if (typeof raw !== "string") return { message: "must be a string" };
    return partIds.get(idOf(raw)) ?? { message: "is not an option of the question" };
  },
  operandText: ({ options }: SelectQuestion, optionId: string) =>
    quoted(options.find(({ id }) => id === optionId)?.text ?? optionId),
  order: NO_ORDER,
};

export function buildSelect({ options, allowsWriteIn, shuffle }: SelectInput, draft: QuestionDraft) {
  return {
    options: buildParts("options", options, draft).map(
      (part, index): Option => ({ ...part, ...(options[index]!.exclusive && { exclusive: true as const }) }),
    ),
    allowsWriteIn: allowsWriteIn ?? false,
    ...(shuffle && { shuffle }),
  };
}

/** Gives ids to the parts of a list, or keeps those that they have. */
export function buildParts(
  list: PartList,
  parts: readonly { id?: string | null | undefined; text: string; fixed?: boolean | null | undefined }[],
  { knownIds, partIds, fail }: QuestionDraft,
): Part[] {
  const texts = new Set<string>();
  return parts.map(({ id: given, text, fixed }, index) => {
    const id = given && knownIds.has(given) ? given : newId();
    if (texts.has(text)) fail(`/${list}/${index}/text`, `is the same as another ${PARTS[list]}'s`);
    texts.add(text);
    if (given && partIds.has(given)) fail(`/${list}/${index}/id`, "is given twice");
    partIds.set(id, id);
    if (given) partIds.set(given, id);
    return { id, text, ...(fixed && { fixed: true as const }) };
  });
}

/** Checks an array of `{ text, isWriteIn }`, or with `optionId` instead of `text`. @returns in the order of the question's options, then the write-in */
export function checkChoices(question: SelectQuestion, raw: unknown): Checked<Choice[]> {
  const checked = checkList(question, raw);
  if ("error" in checked || !checked.answer) return checked;
  const positions = new Map(question.options.map(({ id }, index) => [id as string | null, index]));
  const at = ({ optionId }: Choice) => positions.get(optionId) ?? question.options.length;
  return { answer: checked.answer.sort((one, other) => at(one) - at(other)) };
}

/** The same, in the order in which it was given. */
export function checkList(question: SelectQuestion, raw: unknown): Checked<Choice[]> {
  if (!Array.isArray(raw)) return { error: { code: "not_choices" } };
  if (!raw.length) return { answer: null };
  const chosen = new Map<string, Choice>();
  const options = {
    byId: new Map(question.options.map((option) => [option.id, option])),
    byText: new Map(question.options.map((option) => [option.text, option])),
  };
  for (const item of raw) {
    const choice = checkChoice(question, options, item);
    if ("code" in choice) return { error: choice };
    const key = choice.optionId ?? "";
    if (chosen.has(key)) return { error: { code: choice.isWriteIn ? "write_in_twice" : "option_twice" } };
    chosen.set(key, choice);
  }
  return { answer: [...chosen.values()] };
}

function checkChoice(
  question: SelectQuestion,
  options: { byId: ReadonlyMap<unknown, Option>; byText: ReadonlyMap<unknown, Option> },
  item: unknown,
): Choice | AnswerError {
  if (typeof item !== "object" || item === null) return { code: "not_choice" };
  const { optionId, text, isWriteIn } = item as Record<string, unknown>;
  if (typeof (isWriteIn ?? false) !== "boolean") return { code: "bad_write_in_flag" };
  if (isWriteIn) {
    if (!question.allowsWriteIn) return { code: "write_in_not_allowed" };
    if (typeof text !== "string" || !text.trim()) return { code: "write_in_empty", part: "write-in" };
    if (!isCleanText(text)) return { code: "unclean_text" };
    const written = text.trim();
    if (/[\r\n]/.test(written)) return { code: "write_in_several_lines", part: "write-in" };
    return lengthOf(written) > MAX_WRITE_IN_LENGTH
      ? { code: "write_in_too_long", part: "write-in", limits: { max: MAX_WRITE_IN_LENGTH } }
      : { optionId: null, text: written, isWriteIn: true };
  }
  const option = typeof optionId === "string" ? options.byId.get(idOf(optionId)) : options.byText.get(text);
  if (option && typeof text === "string" && option.text !== text) return { code: "mismatched_option" };
  return option ? { optionId: option.id, text: option.text, isWriteIn: false } : { code: "unknown_option" };
}
