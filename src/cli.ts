// The operator's command line. It works while the service runs. `--json` prints exactly one JSON value on stdout.

import { Command, CommanderError } from "commander";
import { addAttributes } from "./cli/attributes.ts";
import { addBackups } from "./cli/backup.ts";
import { command } from "./cli/command.ts";
import { addCredentials } from "./cli/credentials.ts";
import { addDoctor } from "./cli/doctor.ts";
import { addImport } from "./cli/import.ts";
import { addUsers } from "./cli/users.ts";
import { addWebhooks } from "./cli/webhooks.ts";
import { addWorkspaces } from "./cli/workspaces.ts";
import { migrateAll } from "./jobs/housekeeping.ts";

// Commands that are added below inherit these settings.
const program = new Command("cli")
  .description("Workspaces and credentials of the screening service")
  .exitOverride()
  .showHelpAfterError();

addWorkspaces(program);
addCredentials(program);
addUsers(program);
addAttributes(program);
addWebhooks(program);

command(program, "migrate", "Bring all stores up to date", (store) => {
  const count = migrateAll(store);
  return { json: { workspaces: count }, lines: [`The control store and ${count} workspaces are up to date.`] };
});

addImport(program);
addBackups(program);
addDoctor(program);

try {
  await program.parseAsync();
} catch (error) {
  // Commander has already printed the error and the usage.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
