// What the web process prints for people: the service's URL and, at the very first start, the first steps.

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openControl } from "../db/control.ts";
import { FIRST_START } from "../db/profiles.ts";
import type { Context } from "./context.ts";
import { createWorkspace, type NewWorkspace } from "./workspaces/create.ts";
import { listWorkspaces } from "./workspaces/queries.ts";

/** Prints where the service listens. If there is no workspace yet, creates one and prints its credentials. */
export function greet({ config, control, workspaces }: Context, server: Server): void {
  const { port } = server.address() as AddressInfo;
  const url = config.port === 0 ? `http://${config.host}:${port}` : config.publicUrl;
  process.stdout.write(
    `Listening on ${url} (${config.redisUrl ? "jobs go to workers, through Redis" : "jobs run in this process"}); API reference: ${url}/docs\n`,
  );
  if (listWorkspaces(control.reader).length) return;
  // This connection may wait long for the lock, because a worker or the operator may be writing. Without a workspace there
  // are no requests that it could delay.
  const patient = openControl(config.dataDir, FIRST_START);
  try {
    process.stdout.write(firstSteps(url, createWorkspace(patient, workspaces, "First workspace")));
  } finally {
    patient.close();
  }
}

function firstSteps(url: string, { workspace, apiKey, apiSecret }: NewWorkspace): string {
  return `
A first workspace is ready. Its key and secret are shown only once:

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
