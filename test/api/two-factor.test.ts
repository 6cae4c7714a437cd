// Two-factor sign-in: a code besides the password, which works once; who may take it away; and a workspace that requires it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret, TOTP } from "otpauth";
import { moveEvents } from "../../src/upkeep/housekeeping.ts";
import type { Client } from "../support/client.ts";
import { ConsoleBrowser, PASSWORD, signedIn } from "../support/console.ts";
import { startService } from "../support/service.ts";

const service = await startService();
const { reader, writer } = service.context.control;

const PERIOD_MS = 30_000;

/** What the app shows, some periods from now on. A code of an earlier period would be too old if that of now ended before it is looked at. */
function code(secret: string, periods: 0 | 1): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + periods * PERIOD_MS });
}

/** What is still to be used when the set-up has used the code of its time. */
const nextCode = (secret: string) => code(secret, 1);

/** Sets it up, with the code of now. */
async function setUp(browser: ConsoleBrowser, password = PASSWORD): Promise<{ secret: string; codes: string[] }> {
  const { text } = await browser.get("/console/two-factor");
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(text)![1]!;
  const done = await browser.post("/console/two-factor", { secret, code: code(secret, 0), password });
  assert.equal(done.status, 200, done.text);
  const codes = [...done.text.matchAll(/<code>([0-9a-f]{5}(?:-[0-9a-f]{5}){3})<\/code>/g)].map(([, one]) => one!);
  assert.equal(codes.length, 10);
  return { secret, codes };
}

/** Gives the password in a new browser. */
async function halfWay(email: string, password = PASSWORD, from?: string): Promise<ConsoleBrowser> {
  const browser = new ConsoleBrowser(service.url, from);
  const answer = await browser.signIn(email, password);
  assert.match(String(answer.headers.location), /^\/console\/sign-in\/code/);
  return browser;
}

const give = (browser: ConsoleBrowser, typed: string) =>
  browser.post("/console/sign-in", { code: typed }, "/console/sign-in/code");
const isIn = async (browser: ConsoleBrowser) => (await browser.get("/console/studies")).status === 200;
const uidOf = (email: string) => reader.value<string>("SELECT uid FROM workspace_user WHERE email = ?", email)!;

async function eventsOf(client: Client, type: string) {
  await service.context.pool.ask(moveEvents, undefined);
  return client.all(`/events?filter[type][eq]=${type}`);
}

test("after it is set up, the password alone signs nobody in; a code of the app does, once, and a recovery code, once", async () => {
  const client = service.workspace();
  const ada = await signedIn(service, client.workspaceId, "viewer", "ada@two.example");
  const other = new ConsoleBrowser(service.url);
  await other.signIn("ada@two.example");
  const { secret, codes } = await setUp(ada);
  assert.ok(await isIn(ada));
  assert.ok(!(await isIn(other)), "all other sessions have ended");
  assert.equal((await eventsOf(client, "user.two-factor-set-up")).length, 1);
  const first = await halfWay("ada@two.example");
  assert.ok(!(await isIn(first)));
  assert.equal((await give(first, "000 000")).status, 422);
  const used = nextCode(secret);
  const entered = await give(first, `${used.slice(0, 3)} ${used.slice(3)}`);
  assert.equal(entered.status, 303, entered.text);
  assert.ok(await isIn(first));
  const second = await halfWay("ada@two.example");
  assert.equal((await give(second, used)).status, 422, "a code that was seen is worth nothing");
  assert.equal((await give(second, code(secret, 0))).status, 422, "nor is an earlier one");
  assert.equal((await give(second, codes[3]!.toUpperCase())).status, 303);
  const third = await halfWay("ada@two.example");
  assert.equal((await give(third, codes[3]!)).status, 422);
  assert.equal((await give(third, codes[4]!)).status, 303);
  assert.match((await third.get("/console/two-factor")).text, /left: <strong>8</);
});

test("of two browsers that send the same code at the same time, one gets in", async () => {
  const ada = await signedIn(service, service.workspace().workspaceId, "viewer", "race@two.example");
  const { secret, codes } = await setUp(ada);
  for (const one of [nextCode(secret), codes[0]!]) {
    const browsers = [await halfWay("race@two.example"), await halfWay("race@two.example")];
    const answers = await Promise.all(browsers.map((browser) => give(browser, one)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 422]);
  }
});

