// What the contract names exists: operations with their parameters, members, filters and problems. Its JSON fits the API description.

import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogue } from "../../src/base/problem-catalogue.ts";
import { DOWNLOADED } from "../../src/events/types.ts";
import { Described, type Schema } from "../support/description.ts";
import { blocks, inContract, lineAt, type Members, membersOf, spans, textOf } from "../support/documents.ts";
import { sharedService } from "../support/service.ts";

const described = new Described((await (await sharedService()).workspace().get("/openapi.json")).body);

/** A schema and what stands in it. @param depth how deep: alternatives and items are no step, a member is */
function partsOf(schema: Schema | undefined, depth: number, seen = new Set<Schema>()): Set<Schema> {
  if (!schema || typeof schema !== "object") return seen;
  const right = described.resolve(schema);
  if (seen.has(right)) return seen;
  seen.add(right);
  const { anyOf = [], oneOf = [], allOf = [], items, additionalProperties, properties = {} } = right;
  for (const inner of [...anyOf, ...oneOf, ...allOf, items, additionalProperties as Schema])
    partsOf(inner, depth, seen);
  if (depth > 0) for (const inner of Object.values(properties)) partsOf(inner, depth - 1, seen);
  return seen;
}

/** Everything that is described. */
const everything = new Set<Schema>();
for (const schema of Object.values(described.whole.components.schemas)) partsOf(schema, 9, everything);
for (const { operation } of described.operations.values())
  for (const content of [
    operation.requestBody?.content,
    ...Object.values(operation.responses).map((one) => one.content),
  ])
    for (const { schema } of Object.values(content ?? {})) partsOf(schema, 9, everything);

/** The members that none of these parts has, as paths. */
function missing(named: Members, among: Iterable<Schema>): string[] {
  const all = [...among];
  return Object.entries(named).flatMap(([name, inner]) => {
    const found = all.flatMap((part) => part.properties?.[name] ?? []);
    if (found.length > 0) {
      const parts = found.flatMap((one) => [...partsOf(one, 0)]);
      return missing(inner, parts).map((one) => `${name}.${one}`);
    }
    // Where members of any name may stand.
    return all.some((part) => !part.properties && typeof part.additionalProperties === "object") ? [] : [name];
  });
}

/** The members that the part lacks which has most of them. */
function missingAnywhere(named: Members): string[] {
  let least = ["everything"];
  for (const part of everything) {
    if (!part.properties || !Object.keys(named).some((name) => Object.hasOwn(part.properties!, name))) continue;
    const lacks = missing(named, [part]);
    if (lacks.length === 0) return [];
    if (least[0] === "everything" || lacks.length < least.length) least = lacks;
  }
  return least;
}

/** The API description leaves them out: who asks has no key of a workspace. */
const NOT_DESCRIBED = ["/metrics", "/mail/inbound"];

