// What a participant answers, and the language in which the pages speak.

import type { Reader } from "../../db/sqlite/connection.ts";
import type { Parsed } from "../base/parsed.ts";
import type { Spoken } from "../insertions/fill.ts";
import { acceptedLanguages, suitingLanguage } from "../languages/negotiate.ts";
import { directionOf } from "../languages/tags.ts";
import type { PersonalContent } from "../nouns/content/content.ts";
import { baseLanguageOf, Wording } from "../nouns/content/wording.ts";
import { publicationLanguages, wordingOf } from "../nouns/publications/wording.ts";
import { timeZoneOfScreener } from "../nouns/screeners/queries.ts";
import { speechFor } from "../page-words/queries.ts";
import { speechIn } from "../words/languages.ts";
import { type Speech, type TextAttributes, UNKNOWN } from "../words/speech.ts";
import type { AskedLanguages } from "./asked.ts";
import type { Form } from "./input.ts";

export interface SpokenContent extends Spoken {
  /** Those that a person can choose from. */
  languages: readonly string[];
  /** The one of them in which the person answers. */
  language: string;
}

/** The attribute of a person that names their language. */
const ATTRIBUTE = "language";

interface Wish {
  publication: { id: number; uid: string };
  screenerId: number;
  /** The language that the person has chosen or answered in. */
  chosen: string | null;
  asked: AskedLanguages;
  /** Whether the workspace has own words for its pages. */
  hasWords: boolean;
}

/** In the language that the person has chosen or answered in; else that of the link, of the person, of the browser, or the content's own. */
export function spoken(
  db: Reader,
  published: Parsed,
  content: PersonalContent,
  { publication, screenerId, chosen, asked, hasWords }: Wish,
): SpokenContent {
  const speechOf = (language: string) => (hasWords ? speechFor(db, language, screenerId) : speechIn(language));
  const languages = publicationLanguages(db, published, publication, content);
  const [base] = languages as [string];
  const timeZone = () => timeZoneOfScreener(db, screenerId);
  if (languages.length === 1) return { ...inOwnLanguage(content), timeZone, speech: speechOf(base) };
  const language = suitingLanguage(wantedIn(content, chosen, asked), languages) ?? base;
  const wording = wordingOf(db, published, publication, content, language);
  return { ...content, languages, language, timeZone, wording, speech: speechOf(language) };
}

/** In the content's own language. */
function inOwnLanguage(content: PersonalContent): Omit<SpokenContent, "timeZone"> {
  const language = baseLanguageOf(content);
  return { ...content, languages: [language], language, wording: new Wording(content), speech: speechIn(language) };
}

/** The languages that a person may want, the best reason first. Later ones are only looked for where those before are not offered. */
function* wantedIn(
  content: PersonalContent,
  chosen: string | null,
  { chosen: now, lang, accept }: AskedLanguages,
): Iterable<string> {
  if (now !== undefined) yield now;
  if (chosen !== null) yield chosen;
  if (lang !== undefined) yield lang;
  const attribute = content.attributes().get(ATTRIBUTE)?.value;
  if (typeof attribute === "string") yield attribute;
  yield* acceptedLanguages(accept());
}

/** The language in which numbers and dates of a form were typed: that of its page. */
export function speechOfForm({ languages, speech }: SpokenContent, { shownIn }: Form): Speech {
  return shownIn !== undefined && languages.includes(shownIn) ? speechIn(shownIn) : speech;
}

/** The attributes of an element with an author's text, by the text's id. Where they are those of the page, there are none. */
export function authorOf({ speech, wording }: Pick<SpokenContent, "speech" | "wording">, id: string): TextAttributes {
  const language = wording.languageOf(id);
  if (language === undefined) return UNKNOWN;
  return language === speech.language ? {} : { lang: language, dir: directionOf(language) };
}
