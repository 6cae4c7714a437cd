// Removes the files of abandoned moves, and of restores of one workspace.

import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { removeLeft } from "../backup/as-new.ts";
import { forEach } from "../engine/files/each.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { trustedTime } from "../workspaces/clock.ts";
import { arrivingPath, listArriving, SCRATCH } from "./arrivals.ts";

/** After this time, an abandoned move is forgotten. The other cell notices, and keeps its workspace. */
const MAX_QUIET_MS = 24 * 3_600_000;

/** Forgets abandoned moves, and removes the files that a killed command has left. */
export const sweepMoves: SideTask<undefined, void> = {
  name: "sweep-moves",
  perform({ dataDir, control }) {
    const { reader } = control;
    const now = trustedTime(reader);
    const scratch = join(dataDir, "tmp");
    const folders = [
      ...listArriving(dataDir).map((move) => arrivingPath(dataDir, move)),
      ...readdirSync(scratch).flatMap((name) => (name.startsWith(SCRATCH) ? join(scratch, name) : [])),
    ];
    forEach(folders, (folder) => {
      if (isQuiet(folder, now)) rmSync(folder, { recursive: true, force: true });
    });
    removeLeft(control, dataDir, (name) => isQuiet(join(scratch, name), now));
  },
};

/** Whether nothing in a folder was written for a day. */
function isQuiet(folder: string, now: number): boolean {
  const paths = [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))];
  const latest = Math.max(...paths.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0));
  return now - latest > MAX_QUIET_MS;
}
