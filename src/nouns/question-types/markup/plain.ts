// Authors' texts where they are only read: without the signs of Markdown.

import { type Block, blocksOf, type Inline, type Markup } from "./parse.ts";

/** What stands for a placeholder; undefined: it stays as it was typed. */
export type Fill = (typed: string) => string | undefined;

export const NOTHING_FILLED: Fill = () => undefined;

/** A text without its signs, for lists, sentences and titles. Of a link, what is shown is left. @param markup missing: it has none */
export function plainOf(text: string, markup: Markup | undefined, fill: Fill = NOTHING_FILLED): string {
  return markup === "MARKDOWN" ? linesOf(blocksOf(text), fill).join("\n") : text;
}

function linesOf(blocks: readonly Block[], fill: Fill): string[] {
  return blocks.flatMap((block) => {
    if (block.kind === "paragraph") return [wordsOf(block.inside, fill)];
    return block.items.flatMap((item, index) => {
      const [first = "", ...others] = linesOf(item, fill);
      return [`${block.from === null ? "–" : `${block.from + index}.`} ${first}`, ...others];
    });
  });
}

function wordsOf(parts: readonly Inline[], fill: Fill): string {
  const words = parts.map((part) => {
    if (typeof part === "string") return part;
    return part.kind === "placeholder" ? (fill(part.typed) ?? part.typed) : wordsOf(part.inside, fill);
  });
  return words.join("");
}
