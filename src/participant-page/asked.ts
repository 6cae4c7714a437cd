// What a request says of languages.

import type { ParameterizedContext } from "koa";
import { acceptedLanguages, suitingLanguage } from "../languages/negotiate.ts";
import { canonicalLanguage } from "../languages/tags.ts";
import { ENGLISH, speechIn, WORDS } from "../words/languages.ts";
import type { Speech } from "../words/speech.ts";

export interface AskedLanguages {
  /** Of the link: `?lang=`, canonical. */
  lang: string | undefined;
  /** `Accept-Language`. It is called where the reply depends on it. */
  accept(): string;
}

/** For a session whose language is known. */
export const NOTHING_ASKED: AskedLanguages = { lang: undefined, accept: () => "" };

export function askedIn({ ctx, querystring }: { ctx: ParameterizedContext; querystring: string }): AskedLanguages {
  return {
    lang: canonicalLanguage(new URLSearchParams(querystring).get("lang") ?? ""),
    accept: () => {
      ctx.vary("Accept-Language");
      return ctx.get("Accept-Language");
    },
  };
}

/** The language of a page that shows nothing of a study. */
export function speechAsked({ lang, accept }: AskedLanguages): Speech {
  const wanted = [...(lang === undefined ? [] : [lang]), ...acceptedLanguages(accept())];
  const language = suitingLanguage(wanted, Object.keys(WORDS));
  return language === undefined ? ENGLISH : speechIn(language);
}
