// Redocly and Spectral find nothing to say about the description that the service serves.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { startService } from "../support/service.ts";

const run = promisify(execFile);
const service = await startService();
const file = join(service.config.dataDir, "openapi.json");
writeFileSync(file, await (await fetch(`${service.url}/openapi.json`)).text());

/** Runs a program of a package. @returns what it prints, also where it finds something */
async function lint(name: string, program: string, args: string[]): Promise<string> {
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

test("redocly finds neither errors nor warnings", async () => {
  const output = await lint("@redocly/cli", "bin/cli.js", ["--config", "redocly.yaml", "--format", "json"]);
  const { totals, problems } = JSON.parse(output);
  assert.deepEqual(problems, []);
  assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 });
});

test("Spectral finds neither errors, warnings nor hints", async () => {
  const rules = ["--ruleset", ".spectral.yaml", "--fail-severity", "hint", "--format", "text"];
  const output = await lint("@stoplight/spectral-cli", "dist/index.js", rules);
  assert.match(output, /^No results with a severity of 'hint' or higher found!\s*$/);
});
