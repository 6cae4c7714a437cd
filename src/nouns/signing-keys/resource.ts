// The resource SigningKey: the workspace's key for signatures of addresses.

import * as v from "valibot";
import { closedObject, overlapHours, timestamp } from "../../base/schemas.ts";
import type { SigningKeyRow } from "./queries.ts";

const shown = {
  _type: v.literal("SigningKey"),
  createdAt: v.nullable(timestamp),
  previousExpiresAt: v.nullable(timestamp),
};

export const SigningKeyView = v.pipe(v.object(shown), v.title("SigningKey"));

/** The same with its secret, for the one reply that shows it. */
export const NewSigningKeyView = v.pipe(v.object({ ...shown, secret: v.string() }), v.title("NewSigningKey"));

type SigningKey = v.InferOutput<typeof SigningKeyView>;

/** Without its secret. A former secret is named as long as it counts. */
export function viewOf(row: SigningKeyRow | undefined, now: Date): SigningKey {
  const until = row?.previous_expires_at ?? null;
  return {
    _type: "SigningKey",
    createdAt: row?.created_at ?? null,
    previousExpiresAt: until !== null && until > now.getTime() ? new Date(until).toISOString() : null,
  };
}

export const signingKeyExample: SigningKey = {
  _type: "SigningKey",
  createdAt: "2026-01-31T12:00:00.000Z",
  previousExpiresAt: null,
};

export const SigningKeyRotation = v.pipe(
  closedObject({ overlapHours: overlapHours("How long the former secret counts, too") }),
  v.title("SigningKeyRotation"),
);
