// Looks at what a cell has: its workspaces, their sizes, and how full its disk is.

import { statfsSync, statSync } from "node:fs";
import { storePath } from "../../db/store.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { lastBackup } from "../workspaces/installation.ts";
import { listCellWorkspaces } from "./moves.ts";

/** What a cell has. Sizes are in bytes. */
export interface CellState {
  cell: string;
  /** When it said so, in ms since 1970. */
  at: number;
  workspaces: { id: string; name: string; bytes: number; formerCells: string[] }[];
  /** Of all stores. */
  bytes: number;
  /** Of its disk. */
  freeBytes: number;
  diskBytes: number;
  unfinishedJobs: number;
  /** Since when the oldest of them waits, and when the last backup was taken, in ms since 1970. null: there is none. A cell of an earlier release does not say. */
  oldestJobAt?: number | null;
  backupAt?: number | null;
}

/** Looks at what the cell has. In a thread: there may be a thousand files. */
export const measureCell: SideTask<string, CellState> = {
  name: "measure-cell",
  perform({ dataDir, control }, cell) {
    const workspaces = listCellWorkspaces(control.reader).map(({ uid, name, former_cells }) => ({
      id: uid,
      name,
      bytes: sizeOf(storePath(dataDir, uid)),
      formerCells: former_cells?.split(",") ?? [],
    }));
    const unfinished = control.reader.get<{ count: number; oldest: number | null }>(
      "SELECT count(*) AS count, min(created_at) AS oldest FROM job INDEXED BY job_open WHERE finished_at IS NULL",
    )!;
    const { bavail, blocks, bsize } = statfsSync(dataDir);
    return {
      cell,
      at: Date.now(),
      workspaces,
      bytes: workspaces.reduce((sum, { bytes }) => sum + bytes, 0),
      freeBytes: bavail * bsize,
      diskBytes: blocks * bsize,
      unfinishedJobs: unfinished.count,
      oldestJobAt: unfinished.oldest,
      backupAt: lastBackup(control.reader)?.at ?? null,
    };
  },
};

function sizeOf(path: string): number {
  return ["", "-wal"].reduce((sum, end) => sum + (statSync(path + end, { throwIfNoEntry: false })?.size ?? 0), 0);
}
