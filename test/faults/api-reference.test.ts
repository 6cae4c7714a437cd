// The API reference at /docs/reference: everyone can read it, find an operation in it, and try one out.

import assert from "node:assert/strict";
import { test } from "node:test";
import { devices, openDevice, startBrowser, violations } from "../support/browser.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const service = await startService();
const browser = await startBrowser();
// One page for all tests, because the reference takes seconds to load.
const { page, foreign } = await openDevice(browser, service.url, { ...devices.desktop, colorScheme: "light" });
page.setDefaultTimeout(60_000);
await load();

const at = (operation: string) => `#operations-${operation}`;

/** Loads the reference anew, with all operations closed. */
async function load(): Promise<void> {
  await page.goto("about:blank");
  await page.goto(`${service.url}/docs/reference`);
  await page.waitForSelector("#operations-Screeners-listScreeners");
}

async function open(operation: string): Promise<void> {
  await page.click(`${at(operation)} .opblock-summary-control`);
  await page.waitForSelector(`${at(operation)} .responses-inner`);
}

test("operations are found by path, summary or topic, in upper or lower case", async () => {
  const found: [string, string[]][] = [
    [
      "EXPORT",
      [
        "operations-Participants-exportParticipant",
        "operations-Responses-exportScreenerResponses",
        "operations-Responses-getScreenerCodebook",
      ],
    ],
    ["/jobs/{id}/result", ["operations-Jobs-getJobResult"]],
    ["cancel a job", ["operations-Jobs-cancelJob"]],
    ["health", ["operations-Health-getHealth", "operations-Health-getReadiness"]],
  ];
  for (const [phrase, ids] of found) {
    await page.getByLabel("Filter operations").fill(phrase);
    const shown = "[...document.querySelectorAll('.opblock')].map(({ id }) => id).join()";
    await until(async () => (await page.evaluate(shown)) === ids.join(), `${phrase} is found`);
  }
  await page.getByLabel("Filter operations").fill("");
  await page.waitForSelector(at("Screeners-listScreeners"));
});

test("axe finds nothing wrong with the reference, on a wide and on a narrow screen", async () => {
  // With what is only there when a request is tried, and with schemas.
  const opened = ["Screeners-listScreeners", "Publications-publishScreener", "Content-putScreenerContent"];
  for (const operation of opened) await open(operation);
  await page.click(`${at("Screeners-listScreeners")} .responses-inner [data-name=model]`);
  await page.click(`${at("Content-putScreenerContent")} .opblock-section-request-body [data-name=model]`);
  await page.click(`${at("Screeners-listScreeners")} .try-out__btn`);
  await page.click(`${at("Publications-publishScreener")} .try-out__btn`);
  await page.click(`${at("Publications-publishScreener")} .execute`);
  await page.waitForSelector(`${at("Publications-publishScreener")} .live-responses-table`);
  await page.click(".models-control");
  await page.locator(".models .json-schema-2020-12-expand-deep-button").first().click();
  assert.deepEqual(await violations(page), []);
  await fits();

  await page.click(".models-control");
  await page.setViewportSize(devices.phone.viewport);
  assert.match(
    (await page.locator("meta[name=viewport]").getAttribute("content")) ?? "",
    /width=device-width/,
    "a phone would show the page as on a wide screen",
  );
  // Operations differ in their texts alone.
  assert.deepEqual(await violations(page, [at("Publications-publishScreener"), "header", "#credentials"]), []);
  await fits();
  assert.deepEqual(foreign, []);
});

/** The page is no wider than its window. */
async function fits(): Promise<void> {
  const { scrollWidth, clientWidth } = await page.evaluate<{ scrollWidth: number; clientWidth: number }>(
    "({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })",
  );
  assert.ok(scrollWidth <= clientWidth, `the page is ${scrollWidth} wide, in a window of ${clientWidth}`);
}

test("credentials are entered once, for all operations, and stay until they are forgotten", async () => {
  await page.setViewportSize(devices.desktop.viewport);
  const { credentials } = service.workspace();
  const status = page.locator("#credentials-status");
  assert.equal(
    await page.locator(".authorize, .authorization__btn").count(),
    0,
    "there is a second form for credentials",
  );
  const sent: Record<string, string>[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/screeners")) sent.push(request.headers());
  });
  const tryIt = async (wanted: number) => {
    await open("Screeners-createScreener");
    await page.click(`${at("Screeners-createScreener")} .try-out__btn`);
    await page.click(`${at("Screeners-createScreener")} .execute`);
    const answer = page.locator(`${at("Screeners-createScreener")} .live-responses-table .response-col_status`).last();
    assert.match((await answer.textContent()) ?? "", new RegExp(`^${wanted}`));
  };
  await page.getByLabel("API key").fill(credentials.apiKey);
  await page.getByLabel("API secret").fill(credentials.apiSecret);
  await page.getByRole("button", { name: "Authorize" }).click();
  assert.equal(await status.textContent(), "Requests are sent with: API key, API secret.");
  await load();
  await status.getByText("API key, API secret").waitFor();
  await tryIt(201);
  await page.getByRole("button", { name: "Forget" }).click();
  assert.equal(await status.textContent(), "Requests are sent without credentials.");
  await load();
  await tryIt(401);
  await page.getByLabel("Access token").fill("some-token");
  await page.getByRole("button", { name: "Authorize" }).click();
  assert.equal(await status.textContent(), "Requests are sent with: access token.");
  const count = sent.length;
  await page.click(`${at("Screeners-createScreener")} .execute`);
  await until(() => sent.length > count, "the request is sent");
  const last = sent.at(-1)!;
  assert.deepEqual([last.authorization, last["x-service-api-key"]], ["Bearer some-token", undefined]);
});
