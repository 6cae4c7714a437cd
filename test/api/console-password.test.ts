// Changing one's own password in the console: who may, and what becomes of the sessions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { FREE_ATTEMPTS_OF_NETWORK } from "../../src/console/shell/attempts.ts";
import { findAccount } from "../../src/workspaces/accounts.ts";
import { issueSignInLink } from "../../src/workspaces/console-users.ts";
import { findWorkspace } from "../../src/workspaces/queries.ts";
import { ConsoleBrowser, PASSWORD, signedIn } from "../support/console.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();
const workspace = service.workspace("Lab").workspaceId;
const NEW = "another horse, another battery";
const PAGE = "/console/sessions";

const isIn = async (browser: ConsoleBrowser) => (await browser.get("/console/studies")).status === 200;
const change = (browser: ConsoleBrowser, old: string, password = NEW, again = password) =>
  browser.post(PAGE, { old, password, again }, `${PAGE}/password`);
const signIn = async (email: string, password: string) =>
  (await new ConsoleBrowser(service.url).signIn(email, password)).status;

test("a new password replaces the old one, all other sessions end, and this one is renewed", async () => {
  const browser = await signedIn(service, workspace, "viewer", "ada@console-password.example.org");
  const other = new ConsoleBrowser(service.url);
  await other.signIn("ada@console-password.example.org");
  const stranger = await signedIn(service, workspace, "viewer", "bo@console-password.example.org");
  const thief = new ConsoleBrowser(service.url);
  thief.cookies.set("console-session", browser.cookies.get("console-session")!);
  const changed = await change(browser, PASSWORD);
  assert.equal(`${changed.status} ${changed.headers.location}`, `303 ${PAGE}?changed`);
  const after = await browser.get(`${PAGE}?changed`);
  assert.match(after.text, /Your password is changed/);
  assert.equal(after.text.match(/<h3>This browser/g)?.length, 1);
  assert.doesNotMatch(after.text, /Another browser/);
  assert.match(after.text, /This service sends no email/);
  for (const one of [other, thief]) assert.ok(!(await isIn(one)));
  assert.ok(await isIn(stranger));
  assert.deepEqual(
    [await signIn("ada@console-password.example.org", PASSWORD), await signIn("ada@console-password.example.org", NEW)],
    [422, 303],
  );
});

test("a link that a user still had does not work after the change of the password", async () => {
  const browser = await signedIn(service, workspace, "viewer", "flo@console-password.example.org");
  const { writer, reader } = service.context.control;
  const { id } = findAccount(reader, "flo@console-password.example.org")!;
  const link = await whenFree(writer, 5000, () =>
    issueSignInLink(writer, findWorkspace(reader, workspace)!.id, id, Date.now()),
  );
  const isOpen = async () => (await new ConsoleBrowser(service.url).get(link)).text.includes('name="password"');
  assert.ok(await isOpen());
  assert.equal((await change(browser, PASSWORD)).status, 303);
  assert.ok(!(await isOpen()));
});

test("with a wrong old password, a short new one or two that differ, nothing changes", async () => {
  const browser = await signedIn(service, workspace, "viewer", "cy@console-password.example.org");
  const other = new ConsoleBrowser(service.url);
  await other.signIn("cy@console-password.example.org");
  for (const [answer, says] of [
    [await change(browser, "not the old one"), /That is not your password/],
    [await change(browser, ""), /That is not your password/],
    [await change(browser, PASSWORD, "too short"), /Use at least 12 characters/],
    [await change(browser, PASSWORD, NEW, `${NEW}x`), /The two passwords differ/],
  ] as const) {
    assert.equal(answer.status, 422);
    assert.match(answer.text, says);
    assert.ok(!answer.text.includes(NEW) && !answer.text.includes(PASSWORD));
  }
  for (const one of [browser, other]) assert.ok(await isIn(one));
  assert.equal(await signIn("cy@console-password.example.org", PASSWORD), 303);
});

test("of two changes at the same time, one is made", async () => {
  const browser = await signedIn(service, workspace, "viewer", "di@console-password.example.org");
  const other = new ConsoleBrowser(service.url);
  await other.signIn("di@console-password.example.org");
  const answers = await Promise.all([change(browser, PASSWORD, `${NEW} 1`), change(other, PASSWORD, `${NEW} 2`)]);
  const done = answers.findIndex(({ headers }) => headers.location === `${PAGE}?changed`);
  assert.equal(answers.filter(({ headers }) => headers.location === `${PAGE}?changed`).length, 1);
  const works = await Promise.all([1, 2].map((n) => signIn("di@console-password.example.org", `${NEW} ${n}`)));
  assert.deepEqual(works, done === 0 ? [303, 422] : [422, 303]);
});

test("brute force: guesses of the old password wait, and those that succeed do not count", async () => {
  const browser = await signedIn(service, workspace, "viewer", "ed@console-password.example.org");
  assert.equal((await change(browser, PASSWORD)).status, 303);
  const token = await browser.token(PAGE);
  const guess = (n: number) =>
    browser.postRaw(`${PAGE}/password`, { token, old: `guess ${n}`, password: NEW, again: NEW }, browser.ours);
  const statuses = (await Promise.all(Array.from({ length: FREE_ATTEMPTS_OF_NETWORK + 3 }, (_, n) => guess(n)))).map(
    ({ status }) => status,
  );
  assert.equal(statuses.filter((status) => status === 422).length, FREE_ATTEMPTS_OF_NETWORK + 1);
  assert.equal(statuses.filter((status) => status === 429).length, 2);
  assert.equal((await change(browser, NEW, PASSWORD)).status, 429, "who knows it waits, too");
  // Elsewhere the owner gets in.
  assert.equal(await signIn("ed@console-password.example.org", NEW), 303);
});
