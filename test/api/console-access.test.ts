// Users, keys and webhooks in the console: what an admin makes there works, is in the log under the admin's name, and is shown once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { moveEvents } from "../../src/upkeep/housekeeping.ts";
import { Client } from "../support/client.ts";
import { ConsoleBrowser, PASSWORD, signedIn } from "../support/console.ts";
import { dial } from "../support/http.ts";
import { startReceiver, verified } from "../support/receiver.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const service = await startService();
const client = service.workspace();
const admin = await signedIn(service, client.workspaceId, "admin", "admin@example.org");

/** The events of a type, which the service moves to the log a moment later. */
async function events(type: string): Promise<{ actor: { name: string }; changes: { field: string; to: unknown }[] }[]> {
  await service.context.pool.ask(moveEvents, undefined);
  return client.all(`/events?filter[type][eq]=${type}`);
}

/** The id in the last form of a page that is about `name`. @param after a text that comes before it */
async function idOf(path: string, name: string, after = ""): Promise<string> {
  const { text: all } = await admin.get(path);
  const text = all.slice(all.indexOf(after));
  const forms = text.split("<form").filter((form) => form.includes(`> – ${name}</span>`));
  return new RegExp(`${path}/([0-9a-f-]{36})/`).exec(forms.at(-1)!)![1]!;
}

test("an admin adds a user, whose link works once; gives another one, and disables the user", async () => {
  const add = (user: object) => admin.post("/console/users", { ...user });
  const wrong = await add({ name: "", email: "nobody", role: "king" });
  assert.equal(wrong.status, 422);
  for (const field of ["name", "email", "role"]) assert.ok(wrong.text.includes(`href="#${field}"`), field);
  const made = await add({ name: "Bo", email: "Bo@example.org", role: "researcher" });
  assert.equal(made.status, 200);
  const [, path = ""] = /(\/console\/sign-in\/[\w-]{43})/.exec(made.text)!;
  assert.doesNotMatch((await admin.get("/console/users")).text, /sign-in\/[\w-]{43}/);
  const taken = await add({ name: "Bob", email: "bo@example.org", role: "viewer" });
  assert.match(taken.text, /email of another user/);
  const [event] = await events("user.created");
  assert.equal(event!.actor.name, "The admin");

  const bo = new ConsoleBrowser(service.url);
  assert.equal((await bo.post(path, { password: PASSWORD, again: PASSWORD })).status, 303);
  assert.equal((await bo.get("/console/studies")).status, 200);
  const id = await idOf("/console/users", "Bo");
  const again = await admin.post("/console/users", {}, `/console/users/${id}/link`);
  assert.match(again.text, /sign-in\/[\w-]{43}/);
  assert.equal((await admin.post("/console/users", {}, `/console/users/${id}/disable`)).status, 303);
  assert.match(String((await bo.get("/console/studies")).headers.location), /sign-in/);
  const refused = await admin.post("/console/users", {}, `/console/users/${id}/link`);
  assert.match(refused.text, /is disabled/);
  await admin.post("/console/users", {}, `/console/users/${id}/enable`);
  assert.equal((await bo.get("/console/studies")).status, 200);
  assert.equal((await events("user.disabled")).length, 1);
  assert.equal((await events("user.enabled")).length, 1);
});

test("nobody disables the own account, or a user of another workspace", async () => {
  const other = service.workspace();
  const stranger = await signedIn(service, other.workspaceId, "admin", "them@example.org");
  const id = await idOf("/console/users", "Bo");
  for (const end of ["link", "disable", "enable"])
    assert.equal((await stranger.post("/console/users", {}, `/console/users/${id}/${end}`)).status, 404, end);
  // The own account has no forms; who sends one all the same is refused.
  assert.doesNotMatch((await stranger.get("/console/users")).text, /users\/[0-9a-f-]+\/disable/);
  const { reader } = service.context.control;
  const own = reader.value<string>("SELECT uid FROM workspace_user WHERE email = 'them@example.org'")!;
  const refused = await stranger.post("/console/users", {}, `/console/users/${own}/disable`);
  assert.match(refused.text, /You can’t disable yourself/);
  assert.equal((await stranger.get("/console/users")).status, 200);
});

