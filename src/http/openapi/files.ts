// The API description of lists and bodies that are not JSON, and of query parameters that are not those of a list.

import type { JsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import type { AnyEndpoint } from "../endpoint.ts";
import { isRecord } from "../query.ts";
import { type Format, MEDIA_TYPES, type ReplyFormat } from "../wire/formats.ts";

/** The schemas of lists that are not JSON. */
export const FILES_OF_LISTS: Record<Exclude<ReplyFormat, "json">, object> = {
  csv: {
    type: "string",
    description:
      "The whole list, as a file in UTF-8 with a byte order mark. Lines end with CRLF. The first line has the headings: the names of " +
      "the fields. A text that a spreadsheet could run as a formula gets an apostrophe in front. Several values in one cell are " +
      "joined by `; `: a tag as `category:value`, an option as its text. A write-in is followed by ` (write-in)`.",
  },
  ndjson: {
    type: "string",
    description:
      "The whole list: the items of the JSON, one on each line. Items of sessions also name their participants; those and screener participants " +
      "have the participants' `attributes`.",
  },
  xliff: {
    type: "string",
    description: "The texts and their translations as XLIFF 2.0. A unit is a text; its `name` is the id of the text.",
  },
  xlsx: { type: "string", format: "binary", description: "The table as a file of Excel" },
  spss: {
    type: "string",
    format: "binary",
    description: "A zip of `responses.csv` and `responses.sps`, the syntax that reads it into SPSS or PSPP",
  },
};

/** The schemas of bodies that are not JSON. */
const FILES: Record<Exclude<Format, "json">, object> = {
  csv: {
    type: "string",
    description:
      "A table in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252 with `charset=windows-1252`. Commas, semicolons or tabs separate cells. The first line has the " +
      "headings. An empty cell counts as missing.",
  },
  xliff: {
    type: "string",
    description: "XLIFF 2 in UTF-8, without a document type: what `GET` has given, with targets filled in.",
  },
  ndjson: { type: "string", description: "The rows of the JSON, one on each line, in UTF-8." },
  xlsx: {
    type: "string",
    format: "binary",
    description:
      "A workbook of Excel or its like, of which one sheet is read. The first row that is not blank has the headings.",
  },
};

/** The bodies that are not JSON, by media type. */
export function fileContents({ bodyFormats = [] }: AnyEndpoint): Record<string, object> {
  return Object.fromEntries(
    bodyFormats.flatMap((format) => (format === "json" ? [] : [[MEDIA_TYPES[format], { schema: FILES[format] }]])),
  );
}

/** The parameters. Those of files are optional, because JSON has none. @param describe gives a schema's JSON Schema */
export function queryParameters(
  { parameters, bodyFormats }: AnyEndpoint,
  describe: (schema: v.GenericSchema) => JsonSchema,
): object[] {
  const entries: [string, v.GenericSchema][] = Object.entries(parameters.entries);
  return entries.map(([name, schema]) => {
    const { description = "", ...json } = describe(schema);
    const isRequired = schema.type !== "optional";
    const about = bodyFormats ? `${isRequired ? "Required with" : "Only with"} a file. ${description}` : description;
    return {
      name,
      in: "query",
      ...(isRequired && !bodyFormats && { required: true }),
      ...(about && { description: about.trim() }),
      ...(isRecord(schema) && { style: "deepObject", explode: true }),
      schema: json,
    };
  });
}
