// Programs that make clients from the API description: what they make compiles in strict mode, and lists are their pages.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { newFolder } from "../support/folder.ts";
import { startService } from "../support/service.ts";

const run = promisify(execFile);
const service = await startService();
const description = await (await fetch(`${service.url}/openapi.json`)).text();

const PACKAGES = ["openapi-typescript@7.13.0", "@hey-api/openapi-ts@0.95.0", "swagger-typescript-api@13.13.0"];
const STRICT = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"];

const home = newFolder();
writeFileSync(join(home, "package.json"), '{ "private": true, "type": "module" }');
writeFileSync(join(home, "openapi.json"), description);
const quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", "--loglevel", "error"];
await run("npm", ["install", ...PACKAGES, "typescript@5.9.3", ...quiet], { cwd: home });
const tool = (name: string, ...args: string[]) =>
  run(process.execPath, [join(home, "node_modules", name), ...args], { cwd: home, maxBuffer: 64 * 1024 * 1024 });

/** Compiles a program beside what was made. @throws with what the compiler says */
async function compile(program: string): Promise<void> {
  writeFileSync(join(home, "program.ts"), program);
  const modules = ["--module", "preserve", "--moduleResolution", "bundler"];
  await tool("typescript/bin/tsc", ...STRICT, ...modules, "program.ts").catch(({ stdout }) => assert.fail(stdout));
}

/** The members of a page, and of what it has, have their types; and what is not there is none. */
const uses = (page: string) => `
declare const page: ${page};
const total: number = page.total;
const names: (string | null)[] = page.items.map((item) => item.name);
const country: string | number | boolean | undefined = page.items[0]!.attributes.country;
// @ts-expect-error there is no such member
page.items[0]!.nickname;
console.log(total, names, country);
`;

/** The type of an event says what it is about, and the kind of a job what its summary has. */
const tells = (event: string, job: string) => `
declare const job: ${job};
if (job.kind === "SCREENER_SESSIONS_MOVE") {
  const moved: number | undefined = job.summary?.moved;
  // @ts-expect-error it is a number
  const text: string | undefined = job.summary?.moved;
  console.log(moved, text);
}
declare const event: ${event};
if (event.type === "participant.updated") {
  const about: "Participant" = event.resource._type;
  const fields: string[] = event.changes.map(({ field }) => field);
  // @ts-expect-error this is about nobody's session
  const other: "ScreenerSession" = event.resource._type;
  console.log(about, fields, other);
}
`;

test("openapi-typescript", async () => {
  await tool("openapi-typescript/bin/cli.js", "openapi.json", "-o", "types.ts");
  const page = 'paths["/participants"]["get"]["responses"]["200"]["content"]["application/json"]';
  const event = 'components["schemas"]["Event"]';
  await compile(
    `import type { components, paths } from "./types.ts";\n${uses(page)}${tells(event, 'components["schemas"]["Job"]')}`,
  );
});

test("@hey-api/openapi-ts", async () => {
  const config =
    "{ input: './openapi.json', output: './hey', plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'] }";
  writeFileSync(join(home, "hey.config.mjs"), `export default ${config};`);
  await tool("@hey-api/openapi-ts/bin/run.js", "-f", "hey.config.mjs");
  await compile(`
import type { Event, Job, ListParticipantsResponse, NewParticipant } from "./hey/types.gen";
import * as sdk from "./hey/sdk.gen";
// Attributes may be left out.
const person: NewParticipant = { externalUid: "a", email: "a@example.org", name: "A" };
console.log(person, sdk.createParticipant({ body: person }));
${uses("ListParticipantsResponse")}${tells("Event", "Job")}`);
});

test("swagger-typescript-api", async () => {
  const options = ["-p", "openapi.json", "-o", ".", "-n", "swagger.ts", "--no-client", "--silent"];
  await tool("swagger-typescript-api/dist/cli.mjs", "generate", ...options);
  const types = "import type { Event, Job, PaginatedParticipant } from './swagger.ts';";
  await compile(`${types}\n${uses("PaginatedParticipant")}${tells("Event", "Job")}`);
});
