// The API description as types for Python: what the modules models.py and operations.py of the Python client are made of.

import { type Content, type Description, JSONS, type Operation, type Schema } from "./typescript-types.ts";

const PLAIN: Record<string, string> = { string: "str", integer: "int", number: "float", boolean: "bool", null: "None" };

/** A class can't have members with these names. */
const KEYWORDS =
  /^(?:False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)$/;

const MADE = "# Made from the API description by `npm run client`. Do not change this file by hand.\n";

/** The module of the named schemas: objects are TypedDicts, the others are names of types. */
export function pythonModels(description: object): string {
  const { info, components } = description as Description;
  const models = Object.entries(components.schemas).map(([name, schema]) => modelOf(name, whole(schema, components)));
  return [
    `"""What the API takes and answers."""\n${MADE}`,
    `from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypeAlias
`,
    `#: The version of the API that these types describe.\nAPI_VERSION = ${JSON.stringify(info.version)}\n`,
    ...models,
  ].join("\n");
}

/** The module of the operations: a method for each of HTTP, with an overload for each path. */
export function pythonOperations(description: object): string {
  const { paths } = description as Description;
  const byMethod = new Map<string, string[]>();
  const add = (name: string, overload: string) => byMethod.set(name, [...(byMethod.get(name) ?? []), overload]);
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const answer = answerOf(operation);
      add(method, overload(method, path, operation, answer));
      const item = /^models\.Paginated(\w+)$/.exec(answer)?.[1];
      if (method === "get" && item) add("items", overload("items", path, operation, itemOf(description, item)));
    }
  const methods = [...byMethod].map(([name, overloads]) => {
    const [caller, result] = name === "items" ? ["_items", "Iterator[Any]"] : ["_call", "Any"];
    const given = name === "items" ? "path" : `"${name.toUpperCase()}", path`;
    return `${overloads.join("")}    def ${name}(self, path: str, **options: Any) -> ${result}:\n        return self.${caller}(${given}, **options)\n`;
  });
  return [
    `"""The operations of the API, with their types."""\n${MADE}`,
    `from __future__ import annotations

from typing import Any, Iterator, List, Literal, Mapping, Optional, Union, overload

from . import models
`,
    `
class Operations:
    """Calls the API by method and path. \`items\` gives every item of a list, page by page."""

    def _call(self, method: str, path: str, **options: Any) -> Any:
        raise NotImplementedError

    def _items(self, path: str, **options: Any) -> Iterator[Any]:
        raise NotImplementedError

${methods.join("\n")}`,
  ].join("\n");
}

function overload(name: string, path: string, { requestBody }: Operation, answer: string): string {
  const json = jsonOf(requestBody ?? {});
  const optional = requestBody?.required ? "" : " = None";
  const body = json && typeOf(json, "models.");
  const members = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => `${id}: str`),
    ...(body ? [`body: ${optional ? `Optional[${body}]` : body}${optional}`] : []),
    "query: Optional[Mapping[str, object]] = None",
    "headers: Optional[Mapping[str, str]] = None",
    "timeout: Optional[float] = None",
  ];
  const result = name === "items" ? `Iterator[${answer}]` : answer;
  const lines = [`self`, `path: Literal[${JSON.stringify(path)}]`, "*", ...members].map((one) => `        ${one},\n`);
  return `    @overload\n    def ${name}(\n${lines.join("")}    ) -> ${result}: ...\n\n`;
}

/** What successes have as JSON; None where they have none. A 304 comes to those alone who ask for it. */
function answerOf({ responses }: Operation): string {
  const bodies = Object.entries(responses)
    .filter(([status]) => /^2/.test(status))
    .map(([, answer]) => {
      const json = jsonOf(answer);
      if (json) return typeOf(json, "models.");
      return Object.keys(answer.content ?? {}).length ? "str" : "None";
    });
  return union(bodies.length ? bodies : ["None"]);
}

function itemOf(description: object, name: string): string {
  const { components } = description as Description;
  const { items } = components.schemas[`Paginated${name}`]?.properties?.items ?? {};
  return typeOf(items ?? {}, "models.");
}

function jsonOf({ content = {} }: Content): Schema | undefined {
  return content[JSONS.find((type) => content[type]) ?? ""]?.schema;
}

/** A schema of several parts as one: a TypedDict can't say more of a member than another one that it extends. */
function whole(schema: Schema, { schemas }: Description["components"]): Schema {
  if (!schema.allOf) return schema;
  const parts = schema.allOf.map((part) => (part.$ref ? schemas[nameIn(part.$ref)]! : part));
  return {
    ...schema,
    type: "object",
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: [...new Set(parts.flatMap(({ required = [] }) => required))],
  };
}

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1);

function modelOf(name: string, schema: Schema): string {
  const isObject = schema.type === "object" && schema.properties && Object.keys(schema.properties).length > 0;
  if (!isObject) return `${name}: TypeAlias = ${JSON.stringify(typeOf(schema))}\n`;
  const { properties = {}, required = [] } = schema;
  const members = Object.entries(properties).map(([member, one]): [string, string] => {
    const type = typeOf(one);
    return [member, required.includes(member) ? type : `NotRequired[${type}]`];
  });
  if (members.every(([member]) => /^[A-Za-z_]\w*$/.test(member) && !member.startsWith("__") && !KEYWORDS.test(member)))
    return `\nclass ${name}(TypedDict):\n${docstring(schema.description)}${members.map(([member, type]) => `    ${member}: ${type}\n`).join("")}`;
  const pairs = members.map(([member, type]) => `        ${JSON.stringify(member)}: ${JSON.stringify(type)},\n`);
  return `${name} = TypedDict(\n    "${name}",\n    {\n${pairs.join("")}    },\n)\n`;
}

function docstring(text: string | undefined): string {
  return text ? `    """${text.replaceAll("\\", "\\\\").replaceAll('"""', "'''").replace(/\s+/g, " ")}"""\n\n` : "";
}

/** @param module before the names of schemas */
function typeOf(schema: Schema, module = ""): string {
  if (schema.$ref) return module + nameIn(schema.$ref);
  // Within another one, the part that has a name.
  if (schema.allOf) return typeOf(schema.allOf[0]!, module);
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return union(several.map((one) => typeOf(one, module)));
  if (schema.enum) return schema["x-extensible"] ? union([literal(schema.enum), "str"]) : literal(schema.enum);
  if (schema.const !== undefined) return literal([schema.const]);
  if (schema.type === undefined) return "Any";
  return union([schema.type].flat().map((type) => plainType(type, schema, module)));
}

function plainType(type: string, schema: Schema, module: string): string {
  if (type === "array") return `List[${typeOf(schema.items ?? {}, module)}]`;
  // An object within another one has no name of its own.
  if (type === "object")
    return `Dict[str, ${schema.additionalProperties ? typeOf(schema.additionalProperties, module) : "Any"}]`;
  const plain = PLAIN[type];
  if (plain === undefined) throw new Error(`The type ${type} is not known.`);
  return plain;
}

function literal(values: readonly unknown[]): string {
  const texts = values.filter((value) => value !== null).map((value) => pythonOf(value));
  const all = texts.length ? [`Literal[${texts.join(", ")}]`] : [];
  return union(values.includes(null) ? [...all, "None"] : all);
}

function pythonOf(value: unknown): string {
  return typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);
}

function union(types: string[]): string {
  const all = [...new Set(types)];
  return all.length > 1 ? `Union[${all.join(", ")}]` : all[0]!;
}
