// The client: its types are those of the API, its guide is a program that works, and it gets past trouble.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { ApiError, createClient, importParticipants, type Job } from "../../src/client/main.ts";
import { typescriptTypes } from "../../src/http/openapi/typescript-types.ts";
import { clientTypes } from "../../src/main/client-types.ts";
import { typeNames } from "../../src/nouns/question-types/registry.ts";
import { listWorkspaces } from "../../src/workspaces/queries.ts";
import { people } from "../support/client.ts";
import { newFolder } from "../support/folder.ts";
import { nodeArguments } from "../support/process.ts";
import { startService } from "../support/service.ts";

const run = promisify(execFile);
const service = await startService();

/** What stands between a client and the service for a request; it is refused, or lost, before or after the service has done it. */
type Trouble = "none" | "busy" | "silent" | "lost before" | "lost after";
const troubles: Trouble[] = [];
const seen: { method: string; key: string | undefined }[] = [];
const proxy = createServer((incoming, outgoing) => {
  const { method = "", url, headers } = incoming;
  seen.push({ method, key: headers["idempotency-key"] as string | undefined });
  const trouble = troubles.shift() ?? "none";
  if (trouble === "silent") return;
  if (trouble === "lost before") return incoming.socket.destroy();
  if (trouble === "busy") return refuse(outgoing);
  const onward = request(service.url + url, { method, headers }, (answer) => {
    if (trouble === "lost after") return answer.resume().once("end", () => incoming.socket.destroy());
    outgoing.writeHead(answer.statusCode!, answer.headers);
    return answer.pipe(outgoing);
  });
  incoming.pipe(onward);
});
await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
after(() => proxy.close());
after(() => proxy.closeAllConnections());

function refuse(outgoing: ServerResponse) {
  outgoing.writeHead(503, { "Content-Type": "text/html", "Retry-After": "0" }).end("<h1>No server is available</h1>");
}

/** A client of a new workspace, through the proxy. */
function throughProxy(retryForMs?: number) {
  const workspace = service.workspace();
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  seen.length = 0;
  return createClient({ url, ...workspace.credentials, retryForMs });
}

async function count(items: AsyncIterable<unknown>): Promise<number> {
  let counted = 0;
  for await (const _ of items) counted++;
  return counted;
}

test("the types are those of the API: `npm run client` writes them", () => {
  for (const [file, text] of Object.entries(clientTypes())) assert.equal(readFileSync(file, "utf8"), text, file);
});

