// Signing in to the console at a real OpenID provider: who gets in, and what becomes of it without the provider.

import assert from "node:assert/strict";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { moveEvents } from "../../src/upkeep/housekeeping.ts";
import { findAccount } from "../../src/workspaces/accounts.ts";
import { disableUser } from "../../src/workspaces/lives.ts";
import { ConsoleBrowser, invite, PASSWORD, signedIn } from "../support/console.ts";
import type { PlainAnswer } from "../support/http.ts";
import { goThere, START, startProvider } from "../support/openid-provider.ts";
import { startService } from "../support/service.ts";

const publicUrl = "http://127.0.0.1:1";
const provider = await startProvider(publicUrl);
const service = await startService({ config: { publicUrl, oidc: provider.oidc } });
const { control } = service.context;
const client = service.workspace("Lab");

const goes = (answer: PlainAnswer) => `${answer.status} ${answer.headers.location ?? ""}`;
const isIn = async (browser: ConsoleBrowser) => (await browser.get("/console/studies")).status === 200;
const idOf = (email: string) => findAccount(control.reader, email)!.id;

/** Somebody whom an admin has added. */
async function add(name: string, email = `${name}@example.org`): Promise<string> {
  await invite(service, client.workspaceId, { name, email, role: "viewer" });
  return email;
}

function atProvider(sub: string, email: string, isVerified = true): void {
  provider.accounts.set(sub, { email, email_verified: isVerified });
}

/** All the way. */
async function enter(sub: string, browser = new ConsoleBrowser(service.url)) {
  return { browser, answer: await browser.get(await goThere(browser, sub)) };
}

async function events(type: string): Promise<{ actor: { name: string }; changes: unknown[] }[]> {
  await service.context.pool.ask(moveEvents, undefined);
  return await client.all(`/events?filter[type][eq]=${type}`);
}

test("the first time the verified email says who it is; the session is like any other, and the log says so", async () => {
  atProvider("ada-1", "Ada@Example.org");
  await add("ada");
  const page = await new ConsoleBrowser(service.url).get("/console/sign-in?next=/console/jobs");
  assert.match(page.text, /href="\/console\/sign-in\/oidc\?next=%2Fconsole%2Fjobs">Sign in with Test University</);
  const browser = new ConsoleBrowser(service.url);
  const answer = await browser.get(await goThere(browser, "ada-1", `${START}?next=%2Fconsole%2Fjobs%3Foffset%3D20`));
  assert.equal(goes(answer), "303 /console/jobs?offset=20");
  assert.match(
    String(answer.headers["set-cookie"]),
    /^console-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800,console-oidc=; .*Max-Age=0$/,
  );
  assert.ok(await isIn(browser));
  const list = await browser.get("/console/sessions");
  assert.match(list.text, /This browser[\s\S]*Test browser/);
  assert.match(list.text, /You have no password/);
  const kept = control.reader.values<string>("SELECT hex(hash) FROM console_session").join();
  assert.ok(!kept.includes(Buffer.from(browser.cookies.get("console-session")!).toString("hex").toUpperCase()));
  const [event] = await events("user.tied");
  assert.equal(event!.actor.name, "ada");
  assert.deepEqual(event!.changes, [{ field: "oidcIssuer", from: null, to: provider.oidc.issuer }]);
});

test("from then on it is the account that counts: with another email it gets in, and another one with the email does not", async () => {
  const email = await add("bea");
  atProvider("bea-1", email);
  assert.ok(await isIn((await enter("bea-1")).browser));
  atProvider("bea-1", "bea.new@example.org", false);
  assert.ok(await isIn((await enter("bea-1")).browser));
  atProvider("bea-2", email);
  const { browser, answer } = await enter("bea-2");
  assert.equal(answer.status, 403);
  assert.match(answer.text, /tied to another account at Test University/);
  assert.ok(!(await isIn(browser)));
  assert.equal((await events("user.tied")).length, 2);
});

test("nobody else gets in: no user, an email that is not verified, a disabled user", async () => {
  const refused = async (sub: string, why: RegExp) => {
    const { browser, answer } = await enter(sub);
    assert.equal(answer.status, 403);
    assert.match(answer.text, why);
    assert.ok(!browser.cookies.has("console-session"));
  };
  atProvider("nobody", "nobody@example.org");
  await refused("nobody", /no user here may sign in with that account\. Ask an admin/);
  await add("kim");
  // It starts with the Kelvin sign, whose small letter is k.
  atProvider("kelvin", "\u212Aim@example.org");
  await refused("kelvin", /no user here/);
  const cleo = await add("cleo");
  atProvider("cleo-1", cleo, false);
  await refused("cleo-1", /does not say that your email is verified/);
  provider.accounts.set("cleo-2", {});
  await refused("cleo-2", /does not say that your email is verified/);
  provider.accounts.set("cleo-3", { email: cleo });
  await refused("cleo-3", /does not say that your email is verified/);

  const dora = await add("dora");
  atProvider("dora-1", dora);
  const { browser } = await enter("dora-1");
  await whenFree(control.writer, 5000, () => disableUser(control.writer, idOf(dora), Date.now()));
  assert.ok(!(await isIn(browser)));
  // Nor as somebody else, whose email the account has now.
  atProvider("dora-1", cleo);
  await refused("dora-1", /no user here/);
});

