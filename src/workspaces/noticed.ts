// What users have chosen to be mailed about, in each workspace for itself.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { NOTICES, type NoticeKind } from "../events/notices.ts";
import { includesRole, type Role } from "./rights.ts";

/** Who may open the page that a notice leads to. */
const ROLE_FOR: Record<NoticeKind, Role> = { STUDY_FULL: "viewer", IMPORT_WAITS: "researcher", WEBHOOK_FAILS: "admin" };

/** The notices that a role may choose. */
export function noticesFor(role: Role): NoticeKind[] {
  return NOTICES.filter((kind) => includesRole(role, ROLE_FOR[kind]));
}

export function listNotices(db: Reader, userId: number): NoticeKind[] {
  return JSON.parse(db.value<string | null>("SELECT notices FROM workspace_user WHERE id = ?", userId) ?? "[]");
}

/** From now on: what has happened before is not mailed. */
export function setNotices(db: Writer, userId: number, kinds: readonly NoticeKind[], now: number): void {
  const json = kinds.length ? JSON.stringify(kinds) : null;
  const sql =
    "UPDATE workspace_user SET notices = ?, notices_since = iif(? IS NULL, NULL, ?) WHERE id = ? AND notices IS NOT ?";
  db.run(sql, json, json, now, userId, json);
}

/** The workspaces in which somebody wants to be mailed. */
export function listWithNotices(control: Reader): string[] {
  return control.values(
    `SELECT uid FROM workspace WHERE id IN (SELECT workspace_id FROM workspace_user WHERE notices IS NOT NULL)
       AND suspended_at IS NULL AND moving IS NULL ORDER BY id`,
  );
}

interface Noticed {
  uid: string;
  email: string;
  role: Role;
  notices: string;
  notices_since: number;
}

const NOTICED = `SELECT u.uid, u.email, u.role, u.notices, u.notices_since FROM workspace_user AS u JOIN workspace AS w ON w.id = u.workspace_id
  WHERE w.uid = ? AND u.notices IS NOT NULL AND u.role IS NOT NULL AND u.email IS NOT NULL AND u.disabled_at IS NULL`;

const wants = ({ role, notices }: Noticed, kind: NoticeKind) =>
  noticesFor(role).includes(kind) && (JSON.parse(notices) as NoticeKind[]).includes(kind);

/** The users who are to be mailed about something that happened at a time. */
export function listNoticed(control: Reader, workspaceUid: string, kind: NoticeKind, at: number): string[] {
  const users = control.all<Noticed>(`${NOTICED} ORDER BY u.id`, workspaceUid);
  return users.filter((user) => wants(user, kind) && user.notices_since <= at).map(({ uid }) => uid);
}

/** Where a user is mailed about it now. Undefined: the user does not want it any more, or may not know it. */
export function findNoticed(
  control: Reader,
  workspaceUid: string,
  userUid: string,
  kind: NoticeKind,
): string | undefined {
  const user = control.get<Noticed>(`${NOTICED} AND u.uid = ?`, workspaceUid, userUid);
  return user && wants(user, kind) ? user.email : undefined;
}
