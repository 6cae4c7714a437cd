// The page from which a study is shared.

import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../support/console.ts";
import { sharedService } from "../support/service.ts";
import { everyKind, publish } from "../support/study.ts";

const service = await sharedService();
const client = service.workspace();
const browser = await signedIn(service, client.workspaceId, "researcher", "ada@console-share.example.org");

const words = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const keyOf = (html: string) => /name="key" value="([^"]+)"/.exec(html)![1]!;

test("an open link is made once, shown with its QR code, and revoked", async () => {
  const { screener } = await publish(client, everyKind);
  const page = `/console/studies/${screener}/share`;
  const key = keyOf((await browser.get(page)).text);
  const form = {
    make: "link",
    key,
    name: "Poster",
    limit: "20",
    askName: "yes",
    accept: "source, pid",
    oneEach: "yes",
  };
  const made = await browser.post(page, form);
  assert.equal(made.headers.location, `${page}#open-links`);
  await browser.post(page, form);
  const { items } = (await client.get(`/screener-links?filter[screenerId][eq]=${screener}`)).body;
  assert.equal(items.length, 1);
  const [link] = items;
  assert.deepEqual(
    [link.name, link.limit, link.ask, link.accept, link.oneEach, link.required],
    ["Poster", 20, ["NAME"], ["source", "pid"], "BROWSER", false],
  );
  const shown = await browser.get(page);
  assert.match(words(shown.text), /Poster open 0 of 20 joined, 0 completed/);
  const image = /<img src="([^"]+)"/.exec(shown.text)![1]!;
  const code = await browser.get(image);
  assert.deepEqual([code.status, code.headers["content-type"]], [200, "image/svg+xml"]);
  assert.match(code.text, /^<svg /);
  const revoked = await browser.post(page, {}, `${page}/${link.id}/revocation`);
  assert.equal(revoked.headers.location, page);
  assert.equal((await client.get(`/screener-links/${link.id}`)).body.status, "REVOKED");
  assert.match(words((await browser.get(page)).text), /Poster revoked/);
});

test("one button makes an open link, and shows its QR code", async () => {
  const { screener } = await publish(client, everyKind);
  const page = `/console/studies/${screener}/share`;
  const before = (await browser.get(page)).text;
  const [, key, name] = /name="key" value="([^"]+)".{0,80}?name="name" value="([^"]+)"/s.exec(before)!;
  await browser.post(page, { make: "link", key: key!, name: name! });
  const after = (await browser.get(page)).text;
  assert.match(words(after), /Open link open 0 joined, 0 completed/);
  assert.match(after, /<details open><summary>QR code/);
  assert.doesNotMatch(words(after), /Create an open link/);
});

test("what is wrong stays as typed, and says where", async () => {
  const { screener } = await publish(client, everyKind);
  const page = `/console/studies/${screener}/share`;
  const key = keyOf((await browser.get(page)).text);
  const wrong = await browser.post(page, { make: "link", key, name: " ", limit: "many", accept: "lang" });
  assert.equal(wrong.status, 422);
  assert.match(words(wrong.text), /Name is required/);
  assert.match(words(wrong.text), /How many may join must be a whole number/);
  assert.match(wrong.text, /value="many"/);
  const nobody = await browser.post(page, { make: "person", key: `${key}2` });
  assert.equal(nobody.status, 422);
  assert.match(words(nobody.text), /Email is required, unless/);
});

test("one person is added, and their link is there to copy", async () => {
  const { screener } = await publish(client, everyKind);
  const page = `/console/studies/${screener}/share`;
  const key = keyOf((await browser.get(page)).text);
  const added = await browser.post(page, { make: "person", key, email: "grace@example.org", personName: "Grace" });
  assert.equal(added.status, 200);
  assert.match(words(added.text), /The link of Grace/);
  const [session] = await client.all(`/screener-sessions?filter[screenerId][eq]=${screener}`);
  assert.ok(added.text.includes(session.screenerSessionLink));
});
