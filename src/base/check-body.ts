// Checks and converts a parsed body by its schema, and reports all errors together.

import * as v from "valibot";
import { escapePointer } from "./clean-text.ts";
import { invalidRequest, type Problem, type ProblemDetail } from "./problems.ts";

/**
 * What is wrong with members that are right by themselves: with one another, or with what is stored. It must not rest on the others.
 * @param right the members, as their schemas convert them @param wrong the names of the others
 */
export type Together<Body> = (
  right: Partial<Body>,
  wrong: ReadonlySet<string>,
  lists: Lists<Body>,
) => readonly ProblemDetail[];

/**
 * The lists of a body, unless they are wrong themselves. Of each entry, members that are wrong are undefined; of its own lists, what is wrong in
 * them. Undefined: it is no object.
 */
type Lists<Body> = {
  [member in keyof Body]?: Body[member] extends readonly (infer Entry)[]
    ? readonly (Partial<Entry> | undefined)[]
    : never;
};

/**
 * @returns the body as its schema converts it. @param errors what else is wrong with it. @param together asked where anything is wrong, so that
 * all of it is said at once @throws Problem 400 with all errors
 */
export function checkBody<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  errors: readonly ProblemDetail[] = [],
  together: Together<v.InferOutput<Schema>> = () => [],
): v.InferOutput<Schema> {
  const { output, faults } = checkAlone(schema, value, errors);
  if (faults) throw refusal(faults, together(...faults.members));
  return output;
}

/** As `checkBody`, where a thread may say what is wrong together. @throws Problem 400 with all errors */
export async function checkBodyLater<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  errors: readonly ProblemDetail[],
  together: (...members: Parameters<Together<v.InferOutput<Schema>>>) => Later<readonly ProblemDetail[]>,
): Promise<v.InferOutput<Schema>> {
  const { output, faults } = checkAlone(schema, value, errors);
  if (faults) throw refusal(faults, await together(...faults.members));
  return output;
}

/** It, or a promise of it. */
export type Later<Value> = Value | Promise<Value>;

interface Faults<Body> {
  own: readonly ProblemDetail[];
  errors: readonly ProblemDetail[];
  /** Of which is to be said what is wrong together. */
  members: Parameters<Together<Body>>;
}

/** A body as its schema converts it, and what is wrong with its members by themselves. */
function checkAlone<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  errors: readonly ProblemDetail[],
): { output: v.InferOutput<Schema>; faults?: Faults<v.InferOutput<Schema>> } {
  requireObject(value);
  const result = parseStrictly(schema, value);
  const { issues } = result;
  const output = result.output as v.InferOutput<Schema>;
  if (!issues.length && !errors.length) return { output };
  // Of a number, several limits may say the same.
  const own = [
    ...new Map(issues.map((issue) => detailOf(issue)).map((one) => [`${one.pointer} ${one.message}`, one])).values(),
  ];
  const wrong = new Set(issues.map(({ path }) => String(path?.[0].key)));
  const right = Object.entries(result.output as object).filter(([name]) => !wrong.has(name));
  const lists = listsIn(result.output as object, issues) as Lists<v.InferOutput<Schema>>;
  return { output, faults: { own, errors, members: [Object.fromEntries(right) as typeof output, wrong, lists] } };
}

/** As `safeParse`, but an array is no object, wherever it stands. */
export function parseStrictly(schema: v.GenericSchema, value: unknown) {
  const { output, issues = [] } = v.safeParse(schema, value);
  const over = [...passedOver(schema, value)];
  const isOver = (issue: v.BaseIssue<unknown>) =>
    over.some((one) => `${detailOf(issue).pointer}/`.startsWith(`${detailOf(one).pointer}/`));
  return { output, issues: [...issues.filter((issue) => !isOver(issue)), ...over] };
}

/** What schemas of objects are called. */
const OBJECTS = ["object", "loose_object", "strict_object", "record"];

/** Keys that Valibot leaves out of records, without a word. */
const UNREAD = ["__proto__", "prototype", "constructor"];

