// The syntax that reads the CSV of an export into SPSS, or PSPP: formats, labels, values, missing values, levels of measurement.

import type { ResponseSet, Variable } from "./spss-variables.ts";
import { SKIPPED } from "./table.ts";

/** What SPSS takes, in bytes. */
const MAX_TEXT_BYTES = 32_767;
const MAX_LABEL_BYTES = 255;
const MAX_VALUE_LABEL_BYTES = 120;

/** A line may have 256 bytes in older versions. Longer texts are put together from pieces. */
const MAX_PIECE_BYTES = 150;

const BREAKS = /[\r\n\t\u2028\u2029\p{Cc}]+/gu;

/** What was found of a column: whether all its cells are numbers, and how long its texts are. */
export interface FoundColumn {
  isNumeric: boolean;
  bytes: number;
  /** How many digits numbers have behind the point. */
  decimals: number;
}

/** @param csv the name of the file with the data */
export function syntaxOf(
  csv: string,
  variables: readonly Variable[],
  sets: readonly ResponseSet[],
  found: readonly FoundColumn[],
): string {
  const numeric = variables.map(({ kind }, index) => (kind === "FOUND" ? found[index]!.isNumeric : kind === "NUMBER"));
  const all = variables.map((variable, index) => ({
    ...variable,
    isNumber: numeric[index]!,
    bytes: found[index]!.bytes,
  }));
  const labelled = variables.filter(({ values }) => values.length);
  const withSkipped = labelled.filter(({ values }) => values.some(([value]) => value === SKIPPED));
  return [
    "* Both files belong into one folder. Open this one from there, or name the folder first: CD 'C:\\folder'.",
    "SET DECIMAL=DOT.",
    `GET DATA /TYPE=TXT /FILE=${quoted(csv)} /ENCODING='UTF8' /ARRANGEMENT=DELIMITED /DELCASE=LINE`,
    "  /FIRSTCASE=2 /DELIMITERS=',' /QUALIFIER='\"' /VARIABLES=",
    `${all.map((one) => `  ${one.name} ${formatOf(one)}`).join("\n")}.`,
    ...all.flatMap(({ name, isNumber }, index) => (isNumber ? [`FORMATS ${name} (${widthOf(found[index]!)}).`] : [])),
    ...all.map(({ name, label }) => `VARIABLE LABELS ${name}\n  ${pieces(label, MAX_LABEL_BYTES)}.`),
    ...labelled.map(
      ({ name, values }) =>
        `VALUE LABELS ${name}${values.map(([value, label]) => `\n  ${value} ${pieces(label, MAX_VALUE_LABEL_BYTES)}`).join("")}.`,
    ),
    ...withSkipped.map(({ name }) => `MISSING VALUES ${name} (${SKIPPED}).`),
    ...variables.map(({ name, measure }) => `VARIABLE LEVEL ${name} (${measure}).`),
    ...sets.map(
      ({ name, label, variables }) =>
        `MRSETS /MDGROUP NAME=$${name.slice(0, 63)}\n  LABEL=${pieces(label, MAX_LABEL_BYTES)}\n  VARIABLES=${variables.join("\n    ")}\n  VALUE=1.`,
    ),
    "EXECUTE.",
    "",
  ].join("\n");
}

function formatOf({ kind, isNumber, bytes }: Pick<Variable, "kind"> & { isNumber: boolean; bytes: number }): string {
  if (isNumber) return "F40";
  if (kind === "DAY") return "SDATE10";
  if (kind === "TIME") return "DATETIME24.3";
  return `A${Math.min(Math.max(bytes, 1), MAX_TEXT_BYTES)}`;
}

/** How a number is shown. It is read whatever its width. */
function widthOf({ bytes, decimals }: FoundColumn): string {
  const shown = Math.min(decimals, 16);
  return `F${Math.min(Math.max(bytes, shown + 2, 8), 40)}.${shown}`;
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/** A time of ISO 8601, as DATETIME24.3 reads it. */
export function timeText(iso: string): string {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)T([\d:.]+)Z$/.exec(iso) ?? [];
  return year === undefined ? "" : `${day}-${MONTHS[Number(month) - 1]}-${year} ${time}`;
}

/** A text as it can be read: a record is one line. */
export function textOfRecord(text: string): string {
  return shortened(text.replace(BREAKS, " "), MAX_TEXT_BYTES);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A text of the syntax, in quotes, on several lines if it is long. */
function pieces(text: string, maxBytes: number): string {
  const found: string[] = [];
  let piece = "";
  for (const sign of shortened(text.replace(BREAKS, " ").trim(), maxBytes)) {
    if (Buffer.byteLength(piece + sign) > MAX_PIECE_BYTES) {
      found.push(piece);
      piece = "";
    }
    piece += sign;
  }
  return [...found, piece].map(quoted).join(" +\n  ");
}

/** The beginning of a text that has so many bytes in UTF-8. */
function shortened(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  let bytes = 0;
  let end = 0;
  for (const sign of text) {
    bytes += Buffer.byteLength(sign);
    if (bytes > maxBytes - 3) break;
    end += sign.length;
  }
  return `${text.slice(0, end)}…`;
}
