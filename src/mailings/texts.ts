// What a mailing says: subjects and bodies in several languages, and which of them suits a person.

import * as v from "valibot";
import type { AttributeValue } from "../base/attributes.ts";
import { closedObject, requiredText, shortArray } from "../base/schemas.ts";
import { suitingLanguage } from "../languages/negotiate.ts";
import { canonicalLanguage } from "../languages/tags.ts";
import { MAX_SUBJECT_LENGTH } from "../mail/letter.tsx";

const MAX_BODY_LENGTH = 20_000;
const MAX_LANGUAGES = 50;
export const MAX_REMINDERS = 5;
const MAX_AFTER_DAYS = 60;

const subject = v.pipe(
  requiredText(MAX_SUBJECT_LENGTH),
  v.check((text) => !/\p{Cc}/u.test(text), "must be one line"),
);
const body = requiredText(MAX_BODY_LENGTH);

const NOT_A_LANGUAGE = "must be a language, such as de or pt-BR";

const language = v.pipe(
  v.string(NOT_A_LANGUAGE),
  v.check((tag) => canonicalLanguage(tag) !== undefined, NOT_A_LANGUAGE),
  v.transform((tag) => canonicalLanguage(tag)!),
);

const Translation = v.pipe(closedObject({ language, subject, body }), v.title("MailingTranslation"));

const NO_TRANSLATIONS: v.InferOutput<typeof Translation>[] = [];

/** Whether a language comes twice, among those that are right by themselves. */
function namesTwice(translations: unknown, issues: readonly v.BaseIssue<unknown>[] = []): boolean {
  // No list, or one that is too long: its entries have not been looked at.
  if (!Array.isArray(translations) || issues.some(({ path }) => path === undefined)) return false;
  const isWrong = new Set(issues.map(({ path = [] }) => `${path[0]?.key} ${path[1]?.key ?? ""}`));
  const known = translations.flatMap((one, index) =>
    isWrong.has(`${index} `) || isWrong.has(`${index} language`) ? [] : one.language,
  );
  return new Set(known).size < known.length;
}

/** Members that the first message and each reminder have. The subject and the body are in the study's own language. */
export const wordMembers = {
  subject,
  body,
  translations: v.pipe(
    v.optional(
      v.pipe(
        shortArray(Translation, MAX_LANGUAGES),
        v.rawCheck(({ dataset, addIssue }) => {
          if (namesTwice(dataset.value, dataset.issues)) addIssue({ message: "must not name a language twice" });
        }),
      ),
      NO_TRANSLATIONS,
    ),
    v.description("The same in other languages"),
  ),
};

const NOT_DAYS = `must be a whole number from 1 to ${MAX_AFTER_DAYS}`;

export const Reminder = v.pipe(
  closedObject({
    afterDays: v.pipe(
      v.number(NOT_DAYS),
      v.integer(NOT_DAYS),
      v.minValue(1, NOT_DAYS),
      v.maxValue(MAX_AFTER_DAYS, NOT_DAYS),
      v.description("Days after the message before it was sent"),
    ),
    ...wordMembers,
  }),
  v.title("MailingReminder"),
);

export interface Words {
  subject: string;
  body: string;
}

/** One message of a mailing, in all its languages. */
export interface Step extends Words {
  /** 0: it is the first one. */
  afterDays: number;
  translations: readonly (Words & { language: string })[];
}

/** What a mailing has in its store. */
export interface Texts {
  /** Of the subjects and bodies themselves. */
  language: string;
  steps: readonly Step[];
}

/** The words for somebody who wants a language, and the language that they are in. @param wanted null: nobody knows it */
export function wordsFor(
  { language: own }: Pick<Texts, "language">,
  step: Step,
  wanted: AttributeValue | undefined,
): Words & { language: string } {
  const offered = [own, ...step.translations.map((one) => one.language)];
  const found = typeof wanted === "string" ? suitingLanguage([wanted], offered) : undefined;
  return step.translations.find((one) => one.language === found) ?? { ...step, language: own };
}
