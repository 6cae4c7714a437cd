// The texts of a content that are translated, each with an id that stays as long as its question or page does:
// `question/<id>/prompt`, `question/<id>/option/<option's id>`, `page/<id>/title`, `thankYou`.

import type { TextPlace } from "../question-types/question-type.ts";
import { type Question, typeOf } from "../question-types/registry.ts";
import { type ByOutcome, type Content, type Item, isQuestion, type Outcome, type Page, type Quota } from "./content.ts";

/** Gives the text to put in place of one. @param pointer JSON Pointer of the text, from what is gone through */
type Change = (id: string, text: string, pointer: string) => string;

/** The id of the study's own title, which is no part of its content. */
export const TITLE = "title";
export const THANK_YOU = "thankYou";

/** `question/<id>/prompt`; `question/<id>/option/<part's id>`. */
export const questionString = (questionId: string, ...names: string[]) => ["question", questionId, ...names].join("/");
/** Of the image of a statement, after the statement's id. */
export const ALTERNATIVE_TEXT = ["image", "alternativeText"] as const;
export const pageString = (pageId: string, name: "title" | "description") => `page/${pageId}/${name}`;
export const outcomeString = (outcome: Outcome) => `thankYouByOutcome/${outcome}`;
export const quotaString = (quotaId: string) => `quota/${quotaId}/thankYou`;

/** The same question with other texts. */
export function withQuestionTexts(question: Question, change: Change, at = ""): Question {
  const { id, prompt, helpText } = question;
  const common = {
    prompt: change(questionString(id, "prompt"), prompt, `${at}/prompt`),
    helpText: helpText === null ? null : change(questionString(id, "helpText"), helpText, `${at}/helpText`),
  };
  const own = withTexts(question, typeOf(question).texts, { id: questionString(id), at, change });
  // The compiler can't see that texts take the place of texts.
  return { ...question, ...common, ...own } as Question;
}

/** The same for what stands on a page. */
export function withItemTexts(item: Item, change: Change, at = ""): Item {
  if (isQuestion(item)) return withQuestionTexts(item, change, at);
  const { id, text, image } = item;
  return {
    ...item,
    text: text === null ? null : change(questionString(id, "text"), text, `${at}/text`),
    ...(image && {
      image: {
        ...image,
        alternativeText: change(
          questionString(id, ...ALTERNATIVE_TEXT),
          image.alternativeText,
          `${at}/image/alternativeText`,
        ),
      },
    }),
  };
}

/** Of a page its own texts, and not those of its questions. */
export function withPageTexts(page: Page, change: Change, at = ""): Page {
  const { id, title, description } = page;
  return {
    ...page,
    title: title === null ? null : change(pageString(id, "title"), title, `${at}/title`),
    description: description === null ? null : change(pageString(id, "description"), description, `${at}/description`),
  };
}

/** Of a content the texts of its endings. */
export function withEndingTexts(content: Content, change: Change): Content {
  const { thankYou, thankYouByOutcome, quotas } = content;
  return {
    ...content,
    thankYou: thankYou === null ? null : change(THANK_YOU, thankYou, "/thankYou"),
    thankYouByOutcome: thankYouByOutcome && byOutcome(thankYouByOutcome, change),
    ...(quotas && { quotas: quotas.map((quota, index) => withQuotaTexts(quota, change, `/quotas/${index}`)) }),
  };
}

function byOutcome(texts: ByOutcome, change: Change): ByOutcome {
  const entries = Object.entries(texts) as [Outcome, string | undefined][];
  return Object.fromEntries(
    entries.flatMap(([outcome, text]) =>
      text === undefined ? [] : [[outcome, change(outcomeString(outcome), text, `/thankYouByOutcome/${outcome}`)]],
    ),
  );
}

function withQuotaTexts(quota: Quota, change: Change, at: string): Quota {
  const { id, ending } = quota;
  if (ending.thankYou === null) return quota;
  return {
    ...quota,
    ending: { ...ending, thankYou: change(quotaString(id), ending.thankYou, `${at}/ending/thankYou`) },
  };
}

/** The same content with other texts. */
export function withContentTexts(content: Content, change: Change): Content {
  const pages = content.pages.map((page, index) => {
    const at = `/pages/${index}`;
    const changed = withPageTexts(page, change, at);
    const questions = page.questions.map((item, position) =>
      withItemTexts(item, change, `${at}/questions/${position}`),
    );
    return { ...changed, questions };
  });
  return { ...withEndingTexts(content, change), pages };
}

/** A text that is translated. */
export interface ContentString {
  id: string;
  /** JSON Pointer: where it is in the content; `/title` of the study. */
  pointer: string;
  text: string;
}

/** All texts of a content, in their order, after the study's title. */
export function stringsOf(content: Content, title: string | null): ContentString[] {
  const strings: ContentString[] = title === null ? [] : [{ id: TITLE, pointer: "/title", text: title }];
  withContentTexts(content, (id, text, pointer) => {
    strings.push({ id, pointer, text });
    return text;
  });
  return strings;
}

interface Walk {
  /** What the ids begin with. */
  id: string;
  at: string;
  change: Change;
}

/** The members of an object that have texts, with other texts. */
function withTexts(object: object, places: Readonly<Record<string, TextPlace>>, walk: Walk): Record<string, unknown> {
  const values = object as Record<string, unknown>;
  const changed: Record<string, unknown> = {};
  for (const [member, place] of Object.entries(places)) {
    const value = values[member];
    if (place === "code" || value === null || value === undefined) continue;
    const at = `${walk.at}/${member}`;
    if (place === "text") changed[member] = walk.change(`${walk.id}/${member}`, value as string, at);
    else if ("part" in place)
      changed[member] = (value as { id: string; text: string }[]).map((part, index) => ({
        ...part,
        text: walk.change(`${walk.id}/${place.part}/${part.id}`, part.text, `${at}/${index}/text`),
      }));
    else
      changed[member] = {
        ...value,
        ...withTexts(value, place.within, { ...walk, id: `${walk.id}/${member}`, at }),
      };
  }
  return changed;
}
