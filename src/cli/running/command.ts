// How the commands of the command line are made: they run on the open stores, and print for people or as JSON.

import { createInterface } from "node:readline/promises";
import { type Command, InvalidArgumentError } from "commander";
import { type Control, openControl } from "../../../db/control.ts";
import { COMMAND_LINE } from "../../../db/profiles.ts";
import { Workspaces } from "../../../db/workspaces.ts";
import { configOrExit } from "../../base/config.ts";
import { knownStores } from "../../engine/run/stores.ts";
import { openOrExit } from "../../main/process.ts";
import { findWorkspace, type WorkspaceRow } from "../../workspaces/queries.ts";
import type { MigrationLine } from "../../workspaces/store-migrations.ts";

export interface Store {
  dataDir: string;
  /** Where the service is: the beginning of its URLs. */
  publicUrl: string;
  control: Control;
  workspaces: Workspaces;
}

/** The output of a command: the value for --json, and the lines for people. */
export interface Output {
  json: unknown;
  lines: string[];
}

/** The arguments are well formed, but name something that does not exist. */
export class NotFound extends Error {}

/** The options do not fit together. The command ends as for a wrong option. */
export class WrongUse extends Error {}

/** A command that comes first to a store of an older release takes longer: it says why. */
function printMigration({ msg, workspace, from, to, bytes, bytesBefore, ms }: MigrationLine): void {
  if (msg === "store migration step") return;
  const mb = (size = 0) => `${Math.ceil(size / 1e6)} MB`;
  process.stderr.write(
    msg === "store migrating"
      ? `Migrating the store of workspace ${workspace} from schema version ${from} to ${to} (${mb(bytes)}) …\n`
      : `It is migrated, in ${((ms ?? 0) / 1000).toFixed(1)} s: ${mb(bytesBefore)} have become ${mb(bytes)}.\n`,
  );
}

type Options = Record<string, string | undefined>;

/** Adds a command that runs on the open stores and prints its output. @param instead what it does before a store is opened, if it does that alone */
export function command(
  parent: Command,
  syntax: string,
  summary: string,
  perform: (store: Store, args: string[], options: Options) => Output | Promise<Output>,
  extend: (command: Command) => Command = (c) => c,
  instead?: (dataDir: string, options: Options) => Output | undefined,
): void {
  const added = parent.command(syntax).description(summary).option("--json", "print only one JSON value");
  extend(added).action(async () => {
    const options = added.optsWithGlobals<Options & { json?: true }>();
    const { dataDir, erasedDir, publicUrl } = configOrExit();
    const print = ({ json, lines }: Output) =>
      process.stdout.write(options.json ? `${JSON.stringify(json)}\n` : lines.map((line) => `${line}\n`).join(""));
    const done = openOrExit(() => instead?.(dataDir, options as Options));
    if (done) {
      print(done);
      return;
    }
    const control = openOrExit(() => openControl(dataDir, COMMAND_LINE));
    const workspaces = new Workspaces(dataDir, { ...COMMAND_LINE, ...knownStores(control, erasedDir, printMigration) });
    try {
      print(await perform({ dataDir, publicUrl, control, workspaces }, added.args, options as Options));
    } catch (error) {
      if (error instanceof WrongUse) added.error(`error: ${error.message}`);
      throw error;
    } finally {
      workspaces.close();
      control.close();
    }
  });
}

/** Adds a command on one workspace, with the option --workspace. */
export function ofWorkspace(
  parent: Command,
  syntax: string,
  summary: string,
  extend: (command: Command) => Command,
  perform: (store: Store, workspace: WorkspaceRow, args: string[], options: Options) => Output | Promise<Output>,
): void {
  command(
    parent,
    syntax,
    summary,
    (store, args, options) => {
      const found = findWorkspace(store.control.reader, options.workspace!);
      if (!found) throw new NotFound(`There is no workspace ${options.workspace}.`);
      return perform(store, found, args, options);
    },
    (c) => extend(c.requiredOption("--workspace <id>", "the workspace's id")),
  );
}

export function requiredText(text: string | undefined): string {
  const trimmed = text?.trim() ?? "";
  if (!trimmed) throw new InvalidArgumentError("It must not be empty.");
  return trimmed;
}

/** Milliseconds as ISO-8601. */
export function date(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Shows lines, and asks. @returns false without a terminal */
export async function asked(question: string, lines: readonly string[]): Promise<boolean> {
  if (!isTerminal()) return false;
  process.stderr.write(`${lines.join("\n")}\n`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