test("neither recovery codes nor half a sign-in open anything else: hashes are kept, and a cookie that was made up or is old is refused", async () => {
  const email = "half@two.example";
  const ada = await signedIn(service, service.workspace().workspaceId, "viewer", email);
  const { secret, codes } = await setUp(ada);
  const kept = JSON.stringify(reader.all("SELECT recovery_codes FROM workspace_user"));
  for (const one of codes) assert.ok(!kept.includes(one) && !kept.includes(one.replaceAll("-", "")));
  const half = await halfWay(email);
  const cookie = half.cookies.get("console-second")!;
  const [id, until, mac] = cookie.split(".");
  for (const value of [
    `${Number(id) - 1}.${until}.${mac}`,
    `${id}.${Number(until) + 1}.${mac}`,
    `${id}.${until}.${"A".repeat(43)}`,
    // Of another length.
    `${id}.${until}.${mac}A`,
    `${id}.${until}.`,
    `${id}.${until}`,
    `${id}.x.${mac}`,
    "x",
  ]) {
    half.cookies.set("console-second", value);
    const answer = await give(half, nextCode(secret));
    assert.equal(answer.headers.location, "/console/sign-in", value);
  }
  // Another password ends what is half way.
  half.cookies.set("console-second", cookie);
  const next = "another long password";
  const changed = await ada.post(
    "/console/sessions",
    { old: PASSWORD, password: next, again: next },
    "/console/sessions/password",
  );
  assert.equal(changed.status, 303);
  assert.equal((await give(half, nextCode(secret))).headers.location, "/console/sign-in");
  assert.ok(!(await isIn(half)));
});

test("brute force: codes may be guessed a few times, from wherever, and the owner's browser goes on", async () => {
  const email = "guess@two.example";
  const ada = await signedIn(service, service.workspace().workspaceId, "viewer", email);
  const { secret, codes } = await setUp(ada);
  assert.equal((await give(await halfWay(email), codes[0]!)).status, 303);
  const statuses: number[] = [];
  for (let i = 0; i < 7; i++) {
    const thief = await halfWay(email, PASSWORD, `127.0.9.${i + 1}`);
    statuses.push((await give(thief, `00000${i}`)).status);
  }
  assert.deepEqual(statuses, [422, 422, 422, 422, 422, 422, 429]);
  assert.equal(
    (await give(await halfWay(email), nextCode(secret))).status,
    429,
    "also the right one, in a strange browser",
  );
  const own = new ConsoleBrowser(service.url);
  own.cookies.set("console-known", ada.cookies.get("console-known")!);
  await own.signIn(email);
  assert.equal((await give(own, nextCode(secret))).status, 303);
});

