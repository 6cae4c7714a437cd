// The texts that people read on pages, from their sources: so those of every state are there, which no walk through pages would see.

import { globSync, readFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { ROOT } from "../../db/root.ts";

/** Where texts for people are. */
const SOURCES = [
  "src/console/**/*.{ts,tsx,js}",
  "src/participant-page/**/*.{ts,tsx}",
  "src/contacts/page/**/*.{ts,tsx}",
  "src/mail/page/**/*.{ts,tsx}",
  "src/words/en.ts",
  "src/events/types.ts",
  "src/base/problem-catalogue.ts",
  "src/nouns/**/*.tsx",
  "src/nouns/content/**/*.ts",
];

/** What has words in code, and is read by programs alone. */
const NOT_READ =
  /(?:^|[{,(\s])"?(?:class|id|for|name|type|rel|role|scope|method|action|href|src|path|kind|code|operationId|autocomplete|inputMode|inputmode|viewBox|d|says|key|style|preserveAspectRatio|transform|points|_type|prefer|accept|enctype|pattern|"Content-Type"|Accept|media|popovertarget)"?: $/;

/** A word of code: a path, a header, SQL, or what a call of the API has. */
const CODE =
  /^[^A-Za-z]*$|^[a-z][\w$]*(?:[-.:/][\w$*{}]*)*$|^[A-Z0-9_]+$|^[a-z-]+\/|[[\]{}]=|=\{|^\/|^https?:|;base64|^(?:SELECT|INSERT|UPDATE|DELETE|WITH|FROM|JOIN|AND|WHERE)\b|^@|^\W*(?:filter|pagination|sort)\[|^[a-z]+(?:-[a-z]+)+ /;

/** All texts, each once, sorted. What a value stands for is `…`. */
export function pageTexts(): string[] {
  const found = new Set<string>();
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).sort();
  for (const file of new Set(files)) for (const text of textsOf(file)) found.add(text);
  return [...found].sort((a, b) =>
    a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : a < b ? -1 : 1,
  );
}

function textsOf(file: string): string[] {
  const source = readFileSync(new URL(file, ROOT), "utf8");
  const loader = file.endsWith("x") ? "tsx" : "ts";
  const { code } = transformSync(source, {
    loader,
    jsx: "automatic",
    jsxImportSource: "preact",
    charset: "utf8",
    target: "esnext",
  });
  return stringsIn(code)
    .filter(({ before, text, isChild }) => isRead(before, text, isChild))
    .map(({ text }) => text.replace(/\s+/g, " ").trim());
}

function isRead(before: string, text: string, isChild: boolean): boolean {
  const trimmed = text.trim();
  if (/\b(?:from|import) ?$/.test(before) || NOT_READ.test(before) || !/\p{L}/u.test(trimmed.replaceAll("…", "")))
    return false;
  if (isChild) return true;
  if (CODE.test(trimmed)) return false;
  // Not a list of classes, and no single word in small letters.
  return (
    /\p{Lu}\p{Ll}|\p{L}[,.:;?!’]?\s+\S*\p{L}/u.test(trimmed) &&
    !/^(?:[a-z]+(?:-[a-z]+)* ?)+$/.test(
      trimmed.replace(/^(?=.*\b(?:the|of|a|is|are|to|not|it|with|in|on|at|and|or|must|no|has|was|only|for)\b).*$/, "A"),
    )
  );
}

interface Found {
  /** The code in front of it, of the same line. */
  before: string;
  text: string;
  /** Whether it is the text of an element. */
  isChild: boolean;
}

/** The literals of a code that esbuild has written. */
function stringsIn(code: string): Found[] {
  const found: Found[] = [];
  // Whether brackets are those of the children of an element.
  const open: boolean[] = [];
  for (let at = 0; at < code.length; at++) {
    const sign = code[at]!;
    const before = code.slice(code.lastIndexOf("\n", at) + 1, at);
    if (sign === '"' || sign === "'") {
      const end = endOf(code, at, sign);
      const isChild = /\bchildren: $/.test(before) || (open.at(-1) === true && /(?:^\s*|[[,] ?)$/.test(before));
      found.push({ before, text: textOf(code.slice(at, end + 1)), isChild });
      at = end;
    } else if (sign === "`") {
      const end = endOfTemplate(code, at);
      const inner = code.slice(at + 1, end);
      const [plain, values] = splitTemplate(inner);
      found.push({ before, text: plain, isChild: false });
      for (const value of values) found.push(...stringsIn(value));
      at = end;
    } else if (code.startsWith("//", at)) {
      at = code.indexOf("\n", at);
    } else if (code.startsWith("/*", at)) {
      at = code.indexOf("*/", at) + 1;
    } else if (sign === "/" && /(?:[(,=:[!&|?{};+>]|\breturn|^)\s*$/.test(before)) {
      at = endOfPattern(code, at);
    } else if ("([{".includes(sign)) open.push(sign === "[" && /\bchildren: $/.test(before));
    else if (")]}".includes(sign)) open.pop();
  }
  return found;
}

function endOf(code: string, at: number, quote: string): number {
  let end = at + 1;
  while (code[end] !== quote && code[end] !== undefined) end += code[end] === "\\" ? 2 : 1;
  if (code[end] === undefined) throw new Error(`A literal has no end: ${code.slice(at - 60, at + 40)}`);
  return end;
}

function endOfPattern(code: string, at: number): number {
  let isClass = false;
  let end = at + 1;
  for (; code[end] !== "/" || isClass; end++) {
    if (code[end] === undefined) throw new Error(`A pattern has no end: ${code.slice(at - 60, at + 40)}`);
    if (code[end] === "\\") end++;
    else if (code[end] === "[") isClass = true;
    else if (code[end] === "]") isClass = false;
  }
  return end;
}

function endOfTemplate(code: string, at: number): number {
  let end = at + 1;
  while (code[end] !== "`") {
    if (code[end] === undefined) throw new Error(`A template has no end: ${code.slice(at - 60, at + 40)}`);
    if (code[end] === "\\") end += 2;
    else if (code.startsWith("${", end)) end = endOfValue(code, end + 2) + 1;
    else end++;
  }
  return end;
}

/** The position of the bracket that ends a value of a template. */
function endOfValue(code: string, at: number): number {
  let end = at;
  for (let depth = 0; code[end] !== "}" || depth > 0; end++) {
    const sign = code[end];
    if (sign === undefined) throw new Error(`A value has no end: ${code.slice(at - 60, at + 40)}`);
    if (sign === "{") depth++;
    else if (sign === "}") depth--;
    else if (sign === '"' || sign === "'") end = endOf(code, end, sign);
    else if (sign === "`") end = endOfTemplate(code, end);
  }
  return end;
}

/** A template with `…` for its values, and the code of these. */
function splitTemplate(inner: string): [plain: string, values: string[]] {
  let plain = "";
  const values: string[] = [];
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === "\\") plain += inner[++at];
    else if (inner.startsWith("${", at)) {
      const end = endOfValue(inner, at + 2);
      values.push(inner.slice(at + 2, end));
      plain += "…";
      at = end;
    } else plain += inner[at];
  }
  return [plain, values];
}

/** What a literal stands for. Signs for programs are no text: they become spaces. */
function textOf(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})/g, (_, long, short) =>
      String.fromCharCode(Number.parseInt(long ?? short, 16)),
    )
    .replace(/\\[nrtbfv0]/g, " ")
    .replaceAll("\\", "");
}
