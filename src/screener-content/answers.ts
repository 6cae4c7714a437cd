// Answers: what a question allows, and what of a screener is shown for the answers given so far.

import { isCleanText, lengthOf } from "../text.ts";
import { holds } from "./conditions.ts";
import type { Content, MultiSelectQuestion, Option, Page, Question, SingleSelectQuestion } from "./content.ts";

/** One chosen option, or what was written in instead (optionId is null then). */
export interface Choice {
  optionId: string | null;
  text: string;
  isWriteIn: boolean;
}

/** An answer as it is stored; null where the question was skipped. */
export type Answer = string | number | Choice[] | null;

export type Answers = ReadonlyMap<string, Answer>;

/** How long a text, or what is written in, may be when the question does not say. */
export const MAX_TEXT_LENGTH = 10_000;
const MAX_WRITE_IN_LENGTH = 500;

/** Every whole number up to here can be told from the next. */
export const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

/** An answer, or what is wrong with it. */
export type Checked = { answer: Answer } | { message: string };

/**
 * Checks an answer that came as JSON: a string, a number, an array of `{ text, isWriteIn }` (`optionId` instead of
 * `text` will do), or null.
 */
export function checkAnswer(question: Question, raw: unknown): Checked {
  if (raw === null || raw === undefined) return skipped(question);
  switch (question._type) {
    case "ScreenerTextQuestion":
      return typeof raw === "string" ? checkText(question, raw) : { message: "must be a string" };
    case "ScreenerNumericQuestion":
      return typeof raw === "number" ? checkNumber(question, raw) : { message: "must be a number" };
    default:
      return Array.isArray(raw) ? checkChoices(question, raw) : { message: "must be an array of options" };
  }
}

/** No answer: fine where none is required. */
export function skipped(question: Question): Checked {
  return question.required ? { message: "is required" } : { answer: null };
}

function checkText(question: Question & { _type: "ScreenerTextQuestion" }, raw: string): Checked {
  // Browsers send line ends as CRLF; what is kept is LF.
  const text = raw.replaceAll(/\r\n?/g, "\n").trim();
  if (!isCleanText(text)) return { message: "holds U+0000 or a lone surrogate" };
  if (!text) return skipped(question);
  if (!question.multiline && text.includes("\n")) return { message: "must be one line" };
  const length = lengthOf(text);
  const max = question.maxLength ?? MAX_TEXT_LENGTH;
  if (question.minLength !== null && length < question.minLength)
    return { message: `must have at least ${question.minLength} characters` };
  if (length > max) return { message: `must have at most ${max} characters` };
  return { answer: text };
}

/** Checks a number, typed or not. */
export function checkNumber(question: Question & { _type: "ScreenerNumericQuestion" }, number: number): Checked {
  if (!Number.isFinite(number)) return { message: "must be a number" };
  // Beyond, another number would be kept than was given, without a word.
  if (number > MAX_NUMBER) return { message: `must be at most ${MAX_NUMBER}` };
  if (number < -MAX_NUMBER) return { message: `must be at least ${-MAX_NUMBER}` };
  if (question.wholeNumber && !Number.isInteger(number)) return { message: "must be a whole number" };
  if (question.min !== null && number < question.min) return { message: `must be at least ${question.min}` };
  if (question.max !== null && number > question.max) return { message: `must be at most ${question.max}` };
  return { answer: number };
}

function checkChoices(question: SingleSelectQuestion | MultiSelectQuestion, raw: unknown[]): Checked {
  if (!raw.length) return skipped(question);
  const chosen = new Map<string, Choice>();
  const options = {
    byId: new Map(question.options.map((option) => [option.id, option])),
    byText: new Map(question.options.map((option) => [option.text, option])),
  };
  for (const item of raw) {
    const choice = checkChoice(question, options, item);
    if (typeof choice === "string") return { message: choice };
    const key = choice.optionId ?? "";
    if (chosen.has(key)) return { message: choice.isWriteIn ? "has more than one write-in" : "has an option twice" };
    chosen.set(key, choice);
  }
  const count = chosen.size;
  if (question._type === "ScreenerSingleSelectQuestion") {
    if (count > 1) return { message: "must be one option" };
  } else {
    const { minChoices, maxChoices } = question;
    if (minChoices !== null && count < minChoices) return { message: `must have at least ${minChoices} choices` };
    if (maxChoices !== null && count > maxChoices) return { message: `must have at most ${maxChoices} choices` };
  }
  // In the question's order, whatever the order of clicking; what was written in comes last.
  const ordered = question.options.flatMap(({ id }) => chosen.get(id) ?? []);
  const writeIn = chosen.get("");
  return { answer: writeIn ? [...ordered, writeIn] : ordered };
}

function checkChoice(
  question: SingleSelectQuestion | MultiSelectQuestion,
  options: { byId: ReadonlyMap<unknown, Option>; byText: ReadonlyMap<unknown, Option> },
  item: unknown,
): Choice | string {
  if (typeof item !== "object" || item === null) return "must hold objects with text and isWriteIn";
  const { optionId, text, isWriteIn } = item as Record<string, unknown>;
  if (typeof (isWriteIn ?? false) !== "boolean") return "has an isWriteIn that is neither true nor false";
  if (isWriteIn) {
    if (!question.allowsWriteIn) return "does not allow a write-in";
    if (typeof text !== "string" || !text.trim()) return "has a write-in without text";
    if (!isCleanText(text)) return "holds U+0000 or a lone surrogate";
    const written = text.trim();
    if (/[\r\n]/.test(written)) return "has a write-in of several lines";
    return lengthOf(written) > MAX_WRITE_IN_LENGTH
      ? `has a write-in of more than ${MAX_WRITE_IN_LENGTH} characters`
      : { optionId: null, text: written, isWriteIn: true };
  }
  const option = typeof optionId === "string" ? options.byId.get(optionId) : options.byText.get(text);
  if (option && typeof text === "string" && option.text !== text)
    return "has an optionId and the text of another option";
  return option ? { optionId: option.id, text: option.text, isWriteIn: false } : "is not an option of this question";
}

/** A page that is shown, with those of its questions that are. */
export interface ShownPage {
  page: Page;
  questions: Question[];
}

/**
 * What is shown for these answers: pages and questions whose condition holds. An answer counts only where its question
 * is shown, so a change of mind takes back what hung on it.
 */
export function shown(content: Content, answers: Answers): { pages: ShownPage[]; counting: Map<string, Answer> } {
  const counting = new Map<string, Answer>();
  const pages: ShownPage[] = [];
  for (const page of content.pages) {
    if (page.showWhen && !holds(page.showWhen, counting)) continue;
    const questions: Question[] = [];
    for (const question of page.questions) {
      if (question.showWhen && !holds(question.showWhen, counting)) continue;
      questions.push(question);
      const answer = answers.get(question.id);
      if (answer !== undefined) counting.set(question.id, answer);
    }
    pages.push({ page, questions });
  }
  return { pages, counting };
}
