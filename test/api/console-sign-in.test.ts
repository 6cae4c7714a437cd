// Signing in to the console: who may, and what others try.

import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import {
  FREE_ATTEMPTS_OF_ACCOUNT,
  FREE_ATTEMPTS_OF_NETWORK,
  isKnownBrowser,
  MAX_ATTEMPTS_OF_ADDRESS,
} from "../../src/console/shell/attempts.ts";
import { MAX_IDLE_MS, MAX_SESSION_MS } from "../../src/workspaces/console-sessions.ts";
import { LINK_MS } from "../../src/workspaces/console-users.ts";
import { disableUser } from "../../src/workspaces/lives.ts";
import { ConsoleBrowser, invite, PASSWORD, signedIn } from "../support/console.ts";
import type { PlainAnswer } from "../support/http.ts";
import { startService } from "../support/service.ts";

const service = await startService();
const { control } = service.context;
const workspace = service.workspace("Lab").workspaceId;

const open = (from?: string) => new ConsoleBrowser(service.url, from);
const change = (sql: string, ...values: (string | number)[]) =>
  whenFree(control.writer, 5000, () => control.writer.run(sql, ...values));
const isIn = async (browser: ConsoleBrowser) => (await browser.get("/console/studies")).status === 200;
const goes = (answer: PlainAnswer) => `${answer.status} ${answer.headers.location ?? ""}`;

test("/ leads a browser to the console, and names it for programs", async () => {
  const browser = open();
  assert.equal(goes(await browser.send("GET", "/", { Accept: "text/html,*/*;q=0.8" })), "302 /console");
  const json = await browser.send("GET", "/", { Accept: "*/*" });
  assert.deepEqual(JSON.parse(json.text), { docs: "/docs", console: "/console" });
  assert.equal(goes(await browser.get("/console")), "303 /console/studies");
  assert.equal(
    goes(await browser.get("/console/jobs?offset=20")),
    "303 /console/sign-in?next=%2Fconsole%2Fjobs%3Foffset%3D20",
  );
});

test("a link makes a password and signs in, once; opening it uses nothing up", async () => {
  const link = await invite(service, workspace, { name: "Ada", email: "Ada@Example.org", role: "viewer" });
  const browser = open();
  for (let i = 0; i < 3; i++) assert.equal((await browser.get(link)).status, 200);
  const short = await browser.post(link, { password: "too short", again: "too short" });
  assert.equal(short.status, 422);
  assert.match(short.text, /at least 12 characters/);
  assert.equal((await browser.post(link, { password: PASSWORD, again: `${PASSWORD}x` })).status, 422);
  assert.equal(goes(await browser.post(link, { password: PASSWORD, again: PASSWORD })), "303 /console/studies");
  assert.ok(await isIn(browser));
  assert.equal((await open().get(link)).status, 404);
  assert.equal((await browser.post("/console/sign-in", { password: PASSWORD, again: PASSWORD }, link)).status, 404);
  // In any spelling of the email.
  assert.equal(goes(await open().signIn(" ADA@example.org")), "303 /console/studies");
});

test("of two that use a link at the same time, one does; and a link expires", async () => {
  const link = await invite(service, workspace, { name: "Bo", email: "bo@example.org", role: "viewer" });
  const use = () => open().post(link, { password: PASSWORD, again: PASSWORD });
  const statuses = (await Promise.all([use(), use()])).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [303, 404]);
  const late = await invite(service, workspace, { name: "Cy", email: "cy@example.org", role: "viewer" });
  await change("UPDATE sign_in_link SET expires_at = expires_at - ?", LINK_MS);
  assert.equal((await open().get(late)).status, 404);
});

