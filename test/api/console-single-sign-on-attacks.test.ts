// Signing in to the console at an OpenID provider: what others try, against a real provider; and a provider that lies.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ConsoleBrowser, invite, PASSWORD } from "../support/console.ts";
import { goThere, type Lies, START, startLiar, startProvider } from "../support/openid-provider.ts";
import { startService } from "../support/service.ts";

const publicUrl = "http://127.0.0.1:1";
const provider = await startProvider(publicUrl);
const service = await startService({ config: { publicUrl, oidc: provider.oidc } });
const client = service.workspace("Lab");

/** Somebody whom an admin has added, with an account at the provider. @returns its `sub` */
async function add(name: string): Promise<string> {
  const email = `${name}@example.org`;
  await invite(service, client.workspaceId, { name, email, role: "viewer" });
  provider.accounts.set(name, { email, email_verified: true });
  return name;
}

const open = (from?: string) => new ConsoleBrowser(service.url, from);
const isIn = async (browser: ConsoleBrowser) => (await browser.get("/console/studies")).status === 200;

test("fixation: each sign-in begins a new session, and ends the one that the browser had", async () => {
  const fay = await add("fay");
  const browser = open();
  const enter = async () => browser.get(await goThere(browser, fay));
  await enter();
  const before = browser.cookies.get("console-session")!;
  await enter();
  assert.notEqual(browser.cookies.get("console-session"), before);
  assert.ok(await isIn(browser));
  browser.cookies.set("console-session", before);
  assert.ok(!(await isIn(browser)));
});

test("open redirects: a person is led to a page of the console, whatever a link or a cookie says", async () => {
  const gus = await add("gus");
  for (const bad of [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/docs",
    `/console/${"a".repeat(1100)}`,
  ]) {
    const browser = open();
    const back = await goThere(browser, gus, `${START}?next=${encodeURIComponent(bad)}`);
    assert.equal((await browser.get(back)).headers.location, "/console/studies", bad);
  }
  const browser = open();
  const back = await goThere(browser, gus);
  const [secret] = browser.cookies.get("console-oidc")!.split(".");
  browser.cookies.set("console-oidc", `${secret}.${Buffer.from("//evil.example").toString("base64url")}`);
  assert.equal((await browser.get(back)).headers.location, "/console/studies");
});

test("CSRF: only the browser that has begun a sign-in ends it, and only the one that it has begun last", async () => {
  const attackerThere = await add("attacker");
  const attacker = open();
  const link = await goThere(attacker, attackerThere);
  const victims: [string, ConsoleBrowser][] = [
    ["who has begun nothing", open()],
    ["who has begun another one", open()],
    ["with a cookie of somebody else's choice", open()],
  ];
  await victims[1]![1].get(START);
  victims[2]![1].cookies.set("console-oidc", `${"A".repeat(43)}.L2NvbnNvbGUvam9icw`);
  for (const [who, victim] of victims) {
    const answer = await victim.get(link);
    assert.equal(answer.status, 400, who);
    assert.match(answer.text, /This sign-in has ended/);
    assert.ok(!victim.cookies.has("console-session"), who);
  }
  const early = await goThere(attacker, attackerThere);
  await attacker.get(START);
  assert.equal((await attacker.get(early)).status, 400);
});

test("replay: a browser comes back once; and with the old cookie the provider refuses the code", async () => {
  const hal = await add("hal");
  const browser = open();
  const back = await goThere(browser, hal);
  const cookie = browser.cookies.get("console-oidc")!;
  assert.equal((await browser.get(back)).status, 303);
  browser.cookies.delete("console-session");
  assert.equal((await browser.get(back)).status, 400);
  browser.cookies.set("console-oidc", cookie);
  assert.equal((await browser.get(back)).status, 503);
  assert.ok(!(await isIn(browser)));
});

test("code injection: a code of another sign-in is of no use in a browser's own one, nor is an answer that says things twice", async () => {
  const [ida, thief] = [await add("ida"), await add("thief")];
  const stolen = new URL(await goThere(open(), ida), publicUrl).searchParams.get("code")!;
  const browser = open();
  const own = async () => new URL(await goThere(browser, thief), publicUrl);
  const answers: [string, (url: URL) => void, number][] = [
    ["the code of another one", ({ searchParams }) => searchParams.set("code", stolen), 503],
    ["two codes", ({ searchParams }) => searchParams.append("code", stolen), 503],
    ["two states", ({ searchParams }) => searchParams.append("state", "another"), 503],
    ["another state before", (url) => (url.search = `?state=another&${url.searchParams}`), 400],
    ["no state", ({ searchParams }) => searchParams.delete("state"), 400],
    ["no code", ({ searchParams }) => searchParams.delete("code"), 503],
    ["of another issuer (RFC 9207)", ({ searchParams }) => searchParams.set("iss", "https://evil.example"), 503],
    [
      "an ID token in the address",
      (url) => (url.search = `?state=${url.searchParams.get("state")}&id_token=a.b.c`),
      503,
    ],
  ];
  for (const [what, change, status] of answers) {
    const url = await own();
    change(url);
    assert.equal((await browser.get(url.pathname + url.search)).status, status, what);
    assert.ok(!browser.cookies.has("console-session"), what);
  }
  const posted = await browser.postRaw(`${START}/callback`, { code: stolen, state: "x" }, browser.ours);
  assert.ok([404, 405].includes(posted.status), String(posted.status));
});

