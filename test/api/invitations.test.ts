// Invitations of users by mail: the link goes to the mailbox alone, works once, for three days; and is passed on where there is no mail.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ConsoleBrowser, PASSWORD, signedIn } from "../support/console.ts";
import { startRelay } from "../support/mail-relay.ts";
import { startService } from "../support/service.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config() } });
const { reader, writer } = service.context.control;
const { workspaceId } = service.workspace("Sleep lab");
const admin = await signedIn(service, workspaceId, "admin", "admin@invite.example");

const LINK = /\/console\/sign-in\/[\w-]{43}/;
const add = (name: string) =>
  admin.post("/console/users", { name, email: `${name.toLowerCase()}@invite.example`, role: "viewer" });
const linkIn = async (email: string, count = 1) => LINK.exec((await relay.to(email, count)).at(-1)!.text)![0];
const uidOf = (email: string) => reader.value<string>("SELECT uid FROM workspace_user WHERE email = ?", email)!;

test("an invitation is mailed, and its link chooses a password, once; the admin does not see it", async () => {
  const made = await add("Bo");
  assert.equal(made.status, 200, made.text);
  assert.match(made.text, /An invitation for <bdi>Bo<[\s\S]*was sent to bo@invite\.example/);
  assert.doesNotMatch(made.text, LINK);
  const [mail] = await relay.to("bo@invite.example");
  assert.equal(mail!.headers.get("subject"), "Your invitation to Sleep lab");
  assert.match(mail!.text, /Bo, you are invited to work in[\s\S]*works once, for three days/);
  const link = await linkIn("bo@invite.example");
  const bo = new ConsoleBrowser(service.url);
  assert.equal((await bo.post(link, { password: PASSWORD, again: PASSWORD })).status, 303);
  assert.equal((await bo.get("/console/studies")).status, 200);
  assert.equal((await bo.get(link)).status, 404);
});

test("it expires after three days; another one takes its place", async () => {
  await add("Cy");
  const first = await linkIn("cy@invite.example");
  const left = reader.value<number>("SELECT max(expires_at) FROM sign_in_link")! - Date.now();
  const DAYS_MS = 24 * 3_600_000;
  assert.ok(left > 2.9 * DAYS_MS && left <= 3 * DAYS_MS, String(left));
  const again = await admin.post("/console/users", {}, `/console/users/${uidOf("cy@invite.example")}/link`);
  assert.match(again.text, /was sent to cy@invite\.example/);
  assert.doesNotMatch(again.text, LINK);
  const cy = new ConsoleBrowser(service.url);
  assert.equal((await cy.get(first)).status, 404);
  const second = await linkIn("cy@invite.example", 2);
  assert.equal((await cy.get(second)).status, 200);
  writer.run("UPDATE sign_in_link SET expires_at = ?", Date.now() - 1);
  assert.equal((await cy.post("/console/sign-in", { password: PASSWORD, again: PASSWORD }, second)).status, 404);
});

test("who has an account joins by the mailed link, with its password alone", async () => {
  const other = service.workspace("Heart lab");
  await signedIn(service, other.workspaceId, "viewer", "dee@invite.example");
  await add("Dee");
  const link = await linkIn("dee@invite.example");
  const thief = new ConsoleBrowser(service.url);
  assert.match(
    (await thief.post(link, { password: "mine from now on", again: "mine from now on" })).text,
    /Join a workspace/,
  );
  const dee = new ConsoleBrowser(service.url);
  assert.equal((await dee.post("/console/sign-in", { password: PASSWORD }, `${link}/join`)).status, 303);
  assert.match((await dee.get("/console/workspaces")).text, /Heart lab[\s\S]*Sleep lab/);
});

test("where the relay refuses it, the admin gets the link to pass on; names inject nothing", async () => {
  relay.script.recipient = (address) =>
    address.startsWith("eve") ? { code: 550, message: "5.1.1 no such user" } : undefined;
  const refused = await add("Eve");
  assert.match(refused.text, /could not be mailed: [\s\S]*no such user/);
  assert.match(refused.text, LINK);
  const name = "**Max** [click](https://evil.example) {{link}}";
  await admin.post("/console/users", { name, email: "max@invite.example", role: "viewer" });
  const [mail] = await relay.to("max@invite.example");
  assert.doesNotMatch(mail!.html, /href="https:\/\/evil/);
  assert.equal(mail!.text.match(/sign-in\//g)?.length, 1);
  await admin.post("/console/users", { name: "x\r\nBcc: a@b.example", email: "x@invite.example", role: "viewer" });
  const [other] = await relay.to("x@invite.example");
  assert.deepEqual([other!.to, other!.headers.has("bcc")], [["x@invite.example"], false]);
});

test("without SMTP_URL nothing changes: the admin passes the link on, which works for 15 minutes", async () => {
  const plain = await startService();
  const client = plain.workspace();
  const without = await signedIn(plain, client.workspaceId, "admin", "admin@plain.example");
  const made = await without.post("/console/users", { name: "Bo", email: "bo@plain.example", role: "viewer" });
  assert.match(made.text, /Give this link to <bdi>Bo<[\s\S]*15 minutes/);
  assert.match(made.text, LINK);
});
