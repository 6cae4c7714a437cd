// The resource WorkspaceAttributes: what the attributes of a workspace's participants are.

import * as v from "valibot";
import { isAttributeKey, MAX_ATTRIBUTE_KEYS } from "../base/attributes.ts";
import { closedObject, maxCharacters, sentBack, shortArray } from "../base/schemas.ts";

const TYPES = ["TEXT", "NUMBER", "DATE", "BOOLEAN", "CHOICE"] as const;

const MAX_LABEL_LENGTH = 200;
const MAX_VALUES = 500;
const MAX_VALUE_LENGTH = 1000;

const typeView = v.pipe(
  v.object({
    key: v.string(),
    label: v.nullable(v.string()),
    type: v.picklist(TYPES),
    values: v.optional(v.pipe(v.array(v.string()), v.description("Of a CHOICE"))),
  }),
  v.title("AttributeType"),
);

export type AttributeType = v.InferOutput<typeof typeView>;

export const AttributesView = v.pipe(
  v.object({ _type: v.literal("WorkspaceAttributes"), attributes: v.array(typeView) }),
  v.title("WorkspaceAttributes"),
);

type Attributes = v.InferOutput<typeof AttributesView>;

export function viewOf(attributes: AttributeType[]): Attributes {
  return { _type: "WorkspaceAttributes", attributes };
}

export const attributesExample: Attributes = viewOf([
  { key: "weight", label: "Weight in kg", type: "NUMBER" },
  { key: "plan", label: null, type: "CHOICE", values: ["free", "gold"] },
]);

const value = v.pipe(
  maxCharacters(MAX_VALUE_LENGTH),
  v.transform((text) => text.trim()),
  v.check((text) => text !== "", "must not be empty"),
);

const typeInput = v.pipe(
  closedObject({
    key: v.pipe(
      v.string("must be a string"),
      v.transform((text) => text.trim()),
      v.check(isAttributeKey, "must be a key of 1 to 100 characters"),
    ),
    label: v.optional(v.nullable(maxCharacters(MAX_LABEL_LENGTH))),
    type: v.picklist(TYPES, `must be ${TYPES.slice(0, -1).join(", ")} or ${TYPES.at(-1)}`),
    values: v.optional(
      v.nullable(
        v.pipe(
          v.array(value, "must be an array of texts"),
          v.maxLength(MAX_VALUES, `must have at most ${MAX_VALUES} values`),
        ),
      ),
    ),
  }),
  v.title("AttributeTypeInput"),
);

type SentType = v.InferOutput<typeof typeInput>;

/** What is wrong with members of an attribute together, or with those before it: nothing that rests on what is wrong by itself. */
const togetherRight = v.rawCheck<SentType[]>(({ dataset, addIssue }) => {
  // No list, or one that is too long: its entries have not been looked at.
  if (!Array.isArray(dataset.value) || dataset.issues?.some(({ path }) => path === undefined)) return;
  const wrong = new Set(dataset.issues?.map(({ path = [] }) => `${path[0]?.key} ${path[1]?.key ?? ""}`));
  const isRight = (index: number, member: string) => !wrong.has(`${index} `) && !wrong.has(`${index} ${member}`);
  const keys = new Set<string>();
  for (const [index, entry] of dataset.value.entries()) {
    const fail = (member: "key" | "values", message: string) => {
      const path: [v.ArrayPathItem, v.ObjectPathItem] = [
        { type: "array", origin: "value", input: dataset.value as SentType[], key: index, value: entry },
        { type: "object", origin: "value", input: entry, key: member, value: entry[member] ?? null },
      ];
      addIssue({ message, input: entry, path });
    };
    if (isRight(index, "key")) {
      if (keys.has(entry.key)) fail("key", "is given twice");
      keys.add(entry.key);
    }
    if (!isRight(index, "type") || !isRight(index, "values")) continue;
    const values: string[] = entry.values ?? [];
    const isChoice = entry.type === "CHOICE";
    if (isChoice && !values.length) fail("values", "is required, with at least one value, because type is CHOICE");
    if (!isChoice && values.length) fail("values", "goes only with type CHOICE");
    if (isChoice && new Set(values.map((one) => one.toLowerCase())).size < values.length)
      fail("values", "has a value twice, in upper or lower case");
  }
});

export const AttributesInput = v.pipe(
  closedObject({
    ...sentBack("_type"),
    attributes: v.pipe(shortArray(typeInput, MAX_ATTRIBUTE_KEYS), togetherRight),
  }),
  v.title("WorkspaceAttributesInput"),
);

/** As they are kept. */
export function builtTypes({ attributes }: v.InferOutput<typeof AttributesInput>): AttributeType[] {
  return attributes.map(({ key, label, type, values }) => ({
    key,
    label: label?.trim() || null,
    type,
    ...(type === "CHOICE" && { values: values ?? [] }),
  }));
}
