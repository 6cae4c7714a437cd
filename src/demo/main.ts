// Fills a running service with an example, through its HTTP API.

import { readFileSync } from "node:fs";
import { openControl } from "../../db/control.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { causedByOperator } from "../cli/change.ts";
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

const content = JSON.parse(readFileSync(new URL("./example-screener.json", import.meta.url), "utf8"));
const screener = await call<{ id: string }>("POST", "/screeners", { title: "Sleep study" });
await call("PUT", `/screeners/${screener.id}/content`, content);
await call("POST", "/screener-publications", { screenerId: screener.id });
const people = await call<{ id: string; name: string }[]>("POST", "/screener-participants-import", {
  screenerId: screener.id,
  participants: PEOPLE,
});
const links: string[] = [];
for (const { id, name } of people) {
  const session = await call<{ screenerSessionLink: string }>("POST", "/screener-sessions", {
    screenerParticipantId: id,
  });
  links.push(`  ${name.padEnd(14)} ${session.screenerSessionLink}`);
}

process.stdout.write(`
An example screener is published, and ${people.length} people have their links. Open a link in a browser, and answer:

${links.join("\n")}

Then look at the answers:

  AUTH=(-H "X-Service-Api-Key: ${apiKey}" -H "X-Service-Api-Secret: ${apiSecret}")
  curl -s "\${AUTH[@]}" ${url}/screener-responses
  curl -s "\${AUTH[@]}" ${url}/screener-participants

`);

/** Calls the API. @returns the response's body. If the call fails, prints the problem and ends the process */
async function call<Answer>(method: string, path: string, body: object): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { "X-Service-Api-Key": apiKey, "X-Service-Api-Secret": apiSecret, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    process.stderr.write(`${method} ${path}: ${response.status} ${await response.text()}\n`);
    process.exit(1);
  }
  return (await response.json()) as Answer;
}