test("an operation says its errors at once, and parameters that another one has by its name", () => {
  const schema = { $ref: "#/components/schemas/Problem" };
  const problem = { content: { "application/problem+json": { schema } } };
  const parameters = [{ name: "id", in: "path", required: true, schema: { type: "string" } }];
  const operation = { summary: "", parameters, responses: { 204: {}, 400: problem, 404: problem } };
  const types = typescriptTypes({
    info: { version: "1" },
    paths: { "/a/{id}": { get: { ...operation, operationId: "getA" }, put: { ...operation, operationId: "putA" } } },
    components: { schemas: {} },
  });
  assert.match(types, / {2}putA: \{\n {4}path: Operations\["getA"\]\["path"\];\n/);
  assert.match(types, / {4}answers: \{ 204: undefined \} & Problems<400 \| 404>;\n/);
});

test("types are not made from a description that has something unknown", () => {
  const described = (schema: object) => ({
    info: { version: "1" },
    paths: {},
    components: { schemas: { Thing: schema } },
  });
  assert.match(typescriptTypes(described({ type: ["string", "null"] })), /^export type Thing = string \| null;$/m);
  const wrong: [object, RegExp][] = [
    [{ type: "object", properties: { a: { not: { type: "string" } } } }, /^Thing\.a: the keyword not is not known/],
    [{ type: "tuple" }, /^Thing: the type tuple is not known/],
    [{ $ref: "other.json" }, /^Thing: other\.json has no name/],
    [{ type: "string", additionalProperties: {} }, /^Thing: the keyword additionalProperties is not known/],
    [{ const: 1, enum: [1] }, /^Thing: more than one keyword/],
  ];
  for (const [schema, message] of wrong) assert.throws(() => typescriptTypes(described(schema)), { message });
});

test("the guide's examples compile against the package, in strict mode, and do what they say", async () => {
  const folder = newFolder();
  const tsc = join(process.cwd(), "node_modules/typescript/bin/tsc");
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  await run(process.execPath, ["clients/typescript/build.mjs"]);
  cpSync("clients/typescript", join(folder, "node_modules/screening-client"), { recursive: true });
  for (const name of ["@types/node", "undici-types"])
    symlinkSync(join(process.cwd(), "node_modules", name), join(folder, "node_modules", name));
  const blocks = [...readFileSync("docs/client.md", "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  assert.ok(blocks.length > 5);
  writeFileSync(join(folder, "guide.mts"), blocks.join("\n"));
  // What an API does not have does not compile.
  writeFileSync(
    join(folder, "wrong.mts"),
    `import { createClient, importParticipants } from "screening-client";
const client = createClient({ url: "http://127.0.0.1:1", accessToken: "t" });
// @ts-expect-error: two sources
await importParticipants(client, { screenerId: "", participants: [], csv: "" });
// @ts-expect-error: no such path
await client.get("/people");
// @ts-expect-error: an id is missing
await client.get("/screeners/{id}");
// @ts-expect-error: a member is missing
await client.post("/screeners", { body: {} });
// @ts-expect-error: no such filter
await client.get("/participants", { query: { "filter[name][eq]": "Ada" } });
// @ts-expect-error: no list
client.list("/screeners/{id}", { path: { id: "" } });
// @ts-expect-error: credentials are missing
createClient({ url: "http://127.0.0.1:1" });
const found = await client.get("/participants", { query: { "filter[attributes.home town][eq]": "York" } });
export const name: string | null | undefined = found.items[0]?.name;
const content = await client.call("get", "/screeners/{id}/content", { path: { id: "" }, headers: { "If-None-Match": "" } });
export const pages = content.status === 304 ? [] : content.body.pages;
`,
  );
  const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--types", "node"];
  await run(process.execPath, [tsc, ...strict, "guide.mts", "wrong.mts"], { cwd: folder }).catch((error) =>
    assert.fail(error.stdout),
  );
  const { client, screenerId } = await service.screener();
  const { apiKey, apiSecret } = client.credentials;
  const env = { ...process.env, SCREENING_URL: service.url, SCREENING_KEY: apiKey, SCREENING_SECRET: apiSecret };
  const { stdout } = await run(process.execPath, ["guide.mts"], { cwd: folder, env });
  const own = (await client.all("/screeners"))[1].id;
  const problem = stdout.split("\n").at(-3)!;
  assert.match(problem, /^400 invalid_request req_/);
  assert.deepEqual(
    stdout.split("\n").filter((line) => line && line !== problem && !/^(?:QUEUED|RUNNING|SUCCEEDED)/.test(line)),
    [
      `${screenerId} A study`,
      `${own} Sleep study`,
      "imported {",
      ...["rows: 2", "created: 2", "updated: 0", "unchanged: 0", "assigned: 2"].map((part) => `  ${part},`),
      "  removed: 0",
      "}",
      "would remove P-2",
      "applied {",
      ...["rows: 1", "created: 0", "updated: 0", "unchanged: 1", "assigned: 0"].map((part) => `  ${part},`),
      "  removed: 1",
      "}",
      "UNCHANGED P-1",
      "REMOVED P-2",
      "REVERTED P-2 ",
      '/participants/0/email must be an email, local@domain (line 1, P-3: "nobody")',
    ],
  );
});

test("the demo fills a running service through the client, and its links work", async () => {
  const env = { ...process.env, DATA_DIR: service.config.dataDir, PUBLIC_URL: "http://127.0.0.1:1", REDIS_URL: "" };
  const demo = [...nodeArguments("src/demo/main.ts"), "--port", new URL(service.url).port];
  const [first] = listWorkspaces(service.context.control.reader);
  // Again, too.
  await run(process.execPath, demo, { env });
  const { stdout } = await run(process.execPath, demo, { env });
  assert.equal(listWorkspaces(service.context.control.reader)[0]!.uid, first!.uid);
  for (const [, path] of stdout.matchAll(/(\/w\/[^/\s]+)\/screeners/g)) assert.equal(path, `/w/${first!.uid}`);
  const links = [...stdout.matchAll(/^ {2}(Ada|Alan|Grace) \S+ +http:\/\/[^/]+(\/w\/\S+)$/gm)];
  assert.equal(links.length, 3, stdout);
  for (const [, , path] of links) assert.equal((await fetch(service.url + path)).status, 200);
  const [, open] = /http:\/\/[^/]+(\/w\/[^/]+\/o\/\S+)/.exec(stdout)!;
  const german = await fetch(`${service.url}${open}?lang=de`);
  assert.match(await german.text(), /<html lang="de".*Wann sind Sie geboren\?/s);
  // Whoever reads the example sees every kind.
  const example = readFileSync("src/demo/example-every-kind.json", "utf8");
  const kinds = new Set(example.match(/Screener\w+Question/g));
  assert.deepEqual([...kinds].sort(), [...typeNames].sort());
});

test("what is safe to repeat is sent again, and has one effect", async () => {
  const client = throughProxy();
  troubles.push("lost before", "busy", "lost after");
  const { id } = await client.post("/screeners", { body: { title: "Sleep" } });
  assert.deepEqual([seen.length, new Set(seen.map(({ key }) => key)).size], [4, 1]);
  assert.ok(seen[0]!.key);
  troubles.push("busy", "lost before");
  assert.equal((await client.get("/screeners")).total, 1);
  for (const trouble of ["busy", "lost before"] as const) {
    seen.length = 0;
    troubles.push(trouble);
    const change = client.patch("/screeners/{id}", { path: { id }, body: { title: "Again" } });
    await assert.rejects(change, trouble === "busy" ? { name: "ApiError", status: 503 } : TypeError);
    assert.equal(seen.length, 1);
  }
});

test("trying ends: with the last error, when a caller wants no more, and at once where it cannot help", async () => {
  const impatient = throughProxy(0);
  troubles.push("busy");
  await assert.rejects(impatient.get("/screeners"), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.code, error.retryAfter], [503, "unreadable_answer", 0]);
    assert.match(error.message, /No server is available/);
    return true;
  });
  const client = throughProxy();
  troubles.push(...Array<Trouble>(50).fill("lost before"));
  const stop = new AbortController();
  const calling = client.get("/screeners", { signal: stop.signal });
  stop.abort(new Error("enough"));
  await assert.rejects(calling, /enough/);
  troubles.length = 0;
  seen.length = 0;
  await assert.rejects(client.get("/screeners/{id}", { path: { id: "nobody" } }), { code: "screener_not_found" });
  assert.equal(seen.length, 1);
  assert.throws(() => createClient({ url: "nowhere", accessToken: "t" }), /Invalid URL/);
  assert.throws(() => createClient({ url: service.url, apiKey: "k", apiSecret: "" }), /needs apiKey and apiSecret/);
});

