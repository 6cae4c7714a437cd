// Step 1, read: reads the payload, in the format that it has, in slices of some thousand rows.

import type { Input } from "../../engine/files/bodies.ts";
import { type ImportPayload, importSettings } from "../../nouns/screener-participants/import-settings.ts";
import type { Columns, CsvSettings } from "./csv-headings.ts";
import { readCsv } from "./read-csv.ts";
import { readJson } from "./read-json.ts";
import { readNdjson } from "./read-ndjson.ts";
import type { Slice } from "./slice.ts";

/** How a file is read, if it is a CSV. */
function csvSettings({ columns = {}, attributes, matchBy, sheet }: ImportPayload): CsvSettings {
  const isSheet = sheet !== undefined;
  return { columns, ignoresAttributes: attributes === "ignore", matchBy: matchBy ?? "externalUid", isSheet };
}

/** What a payload in JSON has in itself. */
function settingsOf(file: ImportPayload): object {
  return Object.fromEntries(Object.entries(file).filter(([name]) => name in importSettings));
}

export class Payload {
  readonly #input: Input;
  readonly #file: ImportPayload;
  /** The payload with an empty `participants`. Undefined until all slices are read. */
  envelope: unknown;
  /** Of a CSV. Undefined until all slices are read. */
  columns: Columns | undefined;
  /** False when the last line of a file has no end, so that some of it may be missing. */
  isEnded = true;

  /** @param file the format and the settings of a file; empty for JSON, which has its settings in itself */
  constructor(input: Input, file: ImportPayload) {
    this.#input = input;
    this.#file = file;
  }

  get isCsv(): boolean {
    return this.#file.format === "csv";
  }

  /** Reads the rows in order. @throws Problem 400 when the payload can't be read to its end */
  *slices(): Generator<Slice> {
    const { format } = this.#file;
    if (format) this.envelope = { ...settingsOf(this.#file), participants: [] };
    if (format === "csv") Object.assign(this, yield* readCsv(this.#input, csvSettings(this.#file)));
    else if (format === "ndjson") this.isEnded = yield* readNdjson(this.#input);
    else this.envelope = yield* readJson(this.#input);
  }
}
