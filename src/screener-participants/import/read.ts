// Step 1, read: reads the payload, in the format that it has, in slices of some thousand rows.

import type { Input } from "../../jobs/body.ts";
import type { ImportPayload } from "../resource.ts";
import { readCsv } from "./read-csv.ts";
import { readJson } from "./read-json.ts";
import { readNdjson } from "./read-ndjson.ts";
import type { Slice } from "./slice.ts";

export class Payload {
  readonly #input: Input;
  readonly #file: ImportPayload;
  /** The payload with an empty `participants`. Undefined until all slices are read. */
  envelope: unknown;
  /** The headings of columns that are not imported. */
  ignored: string[] = [];

  /** @param file the format and the settings of a file; empty for JSON, which has its settings in itself */
  constructor(input: Input, file: ImportPayload) {
    this.#input = input;
    this.#file = file;
  }

  /** Reads the rows in order. @throws Problem 400 when the payload can't be read to its end */
  *slices(): Generator<Slice> {
    const { format, columns = {}, attributes, ...settings } = this.#file;
    if (format) this.envelope = { ...settings, participants: [] };
    if (format === "csv") this.ignored = yield* readCsv(this.#input, columns, attributes === "ignore");
    else if (format === "ndjson") yield* readNdjson(this.#input);
    else this.envelope = yield* readJson(this.#input);
  }
}
