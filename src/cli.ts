// The operator's command line. It works while the service runs. `--json` prints exactly one JSON value on stdout.

import { CommanderError } from "commander";
import { makeProgram } from "./cli/program.ts";
import { WrongUse } from "./cli/running/command.ts";

try {
  await makeProgram().parseAsync();
} catch (error) {
  // Commander has already printed the error and the usage.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(error instanceof WrongUse ? 2 : 1);
}
