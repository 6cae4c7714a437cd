// The words of a content in a person's language. Answers, conditions, quotas and explanations work on the content itself, in its base
// language; only what a person reads goes through here.

import { canonicalLanguage, DEFAULT_LANGUAGE, type Direction, directionOf, fallbacksOf } from "../../languages/tags.ts";
import type { Question } from "../question-types/registry.ts";
import type { Content, Page, Statement } from "./content.ts";
import { withContentTexts, withEndingTexts, withItemTexts, withPageTexts, withQuestionTexts } from "./strings.ts";

/** Texts by the ids of strings. */
export type Texts = Readonly<Record<string, string>>;

/** The language of a content's own texts. */
export function baseLanguageOf({ language }: Pick<Content, "language">): string {
  return language ?? DEFAULT_LANGUAGE;
}

/** The attributes of an element with one text. */
export interface LanguageAttributes {
  lang: string;
  dir: Direction | "auto";
}

/** Texts of one language that the content is translated to. */
interface Translation {
  language: string;
  texts: Texts;
}

export class Wording {
  /** Of most texts: the nearest language that there is. */
  readonly language: string;
  readonly #base: string | undefined;
  /** The nearest first. */
  readonly #translations: readonly Translation[];

  /**
   * @param translations the nearest language first, as `nearestOf` names them
   */
  constructor(content: Pick<Content, "language">, translations: readonly Translation[] = []) {
    this.#base = content.language;
    this.#translations = translations;
    this.language = translations[0]?.language ?? baseLanguageOf(content);
  }

  /** Whether all texts are the content's own. */
  get isOwn(): boolean {
    return this.#translations.length === 0;
  }

  /** The text of a string. A missing one falls back to the next language, and at last to the content's own text. */
  text(id: string, own: string): string {
    return this.#find(id)?.texts[id] ?? own;
  }

  /** The language of that text. Undefined: it is the content's own text, and the content does not say its language. */
  languageOf(id: string): string | undefined {
    return this.#find(id)?.language ?? this.#base;
  }

  /** For the element that shows that text. */
  attributesOf(id: string): LanguageAttributes {
    const language = this.languageOf(id);
    return language === undefined ? { lang: "", dir: "auto" } : { lang: language, dir: directionOf(language) };
  }

  /** A question as it is shown. */
  question(question: Question): Question {
    return this.#translations.length ? withQuestionTexts(question, this.#change) : question;
  }

  /** A text between questions as it is shown. */
  statement(statement: Statement): Statement {
    return this.#translations.length ? (withItemTexts(statement, this.#change) as Statement) : statement;
  }

  /** A page as it is shown, without its questions. */
  page(page: Page): Page {
    return this.#translations.length ? withPageTexts(page, this.#change) : page;
  }

  /** A content whose endings are as they are shown. */
  endings<Of extends Content>(content: Of): Of {
    return this.#translations.length ? { ...content, ...withEndingTexts(content, this.#change) } : content;
  }

  /** All of a content as it is shown. Where only a page is shown, `question` and `page` take less time. */
  content<Of extends Content>(content: Of): Of {
    return this.#translations.length ? { ...content, ...withContentTexts(content, this.#change) } : content;
  }

  readonly #change = (id: string, own: string) => this.text(id, own);

  #find(id: string): Translation | undefined {
    return this.#translations.find(({ texts }) => Object.hasOwn(texts, id));
  }
}

/**
 * Those of some languages that stand in for one, the nearest first: of `de` and `fr` for `de-AT` it is `de`. Where the content's own
 * language is as near, nothing comes after it. @param languages those that the content is translated to
 */
export function nearestOf(wanted: string, base: string, languages: Iterable<string>): string[] {
  const canonical = canonicalLanguage(wanted);
  if (canonical === undefined) return [];
  const known = new Set(languages);
  const chain = fallbacksOf(canonical);
  const end = chain.indexOf(base);
  return (end < 0 ? chain : chain.slice(0, end)).filter((language) => known.has(language));
}
