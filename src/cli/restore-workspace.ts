// The command `restore --workspace`, and `workspace import`: one workspace comes back into an installation, while it runs.

import { existsSync } from "node:fs";
import type { Control } from "../../db/control.ts";
import { openControl } from "../../db/control.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { jobKinds } from "../api/job-kinds.ts";
import { type RestoredAsNew, restoreAsNew } from "../backup/as-new.ts";
import { type Comparison, compare, planOf } from "../backup/compare.ts";
import type { BackedUp } from "../backup/one-workspace.ts";
import { type Return, takeLists } from "../backup/returning.ts";
import { configOrExit } from "../base/config.ts";
import { findOpenMove } from "../cells/moves.ts";
import { openOrExit } from "../main/process.ts";
import { replaceStore } from "../upkeep/replace-store.ts";
import { takeBack } from "../upkeep/take-back.ts";
import { assertHere } from "../workspaces/moving.ts";
import { findWorkspace, type WorkspaceRow } from "../workspaces/queries.ts";
import { withBackedUp } from "./from-bucket.ts";
import type { Bar } from "./running/bar.ts";
import { causedByOperator, showEvents } from "./running/change.ts";

/** What a command prints. */
interface Output {
  json: object;
  lines: string[];
}

export interface RestoreOptions {
  note?: string;
  name?: string;
  inPlace?: true;
  /** The plan that is to be applied. */
  apply?: string;
  /** Folders with lists of the erased. */
  erased?: string[];
  withoutErased?: boolean;
}

/** @param uid undefined: the only workspace that is there */
export async function bringAsNew(
  dir: string,
  uid: string | undefined,
  bar: Bar,
  options: RestoreOptions,
): Promise<Output> {
  const way = wayOf(options);
  return withBackedUp(dir, uid, bar, (source) =>
    withControl(way, async (control) => {
      const made = await restoreAsNew(control, source, way, options.name);
      show(control, way.dataDir, made.workspace.id);
      return asNew(source, made, way);
    }),
  );
}

export async function bringInPlace(dir: string, uid: string, bar: Bar, options: RestoreOptions): Promise<Output> {
  const way = wayOf(options);
  return withBackedUp(dir, uid, bar, (source) => withControl(way, (control) => inPlace(control, source, way, options)));
}

async function inPlace(control: Control, source: BackedUp, way: Return, options: RestoreOptions): Promise<Output> {
  const row = rowHere(control, source.workspace.uid);
  if (options.apply === undefined) return planned(control, row, source, way);
  const { kept, isListThere, erased, lostJobs } = await replaceStore(control, row, source, way, options.apply);
  show(control, way.dataDir, row.uid);
  return {
    json: { workspace: row.uid, folder: source.said, mark: source.mark, kept, isListThere, erased, lostJobs },
    lines: [
      `${row.name} (${row.uid}) is as it was at ${source.mark}.`,
      ...aboutLists(way, isListThere, erased),
      ...(lostJobs.length ? [`Jobs that are lost: ${lostJobs.length}`, ...lostJobs.map((job) => `  ${job}`)] : []),
      "Mailings that were under way then are paused.",
      ...(kept === null
        ? []
        : [
            `What was there before is kept in ${kept}. It has people who are erased from now on: remove it when nobody needs it.`,
          ]),
    ],
  };
}

function planned(control: Control, row: WorkspaceRow, source: BackedUp, way: Return): Output {
  takeBack(control, row, way.dataDir);
  takeLists(source, way);
  const comparison = compare({ ...way, control }, source);
  const plan = planOf(comparison, source);
  const { said: folder, mark } = source;
  return {
    json: { workspace: row.uid, folder, mark, plan, ...comparison },
    lines: [
      `${row.name} (${row.uid}) would be as it was at ${mark}, by ${folder}:`,
      ...tableOf(comparison),
      "Name, users, keys and settings stay as they are now. Nothing was changed.",
      `To do it: --apply ${plan}`,
    ],
  };
}

const LABELS = {
  studies: "studies",
  versions: "versions",
  people: "people",
  links: "links of people",
  notes: "notes on people",
  suppressions: "addresses that nobody may write to",
} as const;

function tableOf({ counts, changedLinks, answers, events, erased, jobs, waiting }: Comparison): string[] {
  const line = (...cells: (string | number)[]) =>
    `  ${String(cells[0]).padEnd(36)}${cells
      .slice(1)
      .map((cell) => String(cell).padStart(10))
      .join("")}`;
  const rows = counts
    ? [
        line("", "now", "then", "lost", "back"),
        ...Object.entries(counts).map(([name, { now, before, lost, back }]) =>
          line(LABELS[name as keyof typeof LABELS], now, before, lost, back),
        ),
        line("answers", answers.now, answers.before),
      ]
    : ["  The store that is there can't be read: nobody knows what is lost."];
  return [
    ...rows,
    `  Links that were opened or answered since, and are as they were: ${changedLinks}`,
    `  Entries of the log that are lost: ${events}`,
    `  People of the backup who were erased since, and stay erased: ${erased}`,
    `  Jobs whose effect is lost: ${jobs}. Jobs that wait, and run afterwards: ${waiting}`,
  ];
}

function asNew({ mark, workspace: former }: BackedUp, made: RestoredAsNew, way: Return): Output {
  const { workspace, apiKey, apiSecret, isListThere, erased, webhooks } = made;
  return {
    json: { workspace, apiKey, apiSecret, formerId: former.uid, mark, isListThere, erased, webhooks },
    lines: [
      `workspace  ${workspace.id}  ${workspace.name}`,
      `key        ${apiKey}`,
      `secret     ${apiSecret}`,
      "The secret is shown only once.",
      `It is as ${former.uid} was at ${mark}. It has no users, and other links.`,
      ...aboutLists(way, isListThere, erased),
      `Webhooks that are disabled until somebody enables them: ${webhooks}. Mailings that were under way are paused.`,
    ],
  };
}

function aboutLists({ erasedDir }: Return, isListThere: boolean, erased: number): string[] {
  if (isListThere) return [`Erased again, because the list of the erased has them: ${erased}.`];
  process.stderr.write(
    `WARNING: there is no list of the erased, neither in ${erasedDir} (ERASED_DIR) nor with the backup. ` +
      "People who were erased after the backup are back: erase them again.\n",
  );
  return [];
}

function wayOf({ note, erased: otherLists = [], withoutErased: isListNeedless = false }: RestoreOptions): Return {
  const { dataDir, erasedDir } = configOrExit();
  const missing = otherLists.find((folder) => !existsSync(folder));
  if (missing !== undefined) throw new Error(`${missing} is not there.`);
  return { dataDir, erasedDir, otherLists, isListNeedless, kinds: jobKinds, cause: causedByOperator(note) };
}

async function withControl<T>({ dataDir }: Return, work: (control: Control) => Promise<T>): Promise<T> {
  const control = openOrExit(() => openControl(dataDir, COMMAND_LINE));
  try {
    return await work(control);
  } finally {
    control.close();
  }
}

function rowHere(control: Control, uid: string): WorkspaceRow {
  const row = findWorkspace(control.reader, uid);
  if (!row) throw new Error(`There is no workspace ${uid} here. Without --in-place it comes back as a new one.`);
  assertHere(control.reader, uid);
  if (findOpenMove(control.reader, uid)) throw new Error("The workspace is being moved to another cell.");
  return row;
}

function show(control: Control, dataDir: string, uid: string): void {
  const workspaces = new Workspaces(dataDir, COMMAND_LINE);
  try {
    showEvents({ control, workspaces }, uid);
  } finally {
    workspaces.close();
  }
}
