// What of a text must be in its translation, too: placeholders, and the addresses of links.

import { type Block, blocksOf, type Inline, type Markup } from "../question-types/markup/parse.ts";

/** What is wrong with a translation: what it lacks of its source, or has besides. Undefined: nothing. @param markup of the texts */
export function faultOfTranslation(source: string, text: string, markup: Markup | undefined): string | undefined {
  if (markup !== "MARKDOWN") return undefined;
  const faults = faultsOf(keptOf(source), keptOf(text));
  return faults.length ? faults.join("; ") : undefined;
}

function faultsOf(wanted: readonly string[], found: readonly string[]): string[] {
  const faults: string[] = [];
  const left = [...found];
  for (const one of wanted) {
    const index = left.indexOf(one);
    if (index < 0) faults.push(`must have ${one}`);
    else left.splice(index, 1);
  }
  return [...faults, ...left.map((one) => `must not have ${one}`)];
}

/** What must stay of a text. */
function keptOf(text: string): string[] {
  return blocksOf(text).flatMap(ofBlock);
}

function ofBlock(block: Block): string[] {
  return block.kind === "paragraph" ? block.inside.flatMap(ofPart) : block.items.flat().flatMap(ofBlock);
}

function ofPart(part: Inline): string[] {
  if (typeof part === "string") return [];
  if (part.kind === "placeholder") return [placeholder(part.typed)];
  const inside = part.inside.flatMap(ofPart);
  return part.kind === "link" ? [`the link to ${part.address}`, ...inside] : inside;
}

/** A placeholder as it must stay. What stands in for an answer that is missing is translated: `{{answer:name|…}}`. */
function placeholder(typed: string): string {
  const [reference = "", ...fallback] = typed.slice(2, -2).split("|");
  return `the placeholder {{${reference.trim()}${fallback.join("|").trim() ? "|…" : ""}}}`;
}
