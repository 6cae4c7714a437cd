// Checks what restores of one workspace have left: runs that were interrupted, and former stores.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { REPLACED } from "../upkeep/former-stores.ts";
import { isDone, listOpenAccepts, listOpenRestores } from "../upkeep/restore-state.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { some, withStore } from "./data.ts";
import { error, type Finding, warning } from "./finding.ts";

export function checkRestores(dataDir: string): Finding[] {
  const replaced = join(dataDir, REPLACED);
  const kept = (existsSync(replaced) ? readdirSync(replaced) : []).map((name) => join(replaced, name));
  return [
    ...listOpenRestores(dataDir).map(({ workspace, isRunning, state }) => {
      if (isRunning)
        return warning(
          `a restore of the workspace ${workspace} is running: the workspace may be suspended until it ends`,
          "wait until the command has ended",
        );
      if (isDone(state, rowOf(dataDir, workspace)))
        return warning(
          `a restore of the workspace ${workspace} is done, and was interrupted before it had removed its folder: the workspace is served`,
          "start the service, which removes the folder within a minute",
        );
      if (state?.switching)
        return error(
          `a restore of the workspace ${workspace} was interrupted while its files changed places: it stays suspended`,
          `go on with it: the same command, with --apply ${state.plan}`,
        );
      return error(
        `a restore of the workspace ${workspace} was interrupted before anything was replaced: the workspace may be suspended`,
        "start the service, which takes back what it has left within a minute, and serves the workspace as before; or repeat the command",
      );
    }),
    ...listOpenAccepts(dataDir).map(({ workspace, isRunning }) =>
      isRunning
        ? warning(
            `workspace accept-store of the workspace ${workspace} is running: the workspace is suspended until it ends`,
            "wait until the command has ended",
          )
        : error(
            `workspace accept-store of the workspace ${workspace} was interrupted: it may be suspended until that has ended`,
            `\`workspace accept-store --workspace ${workspace}\` once more`,
          ),
    ),
    ...(kept.length
      ? [
          warning(
            `${some(kept)} is a former store, which a restore has replaced: it has people who were erased since`,
            "remove the folder when nobody needs it any more",
          ),
        ]
      : []),
  ];
}

/** undefined: it is not there, or the control store can't be read, which is found elsewhere. */
function rowOf(dataDir: string, uid: string): ReturnType<typeof findWorkspace> {
  try {
    return withStore(join(dataDir, "control.sqlite"), (control) => findWorkspace(control, uid));
  } catch {
    return undefined;
  }
}
