// The commands for the end of a workspace, and of its store: export, delete, accept-store.

import { existsSync } from "node:fs";
import type { Command } from "commander";
import { controlPath } from "../../db/control.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { jobKinds } from "../api/job-kinds.ts";
import { eraseReturned } from "../backup/erase-again.ts";
import { configOrExit, isNowhere, UNKNOWN_PORT } from "../base/config.ts";
import { findOpenMove } from "../cells/moves.ts";
import { acceptStore } from "../engine/run/stores.ts";
import type { Cause } from "../events/record.ts";
import { counted } from "../languages/counted.ts";
import { appPath } from "../nouns/sessions/resource.ts";
import { removeWorkspace } from "../upkeep/remove-workspace.ts";
import { aloneWith, readAccept, removeAccept, writeAccept } from "../upkeep/restore-state.ts";
import { suspendAndWait } from "../upkeep/suspend.ts";
import { cellOf } from "../workspaces/installation.ts";
import { endSuspension } from "../workspaces/lives.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";
import { causedByOperator, changeControl, showEvents } from "./running/change.ts";
import { ofWorkspace, type Store } from "./running/command.ts";
import { exportStore, exportWorkspace } from "./workspace-export.ts";

export function addWorkspaceEnds(workspace: Command): void {
  ofWorkspace(
    workspace,
    "export",
    "Write all that a workspace has into a folder, as NDJSON",
    (c) =>
      c
        .requiredOption("--to <folder>", "the folder, which is made, or must be empty")
        .option(
          "--with-store",
          "the store itself, too: then workspace import makes a workspace of it, in any installation",
        ),
    async ({ control, workspaces }, row, _, { to, note, withStore }) => {
      const { publicUrl } = configOrExit();
      if (isNowhere(publicUrl)) process.stderr.write(`${UNKNOWN_PORT}\n`);
      const appUrl = publicUrl + appPath(cellOf(control.reader), row.uid);
      const counts = workspaces.read(row.uid, (db) => exportWorkspace(db, row, appUrl, to!));
      if (withStore !== undefined) await exportStore(configOrExit(), row.uid, control.reader, to!);
      const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
      changeControl({ control, workspaces }, row.uid, causedByOperator(note), (_db, record) =>
        record({
          type: "data.exported",
          resource: { type: "Workspace", uid: row.uid },
          summary: { data: "WORKSPACE", format: "NDJSON", rows, isWhole: true },
        }),
      );
      return { json: counts, lines: Object.entries(counts).map(([name, count]) => `${name}.ndjson  ${count}`) };
    },
  );
  ofWorkspace(
    workspace,
    "delete",
    "Delete a workspace with everything. Nothing brings it back",
    (c) => c.option("--confirm <name>", "the workspace's name"),
    (store, row, _, { confirm }) => {
      if (confirm !== row.name) throw new Error(`${whatGoes(store, row)} To delete it: --confirm '${row.name}'`);
      if (findOpenMove(store.control.reader, row.uid)) throw new Error("The workspace is being moved to another cell.");
      removeWorkspace(store, row);
      return { json: { id: row.uid, name: row.name }, lines: [`deleted ${row.uid}  ${row.name}`] };
    },
  );
  ofWorkspace(
    workspace,
    "accept-store",
    "Accept a store that was put back: the jobs that it lacks have failed then, and who was erased is erased again",
    (c) => c,
    ({ control }, row, _, { note }) => {
      const { lost, erased } = accept(control, row, causedByOperator(note));
      return {
        json: { workspace: row.uid, lostJobs: lost, erased },
        lines: [
          `The store of ${row.uid} is accepted. Erased again: ${erased.participants}. Jobs that are lost: ${lost.length}`,
          ...lost.map((uid) => `  ${uid}`),
        ],
      };
    },
  );
}

/** On a store that other commands refuse. May be interrupted and repeated. */
function accept(control: Store["control"], row: WorkspaceRow, cause: Cause) {
  const { dataDir, erasedDir } = configOrExit();
  if (findOpenMove(control.reader, row.uid)) throw new Error("The workspace is being moved to another cell.");
  const workspaces = new Workspaces(dataDir, COMMAND_LINE);
  const kinds = jobKinds;
  try {
    // It is the workspace's, and of this release's schema.
    workspaces.read(row.uid, () => undefined);
    const erased = whileSuspended(dataDir, control, row, () =>
      eraseReturned({ dataDir, erasedDir, ledger: controlPath(dataDir), kinds, cause }, row.uid),
    );
    const lost = acceptStore(control, workspaces, row.uid, { cause, kinds });
    showEvents({ control, workspaces }, row.uid);
    return { lost, erased };
  } finally {
    workspaces.close();
  }
}

/** Nothing comes in between. If the command is killed meanwhile, the workspace stays suspended, and `doctor` says so: the next run ends that. */
function whileSuspended<T>(dataDir: string, control: Store["control"], row: WorkspaceRow, act: () => T): T {
  const { writer } = control;
  using _alone = aloneWith(dataDir, row.uid);
  const { suspendedAt } = readAccept(dataDir, row.uid) ?? { suspendedAt: Date.now() };
  writeAccept(dataDir, row.uid, { suspendedAt });
  try {
    suspendAndWait(dataDir, control, row.id, "", suspendedAt);
    return act();
  } finally {
    immediate(writer, () => endSuspension(writer, row.id, suspendedAt));
    removeAccept(dataDir, row.uid);
  }
}

function whatGoes({ control, workspaces }: Store, { id, uid, name }: WorkspaceRow): string {
  const jobs = control.reader.value<number>("SELECT count(*) FROM job WHERE workspace_id = ?", id);
  const [screeners, participants, sessions] = existsSync(workspaces.path(uid))
    ? workspaces.read(uid, (db) =>
        ["screener", "participant", "screener_session"].map((table) =>
          db.value<number>(`SELECT coalesce(sum(n), 0) FROM ${table}_block`),
        ),
      )
    : [0, 0, 0];
  const has = [
    counted(screeners!, "screener", "screeners"),
    counted(participants!, "participant", "participants"),
    counted(sessions!, "session", "sessions"),
  ];
  return `The workspace ${name} has ${has.join(", ")} and ${counted(jobs!, "job", "jobs")}.`;
}
