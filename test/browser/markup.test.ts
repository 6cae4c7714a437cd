// Authors' texts as a small Markdown, in a real browser: whatever is typed, nothing but what it may have comes out; and it can be read by all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { TextBlock, TextLine, TextSpan, Texts } from "../../src/nouns/question-types/markup/texts.tsx";
import { openDevice, startBrowser, violations } from "../support/browser.ts";
import { seeded } from "../support/seeded.ts";
import { startService } from "../support/service.ts";
import { type Invitation, invite, publish } from "../support/study.ts";

const service = await startService();
const client = service.workspace("Acme Research");
const browser = await startBrowser();

const STRINGS = 20_000;
const AT_ONCE = 1000;

/** What attacks on renderers of Markdown are made of. */
const PIECES = [
  ..."*_[]()<>\\!`#&\"'{}|~:;/=-+. \n\t",
  ...[
    "**",
    "__",
    "](",
    "![",
    "\n\n",
    "\n- ",
    "\n1. ",
    "\n   ",
    "<https://",
    "https://a.example",
    "{{",
    "}}",
    "{{answer:x|y}}",
  ],
  ...[
    "javascript:alert(1)",
    "JaVaScRiPt:",
    "java\nscript:",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "&colon;",
    "&#58;",
  ],
  ...[
    "&lt;",
    "&#x3c;",
    "&quot;",
    "%22",
    "%3Cscript%3E",
    "\u0000",
    "\u202e",
    "\u2066",
    "\u00a0",
    "\ufdd0",
    "\ufdd00\ufdd0",
    "\ud83d\ude00",
  ],
  ...[
    "<script>",
    "</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<!--",
    "-->",
    "<![CDATA[",
    "<a href=x>",
    "</a>",
  ],
  ...[
    '" onmouseover="alert(1)',
    "' style='x",
    "mailto:a@b.example",
    "tel:+49",
    "//evil.example",
    "\\\\evil.example",
    "http://evil.example",
  ],
  ...[
    "[a](https://b.example)",
    "[a](javascript:alert(1))",
    '[a]( <https://b.example> "t")',
    "![i](https://b.example/i.png)",
    "a",
    "word",
    "é",
    "مرحبا",
  ],
];

/** What a text may come out as, each with its attributes. */
const ALLOWED = {
  P: ["class", "lang", "dir"],
  DIV: ["class", "lang", "dir"],
  SPAN: ["class", "lang"],
  STRONG: [],
  EM: [],
  BDI: [],
  UL: [],
  OL: ["start"],
  LI: [],
  A: ["class", "href", "rel", "target"],
};

test(`of ${STRINGS} texts made to break out, none becomes anything but bold, emphasis, lists and links`, async () => {
  const { page } = await openDevice(browser, service.url);
  await page.goto(`${service.url}/healthz`);
  const random = seeded("markup");
  const pick = () => PIECES[Math.floor(random() * PIECES.length)]!;
  let links = 0;
  for (let made = 0; made < STRINGS; made += AT_ONCE) {
    const texts = Array.from({ length: AT_ONCE }, () =>
      Array.from({ length: 1 + Math.floor(random() * 24) }, pick).join(""),
    );
    const html = texts.map((text) =>
      renderToString(
        h(Texts, { value: { markup: "MARKDOWN", opensTabs: made % 2000 === 0, fill: fillOf } }, [
          h(TextBlock, { text, lang: "" }),
          h(TextSpan, { text, lang: "" }),
          h(TextLine, { text }),
        ]),
      ),
    );
    const found = await page.evaluate<{ links: number; faults: [index: number, fault: string][] }>(
      `(${findFaults})(${JSON.stringify(html)}, ${JSON.stringify(ALLOWED)})`,
    );
    links += found.links;
    assert.deepEqual(
      found.faults.map(([index, fault]) => ({ fault, text: texts[index], html: html[index] })).slice(0, 3),
      [],
    );
  }
  assert.ok(links > 1000, `${links} links: the texts are too broken to show anything`);
});

const fillOf = (typed: string) => (typed.includes("x") ? '<b onclick="alert(1)">' : undefined);

