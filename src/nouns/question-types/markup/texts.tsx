// Authors' texts on the page. How they are read is a property of the whole content, so the page says it once, around all of them.

import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import { clean } from "../../../base/clean-text.ts";
import { TextLink } from "./linked-text.tsx";
import { type Block, blocksOf, type Inline, lineOf, type Markup } from "./parse.ts";
import type { Fill } from "./plain.ts";

/** How the texts of a page are read. */
export interface Reading {
  markup: Markup;
  /** Its placeholders. What it returns is shown as text, whatever is in it. */
  fill?: Fill | undefined;
  /** Whether links open another tab: from a form, where what is typed stays then, and from frames of other sites. */
  opensTabs?: boolean | undefined;
  /** Whether the page is only shown to its author: then no link leads away. */
  isTrial?: boolean | undefined;
}

const ReadingContext = createContext<Reading>({ markup: "PLAIN" });

/** What is inside reads its texts like this. */
export const Texts = ReadingContext.Provider;

interface Shown {
  text: string;
  class?: string;
  id?: string;
  lang?: string | undefined;
  dir?: "ltr" | "rtl" | "auto";
}

/** A text of its own: paragraphs and lists. */
export function TextBlock({ text, ...attributes }: Shown) {
  const reading = useContext(ReadingContext);
  const cleaned = clean(text);
  if (reading.markup === "PLAIN") return <p {...attributes}>{cleaned}</p>;
  const blocks = blocksOf(cleaned);
  const line = onlyLine(blocks);
  if (line) return <p {...attributes}>{inlineNodes(line, reading)}</p>;
  return <div {...attributes}>{blocks.map((block) => blockNode(block, reading))}</div>;
}

/** A text inside of a label or a legend, which have no paragraphs: here, spans look like them. */
export function TextSpan({ text, lang }: { text: string; lang: string | undefined }) {
  const reading = useContext(ReadingContext);
  const cleaned = clean(text);
  return <span lang={lang}>{reading.markup === "PLAIN" ? cleaned : phraseNodes(blocksOf(cleaned), reading)}</span>;
}

/** A text of one line, such as a heading. */
export function TextLine({ text }: { text: string }) {
  const reading = useContext(ReadingContext);
  const cleaned = clean(text);
  return <>{reading.markup === "PLAIN" ? cleaned : inlineNodes(lineOf(cleaned), reading)}</>;
}

/** The only paragraph, if there is nothing else. */
function onlyLine([only, second]: readonly Block[]): readonly Inline[] | undefined {
  return only?.kind === "paragraph" && !second ? only.inside : undefined;
}

function blockNode(block: Block, reading: Reading): ComponentChildren {
  if (block.kind === "paragraph") return <p>{inlineNodes(block.inside, reading)}</p>;
  const items = block.items.map((item) => {
    const [first, ...others] = item;
    if (first?.kind !== "paragraph") return <li>{item.map((inner) => blockNode(inner, reading))}</li>;
    return (
      <li>
        {inlineNodes(first.inside, reading)}
        {others.map((inner) => blockNode(inner, reading))}
      </li>
    );
  });
  return block.from === null ? <ul>{items}</ul> : <ol start={block.from === 1 ? undefined : block.from}>{items}</ol>;
}

/**
 * Between blocks is a space, so that their words stay apart where they are read aloud. They have no roles: a label with a list in it is
 * no name for its field to some readers.
 */
function phraseNodes(blocks: readonly Block[], reading: Reading): ComponentChildren {
  const line = onlyLine(blocks);
  if (line) return inlineNodes(line, reading);
  return blocks.map((block, index) => {
    const before = index > 0 && " ";
    if (block.kind === "paragraph")
      return [before, <span class="paragraph">{inlineNodes(block.inside, reading)}</span>];
    const { from } = block;
    const items = block.items.map((item, position) => (
      <span class={from === null ? "item item-dot" : "item"}>
        {from !== null && `${from + position}. `}
        {phraseNodes(item, reading)}{" "}
      </span>
    ));
    return [before, <span class="list">{items}</span>];
  });
}

function inlineNodes(parts: readonly Inline[], reading: Reading): ComponentChildren {
  if (parts.length === 1 && typeof parts[0] === "string") return parts[0];
  return parts.map((part): ComponentChildren => {
    if (typeof part === "string") return part;
    if (part.kind === "placeholder") {
      const filled = reading.fill?.(part.typed);
      // What is inserted may run in another direction.
      return filled === undefined ? part.typed : filled && <bdi>{clean(filled)}</bdi>;
    }
    const inside = inlineNodes(part.inside, reading);
    if ("address" in part)
      return (
        <TextLink address={part.address} isTrial={reading.isTrial} opensTab={reading.opensTabs}>
          {inside}
        </TextLink>
      );
    return part.kind === "strong" ? <strong>{inside}</strong> : <em>{inside}</em>;
  });
}