test("neither passwords nor links nor sessions can be read from the store", async () => {
  const link = await invite(service, workspace, { name: "Di", email: "di@example.org", role: "viewer" });
  const browser = await signedIn(service, workspace, "viewer", "ed@example.org");
  const kept = control.reader.values<string>(
    `SELECT json_group_array(hex(hash)) FROM (SELECT hash FROM sign_in_link UNION ALL SELECT hash FROM console_session)
     UNION ALL SELECT group_concat(password) FROM workspace_user`,
  );
  const text = kept.join("\n");
  const secrets = [link.split("/").at(-1)!, browser.cookies.get("console-session")!];
  for (const secret of secrets) {
    assert.ok(secret.length > 40);
    assert.ok(!text.includes(Buffer.from(secret).toString("hex").toUpperCase()) && !text.includes(secret));
  }
  assert.ok(!text.includes(PASSWORD));
  assert.match(text, /\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test("a cookie is of no use to scripts and other sites; by HTTPS it is bound to the host", async () => {
  const link = await invite(service, workspace, { name: "Fay", email: "fay@example.org", role: "viewer" });
  const answer = await open().post(link, { password: PASSWORD, again: PASSWORD });
  assert.match(
    String(answer.headers["set-cookie"]),
    /^console-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+,console-known=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
  );
  const secure = await startService({ config: { publicUrl: "https://study.example.org" } });
  const page = await new ConsoleBrowser(secure.url).get("/console/sign-in");
  assert.match(
    String(page.headers["set-cookie"]),
    /^__Host-console-form=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
});

test("fixation: each sign-in begins a new session, and ends the one that the browser had", async () => {
  const browser = await signedIn(service, workspace, "viewer", "gil@example.org");
  const before = browser.cookies.get("console-session")!;
  await browser.signIn("gil@example.org");
  assert.notEqual(browser.cookies.get("console-session"), before);
  assert.ok(await isIn(browser));
  const thief = open();
  thief.cookies.set("console-session", before);
  assert.ok(!(await isIn(thief)));
  // A cookie that somebody else has chosen never becomes a session.
  const chosen = open();
  chosen.cookies.set("console-session", "A".repeat(43));
  await chosen.signIn("gil@example.org");
  assert.notEqual(chosen.cookies.get("console-session"), "A".repeat(43));
});

test("sessions end: idle, at last, by sign-out, from the list, with another password, with the user", async () => {
  const browser = await signedIn(service, workspace, "viewer", "hal@example.org");
  const other = open();
  const again = async () => {
    await other.signIn("hal@example.org");
    assert.ok(await isIn(other));
  };
  const ofHal = "workspace_user_id = (SELECT id FROM workspace_user WHERE email = 'hal@example.org')";
  await again();
  const list = await browser.get("/console/sessions");
  assert.equal(list.text.match(/Test browser/g)?.length, 2 + 1, "each is shown, and the other one named on its button");
  const [, end = ""] = /action="(\/console\/sessions\/[^"]+\/end)"/.exec(list.text) ?? [];
  // Somebody else's session is not found.
  const stranger = await signedIn(service, workspace, "admin", "ivy@example.org");
  await stranger.post("/console/sessions", {}, end);
  assert.ok(await isIn(other));
  await browser.post("/console/sessions", {}, end);
  assert.ok(!(await isIn(other)));

  await again();
  const kept = new Map(other.cookies);
  await other.post("/console/studies", {}, "/console/sign-out");
  assert.equal(other.cookies.has("console-session"), false);
  for (const [name, value] of kept) other.cookies.set(name, value);
  assert.ok(!(await isIn(other)), "the cookie itself is worth nothing any more");

  await again();
  await change(`UPDATE console_session SET last_used_at = last_used_at - ? WHERE ${ofHal}`, MAX_IDLE_MS);
  assert.ok(!(await isIn(other)));
  await again();
  await change(`UPDATE console_session SET created_at = created_at - ? WHERE ${ofHal}`, MAX_SESSION_MS);
  assert.ok(!(await isIn(other)));

  await again();
  const id = control.reader.value<number>("SELECT id FROM workspace_user WHERE email = 'hal@example.org'")!;
  await whenFree(control.writer, 5000, () => disableUser(control.writer, id, Date.now()));
  assert.ok(!(await isIn(other)));
  assert.equal((await open().signIn("hal@example.org")).status, 422);
});

test("CSRF: a form is taken from our own pages alone, before and after the sign-in", async () => {
  const browser = await signedIn(service, workspace, "viewer", "joe@example.org");
  const token = await browser.token("/console/studies");
  const { ours } = browser;
  const forged: [Record<string, string>, Record<string, string>][] = [
    [{ token }, {}],
    [{ token }, { ...ours, Origin: "https://evil.example" }],
    [{ token }, { Origin: "null" }],
    [{ token }, { ...ours, "Sec-Fetch-Site": "cross-site" }],
    [{ token }, { ...ours, "Sec-Fetch-Site": "same-site" }],
    [{}, ours],
    [{ token: `${token}x` }, ours],
    [{ token: "A".repeat(43) }, ours],
  ];
  for (const [fields, headers] of forged) {
    const { status } = await browser.postRaw("/console/sign-out", fields, headers);
    assert.equal(status, 403, JSON.stringify([fields, headers]));
  }
  assert.ok(await isIn(browser));
  // Nor can a site sign a browser in as somebody else.
  const fields = { token: "", email: "joe@example.org", password: PASSWORD };
  assert.equal((await open().postRaw("/console/sign-in", fields, ours)).status, 403);
  assert.equal((await open().postRaw("/console/sign-in", { ...fields, token }, ours)).status, 403);
  assert.equal(goes(await browser.postRaw("/console/sign-out", { token }, ours)), "303 /console/sign-in");
});

test("clickjacking, and what pages load: nobody may frame them, they have no script but ours, and tell other sites nothing", async () => {
  const browser = await signedIn(service, workspace, "viewer", "kim@example.org");
  for (const path of ["/console/sign-in", "/console/studies", "/console/nowhere"]) {
    const { headers, text } = await browser.get(path);
    const policy = String(headers["content-security-policy"]);
    assert.match(policy, /^default-src 'none';.*frame-ancestors 'none'$/);
    assert.equal(/script-src ([^;]*)/.exec(policy)?.[1], path.endsWith("/studies") ? "'self'" : undefined, path);
    assert.equal(headers["x-frame-options"], "DENY");
    assert.equal(headers["referrer-policy"], "same-origin");
    assert.equal(headers["cache-control"], "no-store");
    const scripts = [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    const ours = scripts.map((tag) => / src="\/console\/assets\/(copy|times)\./.exec(tag)?.[1]);
    assert.ok(!ours.includes(undefined) && new Set(ours).size === ours.length, path);
    assert.doesNotMatch(text, /https?:\/\/(?!127\.0\.0\.1)/);
  }
});

test("open redirects: after the sign-in a person is led to a page of the console, whatever a link says", async () => {
  await signedIn(service, workspace, "viewer", "lea@example.org");
  const next = async (text: string) =>
    (await open().signIn("lea@example.org", PASSWORD, { next: text })).headers.location;
  assert.equal(await next("/console/jobs?offset=20"), "/console/jobs?offset=20");
  for (const bad of [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/console/..//evil.example",
    "/docs",
    "/console/sign-out",
    "/console\\evil",
  ])
    assert.equal(await next(bad), "/console/studies", bad);
});

/** The statuses of guesses for an account, which come one behind the other. @param from where the n-th comes from */
async function guess(email: string, count: number, from: (n: number) => string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await open(from(n)).signIn(email, `guess number ${n}`)).status);
  return statuses;
}

test("brute force: who guesses has to wait longer each time, and keeps the owner out from nowhere else", async () => {
  const email = "max@example.org";
  const usual = await signedIn(service, workspace, "viewer", email);
  const statuses = await guess(email, FREE_ATTEMPTS_OF_NETWORK + 3, () => "127.0.1.1");
  // One more begins the first delay.
  assert.deepEqual(statuses, [...Array(FREE_ATTEMPTS_OF_NETWORK + 1).fill(422), 429, 429]);
  const refused = await open("127.0.1.1").signIn(email);
  assert.equal(refused.status, 429, "the right password waits there, too");
  const seconds = Number(refused.headers["retry-after"]);
  assert.ok(seconds >= 1 && seconds <= 30, String(seconds));
  assert.equal((await open("127.0.1.1").signIn("somebody-else@example.org", "a guess")).status, 422);
  // The browser in which the owner has signed in before is on a list of its own.
  const same = open("127.0.1.1");
  same.cookies.set("console-known", usual.cookies.get("console-known")!);
  assert.equal((await same.signIn(email)).status, 303);
  for (const from of ["127.0.0.9", "127.0.0.10"]) assert.equal((await open(from).signIn(email)).status, 303);
  // Those that succeed are forgotten.
  const typos = Array.from({ length: FREE_ATTEMPTS_OF_NETWORK + 2 }, () => "127.0.0.9");
  for (const from of typos) {
    assert.equal((await open(from).signIn(email, "a typo")).status, 422);
    assert.equal((await open(from).signIn(email)).status, 303);
  }
});

test("brute force: many at once from one network get no more than one behind the other", async () => {
  await signedIn(service, workspace, "viewer", "mia@example.org");
  const browser = open("127.0.1.2");
  const token = await browser.token("/console/sign-in");
  const guesses = Array.from({ length: 20 }, (_, n) => {
    const fields = { token, email: "mia@example.org", password: `guess number ${n}` };
    return browser.postRaw("/console/sign-in", fields, browser.ours);
  });
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 422).length, FREE_ATTEMPTS_OF_NETWORK + 1);
});