/** Runs in the browser. */
function findFaults(html: string[], allowed: Record<string, string[]>) {
  const faults: [number, string][] = [];
  let links = 0;
  for (const [index, one] of html.entries()) {
    const { body, head } = new DOMParser().parseFromString(`<!doctype html><body>${one}`, "text/html");
    if (head.childNodes.length) faults.push([index, "something in the head"]);
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_ALL);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.nodeType === Node.TEXT_NODE) continue;
      if (!(node instanceof Element)) {
        faults.push([index, `node ${node.nodeName}`]);
        continue;
      }
      const attributes = allowed[node.tagName];
      if (!attributes) faults.push([index, `element ${node.tagName}`]);
      for (const name of node.getAttributeNames())
        if (!attributes?.includes(name)) faults.push([index, `${node.tagName} with ${name}`]);
      if (node instanceof HTMLAnchorElement) {
        links++;
        if (!["https:", "mailto:", "tel:"].includes(node.protocol) || node.username || node.password)
          faults.push([index, `a link to ${node.href}`]);
        if (node.rel !== "noreferrer noopener") faults.push([index, `rel ${node.rel}`]);
      }
    }
    // What stands in a label may have no blocks.
    const outer = body.querySelector(":scope > span");
    if (outer?.querySelector("p, div, ul, ol, li")) faults.push([index, "a block in a phrase"]);
  }
  return { links, faults };
}

const RICH = {
  title: "About *you*",
  description:
    "See **our plan** at [the institute](https://a.example/plan):\n\n1. You answer\n2. We read\n   - at once\n   - or later\n\nThank you.",
  questions: [
    { _type: "ScreenerStatement", text: "Now **some questions**:\n\n- about tea\n- about you" },
    { _type: "ScreenerStatement" },
    {
      key: "which",
      _type: "ScreenerSingleSelectQuestion",
      prompt:
        "Which of these **do you** drink?\n\n- hot\n- cold, as [we define it](https://a.example/cold-and-very-long-address-that-has-to-break-somewhere)",
      helpText: "Not sure? Write to [us](mailto:us@a.example) or call [+49 30](tel:+4930).",
      options: [{ text: "Tea" }, { text: "Milk" }],
    },
    { key: "why", _type: "ScreenerTextQuestion", prompt: "3. Why *that*?\n\n1. First\n2. Then", required: true },
  ],
};

const LOOKS = [
  { colorScheme: "light", forcedColors: "none" },
  { colorScheme: "dark", forcedColors: "none" },
  { colorScheme: "light", forcedColors: "active" },
] as const;

test("texts with signs can be read by all: on small screens, in dark and forced colours, from right to left", async () => {
  const arabic = {
    ...RICH,
    title: "معلومات **عنك**",
    questions: [{ ...RICH.questions[3], prompt: "لماذا *هذا*؟\n\n- أولا\n- [ثانيا](https://a.example)" }],
  };
  for (const one of [RICH, arabic]) {
    const study = await publish(client, { pages: [one], thankYou: "**Done.**\n\n- See https://a.example/next" });
    const [{ path }] = (await invite(client, study.screener, 1)) as [Invitation];
    const { device, page, foreign } = await openDevice(browser, service.url);
    await page.goto(service.url + path);
    for (const width of [320, 1280])
      for (const look of LOOKS) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia(look);
        assert.deepEqual(await violations(page), [], `${width} ${JSON.stringify(look)}`);
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
      }
    assert.deepEqual(foreign, []);
    await device.close();
  }
});

test("a link in a question opens another tab, so what was typed stays; and the prompt names the field without signs", async () => {
  const study = await publish(client, { pages: [RICH] });
  const [{ path }] = (await invite(client, study.screener, 1)) as [Invitation];
  const { device, page } = await openDevice(browser, service.url);
  await device.route(/^https:\/\/a\.example/, (route) => route.fulfill({ contentType: "text/html", body: "The plan" }));
  await page.goto(service.url + path);
  await page.getByRole("textbox", { name: "3. Why that?" }).fill("Because");
  const opened = device.waitForEvent("page");
  await page.getByRole("link", { name: "the institute" }).click();
  await (await opened).getByText("The plan").waitFor();
  assert.equal(await page.getByRole("textbox", { name: "3. Why that?" }).inputValue(), "Because");
  const group = page.getByRole("radiogroup", { name: /^Which of these do you drink\?\s+hot\s+cold, as we define it/ });
  assert.equal(await group.count(), 1);
  await page.getByRole("button", { name: "Finish" }).click();
  await page.getByText("Thank you").waitFor();
});
