// Parses JSON from callers.

import { isUtf8 } from "node:buffer";
import { invalidRequest } from "./problems.ts";
import { badTextPointers } from "./text.ts";

/** @throws Problem 400 when `bytes` are not JSON in UTF-8, or have text that can't be stored */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalidRequest([{ pointer: "", message: "is not UTF-8" }]);
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

/** The reason from JSON.parse, without the text that it quotes, which may be personal data. */
function jsonError(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (/end of JSON input|Unterminated/.test(message)) return "it ends too early";
  const position = /position (\d+)/.exec(message)?.[1];
  return position ? `unexpected character at position ${position}` : "unexpected character";
}
