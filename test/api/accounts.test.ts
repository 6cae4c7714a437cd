// One account in several workspaces: how somebody joins with it, goes from one to another, and what the admin of one can't do to the others.

import assert from "node:assert/strict";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { takeOverLedger, writeLedger } from "../../src/cells/ledger.ts";
import { moveEvents } from "../../src/upkeep/housekeeping.ts";
import { issueSignInLink } from "../../src/workspaces/console-users.ts";
import { findWorkspace } from "../../src/workspaces/queries.ts";
import type { Client } from "../support/client.ts";
import { ConsoleBrowser, invite, PASSWORD, signedIn } from "../support/console.ts";
import { newFolder } from "../support/folder.ts";
import { startService } from "../support/service.ts";

const service = await startService();
const { reader, writer } = service.context.control;

/** Two workspaces, each with an admin, and a person of the first. */
async function two(name: string) {
  const [first, second] = [service.workspace(`${name} one`), service.workspace(`${name} two`)];
  const one = await signedIn(service, first.workspaceId, "admin", `one@${name}.example`);
  const two = await signedIn(service, second.workspaceId, "admin", `two@${name}.example`);
  const email = `bo@${name}.example`;
  const bo = await signedIn(service, first.workspaceId, "researcher", email);
  return { first, second, one, two, email, bo };
}

/** An admin adds a user. @returns the path of the link */
async function add(admin: ConsoleBrowser, email: string, role = "viewer"): Promise<string> {
  const { text } = await admin.post("/console/users", { name: "Bo", email, role });
  return /(\/console\/sign-in\/[\w-]{43})/.exec(text)?.[1] ?? assert.fail(text);
}

const idIn = (client: Client, email: string) =>
  reader.value<string>(
    "SELECT u.uid FROM workspace_user AS u JOIN workspace AS w ON w.id = u.workspace_id WHERE w.uid = ? AND u.email = ?",
    client.workspaceId,
    email,
  )!;

const join = (browser: ConsoleBrowser, link: string, password = PASSWORD) =>
  browser.post("/console/sign-in", { password }, `${link}/join`);

async function eventsOf(client: Client, type: string): Promise<{ resource: { id: string } }[]> {
  await service.context.pool.ask(moveEvents, undefined);
  return client.all(`/events?filter[type][eq]=${type}`);
}

test("somebody with an account joins another workspace with its password, and goes from one to the other and back", async () => {
  const { first, second, two: admin, email, bo } = await two("join");
  assert.doesNotMatch((await bo.get("/console/studies")).text, /href="\/console\/workspaces"/);
  const link = await add(admin, email);
  assert.match((await bo.get(link)).text, /Join a workspace[\s\S]*join two/);
  assert.equal((await bo.get("/console/studies/new")).status, 200, "still in the first one");
  const joined = await join(new ConsoleBrowser(service.url), link);
  assert.deepEqual([joined.status, joined.headers.location], [303, "/console/studies"]);
  assert.equal((await join(new ConsoleBrowser(service.url), link)).status, 404, "a link works once");
  assert.equal((await eventsOf(second, "user.joined"))[0]?.resource.id, idIn(second, email));
  assert.deepEqual(await eventsOf(first, "user.joined"), []);
  assert.match((await bo.get("/console/studies")).text, /join one[\s\S]*href="\/console\/workspaces"/);
  const before = bo.cookies.get("console-session");
  const { text } = await bo.get("/console/workspaces");
  assert.match(text, /join one[\s\S]*researcher[\s\S]*You are here[\s\S]*join two[\s\S]*viewer[\s\S]*Switch/);
  const to = (client: Client) => `/console/workspaces/${client.workspaceId}`;
  assert.equal((await bo.post("/console/workspaces", {}, to(second))).status, 303);
  assert.match((await bo.get("/console/studies")).text, /join two/);
  assert.equal((await bo.get("/console/studies/new")).status, 403, "the role of that workspace holds");
  // The next sign-in enters where somebody was last.
  const again = new ConsoleBrowser(service.url);
  assert.equal((await again.signIn(email)).status, 303);
  assert.match((await again.get("/console/studies")).text, /join two/);
  // A cookie that somebody else may have chosen or seen is worth nothing after a switch.
  assert.notEqual(bo.cookies.get("console-session"), before);
  bo.cookies.set("console-session", before!);
  assert.match(String((await bo.get("/console/studies")).headers.location), /sign-in/);
});

