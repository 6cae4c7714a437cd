// The commands of workspaces.

import { type Command, InvalidArgumentError } from "commander";
import type { Writer } from "../../db/sqlite/connection.ts";
import { configOrExit } from "../base/config.ts";
import { changesBetween } from "../events/record.ts";
import type { EventType } from "../events/types.ts";
import { previewRetention } from "../screening/retention.ts";
import { aloneWith, listOpenAccepts, listOpenRestores, suspensionsOf } from "../upkeep/restore-state.ts";
import { takeBack } from "../upkeep/take-back.ts";
import { createWorkspace } from "../workspaces/create.ts";
import { endSuspension, renameWorkspace, setRetention, suspendWorkspace } from "../workspaces/lives.ts";
import { findWorkspace, listWorkspaces, setMaxRemovals, type WorkspaceRow } from "../workspaces/queries.ts";
import { addWorkspaceImport } from "./backup.ts";
import { addMove } from "./cells.ts";
import { limitOf, readLimitOrNone } from "./limit.ts";
import { causedByOperator, changeControl } from "./running/change.ts";
import { command, date, type Output, ofWorkspace, requiredText, type Store, WrongUse } from "./running/command.ts";
import { addWorkspaceEnds } from "./workspace-ends.ts";

export function addWorkspaces(program: Command): void {
  const workspace = program.command("workspace").description("Workspaces");
  command(
    workspace,
    "create",
    "Create a workspace with its first key",
    ({ control, workspaces }, [name], { note, sandbox }) => {
      const isSandbox = sandbox !== undefined;
      const created = createWorkspace(control, workspaces, requiredText(name), causedByOperator(note), isSandbox);
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
    (c) =>
      c
        .argument("<name>", "name of the workspace", requiredText)
        .option("--sandbox", "for trying things out: it sends no mail, says so on its pages, and can be emptied"),
  );
  command(workspace, "list", "List workspaces", ({ control }) => {
    const all = listWorkspaces(control.reader);
    return { json: all.map(workspaceJson), lines: all.map(line) };
  });
  addChanges(workspace);
  addMove(workspace);
  addWorkspaceEnds(workspace);
  addWorkspaceImport(workspace);
}

function addChanges(workspace: Command): void {
  ofWorkspace(
    workspace,
    "rename",
    "Give a workspace another name, which participants see",
    (c) => c.argument("<name>", "the new name", requiredText),
    (store, row, [name], { note }) =>
      changed(store, row, note, "workspace.updated", (db) => renameWorkspace(db, row.id, requiredText(name))),
  );
  ofWorkspace(
    workspace,
    "set",
    "Set what holds for a workspace. What is left out stays",
    (c) =>
      c
        .option(
          "--max-removals <limit>",
          "how many of a screener's participants an import may remove, unless it says it itself: a number, a percentage, or none",
          readLimitOrNone,
        )
        .option(
          "--answers-months <months>",
          "remove answers so long after the session was last active; or none",
          readTime,
        )
        .option(
          "--unassigned-days <days>",
          "erase participants so long after their last assignment; or none",
          readTime,
        ),
    (store, row, _, { maxRemovals, answersMonths, unassignedDays, note }) => {
      if (!maxRemovals && !answersMonths && !unassignedDays)
        throw new WrongUse("Nothing is set: give --max-removals, --answers-months or --unassigned-days.");
      return changed(store, row, note, "workspace.updated", (db) => {
        if (maxRemovals) setMaxRemovals(db, row.id, maxRemovals);
        setRetention(db, row.id, { answersMonths: timeOf(answersMonths), unassignedDays: timeOf(unassignedDays) });
      });
    },
  );
  ofWorkspace(
    workspace,
    "retention",
    "Show what the upkeep would remove now. The options show it for other times",
    (c) =>
      c
        .option("--answers-months <months>", "as of workspace set", readTime)
        .option("--unassigned-days <days>", "as of workspace set", readTime),
    ({ workspaces }, row, _, options) => {
      const { answersMonths = row.answers_months, unassignedDays = row.unassigned_days } = {
        answersMonths: timeOf(options.answersMonths),
        unassignedDays: timeOf(options.unassignedDays),
      };
      const kept = { answers_months: answersMonths, unassigned_days: unassignedDays };
      const preview = workspaces.read(row.uid, (db) => previewRetention(db, kept));
      const { sessions, responses, unassigned, participants } = preview;
      return {
        json: { answersMonths, unassignedDays, ...preview },
        lines: [
          answersMonths === null
            ? "answers are kept for ever"
            : `${count(responses, "answer")} of ${count(sessions, "session")} would go: the session was last active at least ${count(answersMonths, "month")} ago`,
          unassignedDays === null
            ? `participants are kept for ever; ${unassigned} have no assignment`
            : `${participants} of ${count(unassigned, "participant")} without an assignment would go: those without one for at least ${count(unassignedDays, "day")}`,
        ],
      };
    },
  );
  ofWorkspace(
    workspace,
    "suspend",
    "Let no credentials and no links of a workspace work, and its jobs wait",
    (c) => c,
    (store, row, _, { note }) =>
      changed(store, row, note, "workspace.suspended", (db) => {
        // What a command has suspended for itself, it resumes: from now on this one counts.
        for (const begunAt of suspensionsOf(configOrExit().dataDir, row)) endSuspension(db, row.id, begunAt);
        suspendWorkspace(db, row.id, Date.now());
      }),
  );
  ofWorkspace(
    workspace,
    "resume",
    "End a suspension",
    (c) => c,
    (store, row, _, { note }) => {
      const { dataDir } = configOrExit();
      requireNotRunning(dataDir, row.uid);
      // A store that a restore was about to replace takes no writes.
      takeBack(store.control, row, dataDir);
      // None begins meanwhile: it would not know that its suspension has ended.
      using _alone = aloneWith(dataDir, row.uid);
      return changed(store, row, note, "workspace.resumed", (db) => suspendWorkspace(db, row.id, null));
    },
  );
}

/** What suspends a workspace for itself lets it in when it has ended: before, its store is not to be served. */
function requireNotRunning(dataDir: string, uid: string): void {
  const open = [...listOpenRestores(dataDir), ...listOpenAccepts(dataDir)];
  if (open.some(({ workspace, isRunning }) => workspace === uid && isRunning))
    throw new Error(
      "A restore of the workspace, or accept-store, is running: it lets the workspace in when it has ended. Wait until then.",
    );
}

/** Changes a workspace. If that changes what it shows, there is an event. */
function changed(
  store: Store,
  { uid }: WorkspaceRow,
  note: string | undefined,
  type: EventType,
  change: (db: Writer) => void,
): Output {
  const row = changeControl(store, uid, causedByOperator(note), (db, record) => {
    const shown = () => JSON.stringify(workspaceJson(findWorkspace(db, uid)!));
    const before = shown();
    change(db);
    const changes = changesBetween(before, shown());
    if (changes.length) record({ type, resource: { type: "Workspace", uid }, changes });
    return findWorkspace(db, uid)!;
  });
  return { json: workspaceJson(row), lines: [line(row)] };
}

function workspaceJson(row: WorkspaceRow) {
  return {
    id: row.uid,
    name: row.name,
    createdAt: date(row.created_at),
    maxRemovals: limitOf(row),
    suspendedAt: date(row.suspended_at),
    answersMonths: row.answers_months,
    unassignedDays: row.unassigned_days,
    isSandbox: row.is_sandbox === 1,
  };
}

function line(row: WorkspaceRow): string {
  return [
    row.uid,
    row.name,
    `max removals: ${limitOf(row) ?? "none"}`,
    ...(row.answers_months === null ? [] : [`answers: ${count(row.answers_months, "month")}`]),
    ...(row.unassigned_days === null ? [] : [`unassigned: ${count(row.unassigned_days, "day")}`]),
    ...(row.is_sandbox ? ["sandbox"] : []),
    ...(row.suspended_at === null ? [] : ["suspended"]),
  ].join("  ");
}

const NONE = "none";

function readTime(text: string): string {
  if (text !== NONE && !/^[1-9]\d{0,3}$/.test(text))
    throw new InvalidArgumentError("It must be a whole number from 1 to 9999, or none.");
  return text;
}

/** undefined: not given; null: none. */
function timeOf(text: string | undefined): number | null | undefined {
  return text === undefined ? undefined : text === NONE ? null : Number(text);
}

function count(n: number, unit: string): string {
  return `${n} ${unit}${n === 1 ? "" : "s"}`;
}
