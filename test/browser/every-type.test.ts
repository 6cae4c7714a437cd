// A page with every type of question, with all its errors, in four languages: how it looks on a small phone and a desk, and what a listener
// hears of it, in which order. Photographed into the folder PICTURES, if that is given.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { typeNames } from "../../src/nouns/question-types/registry.ts";
import { faintColors, openDevice, startBrowser, violations } from "../support/browser.ts";
import { type AuthorLanguage, everyType } from "../support/every-type.ts";
import { png } from "../support/images.ts";
import { startService } from "../support/service.ts";
import { invited } from "../support/study.ts";

const { PICTURES, READING_ORDER } = process.env;

const service = await startService();
const browser = await startBrowser();
const client = service.workspace("Acme Research");
const { body: image } = await client.post("/workspace/images", { file: (await png(640, 360)).toString("base64") });

/** A node of the accessibility tree, as Chromium gives it to a screen reader. */
interface AxNode {
  nodeId: string;
  parentId?: string;
  childIds?: string[];
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  description?: { value: string };
  value?: { value: unknown };
  properties?: { name: string; value: { value: unknown } }[];
}

/** What stands around other things, and says nothing itself. */
const SILENT =
  /^(?:RootWebArea|generic|none|paragraph|LabelText|Legend|MenuListPopup|InlineTextBox|LineBreak|strong|emphasis)$/;

/** What has its text as its name. */
const NAMED = /^(?:heading|link|button|option)$/;

/** What is heard of a field besides its name. */
const STATES = /^(?:required|invalid|checked)$/;

/** What a listener comes upon, in the order of the tree: a line for each role with its name, its value, its state and what describes it; and all texts. */
async function heard(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send("Accessibility.getFullAXTree")) as unknown as { nodes: AxNode[] };
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  const listen = (node: AxNode, depth: number): void => {
    const isHeard = !node.ignored && !SILENT.test(node.role!.value);
    if (isHeard) lines.push(`${"  ".repeat(depth)}${lineOf(node)}`);
    // Their names are all that is in them.
    if (isHeard && NAMED.test(node.role!.value)) return;
    for (const id of node.childIds ?? []) {
      const child = byId.get(id);
      if (child) listen(child, isHeard ? depth + 1 : depth);
    }
  };
  listen(nodes.find(({ parentId }) => parentId === undefined)!, 0);
  return `${lines.join("\n")}\n`;
}

function lineOf({ role, name, description, value, properties = [] }: AxNode): string {
  const text = name?.value ?? "";
  if (role!.value === "StaticText") return `“${text.trim()}”`;
  const states = properties.flatMap(({ name, value }) =>
    STATES.test(name) && String(value.value) !== "false" ? name : [],
  );
  const parts = [
    text && ` “${text}”`,
    value?.value ? ` = “${value.value}”` : "",
    ...states.map((state) => `, ${state}`),
    description?.value ? `; ${description.value}` : "",
  ];
  return role!.value + parts.join("");
}

const SCREENS = { "small-phone": { width: 320, height: 844 }, desktop: { width: 1280, height: 900 } };

/** Nothing is wider than the screen, or cut. */
async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [screen, size] of Object.entries(SCREENS)) {
      await page.setViewportSize(size);
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}-${screen}-${colorScheme}.png`, fullPage: true });
      const cut = await page.evaluate<string[]>(
        `[...document.querySelectorAll("html, button, summary, legend, label, p, h1, h2, select, .option")]
           .filter((one) => !one.closest(".unseen, [hidden]") && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
           .map((one) => one.localName + " " + one.textContent)`,
      );
      assert.deepEqual(cut, [], `${name} ${screen}: what is cut off`);
    }
    const found = await (colorScheme === "light" ? violations(page) : faintColors(page));
    assert.deepEqual(found, [], `${name} ${colorScheme}`);
  }
}

const LANGUAGES: AuthorLanguage[] = ["en", "de", "ar", "ja"];

/** What a script adds to a long menu. */
const SEARCH = /^ *“[^”]+”\n *searchbox .*\n *status\n/m;

/** The page with the error of each question. */
async function fail(page: Page): Promise<void> {
  await page.locator("input[type=checkbox]").first().check();
  await page.locator(".button").first().click();
  await page.locator(".summary").waitFor();
}

/** Whether scripts run in what the page opens from now on. What was opened without can be looked at with them: its own have not run. */
async function scriptsOf(page: Page): Promise<(run: boolean) => Promise<unknown>> {
  // Playwright's own switch is for good, and axe-core waits for timers.
  const session = await page.context().newCDPSession(page);
  return (run) => session.send("Emulation.setScriptExecutionDisabled", { value: !run });
}

for (const language of LANGUAGES)
  test(`${language}: every type of question can be read and heard, with its error, in a fixed order`, async () => {
    const content = everyType(language, image);
    const types = new Set(content.pages.flatMap(({ questions }) => questions.map(({ _type }) => _type)));
    assert.deepEqual(
      [...typeNames].filter((one) => !types.has(one)),
      [],
    );
    const { link } = await invited(client, content, { title: "Acme" });
    const { device, page } = await openDevice(browser, service.url);
    await page.goto(`${service.url}${link.path}`);
    await look(page, `every-type-${language}`);
    await fail(page);
    await look(page, `every-type-${language}-errors`);
    // A line that moves, comes or goes is in the diff of its commit. READING_ORDER=write writes them anew.
    const file = new URL(`reading-order/${language}.txt`, import.meta.url);
    const now = await heard(page);
    if (READING_ORDER === "write") writeFileSync(file, now);
    assert.equal(now, readFileSync(file, "utf8"));

    const run = await scriptsOf(page);
    await run(false);
    await page.goto(`${service.url}${link.path}`);
    await run(true);
    await look(page, `every-type-${language}-without-scripts`);
    await run(false);
    await fail(page);
    await run(true);
    await look(page, `every-type-${language}-errors-without-scripts`);
    const silent = now.replace(SEARCH, "");
    assert.notEqual(silent, now);
    assert.equal(await heard(page), silent);
    await device.close();
  });
