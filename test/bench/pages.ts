// What Lighthouse says of the pages, with the slow telephone and network that it imitates. It is fetched when it is asked for: it
// takes 190 MB.

import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findBrowser } from "../support/browser.ts";
import { ConsoleBrowser, PASSWORD } from "../support/console.ts";
import { everyKind, invite, publish } from "../support/study.ts";
import { ABOUT, Visitor } from "../support/visitor.ts";
import type { Figure } from "./figures.ts";
import { Service } from "./service.ts";

const LIGHTHOUSE = "lighthouse@12.8.2";
/** Private pages are not for search engines, so the fourth is left out. */
const CATEGORIES = ["performance", "accessibility", "best-practices"] as const;

const run = promisify(execFile);

/** The lowest score of each page's categories. */
export async function pages(): Promise<Figure[]> {
  await using service = await Service.cold("threads");
  const client = service.client();
  const study = await publish(client, everyKind);
  const [first, second] = await invite(client, study.screener, 2);
  await new Visitor(service.url).send(first!.path, study, "About you", ABOUT);
  const browser = new ConsoleBrowser(service.url);
  await browser.post(await service.signInLink(client.workspaceId), { password: PASSWORD, again: PASSWORD });
  const { items } = (await client.get("/participants")).body;
  const path = `/console/studies/${study.screener}`;
  const signedIn = [
    ...[
      "/console/studies",
      "/console/studies/new",
      "/console/people",
      `/console/people/${items[0].id}`,
      "/console/jobs",
    ],
    ...["/console/activity", "/console/users", "/console/keys", "/console/webhooks", "/console/sessions", path],
    ...["/build", "/try", "/publish", "/import", "/results", "/download", "/answers"].map((end) => path + end),
  ];
  const figures: Figure[] = [];
  for (const one of signedIn) figures.push(await scored(service, one, browser));
  for (const one of ["/console/sign-in", second!.path]) figures.push(await scored(service, one));
  return figures;
}

async function scored(
  service: Service,
  path: string,
  { cookies }: Pick<ConsoleBrowser, "cookies"> = { cookies: new Map() },
): Promise<Figure> {
  const headers = join(service.folder, "headers.json");
  const report = join(service.folder, "report.json");
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  writeFileSync(headers, JSON.stringify(cookie ? { Cookie: cookie } : {}));
  const options = ["--quiet", "--output=json", `--output-path=${report}`, `--extra-headers=${headers}`];
  const flags = "--chrome-flags=--headless=new --no-sandbox";
  const url = service.url + path;
  await run("npx", ["--yes", LIGHTHOUSE, url, `--only-categories=${CATEGORIES}`, flags, ...options], {
    env: { ...process.env, CHROME_PATH: findBrowser() },
  });
  const { categories } = JSON.parse(readFileSync(report, "utf8")) as {
    categories: Record<string, { score: number | null }>;
  };
  const scores = CATEGORIES.map((name) => Math.round((categories[name]!.score ?? 0) * 100));
  // The same page in every run, whatever ids it has.
  const what = `Lighthouse: ${path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…")}`;
  return { what, unit: "points", value: Math.min(...scores), target: { atLeast: 100 }, samples: { scores } };
}
