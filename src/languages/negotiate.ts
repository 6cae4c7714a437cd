// Which of some languages suits a person best.

import { canonicalLanguage, fallbacksOf } from "./tags.ts";

/** Of a header: what is longer is no browser's. */
const MAX_ACCEPT_LENGTH = 1000;

/** The languages of `Accept-Language`, the best first. */
export function acceptedLanguages(header: string): string[] {
  return header
    .slice(0, MAX_ACCEPT_LENGTH)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((one) => one.trim());
      const quality = parameters.find((one) => /^q=/i.test(one));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

/**
 * The first offered language that suits one of those that are wanted, in their order: the same; a more general one (`de` for `de-AT`); or
 * another one of the same language and script (`pt-PT` for `pt-BR`). Undefined: none does.
 * @param wanted as people write them @param offered canonical
 */
export function suitingLanguage(wanted: Iterable<string>, offered: readonly string[]): string | undefined {
  for (const tag of wanted) {
    const language = canonicalLanguage(tag.trim());
    if (language === undefined) continue;
    const found = fallbacksOf(language).find((one) => offered.includes(one));
    const near = found ?? offered.find((one) => scriptOf(one) === scriptOf(language));
    if (near !== undefined) return near;
  }
  return undefined;
}

/** The language and its script: `zh-Hans` of `zh-CN`. */
function scriptOf(tag: string): string {
  const { language, script } = new Intl.Locale(tag).maximize();
  return `${language}-${script}`;
}