test("emails: in any case of ASCII letters it is the same user, also who was added in capitals; anything else is another one", async () => {
  await invite(service, client.workspaceId, { name: "Jo", email: "Jo.Doe@Example.ORG", role: "viewer" });
  for (const [sub, email] of Object.entries({
    space: " jo.doe@example.org",
    line: "jo.doe@example.org\n",
    wide: "\uFF4Ao.doe@example.org",
    dotted: "jo.doe@example.org.",
    two: "jo.doe@example.org,thief@example.org",
    hidden: "jo.doe@example.org\u200B",
  })) {
    provider.accounts.set(sub, { email, email_verified: true });
    const browser = open();
    assert.equal((await browser.get(await goThere(browser, sub))).status, 403, sub);
  }
  // Two accounts with the email at the same time: one is tied.
  for (const sub of ["jo-1", "jo-2"]) provider.accounts.set(sub, { email: "JO.doe@example.org", email_verified: true });
  const there = await Promise.all(
    ["jo-1", "jo-2"].map(async (sub) => {
      const browser = open();
      return { browser, back: await goThere(browser, sub) };
    }),
  );
  const statuses = await Promise.all(there.map(async ({ browser, back }) => (await browser.get(back)).status));
  assert.deepEqual(statuses.toSorted(), [303, 403]);
});

test("who does not agree at the provider is not signed in", async () => {
  const browser = open();
  const url = new URL(String((await browser.get(START)).headers.location));
  const back = `${START}/callback?error=access_denied&state=`;
  assert.equal((await open().get(`${back}${url.searchParams.get("state")}`)).status, 400);
  const answer = await browser.get(`${back}${url.searchParams.get("state")}`);
  assert.equal(answer.status, 403);
  assert.match(answer.text, /Test University says that you have not agreed/);
});

test("an address has so many attempts to come back", async () => {
  const browser = open("127.0.3.1");
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 100)
    statuses.push((await browser.get(`${START}/callback?code=guess&state=guess`)).status);
  assert.deepEqual([...new Set(statuses)], [400, 429]);
});

test("an ID token is looked at: for whom, by whom, signed how, until when, and for which sign-in", async () => {
  const liar = await startLiar();
  const fooled = await startService({ config: { publicUrl, oidc: liar.oidc } });
  const { workspaceId } = fooled.workspace();
  await invite(fooled, workspaceId, { name: "Liar", email: "liar@example.org", role: "viewer" });
  const signInWith = async (lies: Lies) => {
    const browser = new ConsoleBrowser(fooled.url);
    const url = String((await browser.get(START)).headers.location);
    const { status } = await browser.get(liar.answer(url, lies));
    assert.equal(browser.cookies.has("console-session"), status === 303);
    return status;
  };
  const now = Math.floor(Date.now() / 1000);
  assert.equal(await signInWith({}), 303);
  const lies: Record<string, Lies> = {
    "another audience": { claims: { aud: "another-client" } },
    "several audiences, meant for another one": { claims: { aud: ["screening", "other"], azp: "other" } },
    "another issuer": { claims: { iss: "https://evil.example" } },
    "another nonce": { claims: { nonce: "of another sign-in" } },
    "no nonce": { claims: { nonce: undefined } },
    "no subject": { claims: { sub: undefined } },
    expired: { claims: { exp: now - 300 } },
    "not valid yet": { claims: { nbf: now + 300 } },
    "another key": { isForged: true },
    unsigned: { algorithm: "none" },
    "signed with the secret that both know": { algorithm: "HS256" },
    "issued far in the future": { claims: { iat: now + 3000, nbf: now + 3000, exp: now + 6000 } },
    "it hangs": { hangsAt: "/token" },
  };
  for (const [what, lie] of Object.entries(lies)) assert.equal(await signInWith(lie), 503, what);
  // Clocks may be apart a little.
  assert.equal(await signInWith({ claims: { exp: now - 20, iat: now + 20, nbf: now + 20 } }), 303);
  // A text is no proof.
  assert.equal(await signInWith({ claims: { sub: "liar-2", email_verified: "true" } }), 403);
});

test("a provider that takes requests and never answers holds nobody up for ever, and no password", async () => {
  const silent = await startLiar({ hangsAt: "/.well-known/openid-configuration" });
  const waiting = await startService({ config: { publicUrl, oidc: silent.oidc } });
  const link = await invite(waiting, waiting.workspace().workspaceId, {
    name: "Jo",
    email: "jo@example.org",
    role: "viewer",
  });
  const page = new ConsoleBrowser(waiting.url).get(START);
  const browser = new ConsoleBrowser(waiting.url);
  assert.equal((await browser.post(link, { password: PASSWORD, again: PASSWORD })).status, 303);
  assert.equal((await browser.get("/readyz")).status, 200);
  assert.equal((await page).status, 503);
});
