// The member of participants that says that nobody may write to them: by whom it was set, when and why; and what callers send to set it.

import * as v from "valibot";
import { type FilterRule, json } from "../../base/members.ts";
import { ActorView, requiredText, sentBack, timestamp } from "../../base/schemas.ts";
import { type Actor, asDecider } from "../../events/actors.ts";

const MAX_REASON_LENGTH = 500;

const DoNotContact = v.pipe(
  v.nullable(v.object({ reason: v.string(), by: ActorView, at: timestamp })),
  v.title("DoNotContact"),
  v.description("Null: the participant may be written to"),
);

type Marked = NonNullable<v.InferOutput<typeof DoNotContact>>;

const cellOfMark = (show: (marked: Marked) => string) => (marked: unknown) => (marked ? show(marked as Marked) : null);

/** Few of many are marked, and a page of them is found by a scan. */
const filter: FilterRule = {
  operators: ["eq"],
  values: ["true", "false"],
  by: { column: "do_not_contact", scan: { value: "iif(t.do_not_contact IS NULL, 'false', 'true')", index: "" } },
};

export const doNotContactMember = {
  ...json("coalesce(t.do_not_contact, 'null')", DoNotContact, {
    ".reason": cellOfMark(({ reason }) => reason),
    ".by": cellOfMark(({ by }) => by.name),
    ".at": cellOfMark(({ at }) => at),
  }),
  filter,
};

export const doNotContactChange = v.optional(
  v.pipe(
    v.nullable(v.object({ reason: requiredText(MAX_REASON_LENGTH), ...sentBack("by", "at") })),
    v.description("Nobody may write to the participant, and why; null: they may again"),
  ),
);

/** Why a participant is marked. @param mark as it is kept; null: nobody has marked the participant */
export function reasonIn(mark: string | null): string | undefined {
  return mark === null ? undefined : JSON.parse(mark).reason;
}

/** As it is kept. */
export function markOf(reason: string, by: Actor, at: string): string {
  return JSON.stringify({ reason, by: asDecider(by), at });
}
