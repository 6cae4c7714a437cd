// Participants' links, over HTTP: which links work, and what the pages reveal.

import assert from "node:assert/strict";
import { hash, randomUUID } from "node:crypto";
import { test } from "node:test";
import { MAX_MISSES } from "../../src/participant-page/requests.ts";
import { type PlainAnswer, plain } from "../support/http.ts";
import { install } from "../support/process.ts";
import { startService } from "../support/service.ts";
import { type Invitation, invited, type Published, readAnswers, readSession } from "../support/study.ts";
import { ABOUT, DAYS, formOf, isPage, timeless, Visitor } from "../support/visitor.ts";

const service = await startService();
const client = service.workspace("Acme Research");
const visitor = new Visitor(service.url);

const sessionOf = ({ session }: Invitation) => readSession(client, session);
const answersOf = ({ session }: Invitation, of: Published) => readAnswers(client, session, of);

test("links that lead nowhere, for whatever reason, are answered alike", async () => {
  const { link } = await invited(client);
  const elsewhere = service.workspace("Elsewhere");
  const { study: foreign, link: theirs } = await invited(elsewhere);
  const mine = `/w/${client.workspaceId}`;
  const paths = [
    `${mine}/screeners/${link.screener}/${randomUUID()}`,
    `${mine}/screeners/${randomUUID()}/${link.session}`,
    `${mine}/screeners/${foreign.screener}/${link.session}`,
    `${mine}/screeners/${foreign.screener}/${theirs.session}`,
    theirs.path.replace(elsewhere.workspaceId, client.workspaceId),
    theirs.shortPath.replace(elsewhere.workspaceId, client.workspaceId),
    link.path.replace(client.workspaceId, elsewhere.workspaceId),
    link.path.replace(client.workspaceId, randomUUID()),
    link.shortPath.toUpperCase().replace("/W/", "/w/").replace("/S/", "/s/"),
    link.path.slice(0, -1),
    `${link.path}/more`,
    `${mine}/screeners/${link.screener}`,
    `${mine}/s/nothing`,
    `${mine}/s/`,
    `/w/${randomUUID()}/s/${link.shortPath.split("/").at(-1)}`,
    "/w/..%2f..%2fetc/s/passwd",
    "/w/%2e%2e/screeners/%00/%ff",
    "/w/%E0%A4%A/s/x",
    `/w/control/screeners/${link.screener}/${link.session}`,
    "/w/x/screeners/'%20OR%201=1--/x",
    "/w/assets/nothing.css",
    "/w/assets/style.0123456789abcdef.css%2f..",
    "/w",
    "/w/",
    `/w/${"x".repeat(5000)}`,
  ];
  const unlike = new Set<string>();
  for (const path of paths) {
    const answers = [
      await visitor.get(path),
      await visitor.post(path, "page=x"),
      await visitor.post(path, "{", { "Content-Type": "text/plain" }),
    ];
    for (const answer of answers) {
      isPage(answer, 404, "This link does not work");
      const { date, "x-request-id": id, ...headers } = answer.headers;
      assert.ok(date && id);
      unlike.add(JSON.stringify([headers, answer.text]));
    }
  }
  assert.equal(unlike.size, 1, [...unlike].join("\n\n"));
  // And the links that these are made of do work.
  for (const path of [link.path, theirs.path]) isPage(await visitor.open(path), 200, "About you");
  for (const { path, shortPath } of [link, theirs]) {
    const short = await visitor.get(shortPath);
    assert.equal(short.status, 200);
    assert.equal(timeless(short.text), timeless((await visitor.get(path)).text));
  }
});

