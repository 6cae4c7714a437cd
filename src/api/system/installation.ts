// Figures of all workspaces, for the operators of the installation: never who or what is in them.

import { statSync } from "node:fs";
import { isAway } from "../../../db/sqlite/write.ts";
import { storePath } from "../../../db/store.ts";
import type { SideTask } from "../../engine/threads/side-task.ts";
import { pageOfWorkspaces } from "../../workspaces/installation.ts";
import type { Moving } from "../../workspaces/queries.ts";
import { countOf, lastActivity, unfinishedJobsOf } from "./usage.ts";

export interface WorkspaceFigures {
  id: string;
  name: string;
  state: "active" | "suspended" | "moving";
  /** In ms since 1970. */
  createdAt: number;
  unfinishedJobs: number;
  /** Of its store. */
  bytes: number;
  /** null: its store can't be read. */
  rows: { participants: number; screeners: number; lastActivityAt: number | null } | null;
}

interface InstallationFigures {
  total: number;
  workspaces: WorkspaceFigures[];
}

/** Measures a page of the workspaces, by name. In a thread: each has a store that may have to be opened. */
export const measureInstallation: SideTask<{ limit: number; offset: number }, InstallationFigures> = {
  name: "measure-installation",
  perform({ dataDir, control, workspaces }, { limit, offset }) {
    const { total, rows } = pageOfWorkspaces(control.reader, limit, offset);
    const figuresOf = (uid: string): WorkspaceFigures["rows"] => {
      try {
        return workspaces.read(uid, (db) => ({
          participants: countOf(db, "participants"),
          screeners: countOf(db, "screeners"),
          lastActivityAt: lastActivity(db),
        }));
      } catch (error) {
        if (!isAway(error)) throw error;
        return null;
      }
    };
    return {
      total,
      workspaces: rows.map(({ id, uid, name, created_at, suspended_at, moving }) => ({
        id: uid,
        name,
        state: stateOf(moving, suspended_at),
        createdAt: created_at,
        unfinishedJobs: unfinishedJobsOf(control.reader, id).count,
        bytes: sizeOf(storePath(dataDir, uid)),
        rows: figuresOf(uid),
      })),
    };
  },
};

function stateOf(moving: Moving | null, suspendedAt: number | null): WorkspaceFigures["state"] {
  if (moving !== null) return "moving";
  return suspendedAt === null ? "active" : "suspended";
}

function sizeOf(path: string): number {
  return ["", "-wal"].reduce((sum, end) => sum + (statSync(path + end, { throwIfNoEntry: false })?.size ?? 0), 0);
}
