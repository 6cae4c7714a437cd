// The client's package: what `npm pack` makes of it runs in an empty project, on each Node that it is for, and in a browser.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { openDevice, startBrowser } from "../support/browser.ts";
import { newFolder } from "../support/folder.ts";
import { startService } from "../support/service.ts";

const MAX_CODE_BYTES = 4096;
const NODES = [20, 22, 24];

const run = promisify(execFile);
const service = await startService();

async function packed(folder: string, of: string): Promise<{ file: string; names: string[] }> {
  const args = ["pack", of, "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", args, { maxBuffer: 64 * 1024 * 1024 });
  const [{ filename, files }] = JSON.parse(stdout);
  return { file: join(folder, filename), names: files.map(({ path }: { path: string }) => path) };
}

const home = newFolder();
const { file, names } = await packed(home, "./clients/typescript");

/** Imports two rows, plans a third one, gives that plan up, and says what there is. */
const PROGRAM = `
import { createClient, importParticipants } from "screening-client";
const { SCREENING_URL: url, SCREENING_KEY: apiKey, SCREENING_SECRET: apiSecret } = process.env;
const client = createClient({ url, apiKey, apiSecret, timeoutMs: 60_000 });
const { id: screenerId } = await client.post("/screeners", { body: { title: "Sleep" } });
const participants = ["a", "b"].map((id) => ({ externalUid: id, name: id, email: id + "@example.org" }));
const done = await importParticipants(client, { screenerId, participants });
const { signal } = new AbortController();
const rows = await done.result({ signal });
const plan = await importParticipants(client, { screenerId, csv: "externalUid,name,email\\nc,c,c@example.org\\n", dryRun: true });
await plan.discard({ signal });
const found = [];
const changed = { "filter[updatedAt][gte]": "2026-01-31T12:00:00Z" };
for await (const { externalUid } of client.list("/participants", { timeoutMs: 60_000, query: changed })) found.push(externalUid);
console.log(JSON.stringify({ version: process.version, rows: rows.length, isPlan: plan.isPlan, found }));
`;

test("it is code of 4 KB and its types, with the service's version, and depends on nothing", (t) => {
  assert.ok(names.includes("dist/main.js") && names.includes("dist/main.d.ts"));
  for (const name of names) assert.match(name, /^(?:dist\/\w+(?:\.d\.ts|\.js)|package\.json|README\.md)$/);
  const bytes = gzipSync(readFileSync("clients/typescript/dist/main.js"), { level: 9 }).length;
  assert.ok(bytes <= MAX_CODE_BYTES, `${bytes} bytes`);
  t.diagnostic(`${bytes} bytes, compressed`);
  const { version, dependencies, engines } = JSON.parse(readFileSync("clients/typescript/package.json", "utf8"));
  assert.equal(version, JSON.parse(readFileSync("package.json", "utf8")).version);
  assert.equal(dependencies, undefined);
  assert.equal(engines.node, ">=20");
});

test("the service's own package offers no client", async () => {
  const service = await packed(newFolder(), ".");
  assert.deepEqual(
    service.names.filter((name) => /^(?:dist|clients|test|node_modules)\//.test(name)),
    [],
  );
  assert.equal(JSON.parse(readFileSync("package.json", "utf8")).exports, undefined);
});

for (const major of NODES)
  test(`it is installed into an empty project with Node ${major}, and does its work there`, async (t) => {
    const folder = newFolder();
    const { apiKey, apiSecret } = service.workspace().credentials;
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    writeFileSync(join(folder, "program.js"), PROGRAM);
    const options = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel", "error"];
    const before = performance.now();
    await run("npm", ["install", file, `node@${major}`, ...options], { cwd: folder });
    t.diagnostic(`installed, with that Node, in ${((performance.now() - before) / 1000).toFixed(1)} s`);
    const { stdout } = await run(join(folder, "node_modules/.bin/node"), ["program.js"], {
      cwd: folder,
      env: { SCREENING_URL: service.url, SCREENING_KEY: apiKey, SCREENING_SECRET: apiSecret },
    });
    const { version, ...done } = JSON.parse(stdout);
    assert.match(version, new RegExp(`^v${major}\\.`));
    assert.deepEqual(done, { rows: 2, isPlan: true, found: ["a", "b"] });
    // That Node is the only other one.
    const others = readdirSync(join(folder, "node_modules")).filter((name) => !/^\.|^node/.test(name));
    assert.deepEqual(others, ["screening-client"]);
  });

test("a page in a browser imports its one file, and calls the API", async () => {
  const server = createServer((incoming, outgoing) => {
    const { method, url = "", headers } = incoming;
    if (url === "/page")
      return outgoing.setHeader("Content-Type", "text/html").end("<!doctype html><title>A page</title>");
    if (url === "/client.js")
      return outgoing
        .setHeader("Content-Type", "text/javascript")
        .end(readFileSync("clients/typescript/dist/main.js", "utf8"));
    const onward = request(service.url + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    return incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { apiKey, apiSecret } = service.workspace().credentials;
  const { page } = await openDevice(await startBrowser(), url);
  await page.goto(`${url}/page`);
  const found = await page.evaluate(
    `import("/client.js").then(async ({ createClient, importParticipants }) => {
      const client = createClient(${JSON.stringify({ url, apiKey, apiSecret })});
      const { id } = await client.post("/screeners", { body: { title: "Sleep" } });
      const participants = [{ externalUid: "é", name: "é", email: "e@example.org" }];
      const { job } = await importParticipants(client, { screenerId: id, participants });
      return [job.summary.created, (await client.get("/participants")).items[0].externalUid];
    })`,
  );
  assert.deepEqual(found, [1, "é"]);
});
