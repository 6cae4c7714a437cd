// What the operator reads: a line for each request and each job, without personal data and secrets.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { before, test } from "node:test";
import { openWriter } from "../../db/sqlite/open.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { Client } from "../support/client.ts";
import { type Installation, install, type ServiceProcess, type TestWorkspace } from "../support/process.ts";
import { until } from "../support/until.ts";

type Line = Record<string, unknown>;

/** Whatever must not be found in any output. Each is unmistakable. */
const PRIVATE = {
  email: "ada.private@example.org",
  name: "Ada Private-Lovelace",
  externalUid: "uid-private-4711",
  userName: "Operator Private-Hopper",
  title: "Private title of a study",
  idempotencyKey: "idempotency-private-key",
  wrongSecret: "secret_private_and_wrong",
  webhookToken: "private-token-of-a-receiver",
};

interface Sent {
  id: string;
  status: number;
  method: string;
  route: string;
  /** Undefined: the request did not say whose it is. */
  workspace: string | undefined;
  /** Whether it came with a token, too. */
  hasToken: boolean;
}

let installation: Installation;
let workspace: TestWorkspace;
let broken: TestWorkspace;
let accessToken: string;
/** The ids of the token, and of the key of each workspace. */
let tokenId: string;
const keyIds = new Map<string, string>();
const outputs: ServiceProcess[] = [];
const sent: Sent[] = [];
let lines: Line[];
let text: string;
let importJob: string;
let refusedJob: string;
let brokenJob: string;
let webhook: { id: string; secret: string };
let delivery: string;

before(async () => {
  installation = install({
    REDIS_URL: process.env.TEST_REDIS_URL ?? "",
    LOG_LEVEL: "trace",
    WEBHOOK_ALLOW_PRIVATE: "true",
  });
  workspace = installation.workspace();
  broken = installation.workspace();
  const issue = ["token", "create", "--workspace", workspace.id, "--user-name", PRIVATE.userName, "--json"];
  ({ id: tokenId, accessToken } = JSON.parse((await installation.cli(...issue)).stdout));
  for (const { id } of [workspace, broken]) {
    const of = "SELECT k.uid FROM api_key AS k JOIN workspace AS w ON w.id = k.workspace_id WHERE w.uid = ?";
    keyIds.set(id, installation.control<string>(of, id)[0]!);
  }
  const [web, worker] = await Promise.all([installation.web(), installation.worker()]);
  outputs.push(web, worker);
  await work(workspace.client(web));
  await workOnBroken(broken.client(web));
  await installation.drain();
  await Promise.all(outputs.map((process) => process.kill("SIGTERM")));
  lines = outputs.flatMap((process) => process.log);
  text = outputs.map(({ stdout, stderr }) => stdout + stderr).join("\n");
});

test("each request has one line: what it was, how it went, how long it took and whose it was", () => {
  for (const { id, hasToken, ...expected } of sent) {
    const found = lines.filter(({ msg, requestId }) => msg === "request" && requestId === id);
    assert.equal(found.length, 1, `${expected.method} ${expected.route}: one line`);
    const { method, route, status, workspace, ms } = found[0]!;
    assert.deepEqual({ method, route, status, workspace }, expected);
    assert.ok(typeof ms === "number" && ms >= 0);
  }
});

test("the line of a request has the ids of its key and token, and the caller's address", () => {
  assert.equal(sent.filter(({ hasToken }) => hasToken).length, 1);
  for (const { id, route, workspace, hasToken } of sent) {
    const { key, token, address } = lines.find(({ msg, requestId }) => msg === "request" && requestId === id)!;
    const expected = { key: keyIds.get(workspace ?? ""), token: hasToken ? tokenId : undefined };
    assert.deepEqual({ key, token }, expected, `${id}, ${route}`);
    assert.match(String(address), /^(?:::ffff:)?127\.0\.0\.1$/);
  }
});

test("each job has one line, and one more for each time that it was tried again", () => {
  const of = (id: string) =>
    lines
      .filter(({ msg, job }) => msg === "job" && job === id)
      .map(({ kind, workspace, status, attempt, code, ms }) => {
        assert.ok(typeof ms === "number" && ms >= 0);
        return { kind, workspace, status, attempt, code };
      });
  const ours = { kind: "SCREENER_PARTICIPANTS_IMPORT", workspace: workspace.id };
  assert.deepEqual(of(importJob), [{ ...ours, status: "SUCCEEDED", attempt: 1, code: undefined }]);
  assert.deepEqual(of(refusedJob), [{ ...ours, status: "FAILED", attempt: 1, code: "email_taken" }]);
  const theirs = { kind: "SCREENER_PUBLICATION", workspace: broken.id };
  assert.deepEqual(of(brokenJob), [
    { ...theirs, status: "QUEUED", attempt: 1, code: undefined },
    { ...theirs, status: "QUEUED", attempt: 2, code: undefined },
    { ...theirs, status: "FAILED", attempt: 3, code: "internal_error" },
  ]);
});

