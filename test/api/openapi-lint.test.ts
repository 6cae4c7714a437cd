// Redocly and Spectral find nothing to say about the description that the service serves.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import type { ApiDescription } from "../support/description.ts";
import { startService } from "../support/service.ts";

const run = promisify(execFile);
const service = await startService();
const description = (await (await fetch(`${service.url}/openapi.json`)).json()) as ApiDescription;

/** Runs a program of a package. @returns what it prints, also where it finds something */
async function lint(name: string, program: string, args: string[], described = description): Promise<string> {
  const file = join(service.config.dataDir, "openapi.json");
  writeFileSync(file, JSON.stringify(described));
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { stdout } = await run(process.execPath, [join(folder, program), "lint", file, ...args], { env }).catch(
    (error: { stdout: string; stderr: string }) => {
      assert.ok(error.stdout, error.stderr);
      return error;
    },
  );
  return stdout;
}

const redocly = async (described = description) =>
  JSON.parse(await lint("@redocly/cli", "bin/cli.js", ["--config", "redocly.yaml", "--format", "json"], described));

test("redocly finds neither errors nor warnings", async () => {
  const { totals, problems } = await redocly();
  assert.deepEqual(problems, []);
  assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 });
});

// Spectral leaves that to it.
test("redocly finds examples of bodies, of answers and of messages that do not fit their schemas", async () => {
  const paths = { "/screeners": structuredClone(description.paths["/screeners"]!) };
  const message = structuredClone(description.webhooks["participant.updated"]!);
  const { requestBody, responses } = paths["/screeners"].post!;
  for (const { content } of [requestBody!, responses[201]!, message.post!.requestBody!])
    for (const { value } of Object.values(content["application/json"]!.examples!))
      Object.assign(value as object, { title: 7, timestamp: 7 });
  const { problems } = await redocly({ ...description, paths, webhooks: { "participant.updated": message } });
  const pointers = (problems as { ruleId: string; location: { pointer: string }[] }[])
    .filter(({ ruleId }) => ruleId === "no-invalid-media-type-examples")
    .map(({ location }) => location[0]!.pointer.replace(/\/examples\/.*/, ""));
  assert.deepEqual(
    new Set(pointers),
    new Set([
      "#/paths/~1screeners/post/requestBody/content/application~1json",
      "#/paths/~1screeners/post/responses/201/content/application~1json",
      "#/webhooks/participant.updated/post/requestBody/content/application~1json",
    ]),
  );
});

test("Spectral finds neither errors, warnings nor hints", async () => {
  const rules = ["--ruleset", ".spectral.yaml", "--fail-severity", "hint", "--format", "text"];
  const output = await lint("@stoplight/spectral-cli", "dist/index.js", rules);
  assert.match(output, /^No results with a severity of 'hint' or higher found!\s*$/);
});