test("nobody enters a workspace that is not theirs, is disabled or suspended for them; nor without the token of the form", async () => {
  const { first, second, one, two: admin, email, bo } = await two("stranger");
  const third = service.workspace();
  const to = (client: Client) => `/console/workspaces/${client.workspaceId}`;
  await join(bo, await add(admin, email));
  await bo.post("/console/workspaces", {}, to(first));
  assert.equal((await bo.post("/console/workspaces", {}, to(third))).status, 404);
  assert.equal((await one.post("/console/users", {}, to(second))).status, 404);
  assert.equal((await bo.postRaw(to(second), {}, bo.ours)).status, 403);
  const disable = `/console/users/${idIn(second, email)}/disable`;
  assert.equal((await admin.post("/console/users", {}, disable)).status, 303);
  assert.equal((await bo.post("/console/workspaces", {}, to(second))).status, 404);
  assert.equal((await bo.get("/console/studies")).status, 200, "the other workspace is as before");
  const { text } = await bo.get("/console/workspaces");
  assert.doesNotMatch(text, /stranger two/);
});

test("the admin of one workspace gets no way into an account that others have, too", async () => {
  const { first, second, one, two: admin, email, bo } = await two("admin");
  // Made before it joined: it would choose the password of both.
  const early = await one.post("/console/users", {}, `/console/users/${idIn(first, email)}/link`);
  const [, earlyLink = ""] = /(\/console\/sign-in\/[\w-]{43})/.exec(early.text)!;
  assert.equal((await join(bo, await add(admin, email))).status, 303);
  assert.equal((await bo.get(earlyLink)).status, 404);
  for (const [browser, client] of [
    [one, first],
    [admin, second],
  ] as const) {
    const { text } = await browser.post("/console/users", {}, `/console/users/${idIn(client, email)}/link`);
    assert.match(text, /works in other workspaces, too/);
    assert.doesNotMatch(text, /sign-in\/[\w-]{43}/);
  }
  writer.run("UPDATE workspace_user SET oidc_issuer = 'x', oidc_subject = 'y' WHERE email = ?", email);
  const untied = await admin.post("/console/users", {}, `/console/users/${idIn(second, email)}/untie`);
  assert.match(untied.text, /works in other workspaces, too/);
  // A role in one says nothing of the other; nobody finds the user of the other one.
  const role = (browser: ConsoleBrowser, client: Client) =>
    browser.post("/console/users", { role: "admin" }, `/console/users/${idIn(client, email)}/role`);
  assert.equal((await role(admin, first)).status, 404);
  assert.equal((await role(admin, second)).status, 303);
  assert.equal((await first.get(`/workspace/users/${idIn(first, email)}`)).body.role, "researcher");
  assert.equal((await bo.signIn(email)).status, 303);
});

test("an invitation with somebody else's email opens nothing of that account", async () => {
  const { first, second, two: admin, email } = await two("taken");
  const link = await add(admin, email, "admin");
  const thief = new ConsoleBrowser(service.url);
  assert.equal((await join(thief, link, "a wrong password")).status, 422);
  const chosen = await thief.post(link, { password: "mine from now on", again: "mine from now on" });
  assert.match(chosen.text, /Join a workspace/, "no password can be chosen for an account that is there");
  assert.match(String((await thief.get("/console/studies")).headers.location), /sign-in/);
  assert.equal((await thief.signIn(email, "mine from now on")).status, 422);
  assert.equal((await thief.signIn(email)).status, 303, "the account is as it was");
  assert.match((await thief.get("/console/studies")).text, /taken one/);
  assert.doesNotMatch((await thief.get("/console/studies")).text, /href="\/console\/workspaces"/);
  assert.equal((await first.get("/workspace/users")).body.items.length, 2);
  assert.equal((await second.get("/workspace/users")).body.items.length, 2);
});

