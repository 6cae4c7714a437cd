// References in authors' texts: `{{answer:KEY|fallback}}` is the answer to the question with that key, `{{attribute:KEY|fallback}}` an
// attribute of the participant. They are names, and no expressions.

import { lengthOf } from "../../../base/clean-text.ts";

export const REFERENCED = ["answer", "attribute"] as const;

export interface Reference {
  of: (typeof REFERENCED)[number];
  key: string;
  /** What is shown where there is nothing. Undefined: the author says nothing. */
  fallback: string | undefined;
}

/** Placeholders, whatever is in them. */
export const PLACEHOLDER = /\{\{[^{}\n]+\}\}/g;

const REFERENCE = /^\{\{\s*(answer|attribute)\s*:([^|]*)(?:\|(.*))?\}\}$/;

/** What a placeholder refers to. Undefined: it is none of these. @param typed with its braces */
export function referenceOf(typed: string): Reference | undefined {
  const [, of, key = "", fallback] = REFERENCE.exec(typed) ?? [];
  return of === undefined ? undefined : { of: of as Reference["of"], key: key.trim(), fallback: fallback?.trim() };
}

/** The references in a text. */
export function referencesIn(text: string): Reference[] {
  return (text.match(PLACEHOLDER) ?? []).flatMap((typed) => referenceOf(typed) ?? []);
}

/** In characters. */
const MAX_INSERTED = 200;

/** They would reorder what comes after: not everywhere is an element around what is inserted. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Made with the first long value: each takes 10 ms, and most processes and threads need none. */
let graphemes: Intl.Segmenter | undefined;

/** A value as it is inserted: in one line, and cut between characters as people see them. */
export function inserted(value: string): string {
  const line = value.replace(BIDI_CONTROLS, "").replace(/\s+/g, " ").trim();
  if (line.length <= MAX_INSERTED || lengthOf(line) <= MAX_INSERTED) return line;
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let cut = "";
  let length = 0;
  for (const { segment } of graphemes.segment(line)) {
    length += lengthOf(segment);
    if (length >= MAX_INSERTED) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}
