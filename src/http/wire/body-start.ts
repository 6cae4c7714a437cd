// Finds bodies that are not what their headers say, by their first bytes. The problem names the right header.

import { invalidRequest } from "../../base/problems.ts";
import type { Format } from "./formats.ts";

/** The first bytes of compressed files and spreadsheets. */
const SIGNATURES: [start: Buffer, message: string][] = [
  [Buffer.from([0x1f, 0x8b]), "is compressed with gzip, which no header says; send Content-Encoding: gzip, too"],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), "is compressed with zstd; send it plain, or with gzip, deflate or br"],
  [Buffer.from("PK\x03\x04", "latin1"), "is an Excel or ZIP file; save the sheet as CSV, and send that"],
  [Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), "is an old Excel file; save the sheet as CSV, and send that"],
];

/**
 * Looks at how a body begins. @param format what Content-Type says @param takesFiles whether it might be a file
 * @throws Problem 400 when it can only be something else
 */
export function checkStart(start: Buffer, format: Format, takesFiles: boolean): void {
  const message = faultOf(start, format, takesFiles);
  if (message !== undefined) throw invalidRequest([{ pointer: "", message }]);
}

function faultOf(start: Buffer, format: Format, takesFiles: boolean): string | undefined {
  for (const [signature, message] of SIGNATURES)
    if (start.subarray(0, signature.length).equals(signature)) return message;
  if (!takesFiles) return undefined;
  const text = start
    .subarray(0, MAX_LOOK)
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "")
    .trimStart();
  if (format === "json" && /^[^{[\n]*[,;\t][^\n]*\r?\n/.test(text))
    return "is no JSON, and looks like CSV; send Content-Type: text/csv for it";
  if (format === "json" && /^\{[^\n]*\}\r?\n\{/.test(text))
    return "has several JSON objects, a line each; send Content-Type: application/x-ndjson for it";
  if (format === "csv" && /^(?:\{\s*"|\[\s*\{)/.test(text))
    return "is no CSV, and looks like JSON; send Content-Type: application/json for it";
  return undefined;
}

const MAX_LOOK = 4096;
