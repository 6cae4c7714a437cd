// Removing and erasing many people in the console: chosen, pasted or from a file; what is refused, and the plan that is applied.

import assert from "node:assert/strict";
import { test } from "node:test";
import { people } from "../support/client.ts";
import { type ConsoleBrowser, signedIn } from "../support/console.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();
const MANY = "/console/people/many";

async function send(browser: ConsoleBrowser, fields: Record<string, string>, file?: string) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ token: await browser.token(MANY), ...fields })) form.set(name, value);
  if (file !== undefined) form.set("file", new Blob([file]), "list.csv");
  const request = new Response(form);
  const headers = { "Content-Type": request.headers.get("Content-Type")!, ...browser.ours };
  return browser.send("POST", MANY, headers, new Uint8Array(await request.arrayBuffer()));
}

let users = 0;

async function study(role: "admin" | "researcher") {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, people(4));
  const browser = await signedIn(service, client.workspaceId, role, `many-${++users}@example.org`);
  const all = (await client.all("/participants")) as unknown as { id: string; externalUid: string; email: string }[];
  const assigned = async () => (await client.all("/screener-participants")).length;
  return { client, screenerId, browser, all, assigned };
}

/** Applies the plan that a form has led to, with a number typed in. */
async function apply(browser: ConsoleBrowser, job: string, removals: string) {
  await service.drain();
  return browser.post(job, { removals }, `${job}/apply`);
}

test("people who are chosen in the list are removed from a study, and come back", async () => {
  const { client, screenerId, browser, all, assigned } = await study("researcher");
  const list = (await browser.get(`/console/people?study=${screenerId}`)).text;
  assert.equal(list.match(/type="checkbox" name="id"/g)?.length, 4);
  const chosen = await browser.get(`${MANY}?study=${screenerId}&id=${all[0]!.id}&id=${all[1]!.id}`);
  const area = /<textarea[^>]*>([^<]*)</.exec(chosen.text)?.[1];
  assert.deepEqual(area?.trim().split("\n"), [all[0]!.externalUid, all[1]!.externalUid]);
  assert.match(chosen.text, new RegExp(`value="${screenerId}" selected`));
  assert.doesNotMatch(chosen.text, /value="erase"/);

  const names = `${all[0]!.externalUid}\n${all[1]!.email.toUpperCase()}\n`;
  const planned = await send(browser, { names, study: screenerId, act: "remove" });
  assert.equal(planned.status, 303, planned.text);
  const job = String(planned.headers.location);
  const wrong = await apply(browser, job, "3");
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /Type 2 to confirm\. It is how many people are removed/);
  assert.equal(await assigned(), 4);
  assert.equal((await apply(browser, job, "2")).status, 303);
  await service.drain();
  assert.equal(await assigned(), 2);
  assert.match((await browser.get(job)).text, /Undo this removal …/);
  const undo = await browser.post(job, {}, `${job}/undo`);
  assert.equal((await apply(browser, String(undo.headers.location), "")).status, 303);
  await service.drain();
  assert.equal((await client.all("/screener-participants")).length, 4);
});

test("people of a file are erased by an admin, and who is not there is named or left out", async () => {
  const { client, browser, all } = await study("admin");
  const file = `"${all[2]!.externalUid}",anything\r\nnobody-here\r\n`;
  const refused = await send(browser, { names: "", act: "erase" }, file);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /One is not here: nobody-here\. Correct the list, or leave them out\./);
  assert.match(refused.text, /name="skips"/);
  const planned = await send(browser, { names: "", act: "erase", skips: "yes" }, file);
  assert.equal(planned.status, 303, planned.text);
  const job = String(planned.headers.location);
  await service.drain();
  const shown = (await browser.get(job)).text;
  assert.match(shown, /How many people will be erased\?/);
  assert.match(shown, /They can’t be brought back/);
  assert.ok((await browser.get(`${job}/rows?outcome=ERASED`)).text.includes(all[2]!.externalUid));
  const researcher = await signedIn(service, client.workspaceId, "researcher", "no-erasing@example.org");
  assert.doesNotMatch((await researcher.get(job)).text, /Erase them for good/);
  assert.equal((await researcher.post(job, { removals: "1" }, `${job}/apply`)).status, 403);
  assert.equal((await apply(browser, job, "1")).status, 303);
  await service.drain();
  assert.equal((await client.all("/participants")).length, 3);
  assert.doesNotMatch((await browser.get(job)).text, /Undo this/);
});

test("a form without people or a study says so, and a researcher erases nobody", async () => {
  const { browser, all, screenerId, client } = await study("researcher");
  const empty = await send(browser, { names: " ", act: "remove" });
  assert.equal(empty.status, 422);
  assert.match(empty.text, /Name them, or choose a file\./);
  assert.match(empty.text, /Choose the study\./);
  const long = await send(browser, { names: "", study: screenerId, act: "remove" }, "x".repeat(4 * 1024 * 1024 + 1));
  assert.match(long.text, /The file is too long/);
  assert.equal((await send(browser, { names: all[0]!.externalUid, act: "erase" })).status, 403);
  assert.equal((await client.all("/participants")).length, 4);
});
