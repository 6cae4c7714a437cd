// A roster owner in a real browser: from a CSV with five wrong rows to an import, a guard, and an undo. Without scripts, but for axe.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openDevice, overflow, startBrowser, violations } from "../support/browser.ts";
import { invite, PASSWORD } from "../support/console.ts";
import { startService } from "../support/service.ts";
import { everyKind, publish } from "../support/study.ts";
import { ABOUT, formOf, Visitor } from "../support/visitor.ts";
import { workbook } from "../support/workbooks.ts";
import { populate } from "../support/world.ts";

const service = await startService();
const browser = await startBrowser();

/** A new workspace, and a device of one of its people who has signed in. */
async function open(name: string, role: "researcher" | "admin", javaScriptEnabled: boolean) {
  const { client, screener } = await populate(service, name);
  const link = await invite(service, client.workspaceId, {
    name: "Ada",
    email: `${role}@${name.toLowerCase()}.example`,
    role,
  });
  const { device, page, foreign } = await openDevice(browser, service.url, { javaScriptEnabled });
  await page.goto(service.url + link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The same password again").fill(PASSWORD);
  await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
  const press = (text: string | RegExp) => page.getByRole("button", { name: text }).click();
  const follow = (text: string | RegExp) => page.getByRole("link", { name: text }).click();
  const heading = (text: string) => page.getByRole("heading", { name: text }).waitFor();
  const chooseFile = async (name: string, buffer: Buffer) => {
    await page.goto(`${service.url}/console/studies/${screener}/import`);
    await page.getByLabel("Choose a file").setInputFiles({ name, mimeType: "application/octet-stream", buffer });
    await press("Continue");
  };
  const choose = (rows: string[]) => {
    const text = ["Person ID;First name;Surname;E-mail;Town", ...rows].join("\r\n");
    return chooseFile("roster.csv", Buffer.from(text));
  };
  return { chooseFile, client, screener, device, page, foreign, press, follow, heading, choose };
}

const LOOKS = [
  { colorScheme: "light", forcedColors: "none" },
  { colorScheme: "dark", forcedColors: "none" },
  { colorScheme: "light", forcedColors: "active" },
] as const;

/** axe finds nothing in any look, and nothing is wider than a small phone. */
async function checkLooks(page: Page): Promise<void> {
  const where = page.url();
  for (const look of LOOKS) {
    await page.emulateMedia(look);
    assert.deepEqual(await violations(page), [], `${where} ${JSON.stringify(look)}`);
  }
  await page.setViewportSize({ width: 320, height: 700 });
  assert.equal(await overflow(page), 0, where);
  await page.setViewportSize({ width: 1280, height: 900 });
}

const rowsFrom = (first: number, last: number) =>
  Array.from(
    { length: last - first + 1 },
    (_, n) => `R-${first + n};Bo;Nr ${first + n};r${first + n}@example.org;Bonn`,
  );

test("a roster with five wrong rows is imported without them; a guard stops a removal; an undo brings people back", async () => {
  const { client, screener, page, foreign, press, follow, heading, choose } = await open("Acme", "researcher", false);
  await follow("Acme's study");
  await follow("Import people");
  await page.waitForURL("**/import");
  const wrong = [
    "W-1;A;B;no email;",
    "W-2;A;B;;",
    ";A;B;w3@example.org;",
    `${"W".repeat(300)};A;B;w4@example.org;`,
    "W-5;A",
  ];
  await choose([...rowsFrom(1, 30), ...wrong]);
  await page.getByLabel("Town").selectOption("ignore");
  await page.getByLabel("Person ID").selectOption("email");
  await press("Show what will happen");
  await page.getByRole("link", { name: "Another column is the email already." }).waitFor();
  assert.equal(await page.getByLabel("Town").inputValue(), "ignore", "what was chosen is kept");
  await page.getByLabel("Person ID").selectOption("externalUid");
  await press("Show what will happen");
  await heading("What the import will do");
  await follow(/^5 wrong/);
  assert.match(await page.getByRole("row", { name: /32 W-1/ }).innerText(), /must be an email/);
  const [download] = await Promise.all([page.waitForEvent("download"), follow("Download as CSV")]);
  assert.match(download.suggestedFilename(), /\.csv$/);

  // The tab is closed. The study still knows of the plan.
  await page.goto(`${service.url}/console/studies`);
  await follow("Acme's study");
  await follow("Import people");
  await page.getByRole("listitem").filter({ hasText: "Waits for you" }).getByRole("link").click();
  await follow(/^30 new/);
  assert.equal(await page.getByRole("row").count(), 31);
  await follow("Import of people");
  await press("Import");
  await heading("Was that wrong?");
  assert.equal((await client.all("/screener-participants")).length, 32);

  await choose(rowsFrom(3, 31));
  await page.getByLabel("Town").selectOption("ignore");
  await page.getByLabel("Make the study’s list the same as this file").check();
  await press("Show what will happen");
  await heading("What the import will do");
  assert.match(
    await page.locator(".effects").innerText(),
    /\b1\s+new\s[\s\S]*\b28\s+unchanged[\s\S]*\b4\s+will be removed/,
  );
  await page.getByLabel(/How many people/).fill("400");
  await press("Import, and remove them");
  await page.getByRole("link", { name: "Type 4 to confirm. It is how many people are removed." }).waitFor();
  assert.equal(await page.getByLabel(/How many people/).inputValue(), "400");
  assert.equal((await client.all("/screener-participants")).length, 32);
  await page.getByLabel(/How many people/).fill("4");
  await press("Import, and remove them");
  await heading("Was that wrong?");
  assert.equal((await client.all("/screener-participants")).length, 29);

  await press("Undo this import …");
  await heading("What the undo will do");
  await page.getByRole("link", { name: /^5 will be taken back/ }).waitFor();
  assert.equal((await client.all("/screener-participants")).length, 29);
  await press("Take it back");
  await page.getByRole("button", { name: "Take the undo back …" }).waitFor();
  assert.equal((await client.all("/screener-participants")).length, 32);

  // Somebody pastes a list of emails, without ids: some of them are there already.
  for (const counts of [/\b1\s+new\s[\s\S]*\b1\s+unchanged/, /\b0\s+new\s[\s\S]*\b2\s+unchanged/]) {
    await page.goto(`${service.url}/console/studies/${screener}/import`);
    await page.getByLabel("Or paste cells").fill("E-mail\nr1@example.org\nnew@example.org");
    await press("Continue");
    await press("Show what will happen");
    await heading("What the import will do");
    assert.match(await page.locator(".effects").innerText(), counts);
    await press("Import");
    await heading("Was that wrong?");
  }
  assert.equal((await client.all("/screener-participants")).length, 33);
  assert.deepEqual(foreign, []);
});

test("people who have joined by an open link stay in the list, unless the import is asked to remove them", async () => {
  const { client, page, press, heading } = await open("Dcme", "researcher", false);
  const study = await publish(client, everyKind);
  const { body: link } = await client.post("/screener-links", { screenerId: study.screener, name: "Poster" });
  const form = new URLSearchParams(formOf(study, "About you", ABOUT));
  form.append("version", "1");
  form.append("shown", String(Date.now() - 5000));
  const joined = await new Visitor(service.url).post(new URL(link.link).pathname, form.toString());
  assert.equal(joined.status, 303, joined.text);
  for (const removed of [0, 1]) {
    await page.goto(`${service.url}/console/studies/${study.screener}/import`);
    await page.getByLabel("Or paste cells").fill("E-mail\nada@example.org");
    await press("Continue");
    await page.getByLabel("Make the study’s list the same as this file").check();
    if (removed) await page.getByLabel("Then also remove people who have joined by an open link").check();
    await press("Show what will happen");
    await heading("What the import will do");
    const { body: job } = await client.get(`/jobs/${page.url().split("/").at(-1)}`);
    assert.equal(job.summary.removed, removed);
    if (!removed) await press("Import");
  }
});

test("a workbook's sheet is chosen, its numbers and dates are read, and a cell is named; a table in Latin-1 asks about its words", async () => {
  const { client, page, press, follow, heading, chooseFile } = await open("Ccme", "researcher", true);
  const attributes = [
    { key: "Weight", type: "NUMBER" },
    { key: "Born", type: "DATE" },
  ];
  await client.call("PUT", "/workspace/attributes", { body: { attributes } });
  const people = [
    ["Person ID", "E-mail", "First name", "Surname", "Weight", "Born"],
    ["X-1", "x1@example.org", "Zoë", "Müller", 72.5, "28.02.1990"],
    ["X-2", "nobody", "Bo", "Diddley", 80, new Date("2000-12-01")],
  ];
  await chooseFile("people.xlsx", await workbook({ "Read me": [["About this list"]], People: people }));
  await page.getByLabel("The sheet of the workbook").selectOption("People");
  await press("Read this sheet");
  assert.equal(await page.getByLabel("How the file writes dates").inputValue(), "DMY");
  await checkLooks(page);
  await press("Show what will happen");
  await follow(/^1 wrong/);
  assert.match(await page.getByRole("row", { name: /X-2/ }).innerText(), /must be an email.*\(B3, X-2: "nobody"\)/);
  await follow("Import of people");
  await press("Import");
  await heading("Was that wrong?");
  const [zoe] = (await client.get("/participants?filter[externalUid][eq]=X-1")).body.items;
  assert.deepEqual([zoe.name, zoe.attributes], ["Zoë Müller", { Weight: 72.5, Born: "1990-02-28" }]);

  const latin = Buffer.from("Person ID;E-mail;Name\nL-1;l1@example.org;J\xfcrgen\n", "latin1");
  await chooseFile("old.csv", latin);
  await press("Show what will happen");
  await follow("Choose whether these words are right.");
  await checkLooks(page);
  assert.deepEqual(
    await page.getByRole("group", { name: "Are these words right?" }).getByRole("listitem").allInnerTexts(),
    ["Jürgen"],
  );
  await page.getByLabel("Yes, they are right").check();
  await press("Show what will happen");
  await press("Import");
  await heading("Was that wrong?");
  assert.equal((await client.get("/participants?filter[externalUid][eq]=L-1")).body.items[0].name, "Jürgen");
});

test("axe finds nothing on the pages about people, and nothing is wider than a small phone", async () => {
  const { page, screener, press, heading, choose, follow } = await open("Bcme", "admin", true);
  const check = () => checkLooks(page);
  await page.goto(`${service.url}/console/studies/${screener}/import`);
  await press("Continue");
  await check();
  await choose([...rowsFrom(1, 3), "W-1;A;B;no email;"]);
  await page.getByLabel("E-mail").selectOption("name");
  await press("Show what will happen");
  await check();
  await page.getByLabel("E-mail").selectOption("email");
  await page.getByLabel("Make the study’s list the same as this file").check();
  await press("Show what will happen");
  await heading("What the import will do");
  await press("Import, and remove them");
  await check();
  await follow(/^1 wrong/);
  await check();
  await page.goto(`${service.url}/console/studies/${screener}/import`);
  await check();
  await press("Create links for everybody");
  await page.getByRole("link", { name: /Download names and links/ }).waitFor();
  await check();
  await page.goto(`${service.url}/console/people?status=QUALIFIED`);
  await check();
  await page.goto(`${service.url}/console/people?q=bcme@`);
  await check();
  await follow("Bcme-1");
  await check();
  await follow(/^Revoke this link/);
  await check();
  await press("Revoke this link");
  await press("Create a link to Bcme's study");
  await page.getByRole("link", { name: /^Revoke this link/ }).waitFor();
  await follow(/^Erase/);
  await press("Erase this person");
  await check();
  await page.getByLabel("The person’s id").fill("Bcme-1");
  await press("Erase this person");
  await heading("Erasure of a person");
  await check();
  await page.goto(`${service.url}/console/people?q=Bcme-1`);
  await page.getByText("Nobody was found.").waitFor();
});
