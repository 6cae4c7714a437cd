// The resource MailSuppression: an address that is not written to, and why. Its JSON, its list, and what callers send.

import * as v from "valibot";
import type { CountedTable } from "../../../db/list/counts.ts";
import { exampleActor, exampleIds } from "../../base/examples.ts";
import { ANY_OPERATOR, actor, nullable, RANGE, text, timestamp, uid, word } from "../../base/members.ts";
import { countedList, resource } from "../../base/resource.ts";
import { closedObject } from "../../base/schemas.ts";
import { email } from "../participants/resource.ts";
import { byAddress } from "./hash.ts";

/** What callers say, and what is known of an address beside that: that somebody was erased who had unsubscribed, or was not to be contacted. */
const GIVEN = ["BY_HAND", "BOUNCED", "COMPLAINED"] as const;
const REASONS = [...GIVEN, "UNSUBSCRIBED", "DO_NOT_CONTACT"] as const;
export type SuppressionReason = (typeof REASONS)[number];

export const mailSuppression = resource({
  type: "MailSuppression",
  from: `mail_suppression AS t JOIN actor AS c ON c.id = t.created_by
    LEFT JOIN participant AS r ON r.email = t.address AND t.address IS NOT NULL`,
  members: {
    id: uid("t.uid"),
    address: { ...nullable(text("t.address")), filter: { operators: ["eq", "in"], values: "text", by: byAddress } },
    reason: word(REASONS)("t.reason", ANY_OPERATOR),
    detail: nullable(text("t.detail")),
    participantId: nullable(uid("r.uid")),
    createdBy: actor("c.json"),
    createdAt: timestamp("t.created_at", RANGE),
  },
  example: {
    id: exampleIds.mailSuppression,
    address: "gone@example.org",
    reason: "BY_HAND",
    detail: null,
    participantId: null,
    createdBy: exampleActor,
    createdAt: "2026-01-31T12:00:00.000Z",
  },
});

/** Those that are deleted are counted by a trigger. */
export const countedSuppressions = {
  table: "mail_suppression",
  facets: ["reason"],
} as const satisfies CountedTable;

export const suppressionList = countedList("mail-suppressions", countedSuppressions, mailSuppression);

export const NewMailSuppression = v.pipe(
  closedObject({
    address: email,
    reason: v.optional(v.picklist(GIVEN, `must be one of: ${GIVEN.join(", ")}`), "BY_HAND"),
  }),
  v.title("NewMailSuppression"),
);
