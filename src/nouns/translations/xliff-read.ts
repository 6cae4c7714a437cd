// Reads translations from XLIFF 2.x. saxes reads the XML: it knows no entities but those of XML itself, and a document type is refused.

import { SaxesParser, type SaxesTagNS } from "saxes";
import { canonicalLanguage } from "../../languages/tags.ts";
import type { Sent } from "./change.ts";
import type { FileFaults, FileOf } from "./files.ts";
import { idOfUnit } from "./xliff-write.ts";

/** Deeper elements than any XLIFF has. */
const MAX_DEPTH = 32;

const CORE = /^urn:oasis:names:tc:xliff:document:2\.\d$/;

/** States of segments that somebody has translated. */
const TRANSLATED = new Set(["translated", "reviewed", "final"]);

/** Elements within a text whose own text belongs to it. Those of codes have none, and a text of ours has none of them. */
const PASSED = new Set(["mrk", "pc", "sm", "em"]);

class Fault extends Error {}

/** The units of a file, or what is wrong with it as a whole. A unit without a target says nothing of its text. */
export function readXliff(bytes: Uint8Array, wanted: Pick<FileOf, "base" | "language">): Sent[] | FileFaults {
  const reader = new XliffReader(wanted);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return reader.read(text);
  } catch (error) {
    const message = error instanceof TypeError ? "must be in UTF-8" : (error as Error).message;
    return [{ pointer: "", message }];
  }
}

interface Unit {
  id: string;
  line: number;
  source: string;
  target: string;
  /** Whether each segment has a target. */
  isWhole: boolean;
  hasSegment: boolean;
  isConfirmed: boolean;
}

class XliffReader {
  readonly #parser = new SaxesParser({ xmlns: true, position: true });
  readonly #wanted: Pick<FileOf, "base" | "language">;
  readonly #sent: Sent[] = [];
  /** The names of the elements around. */
  readonly #path: string[] = [];
  #unit: Unit | undefined;
  #segment = { source: "", target: "", hasTarget: false, isIgnorable: false };
  #hasRoot = false;

  constructor(wanted: Pick<FileOf, "base" | "language">) {
    this.#wanted = wanted;
    this.#parser.on("error", (error) => {
      throw new Fault(`is no XML: ${error.message.replace(/\.$/, "")}`);
    });
    this.#parser.on("doctype", () => {
      throw new Fault("must not have a document type");
    });
    this.#parser.on("opentag", (tag) => this.#open(tag));
    this.#parser.on("closetag", ({ local }) => this.#close(local));
    this.#parser.on("text", (text) => this.#add(text));
    this.#parser.on("cdata", (text) => this.#add(text));
  }

  read(text: string): Sent[] {
    this.#parser.write(text).close();
    if (!this.#hasRoot) throw new Fault("has no element");
    return this.#sent;
  }

  #open({ local, uri, attributes }: SaxesTagNS): void {
    const value = (name: string) => attributes[name]?.value;
    if (this.#path.length >= MAX_DEPTH) throw new Fault("has elements that are too deep in each other");
    if (!this.#path.length) this.#begin(local, uri, value);
    const isInText = this.#within() !== undefined;
    this.#path.push(CORE.test(uri) ? local : "");
    // Modules, such as that of matches, have texts of their own.
    if (this.#path.includes("")) return;
    if (local === "unit") this.#beginUnit(value("id"));
    else if (local === "segment" || local === "ignorable") {
      this.#segment = { source: "", target: "", hasTarget: false, isIgnorable: local === "ignorable" };
      if (this.#unit && local === "segment") {
        this.#unit.hasSegment = true;
        this.#unit.isConfirmed &&= TRANSLATED.has(value("state") ?? "initial");
      }
    } else if (local === "target") this.#segment.hasTarget = true;
    else if (local === "cp") this.#add(codePoint(value("hex")));
    else if (isInText && !PASSED.has(local))
      throw new Fault(`has the element ${local} in a text: see line ${this.#parser.line}`);
  }

  #begin(local: string, uri: string, value: (name: string) => string | undefined): void {
    this.#hasRoot = true;
    if (local !== "xliff" || !CORE.test(uri)) throw new Fault("must be XLIFF 2: its first element is another one");
    const { base, language } = this.#wanted;
    const [from = "", to] = [value("srcLang"), value("trgLang")];
    if (canonicalLanguage(from) !== base) throw new Fault(`is from ${from}, but the texts of the study are in ${base}`);
    if (to !== undefined && canonicalLanguage(to) !== language) throw new Fault(`is in ${to}, and not in ${language}`);
  }

  #beginUnit(id: string | undefined): void {
    if (id === undefined) throw new Fault(`has a unit without id: see line ${this.#parser.line}`);
    const { line } = this.#parser;
    this.#unit = { id, line, source: "", target: "", isWhole: true, hasSegment: false, isConfirmed: true };
  }

  #close(local: string): void {
    const isCore = !this.#path.includes("");
    this.#path.pop();
    const unit = this.#unit;
    if (!unit || !isCore) return;
    if (local === "segment" || local === "ignorable") {
      const { source, target, hasTarget, isIgnorable } = this.#segment;
      unit.source += source;
      unit.target += hasTarget || !isIgnorable ? target : source;
      unit.isWhole &&= hasTarget || isIgnorable;
    } else if (local === "unit") this.#endUnit(unit);
  }

  #endUnit({ id, line, source, target, isWhole, hasSegment, isConfirmed }: Unit): void {
    this.#unit = undefined;
    const text = hasSegment && isWhole && target.trim() ? target : null;
    const stringId = idOfUnit(id);
    this.#sent.push({ id: stringId, text, source, isConfirmed, at: { pointer: `/${stringId}`, line } });
  }

  /** The text that what comes now belongs to. */
  #within(): "source" | "target" | undefined {
    if (this.#path.includes("")) return undefined;
    if (this.#path.includes("target")) return "target";
    return this.#path.includes("source") ? "source" : undefined;
  }

  #add(text: string): void {
    const where = this.#within();
    if (where) this.#segment[where] += text;
  }
}

function codePoint(hex: string | undefined): string {
  const code = Number.parseInt(hex ?? "", 16);
  if (!/^[0-9a-f]{1,6}$/i.test(hex ?? "") || code > 0x10ffff) throw new Fault("has a cp that names no character");
  return String.fromCodePoint(code);
}
