// Fills a running service with an example, through its HTTP API.

import { readFileSync } from "node:fs";
import { openControl } from "../../db/control.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import { ROOT } from "../../db/root.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { causedByOperator } from "../cli/change.ts";
import { ApiError, type Client, createClient, importParticipants, type ScreenerContentInput } from "../client/main.ts";
import { configOrExit } from "../config.ts";
import { openOrExit } from "../process.ts";
import { createWorkspace } from "../workspaces/create.ts";

const PEOPLE = [
  { externalUid: "P-1", email: "ada@example.org", name: "Ada Lovelace" },
  { externalUid: "P-2", email: "alan@example.org", name: "Alan Turing" },
  { externalUid: "P-3", email: "grace@example.org", name: "Grace Hopper" },
];

const config = configOrExit();
const url = config.publicUrl;

try {
  await fetch(`${url}/healthz`);
} catch {
  process.stderr.write(
    `Nothing answers at ${url}. Start the service in another terminal (npm start), then run this again.\n`,
  );
  process.exit(1);
}

const { apiKey, apiSecret } = openOrExit(() => {
  const control = openControl(config.dataDir, COMMAND_LINE);
  const workspaces = new Workspaces(config.dataDir, COMMAND_LINE);
  const created = createWorkspace(control, workspaces, "Sleep lab", causedByOperator("Made by the demo"));
  workspaces.close();
  control.close();
  return created;
});

const content: ScreenerContentInput = JSON.parse(readFileSync(new URL("src/demo/example-screener.json", ROOT), "utf8"));
const links = await fill(createClient({ url, apiKey, apiSecret })).catch((error: unknown) => {
  if (!(error instanceof ApiError)) throw error;
  process.stderr.write(`${error.status} ${error.code}: ${error.message}\n`);
  process.exit(1);
});

process.stdout.write(`
An example screener is published, and ${PEOPLE.length} people have their links. Open a link in a browser, and answer:

${links.join("\n")}

Then look at the answers:

  AUTH=(-H "X-Service-Api-Key: ${apiKey}" -H "X-Service-Api-Secret: ${apiSecret}")
  curl -s "\${AUTH[@]}" ${url}/screener-responses
  curl -s "\${AUTH[@]}" ${url}/screener-participants

`);

/** Publishes the screener, and invites everyone. @returns a line for each link */
async function fill(client: Client): Promise<string[]> {
  const screener = await client.post("/screeners", { body: { title: "Sleep study" } });
  await client.put("/screeners/{id}/content", { path: { id: screener.id }, body: content });
  await client.post("/screener-publications", { body: { screenerId: screener.id } });
  await importParticipants(client, { screenerId: screener.id, participants: PEOPLE });
  const lines: string[] = [];
  for await (const { id, name } of client.list("/screener-participants")) {
    const session = await client.post("/screener-sessions", { body: { screenerParticipantId: id } });
    if ("screenerSessionLink" in session) lines.push(`  ${name?.padEnd(14)} ${session.screenerSessionLink}`);
  }
  return lines;
}
