// Writing to people in a real browser, on a desk and on a phone: an invitation is planned, sent, reminded, and unsubscribed from; its mail is
// read from a mailbox file, and looked at.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openDevice, startBrowser, violations } from "../support/browser.ts";
import { enterConsole } from "../support/console-browser.ts";
import { newFolder } from "../support/folder.ts";
import { type Received, startRelay } from "../support/mail-relay.ts";
import { hasten } from "../support/mailings.ts";
import { startService } from "../support/service.ts";
import { everyKind, publish } from "../support/study.ts";
import { until } from "../support/until.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config({ MAIL_PER_MINUTE: "100000" }) } });
const browser = await startBrowser();
const mailbox = join(newFolder(), "mbox");

/** As a mailbox file has what has come to an address (RFC 4155). */
function readMailbox(address: string): string[] {
  const entry = ({ from, raw }: Received) =>
    `From ${from} Thu Jan  1 00:00:00 2026\n${raw.replaceAll("\r\n", "\n").replaceAll(/^(>*From )/gm, ">$1")}\n\n`;
  writeFileSync(
    mailbox,
    relay.received
      .filter(({ to }) => to.includes(address))
      .map(entry)
      .join(""),
  );
  return readFileSync(mailbox, "utf8")
    .split(/^From .*\n/m)
    .slice(1);
}

/** Nothing is wider than the screen, also not on the smallest one, and axe finds nothing. */
async function looksGood(page: Page): Promise<void> {
  const { width, height } = page.viewportSize()!;
  for (const of of [320, width]) {
    await page.setViewportSize({ width: of, height });
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), of, `${page.url()} is too wide`);
  }
  await page.evaluate("scrollTo(0, 0)");
  assert.deepEqual(await violations(page), []);
}

for (const width of [1280, 360])
  test(`at ${width} px: an invitation is planned, sent, reminded, and unsubscribed from`, async () => {
    const client = service.workspace("Sleep lab");
    const email = `ada-${width}@example.org`;
    const { screener } = await publish(client, everyKind);
    const rows = [{ externalUid: "P1", name: "Ada", email, attributes: { site: "Leeds" } }];
    const { body: people } = await client.import(screener, [
      ...rows,
      { externalUid: "P2", name: "Ben", email: `ben-${width}@example.org`, attributes: { site: "York" } },
    ]);
    await client.patch(`/participants/${people[1].participantId}`, { doNotContact: { reason: "Rang us up" } });
    const viewport = { width, height: 900 };
    const { page } = await enterConsole(browser, service, client, `r-${width}@example.org`, { viewport });
    await page.goto(`${service.url}/console/studies/${screener}/messages`);
    await looksGood(page);
    await page.getByLabel("Name", { exact: true }).fill("First");
    await page.getByLabel("Subject", { exact: true }).fill("For {{name|you}}");
    for (const fold of await page.locator("details.more > summary").all()) await fold.click();
    await page.getByLabel("Days until reminder 1").fill("3");
    await page.getByLabel("Subject of reminder 1").fill("Again, {{name|you}}");
    await page.getByLabel("Text of reminder 1").fill("{{link}}");
    await looksGood(page);
    await page.getByLabel("As which person").fill("P1");
    await page.getByRole("button", { name: "Show it" }).last().click();
    await page.getByText("For Ada").waitFor();
    await looksGood(page);
    await page.getByRole("button", { name: "Plan it" }).click();
    await page.getByRole("heading", { name: "Who gets it" }).waitFor();
    await page.getByRole("link", { name: "Are not to be contacted (1)" }).waitFor();
    await looksGood(page);
    await page.getByRole("button", { name: "Write to 1 person" }).click();
    await page.getByText("is being sent").waitFor();
    await page.getByRole("link", { name: "Stop that" }).click();
    await page.getByText("This page looks again by itself").waitFor({ state: "hidden" });
    await relay.to(email);
    await looksGood(page);

    await until(async () => (await client.get("/mailings")).body.items[0].messages.READY === 1, "a reminder waits");
    await hasten(service, client);
    const [first, second] = await relay.to(email, 2);
    const box = readMailbox(email);
    assert.equal(box.length, 2);
    assert.match(box[0]!, /^Subject: For Ada$/m);
    assert.match(box[1]!, /^Subject: Again, Ada$/m);
    assert.match(box[1]!, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);

    // The mail itself, in light and dark; it loads nothing.
    const {
      device,
      page: mail,
      foreign,
    } = await openDevice(browser, service.url, { viewport: { width: 360, height: 700 } });
    for (const colorScheme of ["light", "dark"] as const) {
      await mail.emulateMedia({ colorScheme });
      await mail.setContent(first!.html);
      assert.equal(await mail.evaluate("document.documentElement.scrollWidth"), 360);
      // Landmarks and headings are of pages: a program for mail has its own around it.
      assert.deepEqual(await violations(mail, [".sheet"]), []);
      const { height: tall, width: wide } = (await mail.getByRole("link", { name: "Stop emails" }).boundingBox())!;
      assert.ok(tall >= 44 && wide >= 44, `“Stop emails” is ${wide} × ${tall} px`);
      if (process.env.PICTURES) await mail.screenshot({ path: join(process.env.PICTURES, `mail-${colorScheme}.png`) });
    }
    assert.deepEqual(foreign, []);
    assert.doesNotMatch(first!.html, /<img|url\(/);

    const [stop] = /http\S+\?unsubscribe/.exec(second!.text)!;
    await mail.goto(service.url + new URL(stop).pathname + new URL(stop).search);
    await looksGood(mail);
    await mail.getByRole("button", { name: /^Stop all emails/ }).click();
    await mail.getByRole("heading", { name: "Emails are stopped" }).waitFor();
    await looksGood(mail);
    await device.close();

    await page.goto(`${service.url}/console/people/${people[0].participantId}`);
    await page.getByText("Has stopped all emails").waitFor();
    await page.getByText("First, reminder 1").waitFor();
    await looksGood(page);
    const plan = {
      screenerId: screener,
      name: "Next",
      kind: "INVITATION",
      subject: "x",
      body: "{{link}}",
      dryRun: true,
    };
    const { summary } = (await client.post("/mailings", plan)).body;
    assert.deepEqual(summary, { send: 0, skip: 2, doNotContact: 1, unsubscribed: 1 });
    if (process.env.PICTURES) {
      await page.goto(`${service.url}/console/studies/${screener}/messages`);
      await page.screenshot({ path: join(process.env.PICTURES, `messages-${width}.png`), fullPage: true });
    }
  });