test("a visitor who tries many links is slowed down; one with a valid link, from the same address, is not", async () => {
  const { study, link } = await invited(client);
  const guesser = new Visitor(service.url, "127.0.3.1");
  const statuses: number[] = [];
  for (let i = 0; i < MAX_MISSES + 20; i++) {
    const path = i % 2 ? `/w/${client.workspaceId}/s/${i}` : link.path.replace(link.session, randomUUID());
    statuses.push((await guesser.get(path)).status);
  }
  assert.deepEqual(statuses, [...Array(MAX_MISSES).fill(404), ...Array(20).fill(429)]);
  const refused = await guesser.get("/w/x");
  isPage(refused, 429, "Please wait a minute");
  assert.ok(Number(refused.headers["retry-after"]) > 0);
  assert.match(String(refused.headers.ratelimit), /^"broken-links";r=0;t=\d+$/);
  // Nor does it help to claim another address.
  const claimed = { method: "GET", path: "/w/x", headers: { "X-Forwarded-For": "203.0.113.1" }, from: "127.0.3.1" };
  assert.equal((await plain(service.url, claimed)).status, 429);
  isPage(await guesser.open(link.path), 200, "About you");
  isPage(await guesser.go(link.path, study, "About you", ABOUT), 200, "Your days");
  assert.equal((await guesser.get(link.shortPath)).status, 200);
});

test("behind a proxy that is trusted, callers who share it are distinguished by the address that it has seen", async () => {
  const behind = await startService({ config: { trustProxy: true } });
  const miss = (addresses: string) =>
    plain(behind.url, { method: "GET", path: "/w/x", headers: { "X-Forwarded-For": addresses }, from: "127.0.3.2" });
  for (let i = 0; i < MAX_MISSES; i++) assert.equal((await miss(`198.51.100.${i}, 203.0.113.2`)).status, 404);
  assert.equal((await miss("203.0.113.3, 203.0.113.2")).status, 429);
  assert.equal((await miss("203.0.113.2, 203.0.113.3")).status, 404);
});

const SCRIPT = 'history.replaceState(null,"",document.currentScript.dataset.address)';
const MENU = { key: "menu", _type: "ScreenerSingleSelectQuestion", display: "MENU", prompt: "Which one?" };
const sourceOf = (text: string) => `'sha256-${hash("sha256", text, "base64")}'`;

test("every page keeps the link to itself, runs only our two scripts and is framed by nobody", async () => {
  const { study, link } = await invited(client);
  const pages = [
    await visitor.open(link.path),
    await visitor.send(link.path, study, "About you", { age: "", smokes: [] }),
    await visitor.go(link.path, study, "About you", { ...ABOUT, age: "3" }),
    await visitor.open(link.path),
    await visitor.get("/w/x"),
    await visitor.post(link.path, "x", { "Content-Type": "text/plain" }),
  ];
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200, 422, 200, 200, 404, 415],
  );
  const menu = await invited(client, {
    pages: [
      { title: "Menu", questions: [{ ...MENU, options: [...Array(20).keys()].map((at) => ({ text: `${at}` })) }] },
    ],
  });
  // Only a page with a long menu has the second one.
  const [, menuScript = ""] = /<script>([^<]*)<\/script>/.exec((await visitor.open(menu.link.path)).text) ?? [];
  assert.match(menuScript, /menu-search/);
  const [, style = ""] = /<style>([^<]*)<\/style>/.exec(pages[0]!.text) ?? [];
  // Only the first page has it in itself: the others have it from the browser's cache.
  assert.deepEqual(
    pages.slice(0, 3).map(({ text }) => text.includes(style)),
    [true, false, false],
  );
  for (const { headers, text } of pages) {
    assert.equal(
      headers["content-security-policy"],
      `default-src 'none';style-src ${sourceOf(style)} 'self';script-src ${sourceOf(SCRIPT)} ${sourceOf(menuScript)};img-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'`,
    );
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.match(String(headers["x-robots-tag"]), /noindex/);
    assert.equal(headers["cache-control"], "no-store");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["x-frame-options"], "DENY");
    assert.equal(headers["set-cookie"], undefined);
    const rest = text
      .replace(`<style>${style}</style>`, "")
      .replace(/(<script data-address="[^"<>]*">)(.*?)<\/script>/, "$2");
    assert.doesNotMatch(rest.replace(SCRIPT, ""), /script|<style|style=|https?:\/\/|\son\w+=/i);
    assert.match(text, /^<!doctype html><html lang="en" dir="ltr">/);
    assert.equal(text.match(/<h1/g)?.length, 1);
    for (const [, path] of text.matchAll(/<link [^>]*href="([^"]*)"/g)) {
      const asset = await visitor.get(path!);
      assert.equal(asset.status, 200);
      assert.match(String(asset.headers["cache-control"]), /immutable/);
      assert.equal(asset.headers["x-content-type-options"], "nosniff");
      // A page from another version of the service finds today's, and asks again next time.
      const other = await visitor.get(path!.replace(/\.[0-9a-f]{16}\./, ".0123456789abcdef."));
      assert.deepEqual([other.status, other.text, other.headers["cache-control"]], [200, asset.text, "no-cache"]);
    }
  }
  assert.ok(pages[0]!.text.includes(`?page=${study.page["About you"]}">${SCRIPT}</script>`));
  const head = await fetch(service.url + link.path, { method: "HEAD" });
  assert.deepEqual([head.status, await head.text()], [200, ""]);
});

