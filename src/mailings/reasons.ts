// Why somebody of a study is not written to: as SQL for many, when a mailing is planned, and again for each when a message is sent.

import type { Where } from "../../db/list/where.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import type { Parsed } from "../base/parsed.ts";
import { NO_CONTACT, noContactSql } from "../contacts/no-contact.ts";
import { findPublicationById } from "../nouns/publications/queries.ts";
import { findActivePublicationId, getAcceptance, refusalOf } from "../nouns/screeners/queries.ts";
import { type Fullness, fullnessOf, NEVER_FULL } from "./fullness.ts";

export const MAILING_KINDS = ["INVITATION", "REMINDER", "MESSAGE"] as const;
export type MailingKind = (typeof MAILING_KINDS)[number];

/** All that a plan says of people who get no message, and that a message says which was not sent any more. */
export const SKIP_REASONS = [
  ...NO_CONTACT,
  "NO_CONSENT",
  "FINISHED",
  "STUDY_CLOSED",
  "LINK_EXPIRED",
  "QUOTA_FULL",
  "DUPLICATE_EMAIL",
  "REMOVED",
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** The member of a plan's summary that counts a reason: NO_EMAIL → noEmail. */
export const countedAs = (reason: string): string =>
  reason.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A reason as a text of SQL. */
export const reasonText = (reason: SkipReason) => `'${reason}'`;

/** What holds for everybody in a study. */
export interface Standing {
  /** Why nobody can begin or go on. */
  refusal: Extract<SkipReason, "STUDY_CLOSED" | "LINK_EXPIRED"> | undefined;
  /** For whom there is no place any more. */
  fullness: Fullness;
  /** Whether it takes no answers now, and may do so again: paused, or not yet open. */
  waits: boolean;
}

export function standingOf(db: Reader, published: Parsed, screenerId: number): Standing {
  const refusal = refusalOf(getAcceptance(db, screenerId));
  const publicationId = findActivePublicationId(db, screenerId);
  const publication = publicationId === null ? undefined : findPublicationById(db, publicationId);
  const never = { fullness: NEVER_FULL, waits: false };
  if (refusal === "closed" || !publication) return { refusal: "STUDY_CLOSED", ...never };
  if (refusal === "expired") return { refusal: "LINK_EXPIRED", ...never };
  return { refusal: undefined, fullness: fullnessOf(db, published, publication), waits: refusal !== undefined };
}

/** What a message is for. */
export interface Purpose {
  kind: MailingKind;
  /** Whether it has the person's link. */
  hasLink: boolean;
  /** Whether a link is made where there is none. */
  opensLink: boolean;
}

/**
 * SQL of the reason, of the assignment `a` with its participant `p`; null: they are written to. Its values are bound where it stands.
 * @param standing what holds for the whole study
 */
export function reasonSql(
  db: Reader,
  { kind, hasLink, opensLink }: Purpose,
  { screenerId, refusal, fullness, now }: Standing & { screenerId: number; now: number },
): Where {
  const nobody = noContactSql(db, { participant: "p", screenerId, now });
  const cases = [
    `WHEN EXISTS (SELECT 1 FROM screener_session AS x WHERE x.screener_participant_uid = a.uid AND x.withdrawn_at IS NOT NULL AND x.is_test = 0)
       THEN ${reasonText("NO_CONSENT")}`,
  ];
  if (kind !== "MESSAGE") {
    cases.push(`WHEN a.status NOT IN ('NOT_STARTED', 'IN_PROGRESS') THEN ${reasonText("FINISHED")}`);
    if (refusal) cases.push(`WHEN TRUE THEN ${reasonText(refusal)}`);
    if (fullness.isForAll) cases.push(`WHEN a.status = 'NOT_STARTED' THEN ${reasonText("QUOTA_FULL")}`);
  }
  if (hasLink && !opensLink)
    cases.push(
      `WHEN NOT EXISTS (SELECT 1 FROM screener_session AS x WHERE x.id = a.current_session_id AND x.status = 'ACTIVE')
         THEN ${reasonText("LINK_EXPIRED")}`,
    );
  return { sql: `coalesce(${nobody.sql}, CASE ${cases.join("\n")} END)`, values: nobody.values };
}