test("operations that are named exist, and have the parameters that stand behind them", () => {
  const wrong: string[] = [];
  const shapeOf = (path: string) => path.replace(/\{\w+\}/g, "{}");
  const known = [...described.operations.values()];
  let count = 0;
  for (const { at, text } of [...spans, ...blocks]) {
    const [, method, path, query = ""] = /^(GET|POST|PUT|PATCH|DELETE) (\/[^\s?]*)(?:\?(\S+))?/.exec(text) ?? [];
    if (!method || NOT_DESCRIBED.includes(path!)) continue;
    count++;
    const found = known.find((one) => one.method === method.toLowerCase() && shapeOf(one.path) === shapeOf(path!));
    if (!found) wrong.push(`${at}: no operation ${method} ${path}`);
    const names = found?.operation.parameters.map(({ name }) => name) ?? [];
    for (const part of query.split("&").filter(Boolean))
      if (found && !names.includes(part.split("=")[0]!)) wrong.push(`${at}: ${text} has no parameter ${part}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(count > 100, String(count));
});

/** What is no part of an answer that the API description has. */
const ELSEWHERE = [
  // Of `summary`, which has counts by any name, and of a change in an event, whose values are any.
  "{ send, skip, finished, noEmail, … }",
  "{ field, operator, values }",
  // A page of its own.
  "{ code, status, meaning }",
];

test("what the contract's shapes name, the description has", () => {
  const wrong: string[] = [];
  let count = 0;
  for (const { at, text } of blocks.filter((one) => inContract(one) && one.kind === "")) {
    let last: Iterable<Schema> = [];
    for (const line of text.replace(/\n +/g, " ").split("\n")) {
      const [head, name] = /^(?:\d+ )?(?:content )?(\w+) (?=[[{])/.exec(line) ?? [];
      if (!head) continue;
      count++;
      const [named] = membersOf(line, line.indexOf("{") + 1);
      const schema = described.whole.components.schemas[name!];
      // After a resource, what has a small name is a part of it.
      if (/^[A-Z]/.test(name!)) last = schema ? partsOf(schema, 0) : [];
      const lacks = schema ? missing(named, last) : missingAnywhere(named);
      if (lacks.length > 0) wrong.push(`${at}: ${name} has no ${lacks.join(", ")}`);
    }
  }
  for (const { at, text } of spans.filter(inContract)) {
    if (!/^\{ ?"?[a-z_]\w*"?[ ,:?]/.test(text) || text.includes("screening.") || !text.includes(",")) continue;
    if (ELSEWHERE.includes(text)) continue;
    count++;
    const lacks = missingAnywhere(membersOf(text, 1)[0]);
    if (lacks.length > 0) wrong.push(`${at}: ${text}: nothing has these: ${lacks.join(", ")}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(count > 80, String(count));
});

test("the JSON of the contract fits the API description", () => {
  const wrong: string[] = [];
  let count = 0;
  for (const { at, text } of [...blocks, ...spans].filter(inContract)) {
    if (!/^\s*\{\s*"/.test(text)) continue;
    // An ellipsis stands for an id, or for further members.
    const id = "0e0e0e0e-0e0e-4e0e-8e0e-0e0e0e0e0e0e";
    const json = text
      .replaceAll(/"[^"\n]*…"/g, `"${id}"`)
      .replaceAll(/, …(?= [}\]])/g, "")
      .replaceAll("…", `"${id}"`);
    let value: unknown;
    try {
      value = JSON.parse(json);
    } catch {
      // A shape. A block says that it is JSON.
      if (blocks.some((block) => block.at === at && block.kind === "json")) wrong.push(`${at}: ${json}`);
      continue;
    }
    if (text.includes("screening.")) continue;
    count++;
    // Where further members are left out, the test of shapes has looked at those that are there.
    if (text.includes("… }")) continue;
    if (![...everything].some((schema) => isMade(schema, Object(value)) && described.compile(schema)(value)))
      wrong.push(`${at}: ${text}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(count > 8, String(count));
});

/** Whether a schema says what the object has: its members, or what stands in members of any name. What takes any text there says nothing. */
const isMade = ({ properties, additionalProperties }: Schema, value: object) =>
  properties
    ? Object.keys(value).every((name) => Object.hasOwn(properties, name))
    : Object.keys(Object(additionalProperties)).length > 0 && Object.values(value).every((one) => one === Object(one));

/** The rows of tables, with their headings, each as its cells. */
function* rowsOf(file: string): Generator<{ at: string; cells: string[] }> {
  for (const [index, line] of textOf.get(file)!.split("\n").entries())
    if (line.startsWith("|"))
      yield {
        at: `${file}:${index + 1}`,
        cells: line
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim()),
      };
}

const words = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);

test("the tables of resources have all members, and no other", () => {
  const wrong: string[] = [];
  const seen: string[] = [];
  let type = "";
  let members: string[] = [];
  const end = () => {
    const schema = described.whole.components.schemas[type];
    if (schema?.properties) {
      seen.push(type);
      const known = Object.keys(schema.properties);
      for (const name of known) if (!members.includes(name)) wrong.push(`${type} has ${name}, and the table has not`);
      for (const name of members) if (!known.includes(name)) wrong.push(`${type} has no ${name}`);
    }
    type = "";
  };
  for (const { cells } of rowsOf("docs/contract/resources.md")) {
    const [first = "", second = ""] = cells;
    if (first === "`_type`") {
      end();
      [type = ""] = words(second);
      members = ["_type"];
    } else if (/^-+$/.test(first)) end();
    else if (type && first === "audit members") members.push("createdBy", "createdAt", "updatedBy", "updatedAt");
    else if (type) members.push(...words(first));
  }
  end();
  assert.deepEqual(wrong, []);
  assert.ok(seen.length > 5, seen.join());
});

/** Their filters are those of sessions: docs/contract/exports.md. */
const ANSWERS = ["/screeners/{id}/answers", "/screeners/{id}/export", "/screeners/{id}/results"];

test("the table of filters has all filters of all lists, and no other", () => {
  const documented: string[] = [];
  let lists: string[] = [];
  let isTable = false;
  for (const { cells } of rowsOf("docs/contract/conventions.md")) {
    const [list = "", field = "", operators = "", values = ""] = cells;
    // Behind a colon stands what the fields before it are.
    const fields = field.split(";").flatMap((part) => words(part.split(":")[0]!));
    if (field === "Field") isTable = true;
    else if (cells.length !== 4) isTable = false;
    else if (isTable && !/^-+$/.test(list)) {
      if (list) lists = words(list);
      const among = words(values.split("such as")[0]!).filter((word) => /^([A-Z_]+|true|false)$/.test(word));
      for (const path of lists)
        for (const name of fields)
          for (const operator of operators.replaceAll("`", "").split(" "))
            documented.push(filterLine(path, name, operator, among));
    }
  }
  const known = [...described.operations.values()].flatMap(({ path, method, operation }) =>
    operation.parameters.flatMap(({ name, schema }) => {
      const [, field, operator] = /^filter\[(.+?)\]\[(\w+)\](?:\[\])?$/.exec(name) ?? [];
      if (!field || method !== "get" || ANSWERS.includes(path)) return [];
      const among = schema.enum ?? schema.items?.enum ?? [];
      return filterLine(path, field.replace("{key}", "<key>"), operator!, among.length < 10 ? (among as string[]) : []);
    }),
  );
  assert.deepEqual(documented.sort(), known.sort());
});

const filterLine = (path: string, field: string, operator: string, among: string[]) =>
  `${path} ${field} ${operator} ${[...among].sort().join(" ")}`;

test("the table of downloads has all that the events name", () => {
  const [row] = [...rowsOf("docs/contract/events.md")].filter(({ cells }) => cells[0] === "`data`");
  assert.deepEqual(words(row!.cells[1]!.replaceAll(/ \([^)]*\)/g, "")).sort(), Object.keys(DOWNLOADED).sort());
});

test("each code beside a status is a problem with this status", () => {
  const wrong: string[] = [];
  let count = 0;
  const statuses = new Map(Object.entries(catalogue).map(([code, [status]]) => [code, status as number]));
  for (const [file, text] of textOf)
    for (const match of text.matchAll(/(?<![\d,.])(4\d\d|5\d\d)(?: \||,)? `([a-z]+_[a-z_]+)`/g)) {
      const [, status, code] = match;
      count++;
      if (statuses.get(code!) !== Number(status)) wrong.push(`${file}:${lineAt(text, match.index)}: ${status} ${code}`);
    }
  assert.deepEqual(wrong, []);
  assert.ok(count > 100, String(count));
});
