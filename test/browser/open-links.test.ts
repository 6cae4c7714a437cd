// Somebody joins by an open link in a real browser, with scripts and without, on a phone and at a desk.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import type { FrameLocator, Page } from "playwright-core";
import { openDevice, startBrowser, untilTrue, violations } from "../support/browser.ts";
import { startService } from "../support/service.ts";
import { everyKind, publish } from "../support/study.ts";

const browser = await startBrowser();
const service = await startService();
const client = service.workspace();

for (const [width, javaScriptEnabled] of [
  [360, false],
  [360, true],
  [1280, true],
] as const)
  test(`somebody joins at ${width} px ${javaScriptEnabled ? "with" : "without"} scripts, and goes on where they were`, async () => {
    const { screener } = await publish(client, everyKind);
    const ask = ["NAME", "EMAIL"];
    const { body } = await client.post("/screener-links", {
      screenerId: screener,
      name: "Poster",
      ask,
      oneEach: "BROWSER",
    });
    const address = service.url + new URL(body.link).pathname;
    const viewport = { width, height: 800 };
    const { device, page, foreign } = await openDevice(browser, service.url, { viewport, javaScriptEnabled });
    const isSound = async () => {
      // axe is a script of its own, which runs all the same.
      if (javaScriptEnabled) {
        assert.deepEqual(await violations(page), []);
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
      }
    };
    await page.goto(address);
    await isSound();
    await page.getByLabel("Your name").fill("Ada");
    await page.getByLabel("Your email address").fill("ada at home");
    // Nobody sees what programs fill in.
    assert.equal(await page.getByRole("textbox", { name: "Website" }).count(), 0);
    await page.waitForTimeout(1000);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("There are 3 problems").waitFor();
    await isSound();
    await page.getByLabel("Your email address").fill("ada@example.org");
    await page.getByLabel("How old are you?").fill("44");
    await page.getByLabel("No", { exact: true }).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Your days" }).waitFor();
    await page.goto(address);
    await page.getByRole("heading", { name: "Your days" }).waitFor();
    await client.delete(`/screener-links/${body.id}`);
    await device.clearCookies();
    await page.goto(address);
    await page.getByRole("heading", { name: "This link is no longer available" }).waitFor();
    await isSound();
    assert.deepEqual(foreign, []);
    await device.close();
    const { total } = (await client.get(`/screener-sessions?filter[screenerId][eq]=${screener}`)).body;
    assert.equal(total, 1);
  });

