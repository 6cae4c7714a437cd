// What callers send about participants.

import * as v from "valibot";
import { requiredText } from "../schemas.ts";
import { lengthOf } from "../text.ts";

export const MAX_NAME_LENGTH = 500;
export const MAX_EXTERNAL_UID_LENGTH = 255;
export const MAX_EMAIL_LENGTH = 320;

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Whether `text` is an email as far as it can be told without writing to it: local@domain, no white space. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

export const externalUid = requiredText(MAX_EXTERNAL_UID_LENGTH);

const email = v.pipe(
  requiredText(MAX_EMAIL_LENGTH, { format: "email" }),
  v.check(isEmail, "must be an email, local@domain"),
);

const NOT_A_NAME = "must be a string, or an object with first and last";

/** A name: a string, or first and last, which are joined by one space. Nothing but white space becomes undefined. */
const nameText = v.pipe(
  v.union(
    [
      v.pipe(v.string(), v.metadata({ maxLength: MAX_NAME_LENGTH })),
      v.pipe(
        v.object({ first: v.optional(v.nullable(v.string())), last: v.optional(v.nullable(v.string())) }),
        v.metadata({ minProperties: 1 }),
        // Neither an array nor an object of something else.
        v.check((name) => "first" in name || "last" in name, NOT_A_NAME),
      ),
    ],
    NOT_A_NAME,
  ),
  v.transform((name) =>
    typeof name === "string" ? name.trim() : `${name.first?.trim() ?? ""} ${name.last?.trim() ?? ""}`.trim(),
  ),
  v.check(
    (name) => name.length <= MAX_NAME_LENGTH || lengthOf(name) <= MAX_NAME_LENGTH,
    `must be at most ${MAX_NAME_LENGTH} characters`,
  ),
);

const name = v.pipe(
  nameText,
  v.check((text) => text !== "", "is required"),
);

export const NewParticipant = v.object({ externalUid, email, name });

/** White space alone is as good as nothing. */
const orUnset = v.transform((text: string): string | undefined => text || undefined);

const optionalEmail = v.pipe(
  v.string("must be a string or null"),
  v.metadata({ format: "email", maxLength: MAX_EMAIL_LENGTH }),
  v.transform((text) => text.trim()),
  v.check((text) => text.length <= MAX_EMAIL_LENGTH, `must be at most ${MAX_EMAIL_LENGTH} characters`),
  v.check((text) => text === "" || isEmail(text), "must be an email, local@domain"),
  orUnset,
);

const optionalName = v.pipe(nameText, orUnset);

export const ParticipantChange = v.object({
  email: v.optional(v.nullable(optionalEmail)),
  name: v.optional(v.nullable(optionalName)),
});

/** A row of an import: email and name may be left out (or null) where the participant exists. */
export const ImportParticipant = v.object({
  externalUid,
  email: v.optional(v.nullable(optionalEmail)),
  name: v.optional(v.nullable(optionalName)),
});