test("a job that failed for a reason of ours is an error, with the stack; for one of its caller's it is not", () => {
  const of = (id: string) => lines.filter(({ msg, job }) => msg === "job" && job === id);
  const [warn, error] = [40, 50];
  assert.deepEqual(
    of(brokenJob).map(({ level }) => level),
    [warn, warn, error],
  );
  for (const { err } of of(brokenJob)) assert.match((err as { stack: string }).stack, /no such table[\s\S]+\n +at /);
  const [refused] = of(refusedJob);
  assert.deepEqual([refused!.level, refused!.err], [30, undefined]);
});

test("each attempt to send a webhook has one line, with ids and how it went", () => {
  const found = lines.filter(({ msg, webhookDelivery }) => msg === "webhook" && webhookDelivery === delivery);
  assert.ok(found.length >= 1);
  const { webhookEndpoint, status, error, ms } = found[0]!;
  assert.deepEqual([webhookEndpoint, status, error], [webhook.id, null, "the receiver refuses connections"]);
  assert.equal(typeof ms, "number");
});

test("an internal error is logged with the request's id", () => {
  const { id } = sent.find(({ status }) => status === 500)!;
  const logged = lines.filter(({ requestId, err }) => requestId === id && err);
  assert.equal(logged.length, 1);
  assert.match(JSON.stringify(logged[0]!.err), /no such table/);
});

test("every line is JSON, but for the greeting", () => {
  const others = text.split("\n").filter((line) => line && !line.startsWith("{"));
  assert.equal(others.length, 1, others.join("\n"));
  assert.match(others[0]!, /^Listening on /);
});

test("no line says anything about people, and no secret", () => {
  const { apiKey, apiSecret } = workspace.client({ url: "" }).credentials;
  const all = { ...PRIVATE, apiKey, apiSecret, accessToken, webhookSecret: webhook.secret.slice("whsec_".length) };
  const found = Object.entries(all).filter(([, value]) => new RegExp(fuzzy(value), "i").test(text));
  assert.deepEqual(found, []);
});

/** As it stands, and as it would stand in a URL. */
function fuzzy(value: string): string {
  return [value, encodeURIComponent(value), new URLSearchParams([[value, ""]]).toString().slice(0, -1)]
    .map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("|");
}

/** Sends a request that can be found in the log. */
async function send(
  client: Client,
  method: string,
  [route, path]: [route: string, path: string],
  options: { body?: unknown; raw?: string; headers?: Record<string, string>; anonymous?: boolean } = {},
) {
  const id = `request-${sent.length}`;
  const { anonymous, headers, ...rest } = options;
  const answer = await client.call(method, path, { ...rest, headers: { ...headers, "X-Request-Id": id } });
  const workspace = anonymous ? undefined : client.workspaceId;
  const hasToken = !anonymous && headers?.Authorization !== undefined;
  sent.push({ id, method, route, status: answer.status, workspace, hasToken });
  return answer;
}

