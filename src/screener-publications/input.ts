// What callers send about publications.

import * as v from "valibot";
import { id, requiredText, shortArray } from "../schemas.ts";

const target = v.nullable(
  v.pipe(
    v.number("must be a whole number or null"),
    v.integer("must be a whole number"),
    v.minValue(1, "must be at least 1"),
    v.maxValue(1_000_000_000, "must be at most 1000000000"),
  ),
);

const tags = shortArray(v.object({ category: requiredText(255), value: requiredText(255) }, "must be an object"), 100);

export const NewPublication = v.object({
  screenerId: id,
  targetQualifiedParticipants: v.optional(target),
  tags: v.optional(tags),
});

export const PublicationChange = v.object({
  targetQualifiedParticipants: v.optional(target),
  tags: v.optional(tags),
  status: v.optional(v.picklist(["ACTIVE", "ARCHIVED"], "must be ARCHIVED, or ACTIVE where it is active")),
});

export type TagInput = v.InferOutput<typeof tags>[number];
