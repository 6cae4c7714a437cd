// The lists of the console: each is sorted by a heading, and the address keeps that; or it says here why not.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { ROOT } from "../../db/root.ts";
import { signedIn } from "../support/console.ts";
import { sharedService } from "../support/service.ts";
import { pausedMailing } from "../support/store.ts";
import { until } from "../support/until.ts";
import { askForData, populate } from "../support/world.ts";

/** Tables that nobody sorts, by their file. */
const NOT_SORTED: Record<string, string> = {
  "answers/answer-table.tsx": "It is sorted by a heading, with rows of its own: test/api/answer-tables.test.ts",
  "answers/withdrawn-page.tsx": "Few people: sessions are not listed by when somebody withdrew",
  "feasibility/page.tsx": "A row for each quota, all on one page, in the order of the study",
  "imports/mapping-page.tsx": "The first rows of a file, in its order",
  "imports/rows-page.tsx": "Rows of a file, in its order: they are looked for there",
  "islands/grid-table.tsx": "A field for each combination of answers",
  "islands/texts.tsx": "The signs of Markdown",
  "languages/broken-file.tsx": "The texts of a file, in its order",
  "languages/files.tsx": "The texts of a study, in its order",
  "languages/table-page.tsx": "The texts of a study, in its order",
  "messages/plan-page.tsx": "The rows of a plan, in its order: they are filtered by who gets it, and by why not",
  "quotas/arms.tsx": "The arms of a study, all on one page, in its order",
  "quotas/forecast-table.tsx": "The quotas of a study, all on one page, in its order",
  "results/charts.tsx": "The options of a question, in its order",
  "results/matrix-results.tsx": "The rows of a question, in its order",
  "results/page-by-page.tsx": "The pages of a study, in its order",
  "system/cells-table.tsx": "All cells, on one page, by their names",
  "system/installation-page.tsx":
    "Each store is read for its row alone: an order by what they have would read all of them",
};

test("each table is sorted by a heading, or says why not", () => {
  const folder = new URL("src/console/", ROOT);
  const unsorted = globSync("**/*.tsx", { cwd: folder }).flatMap((file) => {
    if (file === "shell/table.tsx") return [];
    const tables = readFileSync(new URL(file, folder), "utf8").match(/<(?:T|t)able\b(?:=>|[^>])*>/g) ?? [];
    return tables.some((tag) => !tag.includes("sorting")) ? [file] : [];
  });
  assert.deepEqual(unsorted.sort(), Object.keys(NOT_SORTED));
});

const service = await sharedService();
const world = await populate(service, "Sorted");
const { client, screener, participant } = world;
const browser = await signedIn(service, client.workspaceId, "admin", "ada@console-lists.example.org");

await client.post("/screener-links", { screenerId: screener, name: "Newsletter" });
await client.post(`/webhook-endpoints/${world.webhookEndpoint}/test`, undefined);
pausedMailing(service, client, { screener, participant });
const other = (await client.get("/screener-participants")).body.items[1].id;
await askForData(client, (await client.post("/screener-sessions", { screenerParticipantId: other })).body);

/** What the rows of a list lead to, and where its order is turned. */
async function list(path: string) {
  const { status, text } = await browser.get(path);
  assert.equal(status, 200, path);
  const [, rows = ""] = /<tbody>(.*?)<\/tbody>/s.exec(text) ?? /<ul class="cards">(.*?)<\/ul>/s.exec(text) ?? [];
  const found = [...rows.matchAll(/<(?:tr|li)\b.*?<(?:a|h3)\b(?: href="([^"]*)")?[^>]*>(.*?)<\/(?:a|h3)>/gs)];
  const plain = text.replaceAll("&amp;", "&");
  const [, turned = ""] =
    /<a class="sorts" href="([^"]*)"/.exec(plain) ??
    /<a href="([^"]*sort=-?createdAt)">(?:New|Old)est/.exec(plain) ??
    [];
  return { rows: found.map(([, href, words]) => href ?? words), turned, text };
}

const LISTS = {
  links: `/console/studies/${screener}/share`,
  deliveries: `/console/webhooks/${world.webhookEndpoint}`,
  mailings: "/console/messages",
  "mailings of a study": `/console/studies/${screener}/messages`,
  requests: "/console/requests",
  jobs: "/console/jobs",
};

for (const [name, path] of Object.entries(LISTS))
  test(`${name} are turned by a link, and back`, async () => {
    // Deliveries of what was done before may still come.
    const [usual, other, back] = await until(async () => {
      const usual = await list(path);
      const other = await list(usual.turned);
      const back = await list(other.turned);
      return isDeepStrictEqual((await list(path)).rows, usual.rows) ? ([usual, other, back] as const) : undefined;
    }, "nothing comes to the list while it is read");
    assert.ok(usual.rows.length > 1, `${usual.rows}`);
    assert.deepEqual(other.rows, usual.rows.toReversed());
    assert.notEqual(other.turned, usual.turned);
    assert.deepEqual(back.rows, usual.rows);
  });

test("filters and orders keep each other", async () => {
  const quota = `/console/studies/${screener}/quotas/${world.quota}`;
  const held = await list(`${quota}?state=HELD`);
  assert.equal(held.turned, `${quota}?state=HELD&sort=createdAt`);
  assert.match(held.text, /aria-sort="descending"/);
  const oldest = await list(held.turned);
  assert.match(oldest.text, /aria-sort="ascending"/);
  assert.ok(oldest.text.includes(`href="${quota}?state=TAKEN&amp;sort=createdAt"`));
  assert.ok((await list("/console/requests?sort=-createdAt")).text.includes("?state=DONE&amp;sort=-createdAt"));
});
