// The check for commands that were interrupted and may have left a workspace suspended: for /readyz, the log and the console.

import type { Control } from "../../db/control.ts";
import type { Config } from "../base/config.ts";
import type { Check } from "../base/findings.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { isDone, listOpenAccepts, listOpenRestores } from "./restore-state.ts";

/** Whether commands were interrupted that had suspended a workspace. */
export function commandsEnd({ dataDir }: Config, { reader }: Control): Check {
  return () => [
    ...listOpenRestores(dataDir)
      // One that is done is served. Its folder goes within a minute.
      .filter(({ isRunning, state, workspace }) => !isRunning && !isDone(state, findWorkspace(reader, workspace)))
      .map(({ workspace, state }) => ({
        code: "restore_interrupted",
        message: state?.switching
          ? `A restore of the workspace was interrupted while its files changed places: it stays suspended. Go on with it: the same command, with --apply ${state.plan}.`
          : "A restore of the workspace was interrupted before anything was replaced. It is taken back within a minute.",
        blocking: false,
        workspace,
      })),
    ...listOpenAccepts(dataDir)
      .filter(({ isRunning }) => !isRunning)
      .map(({ workspace }) => ({
        code: "accept_interrupted",
        message: "workspace accept-store was interrupted: the workspace may be suspended until it is run once more.",
        blocking: false,
        workspace,
      })),
  ];
}
