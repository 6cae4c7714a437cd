// The building blocks of every noun's input.ts and view.ts: text, ids, timestamps, and what all resources share.

import * as v from "valibot";
import { problemCodes } from "./problems.ts";
import { lengthOf } from "./text.ts";

/** A limit on characters (code points, as JSON Schema counts them), after trimming. */
export const maxCharacters = (max: number) =>
  v.pipe(
    v.string("must be a string"),
    v.check((text: string) => text.length <= max || lengthOf(text) <= max, `must be at most ${max} characters`),
    v.metadata({ maxLength: max }),
  );

const trim = v.transform((text: string) => text.trim());

/** Text that must be there: trimmed, 1 to `max` characters. `more` is for its description alone. */
export const requiredText = (max: number, more: Record<string, unknown> = {}) =>
  v.pipe(
    v.string("must be a string"),
    // Before what transforms: only so far does the description of a request's body go.
    v.metadata({ minLength: 1, maxLength: max, ...more }),
    trim,
    v.check((text) => text !== "", "is required"),
    v.check((text) => text.length <= max || lengthOf(text) <= max, `must be at most ${max} characters`),
  );

/** Text of a change: trimmed; null clears, and nothing but white space is as good as not sent. */
export const changedText = (max: number) =>
  v.optional(
    v.nullable(
      v.pipe(
        v.string("must be a string or null"),
        v.metadata({ maxLength: max }),
        v.transform((text): string | undefined => text.trim() || undefined),
        v.check(
          (text) => text === undefined || text.length <= max || lengthOf(text) <= max,
          `must be at most ${max} characters`,
        ),
      ),
    ),
  );

/**
 * An array of at most `max` items. They are counted before they are looked at, or a million mistakes would be listed.
 * @param empty what is said of an empty one, where there must be at least one item
 */
export function shortArray<Item extends v.GenericSchema>(item: Item, max: number, empty?: string) {
  return v.pipe(
    v.array(v.unknown(), "must be an array"),
    v.maxLength(max, `must have at most ${max} items`),
    // A description of what callers send goes only as far as here.
    v.metadata({ itemSchema: item, ...(empty !== undefined && { minItems: 1 }) }),
    v.check((items) => empty === undefined || items.length > 0, empty),
    v.array(item),
  );
}

/** The items of a short array, where `action` is the part of its schema that tells. */
export function itemSchemaOf(action: { type: string; metadata?: unknown }): v.GenericSchema | undefined {
  return (action.metadata as { itemSchema?: v.GenericSchema } | undefined)?.itemSchema;
}

/** An id that a caller sends. Text that is no id at all finds nothing, like an id that is unknown. */
export const id = v.pipe(v.string("must be a string"), v.metadata({ description: "An id" }));

/** An id as it is shown: a UUID in lower case. */
export const uuid = v.pipe(v.string(), v.uuid());

/** ISO-8601, UTC, milliseconds. */
export const timestamp = v.pipe(v.string(), v.isoTimestamp(), v.examples(["2026-01-31T12:00:00.000Z"]));

export const ActorView = v.pipe(
  v.object({
    _type: v.picklist(["ApplicationActor", "TenantUserActor"]),
    id: uuid,
    name: v.string(),
  }),
  v.title("Actor"),
);

export const TagView = v.pipe(
  v.object({ _type: v.literal("Tag"), id: uuid, category: v.string(), value: v.string() }),
  v.title("Tag"),
);

/** How many of something there are. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What a problem is, stored or sent. */
export const problemEntries = {
  type: v.string(),
  title: v.string(),
  status: v.pipe(v.number(), v.integer()),
  detail: v.string(),
  code: v.picklist(problemCodes),
  errors: v.optional(v.pipe(v.array(v.object({ pointer: v.string(), message: v.string() })), v.maxLength(100))),
  errorCount: v.optional(v.pipe(count, v.description("How many errors there are, when `errors` can't show them all"))),
  supportedVersions: v.optional(v.array(v.string())),
};

/** Whether `text` is a UUID, in either case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}