test("brute force: guesses from everywhere wait for each other, and the owner's browser does not; nor does another account", async () => {
  const email = "lou@example.org";
  const usual = await signedIn(service, workspace, "viewer", email);
  await signedIn(service, workspace, "viewer", "lea2@example.org");
  const from = (n: number) => `127.1.${Math.floor(n / 200)}.${(n % 200) + 1}`;
  const count = FREE_ATTEMPTS_OF_ACCOUNT + 20;
  const statuses: PlainAnswer[] = [];
  // Not all at once: the line of those whose passwords are looked at is short.
  while (statuses.length < count) {
    const some = Array.from({ length: 10 }, (_, n) => open(from(statuses.length + n)).signIn(email, "a guess"));
    statuses.push(...(await Promise.all(some)));
  }
  const looked = statuses.filter(({ status }) => status === 422).length;
  assert.ok(looked >= FREE_ATTEMPTS_OF_ACCOUNT && looked < FREE_ATTEMPTS_OF_ACCOUNT + 10, String(looked));
  const refused = statuses.find(({ status }) => status === 429)!;
  assert.ok(Number(refused.headers["retry-after"]) <= 60);
  assert.match(refused.text, /a browser in which you have signed in before/);
  usual.cookies.delete("console-session");
  assert.equal((await usual.signIn(email)).status, 303);
  assert.equal((await open("127.0.0.11").signIn("lea2@example.org")).status, 303);
  // What a browser keeps is for one account, and ends with its password.
  const kept = usual.cookies.get("console-known");
  const password = control.reader.value<string>("SELECT password FROM workspace_user WHERE email = ?", email)!;
  assert.deepEqual(
    [
      isKnownBrowser(kept, email, password),
      isKnownBrowser(kept, "lea2@example.org", password),
      isKnownBrowser(kept, email, `${password}2`),
      isKnownBrowser("A".repeat(43), email, password),
    ],
    [true, false, false, false],
  );
});

