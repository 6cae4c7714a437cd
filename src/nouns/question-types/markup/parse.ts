// Reads the small Markdown of authors' texts: bold, emphasis, lists and links. All else of Markdown, and all HTML, stays as it was typed.

import { createRequire } from "node:module";
import { LRUCache } from "lru-cache";
import type { default as MarkdownIt, Token } from "markdown-it";
import { linkTo, splitAtAddresses } from "./addresses.ts";
import { PLACEHOLDER } from "./references.ts";

export const MARKUPS = ["PLAIN", "MARKDOWN"] as const;

/** How the texts of a content are read. */
export type Markup = (typeof MARKUPS)[number];

/** A part of a line. A line end in a string is shown as one. */
export type Inline =
  | string
  | { kind: "strong" | "em"; inside: Inline[] }
  | { kind: "link"; address: string; inside: Inline[] }
  /** As it was typed: `{{…}}`. */
  | { kind: "placeholder"; typed: string };

export type Block =
  | { kind: "paragraph"; inside: Inline[] }
  /** `from` is the number of the first item; null: it has no numbers. */
  | { kind: "list"; from: number | null; items: Block[][] };

// A placeholder is a word of its own: the parser finds no Markdown in it if it sees a name instead. No text has this character: Unicode keeps it for programs.
const MARK = "\uFDD0";
const NAME = /\uFDD0(\d+)\uFDD0/g;

type Parser = InstanceType<typeof MarkdownIt>;

const require = createRequire(import.meta.url);
let made: Parser | undefined;

/** The parser, made with the first text that has signs: loading it takes 20 ms, and most processes and threads need none. */
function parser(): Parser {
  if (made) return made;
  const Made = require("markdown-it") as typeof MarkdownIt;
  made = new Made("zero").enable(["list", "emphasis", "link", "autolink", "escape", "newline"]);
  made.normalizeLink = (address) => address;
  made.normalizeLinkText = (address) => address;
  made.validateLink = (address) => linkTo(address) !== null;
  return made;
}

