// Requests that two servers in a row may understand differently: sent to a cell that passes them on, directly, through HAProxy and
// through nginx. Three tenants get what is theirs, and nothing else.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { move, startCell } from "../support/cells.ts";
import type { Client } from "../support/client.ts";
import { freePort, startCellNginx, startCellProxy } from "../support/proxies.ts";
import { type Case, cases, Reader, sendRaw } from "../support/smuggling.ts";
import { until } from "../support/until.ts";

const TITLES = ["The attacker's", "A neighbour's, moved", "A neighbour's at home"] as const;
const ports = [await freePort(), await freePort(), await freePort()] as const;
const startWeb = (name: string, port: number) =>
  startCell(name, { env: { PORT: String(port), TRUST_PROXY: "true" }, isWithoutWorker: true });
const [one, two] = await Promise.all([startWeb("eu1", ports[0]), startWeb("eu2", ports[1])]);
const tenants = [one.installation.workspace("A"), one.installation.workspace("B"), two.installation.workspace("C")];
for (const [index, tenant] of tenants.entries())
  await tenant.client(index < 2 ? one.web : two.web).post("/screeners", { title: TITLES[index] });
for (const tenant of tenants.slice(0, 2)) await move(one, tenant, two);
const urls: Record<string, string> = {
  direct: one.web.url,
  HAProxy: (await startCellProxy(ports, 2)).url,
  nginx: await startCellNginx(ports, ""),
};

/** So many are sent side by side. */
const BESIDE = 12;
const LONG_MS = 3000;

for (const [index, way] of Object.keys(urls).entries())
  test(`nobody gets anything that is not theirs: ${way}`, async () => {
    const url = urls[way]!;
    const [attacker, moved, home] = tenants.map((tenant) => tenant.client({ url })) as [Client, Client, Client];
    const { apiKey, apiSecret } = attacker.credentials;
    const own = `X-Service-Api-Key: ${apiKey}\r\nX-Service-Api-Secret: ${apiSecret}\r\n`;
    const link = `/w/${apiKey.slice("key_".length).split(".")[0]}.${tenants[0]!.id}/s/x`;
    const readers = [new Reader(moved, TITLES[1]), ...(way === "direct" ? [] : [new Reader(home, TITLES[2])])];
    const wrong: string[] = [];
    const send = async ({ name, bytes, isPipelined }: Case, target: string, headers: string, quietMs?: number) => {
      const title = `${way}: ${name} to ${target.split("/")[1]} ${randomUUID()}`;
      const body = JSON.stringify({ title });
      const inner = `POST /screeners HTTP/1.1\r\nHost: x\r\n${own}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
      const seen = await sendRaw(url, bytes(target, headers, inner), `127.0.0.${index + 2}`, quietMs);
      for (const theirs of TITLES.slice(1)) if (seen.includes(theirs)) wrong.push(`${title}: it has got ${theirs}`);
      const isAnswered = seen.includes("HTTP/1.1 201 ");
      // A proxy may make a second request of what we take for none: then that is answered where it came from.
      if (way === "direct" && isAnswered && !isPipelined) wrong.push(`${title}: it was taken for a request`);
      return { title, isAnswered, isPipelined };
    };
    const all = cases.flatMap((one): [Case, string, string][] => [
      [one, link, ""],
      [one, "/screeners", own],
    ]);
    const sent: { one: (typeof all)[number]; title: string; isAnswered: boolean }[] = [];
    for (let at = 0; at < all.length; at += BESIDE)
      await Promise.all(all.slice(at, at + BESIDE).map(async (one) => sent.push({ one, ...(await send(...one)) })));
    const listMade = async () =>
      new Set((await attacker.all("/screeners")).map(({ title }: { title: string }) => title));
    const made = await listMade();
    for (const { one, title, isAnswered } of sent) {
      if (isAnswered || (!made.has(title) && !one[0].isPipelined)) continue;
      // On a busy machine the second answer is late.
      const again = await send(...one, LONG_MS);
      if (!again.isAnswered && (await listMade()).has(again.title)) wrong.push(`${title}: it was smuggled`);
      if (!again.isAnswered && one[0].isPipelined) wrong.push(`${title}: the second request was not answered`);
    }
    for (const reader of readers) {
      await until(() => reader.reads > 20 || reader.hasFailed, "they read meanwhile");
      await reader.end();
    }
    assert.deepEqual(wrong, []);
  });
