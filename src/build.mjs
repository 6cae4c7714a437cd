// Compiles the code of the processes, for a folder that the service cannot write to; and the client, for those who use the API:
// `npm run build`.

import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CLIENT, compile } from "./compiled.mjs";

const TSC = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

try {
  process.stdout.write(`Compiled: ${compile()}\n`);
  // It has types, which only TypeScript makes. Where the development tools are left out, nobody needs the client.
  if (existsSync(TSC)) process.stdout.write(`Compiled: ${compileClient()}\n`);
} catch (error) {
  process.stderr.write(`The code can't be compiled: ${error.message}\n`);
  process.exitCode = 1;
}

/** @returns the folder. @throws Error with what tsc says */
function compileClient() {
  rmSync(CLIENT, { recursive: true, force: true });
  const project = fileURLToPath(new URL("./client", import.meta.url));
  try {
    execFileSync(process.execPath, [TSC, "-p", project, "--outDir", CLIENT], { encoding: "utf8" });
  } catch (error) {
    throw new Error(error.stdout || error.message);
  }
  return CLIENT;
}
