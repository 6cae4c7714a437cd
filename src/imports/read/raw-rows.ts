// Reads the unchanged rows of a file, for a file of rejected rows, which a person can correct and send again.

import type { Input } from "../../engine/files/bodies.ts";
import type { ImportFile } from "../../nouns/screener-participants/import-settings.ts";
import { takeDelimiter } from "./csv-delimiter.ts";
import { cutRows, type Delimiter } from "./csv-rows.ts";
import { cutLines } from "./read-ndjson.ts";
import { TextFile } from "./text-rows.ts";

/** A row, without its line end. `line` is where it begins, from 1 on. */
export interface RawRow {
  line: number;
  text: string;
}

/** The rows of a CSV or of NDJSON, blank ones and headings among them, without the line that names the delimiter. */
export class RawRows {
  readonly #text: TextFile;
  readonly #isSheet: boolean;
  /** Of a CSV. */
  readonly delimiter: Delimiter | undefined;

  constructor(input: Input, { format, sheet, columns = {} }: Pick<ImportFile, "format" | "sheet" | "columns">) {
    this.#text = new TextFile(input);
    this.#isSheet = sheet !== undefined;
    if (format === "csv") this.delimiter = sheet === undefined ? takeDelimiter(this.#text, columns) : ",";
  }

  *[Symbol.iterator](): Generator<RawRow> {
    const { delimiter } = this;
    const cut = delimiter ? (bytes: Buffer) => cutRows(bytes, delimiter) : cutLines;
    for (let found = this.#text.next(cut, ""); found; found = this.#text.next(cut, "")) {
      const { bytes, ends, lines } = found;
      for (const [index, end] of ends.entries()) {
        const text = bytes.toString("utf8", ends[index - 1] ?? 0, end).replace(/\r?\n$/, "");
        // In a sheet's row, a line end within a cell is CR alone.
        yield { line: lines[index]!, text: this.#isSheet ? text.replaceAll("\r", "\n") : text };
      }
    }
  }
}
