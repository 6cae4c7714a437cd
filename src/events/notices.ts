// What users may have a mail about.

export const NOTICES = ["STUDY_FULL", "IMPORT_WAITS", "WEBHOOK_FAILS"] as const;

export type NoticeKind = (typeof NOTICES)[number];

export function isNotice(kind: string): kind is NoticeKind {
  return (NOTICES as readonly string[]).includes(kind);
}
