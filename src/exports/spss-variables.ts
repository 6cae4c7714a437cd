// The columns of an export as variables of SPSS: names that it takes, labels, values, levels of measurement.

import { fold } from "../../db/sqlite/fold.ts";
import { OF_SESSIONS } from "./codebook.ts";
import type { FullPlan } from "./plan.ts";
import type { TableQuestion } from "./questions.ts";
import { SESSION_COLUMNS, SKIPPED } from "./table.ts";

/** How its cells are read. FOUND: as numbers, if all of them are. */
type Kind = "NUMBER" | "DAY" | "TIME" | "TEXT" | "FOUND";

export interface Variable {
  name: string;
  label: string;
  kind: Kind;
  measure: "NOMINAL" | "ORDINAL" | "SCALE";
  /** Words for values; SKIPPED among them is a missing value. */
  values: readonly (readonly [value: number, label: string])[];
}

/** Variables that each say whether an option of a question was chosen. */
export interface ResponseSet {
  name: string;
  label: string;
  variables: string[];
}

const MAX_NAME_BYTES = 64;

const RESERVED: ReadonlySet<string> = new Set(
  ["ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"].map((word) => word.toLowerCase()),
);

const SKIPPED_VALUE = [SKIPPED, "Skipped"] as const;

/** The variables of a table, in the order of its columns. @param keys of attributes @param more columns at the end */
export function variablesOf(
  plan: FullPlan,
  keys: readonly string[],
  more: readonly string[],
): { variables: Variable[]; sets: ResponseSet[] } {
  const nameOf = distinctNames();
  const text = (heading: string, label: string, kind: Kind = "TEXT"): Variable => ({
    ...{ name: nameOf(heading), label, kind, measure: "NOMINAL", values: [] },
  });
  const ofSession = (heading: string) => {
    const kind = heading.endsWith("At") ? "TIME" : heading === "publication.version" ? "NUMBER" : "TEXT";
    return {
      ...text(heading, OF_SESSIONS[heading] ?? heading, kind),
      measure: kind === "TIME" ? "SCALE" : "NOMINAL",
    } as const;
  };
  const sessions = SESSION_COLUMNS.map(([heading]) => ofSession(heading));
  const questions = plan.questions.map((question) => ofQuestion(question, nameOf));
  const variables = [
    ...sessions,
    ...questions.flatMap((one) => one.variables),
    ...plan.quotas.map(({ heading, name }) => text(heading, `Place in the quota “${name}”`)),
    ...plan.arms.map(({ heading, name }) => text(heading, `Arm of “${name}”`)),
    ...plan.orderColumns.map(({ heading, about }) => text(heading, about)),
    ...keys.map((key) => text(`attributes.${key}`, `Attribute ${key}`, "FOUND")),
    ...more.map(ofSession),
  ];
  return { variables, sets: questions.flatMap(({ sets }) => sets) };
}

function ofQuestion(question: TableQuestion, nameOf: (wanted: string) => string) {
  const { heading, columns, options, prompt, optionStatistics } = question;
  const rows = [...new Set(columns.map(({ row }) => row))];
  const sets = new Map<string | undefined, ResponseSet>();
  const variables = columns.map((column): Variable => {
    const { has, option = "", row } = column;
    const base = row === undefined ? heading : `${heading}_${rows.indexOf(row) + 1}`;
    const asked = row === undefined ? prompt : `${prompt} – ${row}`;
    const text = { kind: "TEXT", measure: "NOMINAL", values: [] } as const;
    if (has === "writeIn") return { ...text, name: nameOf(`${base}_other`), label: `${asked}: what was written in` };
    if (has === "normalized")
      return { ...text, name: nameOf(`${base}_normalized`), label: `${asked} (in the form that programs compare)` };
    if (has === "answer") return { name: nameOf(base), label: asked, ...answerOf(question, column.codes) };
    const { measure, labels, isSet } = optionStatistics!;
    const name = nameOf(`${base}_${options.indexOf(option) + 1}`);
    if (isSet) {
      const set = sets.get(row) ?? { name: nameOf(`${base}_set`), label: asked, variables: [] };
      sets.set(row, set);
      set.variables.push(name);
    }
    return { name, label: `${asked}: ${option}`, kind: "NUMBER", measure, values: [...labels, SKIPPED_VALUE] };
  });
  return { variables, sets: [...sets.values()] };
}

function answerOf(
  { statistics, hasWriteIn }: TableQuestion,
  codes: readonly string[] | undefined,
): Pick<Variable, "kind" | "measure" | "values"> {
  if (codes) {
    const labels = [...codes, ...(hasWriteIn ? ["Something else, written in"] : [])];
    const values = labels.map((label, index) => [index + 1, label] as const);
    return { kind: "NUMBER", measure: "NOMINAL", values: [...values, SKIPPED_VALUE] };
  }
  switch (statistics.are) {
    case "NUMBERS":
      return { kind: "NUMBER", measure: "SCALE", values: [] };
    case "STEPS":
      return { kind: "NUMBER", measure: "ORDINAL", values: [...statistics.labels, SKIPPED_VALUE] };
    case "DAYS":
      return { kind: "DAY", measure: "SCALE", values: [] };
    default:
      return { kind: "TEXT", measure: "NOMINAL", values: [] };
  }
}

/** Makes names: a letter, then letters, digits, points and underscores; at most 64 bytes; no word of the language; each another one, whatever its case. */
function distinctNames(): (wanted: string) => string {
  const taken = new Set<string>(RESERVED);
  return (wanted) => {
    const plain = fold(wanted)
      .replaceAll(/[^a-z0-9_.]+/gi, "_")
      .replace(/^[^a-z]+/i, "")
      .slice(0, MAX_NAME_BYTES)
      .replace(/[._]+$/, "");
    const base = plain || "v";
    let name = base;
    for (let number = 2; taken.has(name.toLowerCase()); number++) {
      const suffix = `_${number}`;
      name = base.slice(0, MAX_NAME_BYTES - suffix.length) + suffix;
    }
    taken.add(name.toLowerCase());
    return name;
  };
}
