// What a person sees on the console: where the service is; and at the very first start, how to use it.

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openControl } from "../db/control.ts";
import { FIRST_START } from "../db/profiles.ts";
import type { Context } from "./context.ts";
import { createWorkspace, type NewWorkspace } from "./workspaces/create.ts";
import { listWorkspaces } from "./workspaces/queries.ts";

/** Says where the service listens. On an empty data directory makes a first workspace, and shows its credentials this once. */
export function greet({ config, control, workspaces }: Context, server: Server): void {
  const { port } = server.address() as AddressInfo;
  const url = config.port === 0 ? `http://${config.host}:${port}` : config.publicUrl;
  process.stdout.write(
    `Listening on ${url} (${config.redisUrl ? "jobs go to workers, through Redis" : "jobs run in this process"}); API reference: ${url}/docs\n`,
  );
  if (listWorkspaces(control.reader).length) return;
  // Where there is no workspace yet there is nobody to be kept waiting, and a worker or the operator may be writing.
  const patient = openControl(config.dataDir, FIRST_START);
  try {
    process.stdout.write(firstSteps(url, createWorkspace(patient, workspaces, "First workspace")));
  } finally {
    patient.close();
  }
}

function firstSteps(url: string, { workspace, apiKey, apiSecret }: NewWorkspace): string {
  return `
A first workspace is ready. Its key and secret are shown this once:

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