test("guesses at the password of a link count with those of the sign-in", async () => {
  const { two: admin, email } = await two("guess");
  const link = await add(admin, email);
  const thief = new ConsoleBrowser(service.url, "127.0.0.77");
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) statuses.push((await join(thief, link, `a wrong password ${i}`)).status);
  for (let i = 0; i < 2; i++) statuses.push((await thief.signIn(email, `another wrong one ${i}`)).status);
  statuses.push((await join(thief, link)).status);
  assert.deepEqual(statuses, [422, 422, 422, 422, 422, 422, 429]);
  assert.equal((await thief.signIn(email)).status, 429);
});

test("who was invited to two workspaces before the first link was used has one account; an unknown email still gets no hint", async () => {
  const [first, second] = [service.workspace("Early one"), service.workspace("Early two")];
  const links = [];
  for (const { workspaceId } of [first, second])
    links.push(await invite(service, workspaceId, { name: "Cy", email: "cy@early.example", role: "viewer" }));
  const cy = new ConsoleBrowser(service.url);
  assert.equal((await cy.post(links[1]!, { password: PASSWORD, again: PASSWORD })).status, 303);
  assert.match((await cy.get(links[0]!)).text, /Join a workspace/);
  assert.equal((await join(cy, links[0]!)).status, 303);
  assert.match((await cy.get("/console/workspaces")).text, /Early one[\s\S]*Early two/);
  const wrong = await new ConsoleBrowser(service.url).signIn("cy@early.example", "not the password");
  const unknown = await new ConsoleBrowser(service.url).signIn("nobody@early.example", "not the password");
  const without = (text: string) => text.replaceAll(/[\w-]{43}|\w+@early/g, "");
  assert.equal(without(wrong.text), without(unknown.text));
});

test("another password, and the end of sessions, hold in all workspaces", async () => {
  const { second, two: admin, email, bo } = await two("password");
  await join(bo, await add(admin, email));
  const other = new ConsoleBrowser(service.url);
  await other.signIn(email);
  const next = "another long password";
  const changed = await bo.post(
    "/console/sessions",
    { old: PASSWORD, password: next, again: next },
    "/console/sessions/password",
  );
  assert.equal(changed.status, 303);
  assert.match(String((await other.get("/console/studies")).headers.location), /sign-in/);
  assert.equal((await other.signIn(email)).status, 422);
  assert.equal((await other.signIn(email, next)).status, 303);
  assert.equal((await other.post("/console/workspaces", {}, `/console/workspaces/${second.workspaceId}`)).status, 303);
  assert.equal((await bo.get("/console/sessions")).text.match(/Another browser/g)?.length, 1);
});

test("the owner of a new workspace comes with the account that is there", async () => {
  const { email, bo } = await two("owner");
  const third = service.workspace("The third");
  const { id } = findWorkspace(reader, third.workspaceId)!;
  const link = await whenFree(writer, 5000, () => issueSignInLink(writer, id, null, Date.now()));
  const taken = await bo.post(link, { name: "Bo", email, password: PASSWORD, again: PASSWORD });
  assert.match(taken.text, /There is an account with this email here/);
  const joined = await bo.post(`${link}/join`, { email, password: PASSWORD });
  assert.equal(joined.status, 303, joined.text);
  assert.match((await bo.get("/console/users")).text, /The third[\s\S]*admin/);
});

test("users who come from another cell have what their account has there already", async () => {
  const there = await startService();
  const { first, second, two: admin, email, bo } = await two("cell");
  await join(bo, await add(admin, email));
  const move = ({ workspaceId }: Client) => {
    const file = `${newFolder()}/ledger.db`;
    writeLedger(writer, workspaceId, file, []);
    takeOverLedger(there.context.control.writer, file, { from: "here", before: () => true, after: () => {} });
  };
  move(second);
  const next = "another long password";
  const fields = { old: PASSWORD, password: next, again: next };
  assert.equal((await bo.post("/console/sessions", fields, "/console/sessions/password")).status, 303);
  move(first);
  const browser = new ConsoleBrowser(there.url);
  assert.equal((await browser.signIn(email, next)).status, 422);
  assert.equal((await browser.signIn(email)).status, 303);
  assert.match((await browser.get("/console/workspaces")).text, /cell one[\s\S]*cell two|cell two[\s\S]*cell one/);
  // The next sign-in by any of both users asks for the same.
  const kept = there.context.control.reader.values(
    "SELECT DISTINCT password FROM workspace_user WHERE email = ?",
    email,
  );
  assert.equal(kept.length, 1);
});