const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>'</textarea></title><!-- &lt; \u202e\u2028 {{7*7}} \${x}`;

test("hostile prompts and answers are text, wherever they are shown", async () => {
  const options = [{ text: HOSTILE }, { text: `${HOSTILE}2` }];
  const common = { prompt: HOSTILE, helpText: HOSTILE, required: true };
  const { study: other, link } = await invited(
    client,
    {
      pages: [
        {
          title: HOSTILE,
          description: HOSTILE,
          questions: [
            { ...common, key: "line", _type: "ScreenerTextQuestion" },
            { ...common, key: "lines", _type: "ScreenerTextQuestion", multiline: true },
            { ...common, key: "number", _type: "ScreenerNumericQuestion" },
            { ...common, key: "one", _type: "ScreenerSingleSelectQuestion", options, allowsWriteIn: true },
            { ...common, key: "some", _type: "ScreenerMultiSelectQuestion", options, allowsWriteIn: true },
          ],
        },
        { title: "Next", questions: [{ ...common, key: "next", _type: "ScreenerTextQuestion" }] },
      ],
      thankYou: HOSTILE,
    },
    { title: HOSTILE },
  );
  const entries = { line: HOSTILE, lines: HOSTILE, one: [`+${HOSTILE}`], some: [`+${HOSTILE}`, HOSTILE] };
  const shown = [
    await visitor.open(link.path),
    await visitor.send(link.path, other, HOSTILE, { ...entries, number: HOSTILE }),
    await visitor.go(link.path, other, HOSTILE, { ...entries, number: "7" }),
    await visitor.get(`${link.path}?page=${other.page[HOSTILE]}`),
    await visitor.send(link.path, other, "Next", { next: "" }),
    await visitor.go(link.path, other, "Next", { next: HOSTILE }),
    await visitor.open(`${link.path}?page=${encodeURIComponent(HOSTILE)}`),
  ];
  for (const { text } of shown) {
    // Nothing that would begin an element or a comment of its own, or end one.
    assert.deepEqual(
      text.replace(`">${SCRIPT}</script>`, "").match(/<script(?! data-address="\/w\/)|<\/script|<img|<!--/g) ?? [],
      [],
    );
    for (const name of ["title", "textarea"])
      assert.equal(text.match(new RegExp(`</${name}`, "g"))?.length, text.match(new RegExp(`<${name}`, "g"))?.length);
  }
  const line = HOSTILE.replaceAll("\n", " ");
  assert.equal((await answersOf(link, other)).line, line);
  assert.deepEqual((await answersOf(link, other)).one, [{ text: HOSTILE, isWriteIn: true }]);
});

test("a form that no browser would send is refused with a page for people", async () => {
  const { study, link } = await invited(client);
  const form = formOf(study, "About you", ABOUT);
  const bad: [string, PlainAnswer, number][] = [
    ["JSON", await visitor.post(link.path, "{}", { "Content-Type": "application/json" }), 415],
    ["no type", await visitor.post(link.path, form, { "Content-Type": "" }), 415],
    ["multipart", await visitor.post(link.path, form, { "Content-Type": "multipart/form-data; boundary=x" }), 415],
    ["no UTF-8", await visitor.post(link.path, `${form}&x=%ff%fe`), 400],
    ["raw bytes", await visitor.post(link.path, Buffer.from([0x61, 0x3d, 0xff])), 400],
    ["a surrogate", await visitor.post(link.path, `${form}&x=%ed%a0%80`), 400],
    ["too many bytes", await visitor.post(link.path, `${form}&x=${"x".repeat(1024 * 1024)}`), 413],
    ["too many fields", await visitor.post(link.path, `${form}${"&x".repeat(20_000)}`), 413],
    ["an unknown encoding", await visitor.post(link.path, form, { "Content-Encoding": "zstd" }), 415],
  ];
  for (const [what, answer, status] of bad) {
    assert.equal(answer.status, status, what);
    assert.match(String(answer.headers["content-type"]), /^text\/html/, what);
    assert.match(answer.text, /<h1>/, what);
  }
  assert.equal((await sessionOf(link)).state, "NOT_STARTED");
  // A page of long texts in a script that takes nine bytes a character is not too much.
  const long = "你".repeat(10_000);
  await visitor.send(link.path, study, "About you", ABOUT);
  isPage(await visitor.go(link.path, study, "Your days", { ...DAYS, day: long }), 200, "Thank you");
  assert.equal((await answersOf(link, study)).day, long);
});

test("addresses follow PUBLIC_URL, whose path a proxy takes away before they reach the service", async () => {
  const behind = await startService({ config: { publicUrl: "https://studies.example.org/screening" } });
  const {
    study,
    link: { path, shortPath },
  } = await invited(behind.workspace());
  const inside = (address: unknown) => String(address).replace(/^\/screening(?=\/w\/)/, "");
  const outside = new Visitor(behind.url);
  assert.match(path, /^\/screening\/w\//);
  const page = await outside.get(inside(shortPath));
  isPage(page, 200, "About you");
  assert.ok(page.text.includes(`action="${path}"`));
  assert.ok(page.text.includes(`data-address="${path}?page=${study.page["About you"]}"`));
  const sent = await outside.send(inside(path), study, "About you", ABOUT);
  assert.equal(sent.headers.location, `${path}?page=${study.page["Your days"]}`);
  for (const [, address] of page.text.matchAll(/<link [^>]*href="([^"]*)"/g)) {
    assert.match(address!, /^\/screening\/w\/assets\//);
    assert.equal((await outside.get(inside(address))).status, 200);
  }
});

test("the log names the route of a participant's request, never the link", async () => {
  const installation = install();
  const workspace = installation.workspace();
  const web = await installation.web();
  const owner = workspace.client(web);
  const { study: published, link } = await invited(owner);
  // Only what comes from participants: an API client names sessions in its own paths, and its log has no paths either.
  const participant = new Visitor(web.url);
  await participant.get(link.shortPath);
  await participant.open(link.path);
  await participant.send(link.path, published, "About you", { age: "wrong", smokes: [] });
  await participant.go(link.path, published, "About you", { age: "17", smokes: ["No"] });
  await participant.get(`${link.path}x`);
  await participant.post(link.path, "{", { "Content-Type": "text/plain" });
  const routes = () => web.log.flatMap(({ route }) => (String(route).startsWith("/w") ? [String(route)] : []));
  await web.hasLogged();
  assert.equal(routes().length, 7);
  const LINK = "/w/:workspace/screeners/:screener/:session";
  assert.deepEqual(new Set(routes()), new Set(["/w/:workspace/s/:slug", LINK]));
  // An address is personal data. That of somebody who tries links is needed.
  const withAddress = web.log.filter(({ route, address }) => String(route).startsWith("/w") && address);
  assert.deepEqual(
    withAddress.map(({ status }) => status),
    [404],
  );
  for (const secret of [link.session, link.shortPath.split("/").at(-1)!, "wrong", link.screener])
    assert.ok(!web.stdout.includes(secret) && !web.stderr.includes(secret), secret);
});
