// All commands of the command line.

import { Command, InvalidArgumentError } from "commander";
import { configOrExit } from "../base/config.ts";
import { RELEASE } from "../base/release.ts";
import { faultOfNote } from "../events/record.ts";
import { addAttributes } from "./attributes.ts";
import { addBackups } from "./backup.ts";
import { addCells } from "./cells.ts";
import { addDoctor } from "./doctor.ts";
import { addImport } from "./import.ts";
import { addJobs } from "./jobs.ts";
import { addKeys } from "./keys.ts";
import { addMigrate } from "./migrate.ts";
import { becomeOwner, giveToOwnerOf } from "./owner.ts";
import { addTokens } from "./tokens.ts";
import { addUsers } from "./users.ts";
import { addWebhooks } from "./webhooks.ts";
import { addWorkspaces } from "./workspaces.ts";

/** The program, which nobody runs yet. */
export function makeProgram(): Command {
  // Commands that are added below inherit these settings.
  const program = new Command("cli")
    .description("Workspaces and credentials of the screening service")
    .version(RELEASE.version, "--version", "print the version")
    .exitOverride()
    .showHelpAfterError()
    .configureHelp({ showGlobalOptions: true })
    .hook("preAction", (_, action) => {
      const folder = folderOf(action);
      if (action.name() === "restore" && action.args[0]) giveToOwnerOf(action.args[0], folder);
      becomeOwner(folder);
    })
    .option("--note <text>", "why: kept with the events of what the command changes", readNote);
  addWorkspaces(program);
  addKeys(program);
  addTokens(program);
  addUsers(program);
  addAttributes(program);
  addWebhooks(program);
  addMigrate(program);
  addImport(program);
  addJobs(program);
  addCells(program);
  addBackups(program);
  addDoctor(program);
  return program;
}

/** What a command works on: DATA_DIR, or what is verified. */
function folderOf(action: Command): string {
  return (action.name() === "verify" && action.args[0]) || configOrExit().dataDir;
}

function readNote(text: string): string {
  const note = text.trim();
  const fault = faultOfNote(note);
  if (fault !== undefined) throw new InvalidArgumentError(`It ${fault}.`);
  return note;
}
