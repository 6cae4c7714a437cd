// The commands of workspaces.

import type { Command } from "commander";
import { immediate } from "../../db/write.ts";
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
}

function workspaceJson(row: WorkspaceRow) {
  return { id: row.uid, name: row.name, createdAt: date(row.created_at), maxRemovals: limitOf(row) };
}

function removals(row: WorkspaceRow): string {
  return `max removals: ${limitOf(row) ?? "none"}`;
}
