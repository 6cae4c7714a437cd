// Parses JSON from callers.

import { isUtf8 } from "node:buffer";
import { badTextPointers } from "./clean-text.ts";
import { invalidRequest } from "./problems.ts";

/** @throws Problem 400 when `bytes` are not JSON in UTF-8, or have text that can't be stored */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalidRequest([{ pointer: "", message: "is not UTF-8" }]);
  // JSON.parse takes 0.7 s for a megabyte of brackets.
  if (bytes.length > MAX_DEPTH && isTooDeep(bytes)) {
    throw invalidRequest([{ pointer: "", message: `is nested more than ${MAX_DEPTH} deep` }]);
  }
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidRequest([{ pointer: "", message: `is not JSON: ${jsonError(error)}` }]);
  }
  const bad = badTextPointers(text, value);
  if (bad.length)
    throw invalidRequest(bad.map((pointer) => ({ pointer, message: "holds U+0000 or a lone surrogate" })));
  return value;
}

/** How deep JSON from callers may be nested. Conditions of content may be nested 10 deep. */
const MAX_DEPTH = 100;

const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');

/** Whether `json` is nested more than MAX_DEPTH deep before its first mistake. */
function isTooDeep(json: Buffer): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      at = endOfString(json, at);
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return true;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
  }
  return false;
}

/** The position of the quote that ends the string which begins at `start`; the end of the text when there is none. */
function endOfString(json: Buffer, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === BACKSLASH) at++;
    else if (json[at] === QUOTE) return at;
  }
  return json.length;
}

/** The reason from JSON.parse, without the text that it quotes, which may be personal data. */
function jsonError(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (/end of JSON input|Unterminated/.test(message)) return "it ends too early";
  const position = /position (\d+)/.exec(message)?.[1];
  return position ? `unexpected character at position ${position}` : "unexpected character";
}