test("an answer that does not come is given up in time, and asked for again where that is safe", async () => {
  const client = throughProxy();
  troubles.push("silent");
  const { id } = await client.post("/screeners", { body: { title: "Sleep" }, timeoutMs: 500 });
  assert.equal((await client.get("/screeners")).total, 1);
  troubles.push("silent");
  const change = client.patch("/screeners/{id}", { path: { id }, body: { title: "Again" }, timeoutMs: 50 });
  await assert.rejects(change, { name: "TimeoutError", message: "No answer within 50 ms." });
  const hasty = throughProxy(0);
  troubles.push("silent", "silent");
  await assert.rejects(hasty.get("/screeners", { timeoutMs: 50 }), { name: "TimeoutError" });
  const stop = new AbortController();
  const calling = hasty.get("/screeners", { signal: stop.signal });
  stop.abort(new Error("enough"));
  await assert.rejects(calling, /enough/);
  assert.equal((await hasty.get("/screeners")).total, 0);
});

test("an import is read as it is sent, survives lost answers, and is one job; its rows and pages come whole", async () => {
  const client = throughProxy();
  const { id: screenerId } = await client.post("/screeners", { body: { title: "Sleep" } });
  async function* roster() {
    for (const person of people(1100)) yield { ...person, attributes: { country: "GB" } };
  }
  const once = { screenerId, idempotencyKey: "roster", note: "Größe ✓" };
  const statuses: Job["status"][] = [];
  troubles.push("lost after", "none", "lost after", "busy");
  const done = await importParticipants(client, {
    ...once,
    participants: roster(),
    onProgress: ({ status }) => statuses.push(status),
  });
  assert.equal(statuses.at(-1), "SUCCEEDED");
  assert.equal(done.job.summary?.created, 1100);
  assert.equal(await count(done.rows()), 1100);
  assert.equal((await done.result()).length, 1100);
  const again = await importParticipants(client, { ...once, participants: roster() });
  assert.equal(again.job.id, done.job.id);
  assert.equal(await count(client.list("/participants", { query: { "pagination[offset]": 50 } })), 1050);
  const of = { query: { "filter[jobId][eq]": done.job.id } };
  assert.equal((await client.get("/events", of)).items[0]?.note, "Größe ✓");
  const none = { query: { "filter[status][in][]": [] } };
  assert.equal((await client.get("/jobs", none)).total, 0, "of no values, nothing");
});

