// Translations as XLIFF 2.0 (OASIS): for translation programs.

import type { FileOf } from "./files.ts";
import type { Entry, State } from "./states.ts";

const XLIFF = "urn:oasis:names:tc:xliff:document:2.0";

/** What a text's translation is called there. */
const SEGMENT_STATES: Record<State, string> = { MISSING: "initial", STALE: "initial", DONE: "translated" };

const STALE_NOTE = "The source was changed after this was translated.";

export function writeXliff({ screenerUid, base, language, directions, entries }: FileOf): string {
  const file = attributes({
    id: "screener",
    original: screenerUid,
    srcDir: directions.base,
    trgDir: directions.language,
    // A text is one segment, so that it comes back as one.
    canResegment: "no",
    "xml:space": "preserve",
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<xliff${attributes({ xmlns: XLIFF, version: "2.0", srcLang: base, trgLang: language })}>`,
    `<file${file}>`,
    ...entries.map(unitOf),
    "</file>",
    "</xliff>",
    "",
  ].join("\n");
}

function unitOf({ id, pointer, text, translated, state }: Entry): string {
  const notes = [
    `<note category="location">${escaped(pointer)}</note>`,
    ...(state === "STALE" ? [`<note category="stale">${STALE_NOTE}</note>`] : []),
  ];
  const target = translated === null ? "" : `<target>${content(translated)}</target>`;
  return (
    `<unit${attributes({ id: unitId(id), name: id })}><notes>${notes.join("")}</notes>` +
    `<segment state="${SEGMENT_STATES[state]}"><source>${content(text)}</source>${target}</segment></unit>`
  );
}

/** Ids of units are NMTOKENs, which have no slash. */
export const unitId = (id: string) => id.replaceAll("/", ".");
export const idOfUnit = (unit: string) => unit.replaceAll(".", "/");

function attributes(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join("");
}

const SPECIAL: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // A parser makes a line feed of it.
  "\r": "&#13;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"\r]/g, (sign) => SPECIAL[sign]!);
}

/** Characters that XML can't have, not even as a reference. */
const IMPOSSIBLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

function content(text: string): string {
  return escaped(text).replaceAll(
    IMPOSSIBLE,
    (sign) => `<cp hex="${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}"/>`,
  );
}