/** A site of its own with one page. @returns its origin */
async function site(html: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(html));
  after(() => server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  // Another site than 127.0.0.1, so that the frame has no cookies of ours.
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** What the contract says that a frame with limits needs. */
const SANDBOX = "allow-forms allow-same-origin allow-scripts allow-popups allow-top-navigation-by-user-activation";
const PANEL = "https://panel.example.org";

for (const javaScriptEnabled of [true, false])
  test(`a site that may show a link in a frame gets its answers and its height ${javaScriptEnabled ? "with" : "without"} scripts, another one nothing; and the end leaves the frame`, async () => {
    const framing = service.workspace();
    const redirectByOutcome = { UNKNOWN: `${PANEL}/done?id={reference}`, QUALIFIED: `${PANEL}/done?id={reference}` };
    const thankYou = "Thank you. More at https://elsewhere.example/more";
    const { screener } = await publish(framing, { ...everyKind, thankYou, redirectByOutcome });
    const { body: link } = await framing.post("/screener-links", { screenerId: screener, name: "Portal" });
    const address = service.url + new URL(link.link).pathname;
    const html = `<!doctype html><html lang="en"><title>Portal</title><main><h1>Portal</h1>
      <iframe id="study" src="${address}" title="Study" style="width:100%;border:0" height="300" sandbox="${SANDBOX}"></iframe></main>
      <script>
        heard = [];
        addEventListener("message", ({ origin, source, data }) => {
          const frame = document.getElementById("study");
          heard.push(data);
          if (origin === "${service.url}" && source === frame.contentWindow && data?.type === "screening.height")
            frame.style.height = data.height + "px";
        });
      </script>`;
    const [portal, other] = [await site(html), await site(html)];
    await framing.patch("/workspace/appearance", {
      frameAncestors: ["https://elsewhere.example", portal],
      privacyUrl: "https://elsewhere.example/privacy",
    });
    const { device, page } = await openDevice(browser, service.url, { javaScriptEnabled });
    // A site that lets nobody show it in a frame, as most do.
    await device.route(`${PANEL}/**`, (route) =>
      route.fulfill({ contentType: "text/html", headers: { "X-Frame-Options": "DENY" }, body: "<h1>Panel</h1>" }),
    );
    const answerAbout = async (on: Page | FrameLocator) => {
      await on.getByLabel("How old are you?").fill("44");
      await on.getByLabel("No", { exact: true }).check();
      await page.waitForTimeout(1000);
      await on.getByRole("button", { name: "Continue" }).click();
      await on.getByRole("heading", { name: "Your days" }).waitFor();
    };
    const answerDays = async (on: Page | FrameLocator) => {
      await on.getByLabel("Tea").check();
      await on.getByLabel("How does a usual day").fill("With the birds.");
      await on.getByRole("button", { name: "Finish" }).click();
    };
    await page.goto(portal);
    const study = page.frameLocator("#study");
    await answerAbout(study);
    assert.deepEqual(await device.cookies(), []);
    if (javaScriptEnabled) {
      // Nothing of the page has to be scrolled to inside of the frame.
      const frame = page.frames().find((one) => one.url().startsWith(service.url))!;
      await untilTrue(frame, "document.documentElement.getBoundingClientRect().height <= innerHeight");
      assert.deepEqual(await violations(page), []);
    }
    await answerDays(study);
    await study.getByRole("heading", { name: "Thank you" }).waitFor();
    const onward = study.getByRole("link", { name: "Continue" });
    const leadsTo = await onward.getAttribute("href");
    assert.match(leadsTo!, /^https:\/\/panel\.example\.org\/done\?id=\w+/);
    // What belongs to others opens beside the frame.
    for (const name of ["https://elsewhere.example/more", "Privacy"])
      assert.equal(await study.getByRole("link", { name }).getAttribute("target"), "_blank");
    if (javaScriptEnabled) {
      await untilTrue(page, "heard.some(({ type }) => type === 'screening.ended')");
      const ended = await page.evaluate("heard.filter(({ type }) => type === 'screening.ended')");
      assert.deepEqual(ended, [{ type: "screening.ended", leadsTo }]);
      assert.deepEqual(await violations(page), []);
    }
    // The frame stays until the person goes on, and then the panel has the whole window.
    assert.equal(page.frames().filter((one) => one.url().startsWith(PANEL)).length, 0);
    await onward.click();
    await page.waitForURL(leadsTo!);
    await page.getByRole("heading", { name: "Panel" }).waitFor();

    // The same link in a window of its own leads on by itself.
    await page.goto(address);
    await answerAbout(page);
    await answerDays(page);
    await page.waitForURL(`${PANEL}/done?id=*`);

    await page.goto(other);
    await page.getByRole("heading", { name: "Portal" }).waitFor();
    assert.equal(await study.getByLabel("How old are you?").count(), 0);
    if (javaScriptEnabled) assert.deepEqual(await page.evaluate("heard"), []);
    await device.close();
    const sessions = await framing.all(`/screener-sessions?filter[screenerId][eq]=${screener}`);
    assert.deepEqual(
      sessions.map(({ state, screenerLinkId }) => [state, screenerLinkId]),
      [
        ["COMPLETED", link.id],
        ["COMPLETED", link.id],
      ],
    );
  });
