// The schemas that resources share: text, short arrays, ids, timestamps, actors, tags and problems.

import { closest, distance } from "fastest-levenshtein";
import * as v from "valibot";
import { lengthOf } from "./clean-text.ts";
import { MAX_ERRORS, problemCodes } from "./problems.ts";

/** Text of at most `max` characters (code points, as JSON Schema counts them). */
export const maxCharacters = (max: number) =>
  v.pipe(
    v.string("must be a string"),
    v.check((text: string) => text.length <= max || lengthOf(text) <= max, `must be at most ${max} characters`),
    v.metadata({ maxLength: max }),
  );

const trim = v.transform((text: string) => text.trim());

/** Trimmed text of 1 to `max` characters. `more` is added to its API description. */
export const requiredText = (max: number, more: Record<string, unknown> = {}) =>
  v.pipe(
    v.string("must be a string"),
    // Must come before `trim`: the API description of a body has only what comes before the first transformation.
    v.metadata({ minLength: 1, maxLength: max, ...more }),
    trim,
    v.check((text) => text !== "", "is required"),
    v.check((text) => text.length <= max || lengthOf(text) <= max, `must be at most ${max} characters`),
  );

/** Text in a change: trimmed. null clears the member. White space alone counts as missing. */
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
 * An array of at most `max` items. The length is checked first; otherwise an array with a million wrong items would give a
 * million errors.
 * @param empty the error of an empty array; without it, an array may be empty
 */
export function shortArray<Item extends v.GenericSchema>(item: Item, max: number, empty?: string) {
  return v.pipe(
    v.array(v.unknown(), "must be an array"),
    v.maxLength(max, `must have at most ${max} items`),
    // For the API description, which does not have the checks after this.
    v.metadata({ itemSchema: item, ...(empty !== undefined && { minItems: 1 }) }),
    v.check((items) => empty === undefined || items.length > 0, empty),
    v.array(item),
  );
}

/**
 * An object without other members: each unknown one is an error that names the nearest known one. For members that change
 * what a request does, where a misspelt one must not be ignored.
 */
export function closedObject<Entries extends v.ObjectEntries>(entries: Entries, message = "must be an object") {
  return v.pipe(
    v.looseObject(entries, message),
    v.metadata({ additionalProperties: false }),
    v.rawCheck(({ dataset, addIssue }) => {
      const input = dataset.value as Record<string, unknown>;
      if (typeof input !== "object" || input === null) return;
      const unknown = Object.keys(input).filter((key) => !Object.hasOwn(entries, key));
      // A body may have a hundred thousand of them, and the nearest name takes time.
      for (const key of unknown.slice(0, MAX_ERRORS)) {
        addIssue({
          message: unknownMember(key, Object.keys(entries)),
          path: [{ type: "object", origin: "key", input, key, value: input[key] }],
        });
      }
    }),
  );
}

/** Members that callers may send back as they have read them. Their values are ignored. */
export function sentBack<const Name extends string>(...names: Name[]) {
  const ignored = v.pipe(v.optional(v.unknown()), v.description("Ignored, so that what was read can be sent back"));
  return Object.fromEntries(names.map((name) => [name, ignored])) as Record<Name, typeof ignored>;
}

/** How it begins what `unknownMember` says. */
export const NOT_KNOWN = "is not known";

/** What is wrong with a member or parameter that nobody knows. Names the nearest of `known`, if one is near. */
export function unknownMember(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? NOT_KNOWN : `${NOT_KNOWN}; did you mean ${near}?`;
}

/** The one of `known` that `name` is most likely a misspelling of. Upper and lower case are the same. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (!known.length || name.length > MAX_COMPARED_LENGTH) return undefined;
  const lower = name.toLowerCase();
  const near = closest(
    lower,
    known.map((word) => word.toLowerCase()),
  );
  const limit = Math.max(2, Math.floor(near.length / 3));
  if (distance(lower, near) > limit && !near.includes(lower)) return undefined;
  return known.find((word) => word.toLowerCase() === near);
}

const MAX_COMPARED_LENGTH = 64;

/** The schema of a short array's items, if `action` is the part of its schema that has it. */
export function itemSchemaOf(action: { type: string; metadata?: unknown }): v.GenericSchema | undefined {
  return (action.metadata as { itemSchema?: v.GenericSchema } | undefined)?.itemSchema;
}

