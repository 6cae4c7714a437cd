// What a request says of languages.

import type { ParameterizedContext } from "koa";
import { acceptedLanguages, suitingLanguage } from "../languages/negotiate.ts";
import { canonicalLanguage } from "../languages/tags.ts";
import { ENGLISH, speechIn, WORDS } from "../words/languages.ts";
import type { Speech } from "../words/speech.ts";
import { LANGUAGE_FIELD } from "./input.ts";

export interface AskedLanguages {
  /** Chosen on a page that ends: for that page alone, because it keeps nothing. */
  chosen?: string | undefined;
  /** Of the link: `?lang=`, canonical. */
  lang: string | undefined;
  /** `Accept-Language`. It is called where the reply depends on it. */
  accept(): string;
}

/** For a session whose language is known. */
export const NOTHING_ASKED: AskedLanguages = { lang: undefined, accept: () => "" };

export function askedIn({ ctx, querystring }: { ctx: ParameterizedContext; querystring: string }): AskedLanguages {
  const query = new URLSearchParams(querystring);
  return {
    chosen: canonicalLanguage(query.get(LANGUAGE_FIELD) ?? ""),
    lang: canonicalLanguage(query.get("lang") ?? ""),
    accept: () => {
      ctx.vary("Accept-Language");
      return ctx.get("Accept-Language");
    },
  };
}

/** The language of a page that shows nothing of a study. */
export function speechAsked({ chosen, lang, accept }: AskedLanguages): Speech {
  const named = [chosen, lang].filter((one) => one !== undefined);
  const wanted = [...named, ...acceptedLanguages(accept())];
  const language = suitingLanguage(wanted, Object.keys(WORDS));
  return language === undefined ? ENGLISH : speechIn(language);
}
