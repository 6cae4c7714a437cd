// docs/tutorial.md, word by word: its commands in a shell, its steps in a browser, and what they show.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { openDevice, startBrowser } from "../support/browser.ts";
import { newFolder } from "../support/folder.ts";
import { ServiceProcess } from "../support/process.ts";
import { freePort } from "../support/proxies.ts";
import { until } from "../support/until.ts";

const port = await freePort();
// The port of the page may be somebody's here.
const text = readFileSync("docs/tutorial.md", "utf8").replaceAll(":3000", `:${port}`);
/** The project's folder, as after `npm ci`, with no data yet. */
const folder = newFolder();
for (const name of readdirSync("."))
  if (name !== "data" && name !== ".git") symlinkSync(resolve(name), join(folder, name));
const env: Record<string, string> = {
  ...(process.env as Record<string, string>),
  PORT: String(port),
  LOG_LEVEL: "error",
};
delete env.DATA_DIR;
const browser = await startBrowser();

/** What the page has one do, and what one sees then, in its order. */
type Step = { kind: "sh" | "text" | "list"; lines: string[] };
const steps: Step[] = [...text.matchAll(/^```(sh|text)\n(.*?)^```$|((?:^\d+\. [^\n]*\n)+)/gms)].map(
  ([, kind, code, list]) => ({
    kind: (kind as "sh" | "text" | undefined) ?? "list",
    lines: (code ?? list!).trimEnd().split("\n"),
  }),
);

/** The second terminal. */
class Shell {
  readonly #child = spawn("bash", ["-s"], { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] });
  #said = "";

  constructor() {
    this.#child.stdout.setEncoding("utf8").on("data", (part: string) => {
      this.#said += part;
    });
    after(() => this.#child.kill());
  }

  /** @returns what the commands have written */
  async run(commands: string): Promise<string> {
    this.#said = "";
    this.#child.stdin.write(`${commands}\necho "ended $?"\n`);
    const [, written, code] = await until(() => /^([\s\S]*)ended (\d+)\n$/.exec(this.#said), commands, 60_000);
    assert.equal(code, "0", `${commands}\n${written}`);
    return written!;
  }
}

/** Does what a line says. @param last what the terminal has shown last */
async function follow(page: Page, line: string, last: string): Promise<void> {
  const step = line.replace(/^\d+\. /, "");
  const link = /^Open the link(?: of `(.+)`)?\.$/.exec(step);
  const write = /^Write `(.+)` into \*\*(.+?)\*\*\.?$/.exec(step);
  const press = /^Press \*\*(.+)\*\*\.$/.exec(step);
  const see = /^You see “(.+)”\.$/.exec(step);
  if (link) {
    const row = last.split("\n").find((one) => one.includes(link[1] ?? ""))!;
    await page.goto(/http\S+$/.exec(row)![0]);
  } else if (write) await page.getByLabel(new RegExp(`^${RegExp.escape(write[2]!)}`)).fill(write[1]!);
  else if (press)
    await page
      .getByRole("button", { name: press[1]!, exact: true })
      .or(page.getByRole("link", { name: press[1]!, exact: true }))
      .first()
      .click();
  else if (see) await page.getByText(see[1]!, { exact: true }).first().waitFor();
  else assert.fail(`the test does not know how to do: ${step}`);
}

test("the tutorial works as it is written, and shows what it says", async () => {
  const [first, ...rest] = steps;
  assert.deepEqual(first, { kind: "sh", lines: ["npm ci && npm start"] });
  const service = new ServiceProcess("", { command: ["npm", "start"], env, root: pathToFileURL(`${folder}/`) });
  await service.says(/^A first workspace is ready/m, 60_000);
  const shell = new Shell();
  let shown = "";
  let links = "";
  for (const { kind, lines } of rest) {
    if (kind === "sh") {
      shown = await shell.run(lines.join("\n"));
      if (shown.includes("http")) links = shown;
    } else if (kind === "text") {
      const pattern = lines.map((line) => RegExp.escape(line).replaceAll("…", ".*")).join("\n");
      assert.match(shown.replace("\uFEFF", "").replaceAll("\r", ""), new RegExp(`^${pattern}\n?$`), lines.join("\n"));
    } else {
      const { page, device } = await openDevice(browser, `http://127.0.0.1:${port}`);
      for (const line of lines) await follow(page, line, links);
      await device.close();
    }
  }
  assert.ok(steps.length > 20);
  service.signal("SIGTERM");
  await service.dies();
});
