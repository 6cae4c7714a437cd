// The API description as TypeScript types: what src/client/types.ts is made of.

export interface Schema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | false;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  pattern?: string;
  /** Further words may come. */
  "x-extensible"?: true;
}

export interface Content {
  content?: Record<string, { schema: Schema }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  parameters: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
}

export interface Description {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Keywords that make a type, and those that types can't express. */
const DECISIVE = ["$ref", "const", "enum", "allOf", "anyOf", "oneOf", "type", "properties", "required", "items"];
const DECISIVE_OF_OBJECTS = ["additionalProperties", "propertyNames"];
const BESIDE =
  /^(?:title|description|default|examples|discriminator|x-extensible|format|pattern|m(?:in|ax)(?:imum|Length|Items|Properties))$/;

const PLAIN: Record<string, string> = { string: "string", integer: "number", number: "number", boolean: "boolean" };
/** Bodies that are a text. A list that also comes as JSON is typed as JSON alone. */
const TEXTS = ["text/csv", "application/x-ndjson", "application/xliff+xml"];
/** The client reads replies as texts, so it does not set these headers. */
const FILES = ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/x-spss-syntax"];
export const JSONS = ["application/json", "application/problem+json"];

/** The client sets the version: callers do not. */
const OF_CLIENT = ["X-Service-Api-Version"];

/** The type of an error, and the type of errors by status. */
const PROBLEM = "Problem";
const PROBLEMS = `/** The errors of an operation, by status. */
export type Problems<Status extends number> = { [S in Status]: ${PROBLEM} };
`;

const PATHS = `/** The operations, by path and method. */
export type Paths = {
  [P in keyof OperationIds]: { [M in keyof OperationIds[P]]: Operations[OperationIds[P][M] & keyof Operations] };
};
`;

/** The first operation that has these parameters in the path, the query or the headers, by their text. */
type Parameters = Map<string, string>;

/**
 * The types of a description, as the text of a module: one for each named schema, and one for each operation with its parameters, its
 * body, and its answers by status. If an earlier operation has the same parameters, its type is used.
 * @throws Error when the description has something unknown; it names the location
 */
export function typescriptTypes(description: object): string {
  const { info, paths, components } = description as Description;
  const operations: string[] = [];
  const byPath: string[] = [];
  const known: Parameters = new Map();
  for (const [path, methods] of Object.entries(paths)) {
    const members = Object.entries(methods).map(([method, operation]) => {
      operations.push(operationOf(operation, known));
      return `    ${method}: ${JSON.stringify(operation.operationId)};\n`;
    });
    byPath.push(`  ${JSON.stringify(path)}: {\n${members.join("")}  };\n`);
  }
  return [
    "// The types of the API: made from its description by `npm run client`. Do not change this file by hand.\n",
    `/** The version of the API that these types describe. */\nexport const API_VERSION = ${JSON.stringify(info.version)};\n`,
    ...Object.entries(components.schemas).map(([name, schema]) => comment(schema.description) + declared(name, schema)),
    PROBLEMS,
    `/** The operations, by their ids. A body or answer without JSON is a text. */\nexport interface Operations {\n${operations.join("")}}\n`,
    `/** The ids of the operations, by path and method. */\nexport interface OperationIds {\n${byPath.join("")}}\n`,
    PATHS,
  ].join("\n");
}

/** What says more of some members than another type is an interface: intersections of arrays hide what their items have. */
function declared(name: string, schema: Schema): string {
  const [general, own] = schema.allOf ?? [];
  return general && own
    ? `export interface ${name} extends ${typeOf(general, name)} ${typeOf(own, name)}\n`
    : `export type ${name} = ${typeOf(schema, name)};\n`;
}

function operationOf(
  { operationId, summary, parameters, requestBody, responses }: Operation,
  known: Parameters,
): string {
  const lines: string[] = [];
  for (const location of ["path", "query", "header"]) {
    const members = parameters.filter((one) => one.in === location && !OF_CLIENT.includes(one.name));
    if (!members.length) continue;
    const type = members.map(({ name, required, description, schema }) => {
      const type = `${schema.type === "array" ? "readonly " : ""}${typeOf(schema, `${operationId} ${name}`)}`;
      // A name with a placeholder stands for many.
      const member = name.includes("{key}")
        ? `[name: \`${name.replace("{key}", "$${string}")}\`]: ${type} | undefined`
        : `${key(name)}${required ? "" : "?"}: ${type}`;
      return `${comment(description, "      ")}      ${member};\n`;
    });
    const text = `    ${location}: {\n${type.join("")}    };\n`;
    const same = known.get(text);
    lines.push(same ? `    ${location}: Operations["${same}"]["${location}"];\n` : text);
    if (!same) known.set(text, operationId);
  }
  const unknown = parameters.find((one) => !["path", "query", "header"].includes(one.in));
  if (unknown) throw new Error(`${operationId}: the parameter ${unknown.name} is in "${unknown.in}".`);
  if (requestBody)
    lines.push(`    body${requestBody.required ? "" : "?"}: ${contentOf(requestBody, `${operationId}, body`)};\n`);
  const answers = answersOf(responses, operationId);
  return `${comment(summary, "  ")}  ${operationId}: {\n${lines.join("")}    answers: ${answers};\n  };\n`;
}

function answersOf(responses: Operation["responses"], operationId: string): string {
  const answers = Object.entries(responses).map(
    ([status, answer]) => [status, contentOf(answer, `${operationId}, ${status}`)] as const,
  );
  const own = answers.filter(([, type]) => type !== PROBLEM).map(([status, type]) => `${status}: ${type}`);
  const problems = answers.filter(([, type]) => type === PROBLEM).map(([status]) => status);
  return [`{ ${own.join("; ")} }`, ...(problems.length ? [`Problems<${problems.join(" | ")}>`] : [])].join(" & ");
}

function contentOf({ content = {} }: Content, location: string): string {
  const types = Object.keys(content);
  const unknown = types.find((type) => ![...JSONS, ...TEXTS, ...FILES].includes(type));
  if (unknown) throw new Error(`${location}: the media type ${unknown} is not known.`);
  const json = types.find((type) => JSONS.includes(type));
  if (json) return typeOf(content[json]!.schema, location, "    ");
  return types.length ? "string" : "undefined";
}

/** @param location of the schema, for messages of errors */
function typeOf(schema: Schema, location: string, indent = ""): string {
  if (typeof schema !== "object" || schema === null)
    throw new Error(`${location}: ${JSON.stringify(schema)} is no schema.`);
  const isObject = schema.type === "object";
  const unknown = Object.keys(schema).find(
    (keyword) =>
      !DECISIVE.includes(keyword) && !BESIDE.test(keyword) && !(isObject && DECISIVE_OF_OBJECTS.includes(keyword)),
  );
  if (unknown) throw new Error(`${location}: the keyword ${unknown} is not known.`);
  const several = schema.anyOf ?? schema.oneOf;
  if ([schema.$ref, schema.allOf, several, schema.enum, schema.const].filter((one) => one !== undefined).length > 1)
    throw new Error(`${location}: more than one keyword says what the value is.`);
  if (schema.$ref) {
    if (!/^#\/components\/schemas\/\w+$/.test(schema.$ref)) throw new Error(`${location}: ${schema.$ref} has no name.`);
    return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  }
  if (schema.allOf) return schema.allOf.map((part) => typeOf(part, location, indent)).join(" & ");
  if (several) {
    if (schema.properties) throw new Error(`${location}: members beside alternatives.`);
    return union(several.map((one, index) => typeOf(one, `${location}[${index}]`, indent)));
  }
  if (schema.enum) {
    const words = union(schema.enum.map((value) => JSON.stringify(value)));
    // An editor still proposes the words that are known.
    return schema["x-extensible"] ? `${words} | (string & {})` : words;
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === undefined) return "unknown";
  return union([schema.type].flat().map((type) => plainType(type, schema, location, indent)));
}

function plainType(type: string, schema: Schema, location: string, indent: string): string {
  if (type === "null") return "null";
  if (type === "array") {
    const item = typeOf(schema.items ?? {}, `${location}[]`, indent);
    return / [|&] /.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  if (type === "object") return objectType(schema, location, indent);
  const [, begin] = /^\^(\w+)\\\.$/.exec(schema.pattern ?? "") ?? [];
  if (type === "string" && begin !== undefined) return `\`${begin}.\${string}\``;
  if (!Object.hasOwn(PLAIN, type)) throw new Error(`${location}: the type ${type} is not known.`);
  return PLAIN[type]!;
}

function objectType(
  { properties = {}, required = [], additionalProperties }: Schema,
  location: string,
  indent: string,
) {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(
    ([name, member]) =>
      comment(member.description, inner) +
      `${inner}${key(name)}${required.includes(name) ? "" : "?"}: ${typeOf(member, `${location}.${name}`, inner)};\n`,
  );
  if (additionalProperties) {
    if (members.length) throw new Error(`${location}: further members beside known ones.`);
    return `{ [key: string]: ${typeOf(additionalProperties, `${location}.*`, inner)} }`;
  }
  return members.length ? `{\n${members.join("")}${indent}}` : "{ [key: string]: never }";
}

const union = (types: string[]) => [...new Set(types.flatMap((type) => splitUnion(type)))].join(" | ");

/** The parts of a union within a union. An object or an array is one part, even with a union inside. */
const splitUnion = (type: string) => (/[{([&]/.test(type) ? [type] : type.split(" | "));

const key = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

function comment(text: string | undefined, indent = ""): string {
  return text ? `${indent}/** ${text.replaceAll("*/", "* /").replace(/\s+/g, " ")} */\n` : "";
}
