// The commands of workspaces.

import type { Command } from "commander";
import type { Control } from "../../db/control.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { immediate } from "../../db/write.ts";
import { configOrExit } from "../config.ts";
import { acceptStore } from "../jobs/stores.ts";
import { createWorkspace } from "../workspaces/create.ts";
import { findWorkspace, listWorkspaces, setMaxRemovals, type WorkspaceRow } from "../workspaces/queries.ts";
import { command, date, ofWorkspace, requiredText } from "./command.ts";
import { limitOf, readLimitOrNone } from "./limit.ts";

export function addWorkspaces(program: Command): void {
  const workspace = program.command("workspace").description("Workspaces");
  command(
    workspace,
    "create",
    "Create a workspace with its first key",
    ({ control, workspaces }, [name]) => {
      const created = createWorkspace(control, workspaces, requiredText(name));
      return {
        json: created,
        lines: [
          `workspace  ${created.workspace.id}  ${created.workspace.name}`,
          `key        ${created.apiKey}`,
          `secret     ${created.apiSecret}`,
          "The secret is shown only once.",
        ],
      };
    },
    (c) => c.argument("<name>", "name of the workspace", requiredText),
  );
  command(workspace, "list", "List workspaces", ({ control }) => {
    const all = listWorkspaces(control.reader);
    return {
      json: all.map(workspaceJson),
      lines: all.map((row) => `${row.uid}  ${row.name}  ${removals(row)}`),
    };
  });
  ofWorkspace(
    workspace,
    "set",
    "Set how many of a screener's participants an import may remove, unless the import says it itself",
    (c) => c.requiredOption("--max-removals <limit>", "a number, a percentage, or none", readLimitOrNone),
    ({ control }, row, _, { maxRemovals }) => {
      immediate(control.writer, () => setMaxRemovals(control.writer, row.id, maxRemovals!));
      const changed = findWorkspace(control.reader, row.uid)!;
      return { json: workspaceJson(changed), lines: [`${row.uid}  ${row.name}  ${removals(changed)}`] };
    },
  );
  ofWorkspace(
    workspace,
    "accept-store",
    "Accept a store that is older than the ledger: the jobs that it lacks have failed then",
    (c) => c,
    ({ control }, row) => {
      const lost = acceptOlder(control, row.uid);
      return {
        json: { workspace: row.uid, lostJobs: lost },
        lines: [
          `The store of ${row.uid} is accepted. Jobs that are lost: ${lost.length}`,
          ...lost.map((uid) => `  ${uid}`),
        ],
      };
    },
  );
}

/** On a store that other commands refuse. */
function acceptOlder(control: Control, uid: string): string[] {
  const workspaces = new Workspaces(configOrExit().dataDir, COMMAND_LINE);
  try {
    return acceptStore(control, workspaces, uid);
  } finally {
    workspaces.close();
  }
}

function workspaceJson(row: WorkspaceRow) {
  return { id: row.uid, name: row.name, createdAt: date(row.created_at), maxRemovals: limitOf(row) };
}

function removals(row: WorkspaceRow): string {
  return `max removals: ${limitOf(row) ?? "none"}`;
}
