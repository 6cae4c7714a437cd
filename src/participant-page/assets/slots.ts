// What is filled into the HTML of a page for each reply: the stylesheet, which is most of the page and is encoded once, and in a page
// that is kept what is each person's own.

import { randomUUID } from "node:crypto";
import { style } from "./assets.ts";

// Nobody can type them: they are others in each process.
const mark = randomUUID();

/** What stands in the HTML for it. */
export const SLOTS = { style: `${mark}-style`, session: `${mark}-session`, shownAt: `${mark}-shown-at` } as const;

type Slot = keyof typeof SLOTS;

/** What is each person's own in a page that nobody has answered. */
export type Own = Readonly<Record<Exclude<Slot, "style">, string>>;

/** The bytes of a page's HTML, and what is filled in between them. */
export type Parts = readonly (Buffer | Slot)[];

const byText = new Map(Object.entries(SLOTS).map(([slot, text]) => [text as string, slot as Slot]));
const ANY = new RegExp(`(${[...byText.keys()].join("|")})`);

export function partsOf(html: string): Parts {
  return html.split(ANY).map((text) => byText.get(text) ?? Buffer.from(text));
}

const styleBytes = Buffer.from(style.text);

/** @param own in no need of escaping */
export function filled(parts: Parts, own: Own): Buffer {
  const bytesIn = (slot: Slot) => (slot === "style" ? styleBytes : Buffer.from(own[slot], "latin1"));
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? bytesIn(part) : part)));
}

/** The bytes of HTML without a slot of a person. */
export function bytesOf(html: string): Buffer {
  return filled(partsOf(html), { session: "", shownAt: "" });
}
