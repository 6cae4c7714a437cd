// All commands of the command line.

import { Command, InvalidArgumentError } from "commander";
import { faultOfNote } from "../events/record.ts";
import { migrateAll } from "../jobs/housekeeping.ts";
import { addAttributes } from "./attributes.ts";
import { addBackups } from "./backup.ts";
import { addCells } from "./cells.ts";
import { command } from "./command.ts";
import { addDoctor } from "./doctor.ts";
import { addImport } from "./import.ts";
import { addJobs } from "./jobs.ts";
import { addKeys } from "./keys.ts";
import { addTokens } from "./tokens.ts";
import { addUsers } from "./users.ts";
import { addWebhooks } from "./webhooks.ts";
import { addWorkspaces } from "./workspaces.ts";

/** The program, which nobody runs yet. */
export function makeProgram(): Command {
  // Commands that are added below inherit these settings.
  const program = new Command("cli")
    .description("Workspaces and credentials of the screening service")
    .exitOverride()
    .showHelpAfterError()
    .configureHelp({ showGlobalOptions: true })
    .option("--note <text>", "why: kept with the events of what the command changes", readNote);
  addWorkspaces(program);
  addKeys(program);
  addTokens(program);
  addUsers(program);
  addAttributes(program);
  addWebhooks(program);
  command(program, "migrate", "Bring all stores up to date", (store) => {
    const count = migrateAll(store);
    return { json: { workspaces: count }, lines: [`The control store and ${count} workspaces are up to date.`] };
  });
  addImport(program);
  addJobs(program);
  addCells(program);
  addBackups(program);
  addDoctor(program);
  return program;
}

function readNote(text: string): string {
  const note = text.trim();
  const fault = faultOfNote(note);
  if (fault !== undefined) throw new InvalidArgumentError(`It ${fault}.`);
  return note;
}