test("an admin sees how a user signs in, and unties: the sessions end, and the next sign-in ties again", async () => {
  const email = await add("eli");
  atProvider("eli-1", email);
  const { browser } = await enter("eli-1");
  const admin = await signedIn(service, client.workspaceId, "admin", "admin@example.org");
  const { text } = await admin.get("/console/users");
  assert.match(text, new RegExp(`eli@example[\\s\\S]*?Sign-in: single sign-on at ${provider.oidc.issuer}<`));
  assert.match(text, /admin@example[\s\S]*?Sign-in: password</);
  assert.match(text, /cleo@example[\s\S]*?Sign-in: has not signed in yet</);
  const uid = findAccount(control.reader, email)!.uid;
  assert.equal(goes(await admin.post("/console/users", {}, `/console/users/${uid}/untie`)), "303 /console/users");
  assert.ok(!(await isIn(browser)));
  atProvider("eli-2", email);
  assert.ok(await isIn((await enter("eli-2")).browser));
  assert.equal((await enter("eli-1")).answer.status, 403);
  const untied = await events("user.untied");
  assert.deepEqual(
    untied.map(({ actor, changes }) => [actor.name, changes]),
    [["The admin", [{ field: "oidcIssuer", from: provider.oidc.issuer, to: null }]]],
  );
  const stranger = await signedIn(service, service.workspace().workspaceId, "admin", "stranger@example.org");
  assert.equal((await stranger.post("/console/users", {}, `/console/users/${uid}/untie`)).status, 404);
});

test("while the provider is down the service starts, is ready, and takes passwords; afterwards all is well", async () => {
  await provider.stop();
  const other = await startService({ config: { publicUrl, oidc: provider.oidc } });
  const { workspaceId } = other.workspace();
  const link = await invite(other, workspaceId, { name: "Ida", email: "ida@example.org", role: "viewer" });
  const browser = new ConsoleBrowser(other.url);
  const down = await browser.get(START);
  assert.equal(down.status, 503);
  assert.match(down.text, /Test University does not answer, or not as it should/);
  assert.equal((await browser.get("/readyz")).status, 200);
  assert.equal((await browser.post(link, { password: PASSWORD, again: PASSWORD })).status, 303);
  assert.equal((await new ConsoleBrowser(other.url).signIn("ida@example.org")).status, 303);

  await provider.start();
  const before = provider.discoveries();
  const led = await Promise.all(Array.from({ length: 5 }, () => browser.get(START)));
  assert.deepEqual([...new Set(led.map(({ status }) => status))], [303]);
  assert.equal(provider.discoveries(), before + 1, "it is asked once");
  atProvider("ida-1", "ida@example.org");
  assert.equal((await browser.get(await goThere(browser, "ida-1"))).status, 303);
});

test("the provider leads back to PUBLIC_URL; by HTTPS the cookie is bound to the host", async () => {
  const secure = await startService({ config: { publicUrl: "https://study.example.org/app", oidc: provider.oidc } });
  const { headers } = await new ConsoleBrowser(secure.url).get(START);
  const asked = new URL(String(headers.location)).searchParams;
  assert.equal(asked.get("redirect_uri"), "https://study.example.org/app/console/sign-in/oidc/callback");
  assert.deepEqual(
    [asked.get("response_type"), asked.get("code_challenge_method"), asked.get("scope")],
    ["code", "S256", "openid email"],
  );
  const cookie = [headers["set-cookie"]].flat().find((one) => one!.includes("oidc"));
  assert.match(cookie!, /^__Host-console-oidc=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/);
});

test("where no provider is configured there is no trace of one", async () => {
  const plain = await startService({ config: { publicUrl } });
  const browser = new ConsoleBrowser(plain.url);
  assert.doesNotMatch((await browser.get("/console/sign-in")).text, /oidc/);
  assert.equal((await browser.get(START)).status, 404);
  assert.equal((await browser.get(`${START}/callback?code=c&state=s`)).status, 404);
});

test("a verified email joins what has invited it, also later; but no account with a password, which somebody else may have made", async () => {
  const [second, third] = [service.workspace("Second"), service.workspace("Third")];
  const inviteTo = ({ workspaceId }: { workspaceId: string }, email: string) =>
    invite(service, workspaceId, { name: "Ida", email, role: "viewer" });
  const names = async (browser: ConsoleBrowser) => {
    const { text } = await browser.get("/console/workspaces");
    return ["Second", "Third"].filter((name) => text.includes(`<bdi>${name}</bdi>`));
  };
  atProvider("ida-1", "ida@example.org");
  await add("ida");
  await inviteTo(second, "ida@example.org");
  assert.deepEqual(await names((await enter("ida-1")).browser), ["Second"]);
  await inviteTo(third, "ida@example.org");
  assert.deepEqual(await names((await enter("ida-1")).browser), ["Second", "Third"]);
  // An admin has added a boss, and chosen the password with the link.
  const link = await invite(service, second.workspaceId, { name: "Boss", email: "boss@example.org", role: "viewer" });
  const admin = new ConsoleBrowser(service.url);
  assert.equal((await admin.post(link, { password: PASSWORD, again: PASSWORD })).status, 303);
  const other = await inviteTo(third, "boss@example.org");
  atProvider("boss-1", "boss@example.org");
  const { browser } = await enter("boss-1");
  assert.ok(await isIn(browser));
  assert.deepEqual(await names(browser), ["Second"]);
  assert.match((await browser.get(other)).text, /Password of your account/);
});
