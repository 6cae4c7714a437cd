// What the web process prints for people: the service's URL and, at the very first start, the first steps.

import { rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { openControl } from "../../db/control.ts";
import { FIRST_START } from "../../db/profiles.ts";
import { hostInUrl } from "../base/settings/values.ts";
import { BY_SERVICE } from "../events/record.ts";
import { issueSignInLink } from "../workspaces/console-users.ts";
import { createFirstWorkspace, type NewWorkspace } from "../workspaces/create.ts";
import { findWorkspace, listWorkspaces } from "../workspaces/queries.ts";
import type { Process } from "./context.ts";

/**
 * Prints where the service listens. If there is no workspace yet, creates one before: who waits for that line finds its credentials. They go to a
 * file and to the terminal. Without a terminal, what is printed ends in a log, which more people can read.
 */
export function greet(started: Process, server: Server): void {
  const { config } = started;
  const { port } = server.address() as AddressInfo;
  const url = config.port === 0 ? `http://${hostInUrl(config.host)}:${port}` : config.publicUrl;
  const path = resolve(join(config.dataDir, "first-credentials"));
  const steps = makeFirst(started, url, path);
  process.stdout.write(
    `Listening on ${url} (${config.redisUrl ? "jobs go to workers, through Redis" : "jobs run in this process"}); console: ${url}/console; documentation: ${url}/docs\n`,
  );
  if (steps === undefined) return;
  const terminal = [process.stdout, process.stderr].find(({ isTTY }) => isTTY);
  terminal?.write(steps);
  process.stdout.write(
    `A first workspace is ready. Its key and secret, and a link to the console, are in ${path}: keep them in a safe place, and remove the file.\n`,
  );
}

/** Creates the first workspace, with its credentials in a file. @returns the first steps; undefined: there is a workspace */
function makeFirst({ config, control, workspaces }: Process, url: string, path: string): string | undefined {
  if (listWorkspaces(control.reader).length) return undefined;
  // This connection may wait long for the lock, because a worker or the operator may be writing. Without a workspace there
  // are no requests that it could delay.
  const patient = openControl(config.dataDir, FIRST_START);
  try {
    let steps = "";
    const made = createFirstWorkspace(patient, workspaces, config.firstWorkspaceName, BY_SERVICE, (credentials) => {
      const { id } = findWorkspace(patient.writer, credentials.workspace.id)!;
      steps = firstSteps(url, credentials, url + issueSignInLink(patient.writer, id, null, Date.now()));
      rmSync(path, { force: true });
      writeFileSync(path, steps, { flag: "wx", mode: 0o600, flush: true });
    });
    return made ? steps : undefined;
  } finally {
    patient.close();
  }
}

function firstSteps(url: string, { workspace, apiKey, apiSecret }: NewWorkspace, link: string): string {
  return `
Open this within 15 minutes to make your account for the console. It works once; for another link: npm run cli -- user create.

  ${link}

The first workspace, its key and its secret:

  workspace  ${workspace.id}
  key        ${apiKey}
  secret     ${apiSecret}

Paste this to create a screener and import two people into it:

  AUTH=(-H "X-Service-Api-Key: ${apiKey}" -H "X-Service-Api-Secret: ${apiSecret}" -H "Content-Type: application/json")
  SCREENER=$(curl -s "\${AUTH[@]}" ${url}/screeners -d '{"title":"Sleep study"}' | sed 's/.*"Screener","id":"\\([^"]*\\)".*/\\1/')
  curl -s "\${AUTH[@]}" ${url}/screener-participants-import -d '{"screenerId":"'$SCREENER'","participants":[
    {"externalUid":"P-1","email":"ada@example.org","name":"Ada Lovelace"},
    {"externalUid":"P-2","email":"alan@example.org","name":"Alan Turing"}]}'

`;
}
