// The schemas of the API description, made from the valibot schemas that check requests and replies.

import { isDeepStrictEqual } from "node:util";
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { EXTENSIBLE } from "../../base/members.ts";
import { itemSchemaOf } from "../../base/schemas.ts";

/**
 * The members of answers whose words a program meets that was made before them: an error, an actor or a reason may come from any later version.
 * Others are marked where they are declared (openWords).
 */
const OPEN = /^(?:code|kind|_type|\w*[rR]eason)$/;

/** Marks the words that are not all that may come. */
function withOpenWords(schema: JsonSchema): JsonSchema {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) =>
    typeof member === "object" && OPEN.test(name) ? [name, marked(member)] : [name, member],
  );
  return { ...schema, properties: Object.fromEntries(members) };
}

function marked(words: JsonSchema): JsonSchema {
  if (words.enum) return { ...words, ...EXTENSIBLE };
  // Words, or null.
  return words.anyOf ? { ...words, anyOf: words.anyOf.map((one) => marked(one as JsonSchema)) } : words;
}

/** The schemas that all have to fit, if that is all that a schema says: each of them may be in others, too. */
function partsOf(schema: v.GenericSchema): v.GenericSchema[] | undefined {
  return schema.type === "intersect" && !("pipe" in schema)
    ? (schema as unknown as v.IntersectSchema<v.GenericSchema[], undefined>).options
    : undefined;
}

type WithVariants = Omit<JsonSchema, "anyOf" | "oneOf"> & {
  discriminator?: { propertyName: string };
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
};

/** The schemas that have a name: `#/components/schemas/<name>`. */
export class NamedSchemas {
  readonly all: Record<string, JsonSchema> = {};
  /** What was added, and what became of it. Many operations and messages have the same, and some are large. */
  readonly #added = { input: new Map<v.GenericSchema, JsonSchema>(), output: new Map<v.GenericSchema, JsonSchema>() };

  /**
   * A schema as JSON Schema. Schemas with a title move to the named ones, and are referred to.
   * @throws Error when two different schemas have one title
   */
  add(schema: v.GenericSchema, typeMode: "input" | "output"): JsonSchema {
    const added = this.#added[typeMode].get(schema) ?? this.#convert(schema, typeMode);
    this.#added[typeMode].set(schema, added);
    return added;
  }

  #convert(schema: v.GenericSchema, typeMode: "input" | "output"): JsonSchema {
    const parts = partsOf(schema);
    if (parts) return { allOf: parts.map((part) => this.add(part, typeMode)) };
    const { $schema, ...json } = toJsonSchema(schema, {
      target: "draft-2020-12",
      typeMode,
      errorMode: "ignore",
      ignoreActions: ["check", "transform"],
      overrideAction: ({ valibotAction, jsonSchema }) => {
        const item = itemSchemaOf(valibotAction);
        if (!item) return undefined;
        const { itemSchema, ...array } = jsonSchema as JsonSchema & { itemSchema: unknown };
        return { ...array, items: this.add(item, typeMode) };
      },
      overrideSchema: ({ valibotSchema, jsonSchema }) => {
        if (valibotSchema.type === "variant")
          return { ...jsonSchema, discriminator: { propertyName: (valibotSchema as unknown as { key: string }).key } };
        return typeMode === "output" && jsonSchema.properties ? withOpenWords(jsonSchema) : undefined;
      },
    });
    return this.#hoist(json) as JsonSchema;
  }

  #hoist(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#hoist(item));
    if (typeof value !== "object" || value === null) return value;
    const copy = this.#withMapping(
      Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#hoist(inner)])),
    );
    const { title } = copy;
    if (typeof title !== "string") return copy;
    const earlier = this.all[title];
    if (earlier && !isDeepStrictEqual(earlier, copy)) throw new Error(`Two different schemas have the title ${title}.`);
    this.all[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  }

  /** Says which value of the discriminator stands for which schema: their names differ from it. */
  #withMapping(copy: JsonSchema): JsonSchema {
    const { discriminator, anyOf = [], oneOf = anyOf, ...rest } = copy as WithVariants;
    if (!discriminator) return copy;
    const { propertyName } = discriminator;
    const mapping = Object.fromEntries(
      oneOf.map(({ $ref = "" }) => {
        const variant = this.all[$ref.slice($ref.lastIndexOf("/") + 1)];
        // Of several parts the last says what is the variant's own.
        const { properties } = (variant?.allOf?.at(-1) ?? variant ?? {}) as JsonSchema;
        const member = properties?.[propertyName];
        if (typeof member !== "object") throw new Error(`A variant by ${propertyName} has no title.`);
        return [member.const, $ref];
      }),
    );
    return { ...rest, oneOf, discriminator: { propertyName, mapping } } as JsonSchema;
  }
}