/** An id from a caller. Any text is allowed: text that is not a UUID finds nothing, like an unknown id. */
export const id = v.pipe(
  v.string("must be a string"),
  v.metadata({ description: "An id" }),
  v.transform((text) => idOf(text)),
);

/** An id in a response: a UUID in lower case. */
export const uuid = v.pipe(v.string(), v.uuid());

/** ISO-8601, UTC, milliseconds. */
export const timestamp = v.pipe(v.string(), v.isoTimestamp(), v.examples(["2026-01-31T12:00:00.000Z"]));

/** A point in time in a body: ISO-8601 with seconds and an offset. It becomes UTC with milliseconds. */
export const instant = v.pipe(
  v.string("must be a timestamp"),
  v.metadata({ format: "date-time", examples: ["2026-01-31T12:00:00.000Z"] }),
  v.check((text) => utcOf(text) !== undefined, "must be a timestamp with an offset, such as 2026-01-31T12:00:00Z"),
  v.transform((text) => utcOf(text)!),
);

/** The same time in UTC with milliseconds. Undefined where there is no such time, or its year does not have four digits. */
function utcOf(text: string): string | undefined {
  const [, day] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i.exec(text) ?? [];
  const time = new Date(text.toUpperCase());
  // Date takes 30 February for 2 March.
  if (!day || Number.isNaN(time.getTime()) || !isDay(day)) return undefined;
  const utc = time.toISOString();
  return utc.length === "2026-01-31T12:00:00.000Z".length ? utc : undefined;
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const MAX_OVERLAP_HOURS = 7 * 24;

/** For how long a secret that is replaced counts, too. */
export const overlapHours = (description: string) =>
  v.optional(
    v.pipe(
      v.number("must be a number"),
      v.integer("must be a whole number"),
      v.minValue(0, "must be at least 0"),
      v.maxValue(MAX_OVERLAP_HOURS, `must be at most ${MAX_OVERLAP_HOURS}`),
      v.description(`${description}. Default: 24`),
    ),
    24,
  );

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

export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A Job. The endpoints of jobs describe it. */
export const JobReference = v.pipe(v.unknown(), v.metadata({ $ref: "#/components/schemas/Job" }));

export const plainValue = v.nullable(v.union([v.string(), v.number(), v.boolean()]));

/** One error in a request. What follows the message is only of rows of an import. */
export const ProblemError = v.pipe(
  v.object({
    pointer: v.pipe(
      v.string(),
      v.description("A JSON pointer into the body, or the name of the query parameter or header"),
    ),
    message: v.string(),
    row: v.optional(v.pipe(count, v.description("The number of the row, from 1 on"))),
    line: v.optional(v.pipe(count, v.description("The row's first line in a file"))),
    externalUid: v.optional(v.string()),
    value: v.optional(plainValue),
    heldBy: v.optional(v.pipe(v.string(), v.description("The externalUid of the participant who has the value"))),
  }),
  v.title("ProblemError"),
);

/** The members of a problem, as it is stored and as it is sent. */
export const problemEntries = {
  type: v.string(),
  title: v.string(),
  status: v.pipe(v.number(), v.integer()),
  detail: v.string(),
  code: v.picklist(problemCodes),
  errors: v.optional(v.pipe(v.array(ProblemError), v.maxLength(MAX_ERRORS))),
  errorCount: v.optional(v.pipe(count, v.description("The number of all errors, which may be more than `errors` has"))),
  supportedVersions: v.optional(v.array(v.string())),
  removals: v.optional(v.pipe(count, v.description("Of removal_limit_exceeded: how many would be removed"))),
  assignments: v.optional(v.pipe(count, v.description("Of how many"))),
  maxRemovals: v.optional(v.union([count, v.string()])),
  rows: v.optional(v.pipe(count, v.description("Of row_count_differs: how many rows the payload has"))),
  expectedRows: v.optional(v.pipe(count, v.description("How many it should have"))),
  jobId: v.optional(v.pipe(uuid, v.description("The job that failed or was cancelled"))),
};

/** The id, if it can be one. Any other value of a caller is an unknown id. */
export function uidOrNull(value: unknown): string | null {
  return typeof value === "string" && isUuid(value) ? value.toLowerCase() : null;
}

/** The id that a caller names: a UUID in lower case. Other text as it is. */
export function idOf(text: string): string {
  return isUuid(text) ? text.toLowerCase() : text;
}

/** Whether `text` is a UUID, in either case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}