test("files of every kind of source are imported; a limit makes a plan, which is applied, discarded, or undone", async () => {
  const client = throughProxy();
  const { id: screenerId } = await client.post("/screeners", { body: { title: "Sleep" } });
  const csv = `Person;email;name;country\n${people(4)
    .map((one) => `${one.externalUid};${one.email};${one.name};GB`)
    .join("\n")}`;
  const bytes = new TextEncoder().encode(csv);
  async function* pieces() {
    yield csv.slice(0, 10);
    yield Buffer.from(csv.slice(10));
  }
  const columns = { Person: "externalUid" } as const;
  const outcomes: unknown[] = [];
  for (const source of [csv, bytes, new Blob([bytes]), new Blob([bytes]).stream(), pieces()]) {
    const { job } = await importParticipants(client, { screenerId, csv: source, columns, attributes: "ignore" });
    outcomes.push([job.summary?.created, job.summary?.unchanged, job.warnings?.[0]?.code]);
  }
  assert.deepEqual(outcomes, [[4, 0, "columns_ignored"], ...Array(4).fill([0, 4, "columns_ignored"])]);
  const less = { screenerId, importMode: "FULL_SYNC", maxRemovals: 1, idempotencyKey: "less" } as const;
  const ndjson = JSON.stringify(people(1)[0]);
  const plan = await importParticipants(client, { ...less, ndjson });
  assert.deepEqual([plan.isPlan, plan.job.plan?.reason], [true, "REMOVAL_LIMIT"]);
  assert.equal((await importParticipants(client, { ...less, ndjson })).job.id, plan.job.id);
  assert.equal(await count(plan.rows({ "filter[outcome][eq]": "REMOVED" })), 3);
  const applied = await plan.apply();
  assert.equal(applied.job.summary?.removed, 3);
  const undo = await applied.undo({ dryRun: true });
  assert.deepEqual([undo.isPlan, undo.job.summary?.reverted], [true, 3]);
  await undo.discard();
  await assert.rejects(undo.apply(), { code: "job_cancelled", status: 409, jobId: undo.job.id });
  assert.equal((await applied.undo()).job.summary?.reverted, 3);
});

test("an import that fails is an error with its rows; a source that fails sends nothing; who aborts waits no more", async () => {
  const client = throughProxy();
  const { id: screenerId } = await client.post("/screeners", { body: { title: "Sleep" } });
  const wrong = [{ externalUid: "P-1", email: "nobody", name: "N" }];
  await assert.rejects(importParticipants(client, { screenerId, participants: wrong }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.code, error.errorCount], [400, "invalid_request", 1]);
    assert.deepEqual([error.errors[0]?.pointer, error.errors[0]?.row], ["/participants/0/email", 1]);
    assert.ok(error.jobId && error.requestId);
    return true;
  });
  seen.length = 0;
  async function* broken() {
    yield* people(3);
    throw new Error("the source is gone");
  }
  await assert.rejects(importParticipants(client, { screenerId, participants: broken() }), /the source is gone/);
  const stop = new AbortController();
  stop.abort(new Error("enough"));
  await assert.rejects(
    importParticipants(client, { screenerId, participants: people(3), signal: stop.signal }),
    /enough/,
  );
  assert.equal(seen.length, 0);
  assert.equal((await client.get("/participants")).total, 0);
});
