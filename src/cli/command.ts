// How the commands of the command line are made: they run on the open stores, and print for people or as JSON.

import { type Command, InvalidArgumentError } from "commander";
import { type Control, openControl } from "../../db/control.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { configOrExit } from "../config.ts";
import { knownStores } from "../jobs/stores.ts";
import { openOrExit } from "../process.ts";
import { findWorkspace, type WorkspaceRow } from "../workspaces/queries.ts";

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

type Options = Record<string, string | undefined>;

/** Adds a command that runs on the open stores and prints its output. */
export function command(
  parent: Command,
  syntax: string,
  summary: string,
  perform: (store: Store, args: string[], options: Options) => Output | Promise<Output>,
  extend: (command: Command) => Command = (c) => c,
): void {
  const added = parent.command(syntax).description(summary).option("--json", "print only one JSON value");
  extend(added).action(async () => {
    const options = added.optsWithGlobals<Options & { json?: true }>();
    const { dataDir, publicUrl } = configOrExit();
    const control = openOrExit(() => openControl(dataDir, COMMAND_LINE));
    const workspaces = new Workspaces(dataDir, { ...COMMAND_LINE, ...knownStores(control) });
    try {
      const output = await perform({ dataDir, publicUrl, control, workspaces }, added.args, options as Options);
      process.stdout.write(
        options.json ? `${JSON.stringify(output.json)}\n` : output.lines.map((line) => `${line}\n`).join(""),
      );
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
  perform: (store: Store, workspace: WorkspaceRow, args: string[], options: Options) => Output,
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
