// Mail to users about what they have chosen: a study that is full, an import that waits for approval, a webhook that fails. It names the study,
// or the host of the webhook, and no participant: a mailbox is read by others than the console is.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../base/ids.ts";
import type { NoticeKind } from "../events/notices.ts";
import { findPublicationById } from "../nouns/publications/queries.ts";
import { isTargetReached } from "../nouns/publications/target.ts";
import { isFull } from "../nouns/quotas/claim.ts";
import { listQuotaRows } from "../nouns/quotas/queries.ts";
import { findNoticed, listNoticed } from "../workspaces/noticed.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import type { Prepared } from "./claims.ts";
import type { MessageRow } from "./outbox.ts";

interface NoticeRow {
  id: number;
  kind: NoticeKind;
  subject_uid: string;
  job_uid: string | null;
  created_at: number;
}

export function hasNewNotices(db: Reader): boolean {
  return db.value("SELECT 1 FROM notice INDEXED BY notice_new WHERE is_new = 1 LIMIT 1") === 1;
}

/** Nobody needs to be woken for what is older: mail may not have been set up then. */
const DAY_MS = 24 * 3_600_000;
const SLICE = 50;

/** Inside a transaction: writes the messages of new notices. */
export function writeNotices(db: Writer, control: Reader, workspaceUid: string, now: number): void {
  const sql = `SELECT * FROM notice INDEXED BY notice_new WHERE is_new = 1 ORDER BY id LIMIT ${SLICE}`;
  for (const notice of db.all<NoticeRow>(sql)) {
    db.run("UPDATE notice SET is_new = 0 WHERE id = ?", notice.id);
    if (notice.created_at < now - DAY_MS || waitsAlready(control, notice)) continue;
    for (const user of listNoticed(control, workspaceUid, notice.kind, notice.created_at))
      queueNotice(db, { kind: notice.kind, noticeId: notice.id, user }, now);
  }
}

/** More are not sent to a user in a day, of any kind: many webhooks may fail at once. */
const MAX_NOTICES = 20;

/** Inside a transaction: writes a message to a user. Where it goes is looked up when it is sent. */
function queueNotice(
  db: Writer,
  { kind, noticeId, user }: { kind: NoticeKind; noticeId: number; user: string },
  now: number,
): void {
  const sql = "SELECT count(*) FROM message WHERE user_uid = ? AND created_at > ?";
  if (db.value<number>(sql, user, now - DAY_MS)! >= MAX_NOTICES) return;
  db.run(
    "INSERT INTO message (uid, kind, notice_id, user_uid, language, due_at, created_at) VALUES (?, ?, ?, ?, 'en', ?, ?)",
    ...[newId(), kind, noticeId, user, now, now],
  );
}

/** Whether an earlier import of the study waits for approval: it has been mailed. */
function waitsAlready(control: Reader, { kind, subject_uid, job_uid }: NoticeRow): boolean {
  if (kind !== "IMPORT_WAITS") return false;
  const sql = `SELECT 1 FROM job INDEXED BY job_planned WHERE status = 'PLANNED' AND plan ->> 'reason' = 'REMOVAL_LIMIT'
      AND workspace_id = (SELECT workspace_id FROM job WHERE uid = ?) AND screener_uid = ? AND uid <> ? LIMIT 1`;
  return control.value(sql, job_uid, subject_uid, job_uid) === 1;
}

/** What a notice says, in its console page's words. */
interface Said {
  subject: string;
  text: string;
  /** Of the page. */
  path: string;
  named: Record<string, string>;
}

function titleOf(db: Reader, uid: string): string | undefined {
  return db.value(
    "SELECT coalesce(nullif(trim(title), ''), 'A study without a title') FROM screener WHERE uid = ?",
    uid,
  );
}

/** Whether its target is reached, or a quota that everybody needs a place in is full. */
function isStudyFull(db: Reader, uid: string): boolean {
  const active = db.get<{ id: number; screener_id: number }>(
    `SELECT p.id, p.screener_id FROM screener_publication AS p JOIN screener AS s ON s.id = p.screener_id
     WHERE s.uid = ? AND p.status = 'ACTIVE'`,
    uid,
  );
  if (!active) return false;
  if (isTargetReached(db, findPublicationById(db, active.id)!)) return true;
  return listQuotaRows(db, active.screener_id).some((quota) => quota.for_everybody === 1 && isFull(quota));
}

/** Undefined: it is not so any more. */
const SAID: Record<NoticeKind, (db: Reader, control: Reader, notice: NoticeRow) => Said | undefined> = {
  STUDY_FULL(db, _control, { subject_uid }) {
    const study = titleOf(db, subject_uid);
    if (study === undefined || !isStudyFull(db, subject_uid)) return undefined;
    return {
      subject: "{{study}} is full",
      text: "**{{study}}** is full: as many people qualified as were wanted.",
      path: `/console/studies/${subject_uid}`,
      named: { study },
    };
  },
  IMPORT_WAITS(db, control, { subject_uid, job_uid }) {
    const study = titleOf(db, subject_uid);
    const isWaiting = control.value("SELECT 1 FROM job WHERE uid = ? AND status = 'PLANNED'", job_uid) === 1;
    if (study === undefined || !isWaiting) return undefined;
    return {
      subject: "An import into {{study}} needs approval",
      text: "An import into **{{study}}** would remove more people than its limit allows. Nothing was changed. Look at its plan, then apply or cancel it.",
      path: `/console/jobs/${job_uid}`,
      named: { study },
    };
  },
  WEBHOOK_FAILS(db, _control, { subject_uid }) {
    const found = db.get<{ url: string; isDisabled: number }>(
      `SELECT url, disabled_reason IS NOT NULL AS isDisabled FROM webhook_endpoint WHERE uid = ?
         AND (disabled_reason IS NOT NULL OR (status = 'ENABLED' AND failing_since IS NOT NULL))`,
      subject_uid,
    );
    if (!found) return undefined;
    return {
      subject: found.isDisabled ? "The webhook to {{host}} was disabled" : "The webhook to {{host}} fails",
      text: found.isDisabled
        ? "The webhook to **{{host}}** was disabled: its receiver said so, or failed for days. Nothing is sent to it until you enable it again."
        : "The webhook to **{{host}}** fails: everything that was sent in the last hour was refused or got no answer. It is tried again, and disabled after five days.",
      path: `/console/webhooks/${subject_uid}`,
      // The rest of an address may have a secret.
      named: { host: new URL(found.url).host },
    };
  },
};

const WHY =
  "This is from the workspace {{workspace}}. You get it because you chose it. To stop it, open “Your account” in the console.";

/** @returns why it is not sent any more, as a word */
export function prepareNotice(
  { control, publicUrl }: { control: Reader; publicUrl: string },
  db: Reader,
  workspaceUid: string,
  { notice_id, user_uid, language }: MessageRow,
): Prepared | { dropped: string } {
  const notice = db.get<NoticeRow>("SELECT * FROM notice WHERE id = ?", notice_id);
  const said = notice && SAID[notice.kind](db, control, notice);
  if (!said) return { dropped: "NOT_SO_ANY_MORE" };
  const to = findNoticed(control, workspaceUid, user_uid!, notice.kind);
  if (to === undefined) return { dropped: "NOT_WANTED" };
  const { subject, text, path } = said;
  return {
    to,
    unwritten: {
      ...{ screenerId: null, language, subject, link: publicUrl + path },
      body: [text, "{{link}}", WHY].join("\n\n"),
      about: { named: { ...said.named, workspace: findWorkspace(control, workspaceUid)!.name } },
    },
  };
}
