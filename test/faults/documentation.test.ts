// The documentation: at /docs of the service, and as a folder for any web server. Its links lead somewhere, its search finds, and
// everyone can read it.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";
import { PAGES } from "../../src/documentation/pages.ts";
import { writeSite, writeWhere } from "../../src/main/documentation.ts";
import { devices, openDevice, startBrowser, violations } from "../support/browser.ts";
import { newFolder } from "../support/folder.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const service = await startService({ config: { publicUrl: "http://127.0.0.1/below" } });
const browser = await startBrowser();
const folder = newFolder();
await writeSite(folder);

/** A web server that knows nothing but files. */
const files = createServer((request, response) => {
  const path = join(folder, request.url === "/" ? "index.html" : request.url!.split(/[?#]/)[0]!);
  const types: Record<string, string> = {
    html: "text/html",
    js: "text/javascript",
    css: "text/css",
    json: "application/json",
  };
  response.writeHead(existsSync(path) ? 200 : 404, { "Content-Type": types[path.split(".").at(-1)!] ?? "text/plain" });
  response.end(existsSync(path) ? readFileSync(path) : undefined);
});
await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
after(() => files.close());
const plain = `http://127.0.0.1:${(files.address() as { port: number }).port}`;

const idsOf = (html: string) => new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id!));
const targetsOf = (html: string) => [...html.matchAll(/\b(?:href|src)="([^"]+)"/g)].map(([, target]) => target!);
const isElsewhere = (target: string) => /^[a-z]+:/.test(target);

test("it is written over what was written before, and takes nothing else away", async () => {
  const home = newFolder();
  writeFileSync(join(home, "thesis.txt"), "x");
  await assert.rejects(writeWhere([home]), /has something else, which would go/);
  await assert.rejects(writeWhere([join(home, "thesis.txt")]), /has something else/);
  for (const wrong of [["--help"], ["a", "b"]]) await assert.rejects(writeWhere(wrong), /Name one folder/);
  assert.deepEqual(readdirSync(home), ["thesis.txt"]);
  const site = join(home, "site");
  for (let n = 0; n < 2; n++) assert.match(await writeWhere([site]), /^\d\d pages are in /);
  assert.deepEqual(readdirSync(site).sort(), readdirSync(folder).sort());
});

test("each link of the written folder leads to a file and to a heading, and so does each place that the search finds", () => {
  const pages = readdirSync(folder).filter((name) => name.endsWith(".html"));
  const htmlOf = new Map(pages.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  const broken: string[] = [];
  const follow = (from: string, target: string) => {
    const [path = "", fragment] = target.split("#");
    const name = path || from;
    if (!existsSync(join(folder, name))) broken.push(`${from}: ${target}`);
    const html = htmlOf.get(name);
    if (fragment && html && !idsOf(html).has(fragment)) broken.push(`${from}: ${target}`);
  };
  for (const [name, html] of htmlOf)
    for (const target of targetsOf(html)) if (!isElsewhere(target)) follow(name, target);
  const places = JSON.parse(readFileSync(join(folder, "search.json"), "utf8")) as [string, ...string[]][];
  const operations = places.flatMap(([address]) => /^reference\.html#\/[^/]+\/(\w+)$/.exec(address)?.[1] ?? []);
  const description = readFileSync(join(folder, "openapi.json"), "utf8");
  for (const operation of operations) assert.ok(description.includes(`"operationId":"${operation}"`), operation);
  for (const [address] of places) if (!address.includes("#/")) follow("search.json", address);
  assert.deepEqual(broken, []);
  assert.ok(pages.length > 15 && operations.length > 100 && places.length > operations.length + 100);
});

test("the service shows the same below a path, and loads nothing from elsewhere", async () => {
  const seen = new Set<string>();
  const broken: string[] = [];
  for (const name of ["", ...PAGES.map((page) => `/${page.name}`)]) {
    const html = await (await fetch(`${service.url}/docs${name}`)).text();
    for (const target of targetsOf(html)) {
      const path = target.split("#")[0]!;
      if (isElsewhere(target) || !path || seen.has(path)) continue;
      seen.add(path);
      assert.match(path, /^\/below\/docs(?:\/|$)/, name);
      const { status } = await fetch(service.url + path.slice("/below".length));
      if (status !== 200) broken.push(`${name}: ${target}`);
    }
    for (const [, loaded] of html.matchAll(/\b(?:src="|rel="stylesheet" href=")([^"]+)"/g))
      assert.match(loaded!, /^\/below\//, name);
  }
  assert.deepEqual(broken, []);
  for (const name of ["nothing", "..%2Fpackage.json", "contract.md", "__proto__", "page.html"])
    assert.equal((await fetch(`${service.url}/docs/${name}`)).status, 404, name);
});

test("everyone can read each page, on wide and narrow screens, in light and dark", async () => {
  const { page } = await openDevice(browser, plain, { ...devices.desktop });
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1280, 360])
      for (const name of ["index", "operations", "client"]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${plain}/${name}.html`);
        assert.deepEqual(await violations(page), [], `${name}, ${width} px, ${colorScheme}`);
      }
  await page.setViewportSize({ width: 320, height: 700 });
  for (const name of ["index", ...PAGES.map((one) => one.name)]) {
    await page.goto(`${plain}/${name}.html`);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320, name);
  }
});

for (const [where, home] of [
  ["the written folder", `${plain}/index.html`],
  ["the service", `${service.url}/docs`],
] as const)
  test(`the search of ${where} finds headings, texts and operations, also with a slip of the pen`, async () => {
    const { page, foreign } = await openDevice(browser, new URL(home).origin, { ...devices.phone });
    // What a proxy would take away.
    await page.route("**/below/**", (route) => route.continue({ url: route.request().url().replace("/below/", "/") }));
    await page.goto(home);
    const field = page.getByLabel("Search the documentation");
    const search = async (wanted: string) => {
      await field.fill(wanted);
      const known = `document.querySelector("#found-count").textContent`;
      await until(async () => /found$|shown$|^Nothing/.test(String(await page.evaluate(known))), wanted);
      return page.locator("#found a").allTextContents();
    };
    assert.match((await search("idempotency key"))[0]!, /^Idempotency/);
    assert.ok((await search("/screener-links")).some((title) => title.endsWith("(API reference)")));
    assert.ok((await search("litestraem")).length > 0);
    assert.deepEqual(await search("xylophonist"), []);
    assert.deepEqual(await violations(page, ["header"]), []);
    await search("undo import");
    await page.locator("#found a").first().click();
    await page.waitForURL(/#/);
    assert.deepEqual(foreign, []);
  });
