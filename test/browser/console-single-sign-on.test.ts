// Signing in at a real OpenID provider with a real browser, without scripts; and how the pages around it look and read.

import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { openDevice, startBrowser, violations } from "../support/browser.ts";
import { invite, PASSWORD } from "../support/console.ts";
import { startProvider } from "../support/openid-provider.ts";
import { startService } from "../support/service.ts";

/** The provider must know where the service is before that starts. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const port = await freePort();
const publicUrl = `http://127.0.0.1:${port}`;
const provider = await startProvider(publicUrl);
const service = await startService({ config: { port, publicUrl, oidc: provider.oidc } });
const { workspaceId } = service.workspace("Acme");
const browser = await startBrowser();

const LOOKS = [
  { colorScheme: "light", forcedColors: "active" },
  { colorScheme: "dark", forcedColors: "none" },
  { colorScheme: "light", forcedColors: "none" },
] as const;

test("without scripts a person goes to the provider, signs in there, and comes back to the page that was asked for", async () => {
  await invite(service, workspaceId, { name: "Ada Lovelace", email: "ada@example.org", role: "viewer" });
  provider.accounts.set("ada", { email: "ada@example.org", email_verified: true });
  const { device, page } = await openDevice(browser, publicUrl, { javaScriptEnabled: false });
  await page.goto(`${publicUrl}/console/jobs`);
  await page.getByRole("link", { name: "Sign in with Test University" }).click();
  await page.waitForURL(`${provider.oidc.issuer}/**`);
  await page.locator("input[name=login]").fill("ada");
  await page.locator("input[name=password]").fill("any");
  await page.getByRole("button").click();
  await page.getByRole("button").click();
  await page.waitForURL(`${publicUrl}/console/jobs`);
  assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "Jobs");
  assert.deepEqual(
    (await device.cookies()).filter(({ domain, name }) => domain === "127.0.0.1" && name === "console-oidc"),
    [],
  );
  await page.goto(`${publicUrl}/console/sessions`);
  assert.ok(await page.getByText("You have no password").isVisible());
  await device.close();
});

test("axe finds nothing on the pages around it, and nothing is wider than a small phone", async () => {
  const { device, page } = await openDevice(browser, publicUrl);
  const check = async (what: string) => {
    for (const look of LOOKS) {
      await page.emulateMedia(look);
      assert.deepEqual(await violations(page), [], `${what} ${JSON.stringify(look)}`);
    }
    await page.setViewportSize({ width: 320, height: 800 });
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320, what);
    await page.setViewportSize({ width: 1280, height: 900 });
  };
  await page.goto(`${publicUrl}/console/sign-in`);
  await check("sign-in");
  await page.goto(`${publicUrl}/console/sign-in/oidc/callback?state=guess`);
  await check("ended");
  provider.accounts.set("nobody", { email: "nobody@example.org", email_verified: true });
  await page.goto(`${publicUrl}/console/sign-in/oidc`);
  await page.locator("input[name=login]").fill("nobody");
  await page.locator("input[name=password]").fill("any");
  await page.getByRole("button").click();
  await page.getByRole("button").click();
  await page.getByText("no user here may sign in").waitFor();
  await check("nobody");

  const link = await invite(service, workspaceId, { name: "Bo", email: "bo@example.org", role: "admin" });
  await page.goto(publicUrl + link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The same password again").fill(PASSWORD);
  await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
  await page.goto(`${publicUrl}/console/users`);
  assert.ok(await page.getByRole("button", { name: "Untie from single sign-on – Ada Lovelace" }).isVisible());
  await check("users");
  await page.goto(`${publicUrl}/console/sessions`);
  await page.getByLabel("Old password").fill("wrong");
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Change it" }).click();
  await check("password");
  await device.close();
});
