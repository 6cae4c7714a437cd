// Fills the first workspace of a running service with an example, through its HTTP API: `npm run -s demo [-- --port N]`.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openControl } from "../../db/control.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import { ROOT } from "../../db/root.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { addKey } from "../access/keys.ts";
import { configOrExit } from "../base/config.ts";
import { changeAccess } from "../cli/running/change.ts";
import { ApiError, createClient, importParticipants, type ScreenerContentInput } from "../client/main.ts";
import { openOrExit } from "../main/process.ts";
import { listWorkspaces } from "../workspaces/queries.ts";

const PEOPLE = [
  { externalUid: "P-1", email: "ada@example.org", name: "Ada Lovelace" },
  { externalUid: "P-2", email: "alan@example.org", name: "Alan Turing" },
  { externalUid: "P-3", email: "grace@example.org", name: "Grace Hopper" },
];

const port = portOrExit();
const config = configOrExit(port === undefined ? {} : { PORT: port, PUBLIC_URL: "" });
const url = config.publicUrl;

try {
  await fetch(`${url}/healthz`);
} catch {
  process.stderr.write(
    `Nothing answers at ${url}. Start the service in another terminal (npm start), then run this again; if it has another port: npm run -s demo -- --port N.\n`,
  );
  process.exit(1);
}

const { workspace, apiKey, apiSecret } = openOrExit(() => {
  const control = openControl(config.dataDir, COMMAND_LINE);
  const workspaces = new Workspaces(config.dataDir, COMMAND_LINE);
  const [first] = listWorkspaces(control.reader);
  if (!first) throw new Error(`There is no workspace in ${config.dataDir}: is DATA_DIR the service's?`);
  const key = changeAccess({ control, workspaces }, first, "Made by the demo", (db, record) =>
    addKey(db, record, first.id, { name: "Demo", expiresAt: null }),
  );
  workspaces.close();
  control.close();
  return { workspace: first, ...key };
});

const client = createClient({ url, apiKey, apiSecret });
const { links, open } = await fillAll().catch((error: unknown) => {
  if (!(error instanceof ApiError)) throw error;
  process.stderr.write(`${error.status} ${error.code}: ${error.message}\n`);
  process.exit(1);
});

process.stdout.write(`
An example screener is published in the workspace ${workspace.name}, and ${PEOPLE.length} people have their links. It is in the console, too:
${url}/console. Open a link in a browser, and answer:

${links.join("\n")}

Another one has every kind of question, in English, German and Arabic, and an open link, by which everybody can join:

  ${open}

Then look at the answers:

  AUTH=(-H "X-Service-Api-Key: ${apiKey}" -H "X-Service-Api-Secret: ${apiSecret}")
  curl -s "\${AUTH[@]}" ${url}/screener-responses
  curl -s "\${AUTH[@]}" ${url}/screener-participants

`);

async function fillAll(): Promise<{ links: string[]; open: string }> {
  return { open: await shareEveryKind(), links: await inviteToStudy(readExample("example-screener.json")) };
}

function readExample<Example>(name: string): Example {
  return JSON.parse(readFileSync(new URL(`src/demo/${name}`, ROOT), "utf8"));
}

/** A study in several languages: by language, the translations of its texts. */
interface Translated {
  title: string;
  content: ScreenerContentInput;
  translations: Record<string, Record<string, string>>;
}

/** Publishes the example with every kind of question. @returns its open link */
async function shareEveryKind(): Promise<string> {
  const { title, content, translations } = readExample<Translated>("example-every-kind.json");
  const { id } = await client.post("/screeners", { body: { title } });
  await client.put("/screeners/{id}/content", { path: { id }, body: content });
  for (const [language, texts] of Object.entries(translations)) {
    const path = { id, language };
    const { strings } = await client.get("/screeners/{id}/translations/{language}", { path });
    const translated = strings.map((string) => ({ id: string.id, text: texts[string.source] ?? null }));
    await client.patch("/screeners/{id}/translations/{language}", { path, body: { strings: translated } });
  }
  await client.post("/screener-publications", { body: { screenerId: id, requireTranslations: true } });
  const { link } = await client.post("/screener-links", { body: { screenerId: id, name: "Demo" } });
  return link;
}

/** Publishes the screener, and invites everyone. @returns a line for each link */
async function inviteToStudy(content: ScreenerContentInput): Promise<string[]> {
  const screener = await client.post("/screeners", { body: { title: "Sleep study" } });
  await client.put("/screeners/{id}/content", { path: { id: screener.id }, body: content });
  await client.post("/screener-publications", { body: { screenerId: screener.id } });
  await importParticipants(client, { screenerId: screener.id, participants: PEOPLE });
  const lines: string[] = [];
  for await (const { id, name } of client.list("/screener-participants", {
    query: { "filter[screenerId][eq]": screener.id },
  })) {
    const session = await client.post("/screener-sessions", { body: { screenerParticipantId: id } });
    if ("screenerSessionLink" in session) lines.push(`  ${name?.padEnd(14)} ${session.screenerSessionLink}`);
  }
  return lines;
}

/** The port of the service, if it was given. */
function portOrExit(): string | undefined {
  try {
    return parseArgs({ options: { port: { type: "string" } } }).values.port;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\nUse: npm run -s demo -- --port N\n`);
    process.exit(2);
  }
}
