// Signing in to the console at an OpenID provider: who gets in, and what others try. Against a real provider, and one that lies.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ConsoleBrowser, invite } from "../support/console.ts";
import { signInThere, startProvider } from "../support/openid-provider.ts";
import { startService } from "../support/service.ts";

const publicUrl = "http://127.0.0.1:1";
const provider = await startProvider(publicUrl);
const service = await startService({ config: { publicUrl, oidc: provider.oidc } });
const workspace = service.workspace("Lab").workspaceId;

test("first", async () => {
  provider.accounts.set("ada-1", { email: "Ada@example.org", email_verified: true });
  await invite(service, workspace, { name: "Ada", email: "ada@example.org", role: "viewer" });
  const browser = new ConsoleBrowser(service.url);
  const go = await browser.get("/console/sign-in/oidc?next=/console/jobs");
  console.log(go.status, go.headers, go.text.slice(-500));
  const back = await signInThere(String(go.headers.location), "ada-1");
  console.log(back);
  const done = await browser.get(back);
  console.log(done.status, done.headers, done.text);
  assert.equal((await browser.get("/console/studies")).status, 200);
});
