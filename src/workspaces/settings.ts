// What holds for a workspace, as one value: it comes with a workspace that is restored from a backup or an export.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { insertWorkspace } from "./queries.ts";

export interface WorkspaceSettings {
  name: string;
  max_removals: string | null;
  answers_months: number | null;
  unassigned_days: number | null;
  requires_two_factor: 0 | 1;
  is_sandbox: 0 | 1;
}

export function findSettings(db: Reader, uid: string): WorkspaceSettings | undefined {
  return db.get(
    "SELECT name, max_removals, answers_months, unassigned_days, requires_two_factor, is_sandbox FROM workspace WHERE uid = ?",
    uid,
  );
}

/** Adds a workspace with its settings. @returns its rowid */
export function insertWithSettings(db: Writer, uid: string, settings: WorkspaceSettings, now: number): number {
  const { name, max_removals, answers_months, unassigned_days, requires_two_factor, is_sandbox } = settings;
  const id = insertWorkspace(db, { uid, name, isSandbox: is_sandbox === 1, now });
  db.run(
    "UPDATE workspace SET max_removals = ?, answers_months = ?, unassigned_days = ?, requires_two_factor = ? WHERE id = ?",
    max_removals,
    answers_months,
    unassigned_days,
    requires_two_factor,
    id,
  );
  return id;
}