test("it is set up with the password and a right code alone, and taken away with a code", async () => {
  const email = "own@two.example";
  const ada = await signedIn(service, service.workspace().workspaceId, "viewer", email);
  const { text } = await ada.get("/console/two-factor");
  assert.match(text, /<img[^>]+src="data:image\/svg\+xml/);
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(text)![1]!;
  const post = (fields: Record<string, string>) => ada.post("/console/two-factor", { secret, ...fields });
  assert.match((await post({ code: code(secret, 0), password: "not the password" })).text, /not your password/);
  assert.match((await post({ code: "123", password: PASSWORD })).text, /not what the app shows/);
  assert.equal((await new ConsoleBrowser(service.url).signIn(email)).headers.location, "/console/studies");
  const { secret: own } = await setUp(ada);
  const removal = (typed: string) => ada.post("/console/two-factor", { code: typed }, "/console/two-factor/removal");
  assert.equal((await removal("111111")).status, 422);
  assert.equal((await removal(nextCode(own))).status, 303);
  assert.equal((await new ConsoleBrowser(service.url).signIn(email)).headers.location, "/console/studies");
});

test("a link for another password does not replace the code", async () => {
  const client = service.workspace();
  const admin = await signedIn(service, client.workspaceId, "admin", "admin@link.example");
  const bo = await signedIn(service, client.workspaceId, "viewer", "bo@link.example");
  const { secret } = await setUp(bo);
  const made = await admin.post("/console/users", {}, `/console/users/${uidOf("bo@link.example")}/link`);
  const [, path = ""] = /(\/console\/sign-in\/[\w-]{43})/.exec(made.text)!;
  const browser = new ConsoleBrowser(service.url);
  const next = "another long password";
  const chosen = await browser.post(path, { password: next, again: next });
  assert.match(String(chosen.headers.location), /^\/console\/sign-in\/code/);
  assert.ok(!(await isIn(browser)));
  assert.equal((await give(browser, nextCode(secret))).status, 303);
  assert.ok(await isIn(browser));
});

test("an admin requires it: who has not set it up gets to nothing else; and resets it for somebody who has lost it", async () => {
  const client = service.workspace();
  const admin = await signedIn(service, client.workspaceId, "admin", "admin@must.example");
  const bo = await signedIn(service, client.workspaceId, "researcher", "bo@must.example");
  const require = (required: string) => admin.post("/console/users", { required }, "/console/users/two-factor");
  assert.equal((await require("yes")).status, 303);
  for (const browser of [admin, bo])
    for (const path of ["/console/studies", "/console/users", "/console/sessions"])
      assert.equal((await browser.get(path)).headers.location, "/console/two-factor", path);
  assert.equal(
    (await bo.post("/console/two-factor", { title: "x" }, "/console/studies")).headers.location,
    "/console/two-factor",
  );
  assert.match((await bo.get("/console/two-factor")).text, /requires it/);
  const { secret } = await setUp(bo);
  assert.ok(await isIn(bo));
  const stays = await bo.post("/console/two-factor", { code: nextCode(secret) }, "/console/two-factor/removal");
  assert.equal(stays.status, 422);
  await setUp(admin);
  const to = `/console/users/${uidOf("bo@must.example")}/two-factor`;
  const stranger = await signedIn(service, service.workspace().workspaceId, "admin", "stranger@must.example");
  assert.equal((await stranger.post("/console/users", {}, to)).status, 404);
  assert.equal((await bo.post("/console/sessions", {}, to)).status, 403);
  assert.equal((await admin.post("/console/users", {}, to)).status, 303);
  assert.ok(!(await isIn(bo)), "all sessions have ended");
  const again = new ConsoleBrowser(service.url);
  await again.signIn("bo@must.example");
  assert.equal((await again.get("/console/studies")).headers.location, "/console/two-factor");
  assert.equal((await eventsOf(client, "user.two-factor-removed"))[0].actor.name, "The admin");
  const [change] = (await eventsOf(client, "workspace.updated")).map(({ changes }) => changes[0]);
  assert.deepEqual(change, { field: "requiresTwoFactor", from: false, to: true });
  await require("no");
  assert.ok(await isIn(again));
});

test("the admin of one workspace does not reset it for somebody who works in others, too; joining asks for the code", async () => {
  const [first, second] = [service.workspace(), service.workspace()];
  const bo = await signedIn(service, first.workspaceId, "viewer", "bo@both.example");
  const { codes } = await setUp(bo);
  const admin = await signedIn(service, second.workspaceId, "admin", "admin@both.example");
  const { text } = await admin.post("/console/users", { name: "Bo", email: "bo@both.example", role: "viewer" });
  const [, link = ""] = /(\/console\/sign-in\/[\w-]{43})/.exec(text)!;
  const join = (fields: Record<string, string>) =>
    new ConsoleBrowser(service.url).post("/console/sign-in", { password: PASSWORD, ...fields }, `${link}/join`);
  assert.match((await join({})).text, /The code is missing/);
  assert.match((await join({ code: "000000" })).text, /The code is missing, not right/);
  assert.equal((await join({ code: codes[0]! })).status, 303);
  const uid = reader.value<string>("SELECT uid FROM workspace_user WHERE email = 'bo@both.example' ORDER BY id DESC")!;
  const refused = await admin.post("/console/users", {}, `/console/users/${uid}/two-factor`);
  assert.match(refused.text, /works in other workspaces, too/);
  assert.equal((await give(await halfWay("bo@both.example"), codes[1]!)).status, 303);
  assert.equal(
    writer.value("SELECT count(*) FROM workspace_user WHERE email = 'bo@both.example' AND totp_secret IS NOT NULL"),
    2,
  );
});