/** Texts without any of these are one paragraph, as they are. */
const SIGNS = /[*_[\\<{]|https:\/\/|\n[ \t]*\n|^[ \t]*(?:[-+]|\d+[.)])[ \t]/m;

/** In characters of all texts that are cached together. What is made of a text takes about ten times as much. */
const MAX_LENGTH = 2 * 1024 * 1024;

/** By text: the same texts are shown to everybody. */
const sized = <Value extends {}>() =>
  new LRUCache<string, Value>({ maxSize: MAX_LENGTH, sizeCalculation: (_, text) => text.length + 50 });
const texts = sized<Block[]>();
const lines = sized<Inline[]>();

/** The blocks of a text; at least one. */
export function blocksOf(text: string): Block[] {
  if (!SIGNS.test(text)) return [{ kind: "paragraph", inside: [text] }];
  const cached = texts.get(text);
  if (cached) return cached;
  const { named, placeholders } = withNames(text);
  const blocks = new Reader(parser().parse(named, {}), placeholders).blocks();
  const read: Block[] = blocks.length ? blocks : [{ kind: "paragraph", inside: [text] }];
  texts.set(text, read);
  return read;
}

/** The parts of a text that is one line, such as a heading: it has no lists. */
export function lineOf(text: string): Inline[] {
  if (!SIGNS.test(text)) return [text];
  const cached = lines.get(text);
  if (cached) return cached;
  const { named, placeholders } = withNames(text);
  const [line] = parser().parseInline(named, {});
  const read = new Reader(line?.children ?? [], placeholders).inline();
  lines.set(text, read);
  return read;
}

/** Whether the address of a link has a reference, which is not filled there. */
export function hasReferenceInAddress(blocks: readonly Block[]): boolean {
  const isIn = (part: Inline): boolean => {
    if (typeof part === "string" || part.kind === "placeholder") return false;
    return (part.kind === "link" && REFERENCE_IN_ADDRESS.test(part.address)) || part.inside.some(isIn);
  };
  return blocks.some((block) =>
    block.kind === "paragraph" ? block.inside.some(isIn) : block.items.some(hasReferenceInAddress),
  );
}

const REFERENCE_IN_ADDRESS = /(?:%7B|\{){2}(?:%20| )*(?:answer|attribute)(?:%20| )*:/i;

function withNames(text: string): { named: string; placeholders: string[] } {
  const placeholders: string[] = [];
  const named = text.replaceAll(MARK, "\uFFFD").replace(PLACEHOLDER, (typed) => {
    placeholders.push(typed);
    return `${MARK}${placeholders.length - 1}${MARK}`;
  });
  return { named, placeholders };
}

/** Makes blocks, or the parts of a line, of the parser's tokens. */
class Reader {
  readonly #tokens: readonly Token[];
  readonly #placeholders: readonly string[];
  #at = 0;

  constructor(tokens: readonly Token[], placeholders: readonly string[]) {
    this.#tokens = tokens;
    this.#placeholders = placeholders;
  }

  /** Up to the end of what they are in. */
  blocks(): Block[] {
    const blocks: Block[] = [];
    for (let token = this.#next(); token && token.nesting >= 0; token = this.#next()) {
      if (token.type === "inline")
        blocks.push({ kind: "paragraph", inside: new Reader(token.children!, this.#placeholders).inline() });
      else if (token.type === "bullet_list_open") blocks.push({ kind: "list", from: null, items: this.#items() });
      else if (token.type === "ordered_list_open") blocks.push(...this.#ordered(token));
      else if (token.nesting > 0) blocks.push(...this.blocks());
    }
    return blocks;
  }

  #items(): Block[][] {
    const items: Block[][] = [];
    for (let token = this.#next(); token?.type === "list_item_open"; token = this.#next()) items.push(this.blocks());
    return items;
  }

  /** A number before a single line is a part of the text, as in "3. How old are you?". */
  #ordered({ attrs, markup }: Token): Block[] {
    const from = Number(attrs?.find(([name]) => name === "start")?.[1] ?? 1);
    const items = this.#items();
    const [only, second] = items;
    if (!only || second) return [{ kind: "list", from, items }];
    const [first, ...others] = only;
    const number = `${from}${markup} `;
    return first?.kind === "paragraph"
      ? [{ kind: "paragraph", inside: [number, ...first.inside] }, ...others]
      : [{ kind: "paragraph", inside: [number.trim()] }, ...only];
  }

  /** Up to the end of what they are in. */
  inline(isInLink = false): Inline[] {
    const parts: Inline[] = [];
    for (let token = this.#next(); token && token.nesting >= 0; token = this.#next()) {
      if (token.type === "text") parts.push(...this.#texts(token.content, isInLink));
      else if (token.type === "softbreak" || token.type === "hardbreak") parts.push("\n");
      else if (token.type === "strong_open") parts.push({ kind: "strong", inside: this.inline(isInLink) });
      else if (token.type === "em_open") parts.push({ kind: "em", inside: this.inline(isInLink) });
      else if (token.type === "link_open") parts.push(...this.#link(token));
    }
    return parts;
  }

  #link({ attrs }: Token): Inline[] {
    const address = linkTo(this.#typed(String(attrs?.find(([name]) => name === "href")?.[1] ?? "")));
    const inside = this.inline(true);
    return address === null ? inside : [{ kind: "link", address, inside }];
  }

  /** A text with its placeholders and web addresses. */
  #texts(text: string, isInLink: boolean): Inline[] {
    return text.split(NAME).flatMap((part, index): Inline[] => {
      if (index % 2) return [{ kind: "placeholder", typed: this.#placeholders[Number(part)]! }];
      if (isInLink) return part === "" ? [] : [part];
      return splitAtAddresses(part).map((one) => {
        if (typeof one === "string") return one;
        return linkTo(one.address) === null ? one.typed : { kind: "link", address: one.address, inside: [one.address] };
      });
    });
  }

  #typed(text: string): string {
    return text.replace(NAME, (_, index) => this.#placeholders[index]!);
  }

  #next(): Token | undefined {
    return this.#tokens[this.#at++];
  }
}