/** Requests and jobs that go well and go wrong, with something private wherever they have a text. */
async function work(client: Client): Promise<void> {
  const { email, name, externalUid, title, idempotencyKey, wrongSecret, webhookToken } = PRIVATE;
  const person = { externalUid, email, name };
  const bearer = { Authorization: `Bearer ${accessToken}` };
  const importTo = "/screener-participants-import";
  const screener = await send(client, "POST", ["/screeners", "/screeners"], { body: { title }, headers: bearer });
  const screenerId = screener.body.id;
  const body = { screenerId, participants: [person] };
  const headers = { "Idempotency-Key": idempotencyKey, Prefer: "respond-async" };
  const accepted = await send(client, "POST", [importTo, importTo], { body, headers });
  importJob = accepted.body.id;
  await installation.drain();
  const one = await client.get("/participants");
  const id = one.body.items[0].id;
  assert.equal(one.body.items[0].email, email);

  await send(client, "GET", ["/participants/:id", `/participants/${id}`]);
  await send(client, "GET", ["/participants", `/participants?filter[email][eq]=${encodeURIComponent(email)}`]);
  await send(client, "GET", ["/participants", `/participants?filter[name][eq]=${encodeURIComponent(name)}`]);
  await send(client, "GET", ["/participants/:id", `/participants/${encodeURIComponent(email)}`]);
  // What no route serves is refused before anyone asks whose it is.
  await send(client, "GET", ["-", `/people/${encodeURIComponent(email)}`], { anonymous: true });
  const unserved: [string, string] = ["/participants/:id", `/participants/${encodeURIComponent(name)}`];
  await send(client, "PUT", unserved, { body: person, anonymous: true });
  await send(client, "PATCH", ["/participants/:id", `/participants/${id}`], { body: { name: `${name} II` } });
  await send(client, "POST", ["/participants", "/participants"], { body: person });
  await send(client, "POST", ["/participants", "/participants"], { raw: `{"email": "${email}", ${name}` });
  await send(client, "POST", ["/participants", "/participants"], {
    body: { ...person, email: `${email} ${name}` },
    headers: { "X-Service-Api-Version": `1.0.0 ${name}` },
  });
  await send(client, "POST", ["/participants", "/participants"], { body: person, headers: { "Content-Type": email } });
  // Jobs that fail: with what another participant has, with rows that are wrong, and with what is no JSON at all.
  const taken = { screenerId, participants: [{ ...person, externalUid: `${externalUid}-2` }] };
  assert.equal((await send(client, "POST", [importTo, importTo], { body: taken })).body.code, "email_taken");
  refusedJob = (await client.get("/jobs?pagination[offset]=1")).body.items[0].id;
  const wrong = { screenerId, participants: [person, person, { externalUid: [name], email: name, name: { email } }] };
  await send(client, "POST", [importTo, importTo], { body: wrong });
  await send(client, "POST", [importTo, importTo], { raw: `{"participants": [{"name": "${name}" "${email}"` });
  // The same key with another body.
  await send(client, "POST", [importTo, importTo], { body: wrong, headers });

  const url = `http://127.0.0.1:9/hook?token=${webhookToken}`;
  const hooks: [string, string] = ["/webhook-endpoints", "/webhook-endpoints"];
  webhook = (await send(client, "POST", hooks, { body: { url, types: ["quota.reached"] } })).body;
  const tests: [string, string] = ["/webhook-endpoints/:id/test", `/webhook-endpoints/${webhook.id}/test`];
  delivery = (await send(client, "POST", tests)).body.id;
  const tried = async () => (await client.get(`/webhook-deliveries/${delivery}`)).body.attemptCount > 0;
  await until(tried, "nobody takes it");

  const anonymous = { ...client.credentials, apiSecret: wrongSecret };
  const stranger = new Client(client.url, client.workspaceId, anonymous);
  await send(stranger, "GET", ["/participants", "/participants"], { anonymous: true });
  await send(client, "GET", ["/participants", "/participants"], {
    headers: { Authorization: `Bearer ${accessToken}x` },
    anonymous: true,
  });
  await refusedByNode(client, `GET /participants?${name} HTTP/1.1 ${email}\r\n\r\n`);
}

/** A workspace whose store lacks a table, as if there were a bug. */
async function workOnBroken(client: Client): Promise<void> {
  const screener = await client.screener(PRIVATE.title);
  const options = { busyTimeoutMs: 5000, checkpoints: false };
  const db = openWriter(
    new Workspaces(installation.dataDir, { ...options, onStale: "migrate" }).path(broken.id),
    options,
  );
  db.exec("ALTER TABLE screener_publication RENAME TO gone");
  db.close();
  const failed = await send(client, "GET", ["/screeners/:id/publications", `/screeners/${screener}/publications`]);
  assert.equal(failed.status, 500);
  const tags = [{ category: PRIVATE.name, value: PRIVATE.email }];
  const route: [string, string] = ["/screener-publications", "/screener-publications"];
  const { body } = await send(client, "POST", route, {
    body: { screenerId: screener, tags },
    headers: { Prefer: "respond-async" },
  });
  brokenJob = body.id;
}

/** Sends bytes that are no HTTP. */
async function refusedByNode(client: Client, bytes: string): Promise<void> {
  const { hostname, port } = new URL(client.url);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = "";
    socket.setEncoding("utf8").on("data", (data) => {
      received += data;
    });
    socket.on("end", () => resolve(received)).on("error", reject);
  });
  assert.match(answer, /^HTTP\/1.1 400 /);
}