test("brute force: an address has so many attempts for all accounts", async () => {
  const sprayer = open("127.0.0.7");
  const token = await sprayer.token("/console/sign-in");
  const tries = Array.from({ length: MAX_ATTEMPTS_OF_ADDRESS + 1 }, (_, i) => {
    const fields = { token, email: `somebody-${i}@example.org`, password: "one password for all" };
    return sprayer.postRaw("/console/sign-in", fields, sprayer.ours);
  });
  const sprayed = (await Promise.all(tries)).map(({ status }) => status);
  assert.equal(sprayed.filter((status) => status === 422).length, MAX_ATTEMPTS_OF_ADDRESS);
  assert.equal(sprayed.filter((status) => status === 429).length, 1);
});

test("an unknown account is answered like a wrong password, and its password is hashed as well", async () => {
  await signedIn(service, workspace, "viewer", "ned@example.org");
  const essence = ({ status, text }: PlainAnswer) => [
    status,
    text.replaceAll(/name="token" value="[^"]+"/g, "").replaceAll(/(?:ned|nobody)@example\.org/g, "…"),
  ];
  const hashed: string[] = [];
  const hook = createHook({ init: (_, type) => type === "ARGON2REQUEST" && hashed.push(type) }).enable();
  const known = await open("127.0.0.5").signIn("ned@example.org", "a wrong password");
  const unknown = await open("127.0.0.5").signIn("nobody@example.org", "a wrong password");
  hook.disable();
  assert.deepEqual(essence(unknown), essence(known));
  assert.equal(known.status, 422);
  assert.equal(hashed.length, 2, "each costs the same");
});
