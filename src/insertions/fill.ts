// What stands for the references in authors' texts, on pages and in mail: the answers that count, and attributes. What is inserted is kept nowhere.

import type { AttributeValue } from "../base/attributes.ts";
import { type Answers, shown } from "../nouns/content/answers.ts";
import { askedIn, type PersonalContent } from "../nouns/content/content.ts";
import type { Facts } from "../nouns/content/holds.ts";
import type { Wording } from "../nouns/content/wording.ts";
import type { Fill } from "../nouns/question-types/markup/plain.ts";
import { inserted, type Reference, referenceOf } from "../nouns/question-types/markup/references.ts";
import { typeOf } from "../nouns/question-types/registry.ts";
import { dayIn } from "../nouns/screeners/time-zones.ts";
import type { Speech } from "../words/speech.ts";

/** What a participant answers, in a language. */
export interface Spoken extends PersonalContent {
  /** How numbers and dates are written. */
  speech: Speech;
  /** How those of the author are said. */
  wording: Wording;
  /** The name of the study's. */
  timeZone(): string;
}

/** Finds an answer by the key of its question, in words. Undefined: there is none that counts. */
export type AnswerTo = (key: string) => string | undefined;

/** @param answersSoFar called if an answer is asked for, as few texts do */
export function answersIn(content: Spoken, answersSoFar: () => Answers): AnswerTo {
  let counting: Facts | undefined;
  return (key) => {
    counting ??= shown(content, answersSoFar()).counting;
    const question = content.pages.flatMap(askedIn).find((one) => one.key === key);
    const answer = question && counting.get(question.id)?.answer;
    if (!question || answer === undefined || answer === null) return undefined;
    const dayOf = (at: string) => dayIn(content.timeZone(), at);
    return typeOf(question).inWords?.(content.wording.question(question), answer, content.speech, dayOf);
  };
}

/** What references are filled with. */
interface Sources {
  speech: Speech;
  answerTo: AnswerTo;
  attribute(key: string): AttributeValue | undefined;
}

export function fillFrom({ speech, answerTo, attribute }: Sources): Fill {
  const inWords = (value: AttributeValue | undefined) =>
    typeof value === "number" ? speech.number(value) : value === undefined ? value : String(value);
  return filling(({ of, key }) => (of === "answer" ? answerTo(key) : inWords(attribute(key))));
}

/** For an author who looks at a draft: what is shown where there is nothing, or the name. */
export const sampleFill: Fill = filling(({ key, fallback }) => fallback ?? `[${key}]`);

function filling(find: (reference: Reference) => string | undefined): Fill {
  return (typed) => {
    const reference = referenceOf(typed);
    return reference && inserted(find(reference) || (reference.fallback ?? ""));
  };
}
