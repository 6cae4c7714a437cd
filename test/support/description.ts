// The API's description, as tests read it: its operations, and checks by its schemas.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

export interface Schema {
  $ref?: string;
  title?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  minProperties?: number;
  propertyNames?: Schema;
  format?: string;
}

/** A path with its parameters. */
export function pathWith(path: string, id: string): string {
  return path.replace("{id}", id).replace("{language}", "de");
}

export interface Media {
  schema: Schema;
  examples?: Record<
    string,
    { summary: string; value: unknown; "x-headers"?: Record<string, string>; "x-query"?: string }
  >;
}

export interface Header {
  $ref?: string;
  description: string;
  required?: boolean;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  tags: string[];
  security?: unknown[];
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; headers: Record<string, Header>; content: Record<string, Media> }>;
}

/** An operation, and where it is. */
export interface DescribedOperation {
  method: string;
  path: string;
  operation: Operation;
}

export interface ApiDescription {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; headers: Record<string, Header>; securitySchemes: object };
}

const name = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1);

export class Described {
  readonly whole: ApiDescription;
  /** By `operationId`. */
  readonly operations: ReadonlyMap<string, DescribedOperation>;
  readonly #ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, inlineRefs: false });
  readonly #compiled = new Map<Schema, ValidateFunction>();

  constructor(whole: ApiDescription) {
    this.whole = whole;
    this.operations = new Map(
      Object.entries(whole.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => [operation.operationId, { method, path, operation }]),
      ),
    );
    addFormats.default(this.#ajv);
    // They check nothing: one says which schema to look at, the other that further words may come.
    this.#ajv.addVocabulary(["discriminator", "x-extensible"]);
    for (const [key, schema] of Object.entries(whole.components.schemas)) this.#ajv.addSchema(closed(schema), key);
  }

  /** A schema, or the named one that it refers to. */
  resolve(schema: Schema): Schema {
    return schema.$ref ? this.resolve(this.whole.components.schemas[name(schema.$ref)]!) : schema;
  }

  header(header: Header): Header {
    return header.$ref ? this.whole.components.headers[name(header.$ref)]! : header;
  }

  /** Whether a value fits a schema, and has no members but those that are described. Each is compiled once. */
  compile(schema: Schema): ValidateFunction {
    const compiled = this.#compiled.get(schema) ?? this.#ajv.compile(closed(schema));
    this.#compiled.set(schema, compiled);
    return compiled;
  }

  isValidSchema(schema: Schema): boolean {
    return this.#ajv.validateSchema(closed(schema)) === true;
  }
}

/** A schema that allows no members but those that it describes, unless it says so. */
function closed(schema: Schema): object {
  const closeAll = (schemas: Schema[]) => schemas.map((inner) => closed(inner));
  return {
    ...schema,
    // By its name alone it is compiled once, for all that refer to it.
    ...(schema.$ref && { $ref: name(schema.$ref) }),
    // The first part has all members; the others say more of some.
    ...(schema.allOf && { allOf: schema.allOf.map((part) => (part.$ref ? closed(part) : withinClosed(part))) }),
    ...(schema.items && { items: closed(schema.items) }),
    ...(schema.anyOf && { anyOf: closeAll(schema.anyOf) }),
    ...(schema.oneOf && { oneOf: closeAll(schema.oneOf) }),
    ...(schema.properties && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([key, inner]) => [key, closed(inner)])),
      additionalProperties: schema.additionalProperties ?? false,
    }),
  };
}

/** What says more of some members: these are closed, and others may stand beside them. */
function withinClosed(part: Schema): object {
  const { additionalProperties: _, ...open } = closed(part) as Schema;
  return open;
}
