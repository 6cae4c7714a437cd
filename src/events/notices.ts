// What users may have a mail about.

import type { Writer } from "../../db/sqlite/connection.ts";

export const NOTICES = ["STUDY_FULL", "IMPORT_WAITS", "WEBHOOK_FAILS"] as const;

export type NoticeKind = (typeof NOTICES)[number];

export function isNotice(kind: string): kind is NoticeKind {
  return (NOTICES as readonly string[]).includes(kind);
}

export interface Notice {
  kind: NoticeKind;
  /** The study, or the webhook endpoint. */
  subject: string;
  /** What is true of it. */
  state: string;
  /** Of an import. */
  jobUid?: string | null;
}

/** Inside a transaction: a notice is said once, until something else is true. `schema` is the name under which the workspace store is attached. */
export function raiseNotice(
  db: Writer,
  { kind, subject, state, jobUid = null }: Notice,
  schema = "main",
  now = Date.now(),
): void {
  db.run(
    `INSERT INTO ${schema}.notice (kind, subject_uid, state, job_uid, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (kind, subject_uid) DO UPDATE SET state = excluded.state, job_uid = excluded.job_uid, created_at = excluded.created_at, is_new = 1
       WHERE state <> excluded.state`,
    ...[kind, subject, state, jobUid, now],
  );
}
