// The resource PageWords: what participants' pages say by themselves in a language.

import * as v from "valibot";
import { closedObject, requiredText, sentBack, shortArray } from "../base/schemas.ts";
import { directionOf, fallbacksOf } from "../languages/tags.ts";
import { en } from "../words/en.ts";
import { WORDS } from "../words/languages.ts";
import { type OwnWords, textsOf } from "../words/own.ts";
import type { Words } from "../words/words.ts";

const MAX_TEXT_LENGTH = 2000;
/** More than there are, in any language. */
const MAX_WORDS = 2000;

const direction = v.picklist(["ltr", "rtl"]);

export const PageLanguagesView = v.pipe(
  v.object({
    items: v.array(
      v.pipe(
        v.object({
          _type: v.literal("PageLanguage"),
          language: v.string(),
          direction,
          isBuiltIn: v.pipe(v.boolean(), v.description("Whether the service has words of its own for it")),
          ownTexts: v.pipe(v.number(), v.description("How many texts the workspace has in place of the service's")),
        }),
        v.title("PageLanguage"),
      ),
    ),
  }),
  v.title("PageLanguages"),
);

export const PageWordsView = v.pipe(
  v.object({
    _type: v.literal("PageWords"),
    language: v.string(),
    direction,
    words: v.array(
      v.pipe(
        v.object({
          key: v.pipe(v.string(), v.description("With a plural form of the language behind a point: `problems.one`")),
          text: v.pipe(v.string(), v.description("What the pages say. `{name}` is replaced by a value")),
          source: v.pipe(v.string(), v.description("The same in English")),
          default: v.pipe(v.string(), v.description("What the pages would say without a text that was given here")),
          isMissing: v.pipe(
            v.boolean(),
            v.description("Whether nobody has said it in this language: the pages say it in English"),
          ),
          isOwn: v.pipe(v.boolean(), v.description("Whether it was given here, in place of what the pages would say")),
        }),
        v.title("PageWord"),
      ),
    ),
  }),
  v.title("PageWords"),
);

export const PageWordsChange = v.pipe(
  closedObject({
    ...sentBack("_type", "language", "direction"),
    words: shortArray(
      v.pipe(
        closedObject({
          ...sentBack("source", "default", "isMissing", "isOwn"),
          key: v.string("must be a string"),
          text: v.nullable(requiredText(MAX_TEXT_LENGTH)),
        }),
        v.title("PageWordChange"),
      ),
      MAX_WORDS,
    ),
  }),
  v.title("PageWordsChange"),
);

/** @param own what was given here @param others the words without it */
export function viewOf(language: string, own: OwnWords, others: Words): v.InferOutput<typeof PageWordsView> {
  const english = textsOf(en, "en");
  const sourceOf = (key: string) => english.get(key) ?? english.get(key.replace(/\.\w+$/, ".other"))!;
  return {
    _type: "PageWords",
    language,
    direction: directionOf(language),
    words: [...textsOf(others, language)].map(([key, text]) => ({
      key,
      text: own[key] ?? text,
      source: sourceOf(key),
      default: text,
      isMissing: !isBuiltIn(language) && text === sourceOf(key) && !Object.hasOwn(own, key),
      isOwn: Object.hasOwn(own, key),
    })),
  };
}

/** Whether the service has words of its own for a language, or for a more general one. */
function isBuiltIn(language: string): boolean {
  return fallbacksOf(language).some((one) => Object.hasOwn(WORDS, one));
}

export function languagesView(
  own: readonly { language: string; count: number }[],
): v.InferOutput<typeof PageLanguagesView> {
  const counts = new Map(own.map(({ language, count }) => [language, count]));
  const languages = new Set([...Object.keys(WORDS), ...counts.keys()]);
  return {
    items: [...languages].map((language) => ({
      _type: "PageLanguage",
      language,
      direction: directionOf(language),
      isBuiltIn: Object.hasOwn(WORDS, language),
      ownTexts: counts.get(language) ?? 0,
    })),
  };
}

export const pageWordsExample = {
  _type: "PageWords" as const,
  language: "de",
  direction: "ltr" as const,
  words: [
    {
      ...{ key: "continue", text: "Nächste Seite", source: "Continue" },
      ...{ default: "Weiter", isMissing: false, isOwn: true },
    },
  ],
};

export const pageLanguagesExample = {
  items: [{ _type: "PageLanguage" as const, language: "de", direction: "ltr" as const, isBuiltIn: true, ownTexts: 1 }],
};