const issueOf = (path: unknown, message: string, input: unknown) =>
  ({ path, message, input }) as unknown as v.BaseIssue<unknown>;

/**
 * What Valibot passes over: it takes an array for an object without members, and leaves keys out of records. That would clear settings, and filters
 * would find everybody.
 */
function* passedOver(
  schema: v.GenericSchema,
  value: unknown,
  path: readonly { key: unknown }[] = [],
): Generator<v.BaseIssue<unknown>> {
  if (typeof value !== "object" || value === null) return;
  const { type, wrapped, entries, item, options, value: each, message } = schema as Nested;
  if (wrapped) yield* passedOver(wrapped, value, path);
  else if (Array.isArray(value)) {
    const isObject = OBJECTS.includes(type) || options?.every((one) => OBJECTS.includes(one.type));
    const said = typeof message === "string" ? message : "must be an object";
    if (isObject) yield issueOf(path, said, value);
    else if (item) for (const [key, one] of value.entries()) yield* passedOver(item, one, [...path, { key }]);
  } else if (OBJECTS.includes(type))
    for (const [key, one] of Object.entries(value)) {
      if (each && UNREAD.includes(key)) yield issueOf([...path, { key }], "is a name that can't be used", one);
      const own = each ?? (entries && Object.hasOwn(entries, key) ? entries[key] : undefined);
      if (own) yield* passedOver(own, one, [...path, { key }]);
    }
}

/** What schemas of several parts have. */
interface Nested extends v.GenericSchema {
  wrapped?: v.GenericSchema;
  entries?: v.ObjectEntries;
  item?: v.GenericSchema;
  /** Of a record. */
  value?: v.GenericSchema;
  options?: v.GenericSchema[];
  message?: unknown;
}

function refusal({ own, errors }: Faults<unknown>, together: readonly ProblemDetail[]): Problem {
  // A schema without other members has said those already.
  const said = new Set(own.map(({ pointer }) => pointer));
  return invalidRequest([...own, ...[...errors, ...together].filter(({ pointer }) => !said.has(pointer))]);
}

function listsIn(output: object, issues: readonly v.BaseIssue<unknown>[]): Record<string, unknown> {
  const lists: Record<string, unknown[]> = {};
  for (const [name, value] of Object.entries(output)) if (Array.isArray(value)) lists[name] = [...value];
  for (const { path = [] } of issues) {
    const [name, ...inList] = path.map(({ key }) => key) as [string?, ...InList];
    const list = name === undefined ? undefined : lists[name];
    if (!list) continue;
    if (inList.length) takeOut(list, inList);
    else delete lists[name!];
  }
  return lists;
}

/** Where something is in a list: the index of an entry, a member of that, and where it is in the member, if that is a list. */
type InList = [index?: number, member?: string, ...inMember: unknown[]];

/** Makes undefined what is wrong in a list: an entry, a member of one, or the same in a list that an entry has. Entries are copied for that. */
function takeOut(list: unknown[], [index, member, ...inMember]: InList): void {
  const entry = list[index!] as Record<string, unknown> | undefined;
  if (member === undefined || typeof entry !== "object") list[index!] = undefined;
  else if (member in entry) {
    const own = entry[member];
    const kept = Array.isArray(own) && inMember.length ? [...own] : undefined;
    if (kept) takeOut(kept, inMember as InList);
    list[index!] = { ...entry, [member]: kept };
  }
}

/** @throws Problem 400 when `value` is not an object */
export function requireObject(value: unknown): asserts value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidRequest([{ pointer: "", message: "must be a JSON object" }]);
  }
}

/** The pointer (which begins with `base`) and the message of an issue. */
export function detailOf(issue: v.BaseIssue<unknown>, base = ""): ProblemDetail {
  return {
    pointer: base + (issue.path ?? []).map(({ key }) => `/${escapePointer(String(key))}`).join(""),
    message: messageOf(issue),
  };
}

/** The message of an issue. */
export function messageOf(issue: v.BaseIssue<unknown>): string {
  return issue.input === undefined ? "is required" : issue.message;
}