test("a key from the console does what its scopes allow; a new secret replaces the old one, and a revoked key does nothing", async () => {
  const wrong = await admin.post("/console/keys", { name: " ", days: "0" });
  assert.equal(wrong.status, 422);
  for (const field of ["name", "scopes", "days"]) assert.ok(wrong.text.includes(`href="#${field}"`), field);
  const secretIn = (text: string) => {
    const [, apiKey = "", apiSecret = ""] = /(key_[\w.-]+)<[\s\S]*?(secret_[\w-]+)</.exec(text)!;
    return new Client(service.url, client.workspaceId, { apiKey, apiSecret });
  };
  const hidden = async (name: string, after = "") => {
    const { text } = await admin.get("/console/keys");
    return new RegExp(`name="${name}" value="([^"]+)"`).exec(text.slice(text.indexOf(after)))![1]!;
  };
  const form = { name: "Nightly", scopes: "read", days: "30", uid: await hidden("uid") };
  const issued = await admin.post("/console/keys", form);
  const key = secretIn(issued.text);
  assert.match((await admin.post("/console/keys", form)).text, /was issued already/);
  assert.equal((await key.get("/screeners")).status, 200);
  assert.equal((await key.post("/screeners", { title: "x" })).status, 403);
  const { text } = await admin.get("/console/keys");
  assert.doesNotMatch(text, /secret_/);
  assert.match(text, /Nightly[\s\S]*works[\s\S]*read[\s\S]*Expires/);
  const [event] = await events("api-key.created");
  assert.equal(event!.actor.name, "The admin");
  assert.deepEqual(event!.changes.find(({ field }) => field === "scopes")?.to, ["read"]);

  const id = await idOf("/console/keys", "Nightly");
  const newest = { newest: await hidden("newest", `${id}/rotate`) };
  const rotated = secretIn((await admin.post("/console/keys", newest, `/console/keys/${id}/rotate`)).text);
  const twice = await admin.post("/console/keys", newest, `/console/keys/${id}/rotate`);
  assert.match(twice.text, /has got a new secret already/);
  assert.notEqual(rotated.credentials.apiSecret, key.credentials.apiSecret);
  for (const one of [key, rotated]) assert.equal((await one.get("/screeners")).status, 200);
  const stranger = await signedIn(service, service.workspace().workspaceId, "admin", "those@example.org");
  const revocation = `/console/keys/${id}/revoke`;
  assert.equal((await stranger.get(revocation)).status, 404);
  assert.equal((await stranger.post("/console/keys", { confirm: "Nightly" }, revocation)).status, 404);
  const { control, credentials } = service.context;
  await whenFree(control.writer, 5000, () => credentials.flush(control.writer));
  const asked = (await admin.get(revocation)).text;
  assert.match(asked, /Revoke <bdi>Nightly<[\s\S]*Last used <time/);
  assert.doesNotMatch(asked, /Never used/);
  for (const confirm of ["", "nightly"]) assert.equal((await admin.post(revocation, { confirm })).status, 422);
  assert.equal((await rotated.get("/screeners")).status, 200);
  assert.equal((await admin.post(revocation, { confirm: "Nightly" })).status, 303);
  assert.equal((await admin.post("/console/keys", { confirm: "Nightly" }, revocation)).status, 404);
  await until(async () => (await rotated.get("/screeners")).status === 401, "the key does not work any more");
  assert.equal((await events("api-key.rotated")).length, 1);
  assert.equal((await events("api-key.revoked")).length, 1);
});

test("who is disabled while a form comes in does nothing more", async () => {
  const second = await signedIn(service, client.workspaceId, "admin", "second@example.org");
  const body = new URLSearchParams({
    token: await second.token("/console/users"),
    name: "Eve",
    email: "eve@example.org",
    role: "admin",
  }).toString();
  const socket = await dial(service.url);
  const cookie = [...second.cookies].map((pair) => pair.join("=")).join("; ");
  const head = [
    "POST /console/users HTTP/1.1",
    `Host: ${new URL(service.url).host}`,
    `Origin: ${service.url}`,
    "Sec-Fetch-Site: same-origin",
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${body.length}`,
    `Cookie: ${cookie}`,
    "Connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 5)}`);
  const id = await idOf("/console/users", "The admin", "second@example.org");
  assert.equal((await admin.post("/console/users", {}, `/console/users/${id}/disable`)).status, 303);
  socket.write(body.slice(5));
  const answer = (await socket.toArray()).join("");
  assert.match(answer, /^HTTP\/1\.1 303 /);
  assert.doesNotMatch((await admin.get("/console/users")).text, /eve@example/);
});

test("an admin adds an address for webhooks, sends a test, sees how it went, and disables it", async () => {
  const receiver = await startReceiver();
  const wrong = await admin.post("/console/webhooks", { url: "nowhere", key: "w1" });
  assert.equal(wrong.status, 422);
  assert.ok(wrong.text.includes('href="#url"'));
  const made = await admin.post("/console/webhooks", { url: receiver.url, key: "w2", types: "import.completed" });
  const [, secret = ""] = /(whsec_[^<]+)</.exec(made.text)!;
  const path = /action="(\/console\/webhooks\/[0-9a-f-]+)\/test"/.exec(made.text)![1]!;
  assert.doesNotMatch((await admin.get(path)).text, /whsec_/);
  const sent = await admin.post(path, {}, `${path}/test`);
  assert.equal(sent.status, 303);
  const delivery = String(sent.headers.location);
  await until(async () => (await admin.get(delivery)).text.includes("Answered 204"), "the test was delivered");
  verified(secret, receiver.received[0]!);
  assert.match((await admin.get(path)).text, /1 delivery[\s\S]*webhook-endpoint\.tested[\s\S]*Delivered/);
  assert.equal((await admin.post(delivery, {}, `${delivery}/retry`)).status, 303);
  await until(async () => receiver.received.length === 2, "it was sent again");
  assert.equal((await admin.post(path, { status: "DISABLED" }, `${path}/status`)).status, 303);
  assert.match((await admin.get("/console/webhooks")).text, /disabled[\s\S]*1 type of events/);
});
