// The resource WorkspaceAttributes: what the attributes of a workspace's participants are.

import * as v from "valibot";
import { isAttributeKey, MAX_ATTRIBUTE_KEYS } from "../base/attributes.ts";
import { closedObject, maxCharacters, sentBack } from "../base/schemas.ts";

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

export const AttributesInput = v.pipe(
  closedObject({
    ...sentBack("_type"),
    attributes: v.pipe(
      v.array(typeInput, "must be an array"),
      v.maxLength(MAX_ATTRIBUTE_KEYS, `must have at most ${MAX_ATTRIBUTE_KEYS} elements`),
    ),
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

/** What the schema can't check, by pointers. */
export function faultsOf({
  attributes,
}: v.InferOutput<typeof AttributesInput>): { pointer: string; message: string }[] {
  const keys = new Set<string>();
  return attributes.flatMap(({ key, type, values }, index) => {
    const at = `/attributes/${index}`;
    const faults = [];
    if (keys.has(key)) faults.push({ pointer: `${at}/key`, message: "is given twice" });
    keys.add(key);
    if (type === "CHOICE" && !values?.length)
      faults.push({ pointer: `${at}/values`, message: "is required, with at least one value, because type is CHOICE" });
    if (type !== "CHOICE" && values?.length)
      faults.push({ pointer: `${at}/values`, message: "goes only with type CHOICE" });
    const folded = new Set((values ?? []).map((one) => one.toLowerCase()));
    if (type === "CHOICE" && folded.size < (values?.length ?? 0))
      faults.push({ pointer: `${at}/values`, message: "has a value twice, in upper or lower case" });
    return faults;
  });
}
