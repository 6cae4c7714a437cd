// A proxy that refuses large imports is found before somebody's import is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/base/config.ts";
import { proxyLetsBodiesThrough } from "../../src/upkeep/ask-proxy.ts";
import { install } from "../support/process.ts";
import { freePort, startNginx } from "../support/proxies.ts";
import { until } from "../support/until.ts";

test("nginx as it comes refuses imports of more than 1 MiB, and /readyz says so", async () => {
  const { env, publicUrl } = await behindNginx();
  await install(env).web({ env });
  const details = await until(async () => {
    const response = await fetch(`${publicUrl}/readyz`);
    assert.equal(response.status, 200);
    const found = ((await response.json()) as { details: { code: string; blocking: boolean }[] }).details;
    return found.length ? found : undefined;
  }, "it is found");
  assert.deepEqual(
    details.map(({ code, blocking }) => [code, blocking]),
    [["proxy_refuses_bodies", false]],
  );
});

test("nginx that lets them through is no finding, and neither is one that does not answer", async () => {
  const { env } = await behindNginx("client_max_body_size 256m;");
  await install(env).web({ env });
  assert.equal(await proxyLetsBodiesThrough(readConfig(env)), undefined);
  const nobody = { PUBLIC_URL: `http://127.0.0.1:${await freePort()}` };
  assert.equal(await proxyLetsBodiesThrough(readConfig(nobody)), undefined);
});

async function behindNginx(settings?: string): Promise<{ env: Record<string, string>; publicUrl: string }> {
  const [port, target] = [await freePort(), await freePort()];
  await startNginx(port, target, settings);
  const publicUrl = `http://127.0.0.1:${port}`;
  return { env: { PUBLIC_URL: publicUrl, TRUST_PROXY: "true", PORT: String(target) }, publicUrl };
}
