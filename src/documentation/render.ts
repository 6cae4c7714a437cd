// Makes HTML of a document, and what the search finds in it. Documents link to each other as they do in a checkout, by their files.

import { posix } from "node:path";
import MarkdownIt, { type Token } from "markdown-it";

/** A heading, and what is below it until the next one. */
export interface Section {
  /** What a link to it ends with: as code hosts make it, so that the documents' own links lead there. */
  id: string;
  title: string;
  /** 1 to 6: the heading's. */
  level: number;
  /** Its paragraphs, rows of tables, and examples. */
  texts: string[];
}

export interface Document {
  title: string;
  html: string;
  sections: Section[];
}

/** @returns the address of a file, by its path from the project's folder; undefined: it is not shown, and its link becomes its text */
type AddressOf = (file: string) => string | undefined;

const markdown = new MarkdownIt({ html: false });

// What may be wider than a screen scrolls by itself, also by keyboard.
markdown.renderer.rules.table_open = () => `<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n`;
markdown.renderer.rules.table_close = () => "</table></div>\n";
const block = (kind: "fence" | "code_block") => {
  const whole = markdown.renderer.rules[kind]!;
  markdown.renderer.rules[kind] = (...args) => whole(...args).replace("<pre", '<pre tabindex="0"');
};
block("fence");
block("code_block");

/** @param file the document's, from the project's folder: its links begin there */
export function render(source: string, file: string, addressOf: AddressOf): Document {
  const tokens = markdown.parse(source, {});
  const sections: Section[] = [];
  const names = new Map<string, number>();
  let isInRow = false;
  for (const [index, token] of tokens.entries()) {
    lead(token.children ?? [], file, addressOf);
    // A heading that says nothing is none.
    if (token.type === "th_open" && !tokens[index + 1]!.content) token.tag = tokens[index + 2]!.tag = "td";
    const section = sections.at(-1);
    if (token.type === "heading_open") {
      const title = textOf(tokens[index + 1]!);
      const id = idOf(title, names);
      token.attrSet("id", id);
      sections.push({ id, title, level: Number(token.tag.slice(1)), texts: [] });
    } else if (token.type === "inline" && tokens[index - 1]?.type !== "heading_open") {
      // The cells of a row are one text.
      if (isInRow) section?.texts.push(`${section.texts.pop()} ${textOf(token)}`.trim());
      else section?.texts.push(textOf(token));
    } else if (token.type === "fence") section?.texts.push(token.content);
    else if (token.type === "tr_open") section?.texts.push("");
    if (token.type === "tr_open" || token.type === "tr_close") isInRow = token.type === "tr_open";
  }
  return {
    title: sections[0]?.title ?? file,
    html: markdown.renderer.render(tokens, markdown.options, {}),
    sections,
  };
}

/** What a list of documents says of one: its title, and the first sentence below it as HTML without links. Far less work than all of it. */
export function headOf(source: string): { title: string; intro: string } {
  const [, title = "", paragraph = ""] = /^# (.+)\n+([^#|`].*(?:\n.+)*)?/.exec(source) ?? [];
  const sentence = /^[\s\S]*?\.(?=\s|$)/.exec(paragraph)?.[0] ?? paragraph;
  return { title, intro: markdown.renderInline(sentence).replace(/<\/?a\b[^>]*>/g, "") };
}

/** The id of a heading. @param names how often each came before */
function idOf(title: string, names: Map<string, number>): string {
  const name = title
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
  const before = names.get(name) ?? 0;
  names.set(name, before + 1);
  return before ? `${name}-${before}` : name;
}

function textOf(token: Token): string {
  if (token.type === "softbreak" || token.type === "hardbreak") return " ";
  return token.children ? token.children.map(textOf).join("") : token.content;
}

/** Has the links and pictures of a line lead to what the documents' files are shown as. */
function lead(tokens: Token[], file: string, addressOf: AddressOf): void {
  for (const [index, token] of tokens.entries()) {
    const name = token.type === "link_open" ? "href" : token.type === "image" ? "src" : undefined;
    const target = String((name && token.attrGet(name)) ?? "");
    if (!name || !target || /^(?:[a-z]+:|#)/i.test(target)) continue;
    const [path = "", fragment] = target.split("#");
    const address = addressOf(posix.join(posix.dirname(file), path));
    if (address !== undefined) token.attrSet(name, fragment === undefined ? address : `${address}#${fragment}`);
    else {
      token.hidden = true;
      const end = tokens.findIndex((one, at) => at > index && one.type === "link_close");
      if (end >= 0) tokens[end]!.hidden = true;
    }
  }
}
