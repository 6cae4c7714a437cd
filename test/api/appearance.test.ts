// How participants' pages look: the colours, the links and the logo of a workspace, and the images of statements; and what can't be taken.

import assert from "node:assert/strict";
import { test } from "node:test";
import { removeExpired } from "../../db/expiry.ts";
import { contrast, MIN_CONTRAST, tonesOf } from "../../src/appearance/accent.ts";
import { unusedImages } from "../../src/images/expiry.ts";
import { type Client, people } from "../support/client.ts";
import { blank, jpeg, png, svg, webp } from "../support/images.ts";
import { startService } from "../support/service.ts";
import { invited } from "../support/study.ts";
import { Visitor } from "../support/visitor.ts";

const service = await startService();
const visitor = new Visitor(service.url);
const PATH = "/workspace/appearance";
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

test("whatever the accent is, text on it, and it as text, has a contrast of 7 on light and on dark pages", () => {
  const steps = [0, 51, 102, 153, 204, 255];
  const hex = (part: number) => part.toString(16).padStart(2, "0");
  for (const red of steps)
    for (const green of steps)
      for (const blue of steps) {
        const color = `#${hex(red)}${hex(green)}${hex(blue)}`;
        const { light, dark } = tonesOf(color);
        for (const [{ accent, ink, wash }, grounds] of [
          [light, ["#f4f3ef", "#ffffff"]],
          [dark, ["#12151a", "#1b2027"]],
        ] as const)
          for (const ground of [...grounds, ink, wash])
            assert.ok(contrast(accent, ground) >= MIN_CONTRAST, `${color}: ${accent} on ${ground}`);
      }
  assert.equal(tonesOf("#1f4fa0").light.accent, "#1f4fa0");
});

test("a workspace's accent, links and logo are on its pages, and on nobody else's", async () => {
  const client = service.workspace("Acme Research");
  const { link } = await invited(client);
  assert.deepEqual((await client.get(PATH)).body, {
    _type: "Appearance",
    accentColor: null,
    accentColorLight: null,
    accentColorDark: null,
    privacyUrl: null,
    contactUrl: null,
    logo: null,
    frameAncestors: [],
  });
  const sent = {
    accentColor: "#FFCC00",
    privacyUrl: "https://example.org/privacy",
    contactUrl: "mailto:studies@example.org",
    logoFile: base64(await png(800, 100)),
  };
  const { status, body, text } = await client.patch(PATH, sent);
  assert.equal(status, 200, text);
  assert.equal(body.accentColor, "#ffcc00");
  assert.notEqual(body.accentColorLight, "#ffcc00");
  assert.deepEqual([body.logo.width, body.logo.height], [640, 80]);
  const page = await visitor.open(link.path);
  assert.ok(page.text.includes(`--accent:${body.accentColorLight}`));
  const logo = new URL(body.logo.url).pathname;
  assert.ok(page.text.includes(`<img src="${logo}" width="320" height="40" alt="Acme Research"`), page.text);
  assert.match(page.text, /<a class="away" href="https:\/\/example\.org\/privacy" rel="noreferrer noopener">Privacy</);
  assert.match(page.text, /<a class="away" href="mailto:studies@example\.org" rel="noreferrer noopener">Contact</);
  // Both stylesheets are allowed by their hashes.
  assert.match(String(page.headers["content-security-policy"]), /style-src 'sha256-[^']+' 'sha256-[^']+' 'self';/);
  const image = await fetch(service.url + logo);
  assert.equal(image.headers.get("content-type"), "image/webp");
  assert.match(String(image.headers.get("cache-control")), /immutable/);
  assert.equal(Buffer.from(await image.arrayBuffer()).toString("latin1", 8, 12), "WEBP");
  const [event] = (await client.get("/events?filter[type][eq]=workspace.updated")).body.items;
  assert.equal(event.resource.id, client.workspaceId);
  // What was read can be sent back, and changes nothing.
  assert.deepEqual((await client.patch(PATH, body)).body, body);

  const other = service.workspace("Others");
  const theirs = await invited(other);
  assert.equal((await other.get(PATH)).body.logo, null);
  assert.doesNotMatch((await visitor.open(theirs.link.path)).text, /<img|noopener/);
  assert.equal((await visitor.get(logo.replace(client.workspaceId, other.workspaceId))).status, 404);

  const cleared = await client.patch(PATH, { accentColor: null, privacyUrl: null, contactUrl: null, logoFile: null });
  assert.deepEqual([cleared.body.logo, cleared.body.accentColorDark], [null, null]);
  assert.equal((await visitor.get(logo)).status, 404);
  assert.doesNotMatch((await visitor.open(link.path)).text, /<img|noopener/);
});

test("a logo of each kind is made anew from its pixels: nothing else of its file is left", async () => {
  const client = service.workspace();
  for (const [kind, bytes] of Object.entries({
    png: await png(60, 30),
    jpeg: await jpeg(60, 30),
    webp: await webp(60, 30),
  })) {
    // After the end of an image, decoders read no further.
    const { status, body, text } = await client.patch(PATH, {
      logoFile: base64(Buffer.concat([bytes, Buffer.from("Taken at home <script>")])),
    });
    assert.equal(status, 200, `${kind}: ${text}`);
    assert.deepEqual([body.logo.width, body.logo.height], [60, 30], kind);
    const image = Buffer.from(await (await fetch(service.url + new URL(body.logo.url).pathname)).arrayBuffer());
    assert.ok(!image.includes("Taken at home"), kind);
  }
});

test("what is wrong is said all at once, and nothing is changed", async () => {
  const client = service.workspace();
  const wrong = { accentColor: "red", privacyUrl: "mailto:a@example.org", contactUrl: "javascript:alert(1)" };
  const { status, body } = await client.patch(PATH, { ...wrong, acentColor: "#000000" });
  assert.equal(status, 400);
  assert.deepEqual(
    Object.fromEntries(body.errors.map(({ pointer, message }: Record<string, string>) => [pointer, message])),
    {
      "/accentColor": "must be a colour such as #0a7d55",
      "/privacyUrl": "must begin with https://",
      "/contactUrl": "must begin with https:// or mailto:",
      "/acentColor": "is not known; did you mean accentColor?",
    },
  );
  const noLogo = await client.patch(PATH, { accentColor: "red", logoFile: base64(Buffer.from("GIF89a")) });
  assert.deepEqual(
    noLogo.body.errors.map(({ pointer }: Record<string, string>) => pointer),
    ["/accentColor", "/logoFile"],
  );
  const huge = Buffer.from(await png(10, 10));
  huge.writeUInt32BE(100_000, 16);
  huge.writeUInt32BE(100_000, 20);
  const cut = (await jpeg(60, 30)).subarray(0, 100);
  const files: [Uint8Array, RegExp][] = [
    [svg, /an SVG may have scripts in it: save it as a PNG/],
    [Buffer.from("GIF89a"), /must be a PNG, JPEG or WebP image$/],
    [huge, /at most 4 million pixels, and at most 8192 pixels on a side; it has 100000 × 100000$/],
    [await blank(8193, 10), /^must have at most 8192 pixels on a side; it has 8193 × 10$/],
    [(await png(60, 30)).subarray(0, 60), /is broken: its PNG data can't be read/],
    [cut, /must be a PNG|is broken/],
    [new Uint8Array(), /must be a PNG/],
  ];
  for (const [bytes, message] of files) {
    const answer = await client.patch(PATH, { accentColor: "#123456", logoFile: base64(bytes) });
    assert.equal(answer.status, 400, answer.text);
    assert.equal(answer.body.errors[0].pointer, "/logoFile");
    assert.match(answer.body.errors[0].message, message);
  }
  const long = await client.patch(PATH, { logoFile: base64(Buffer.alloc(513 * 1024)) });
  assert.match(long.body.errors[0].message, /at most 512 KiB/);
  assert.equal((await client.get(PATH)).body.accentColor, null);
});

test("logos that come together are made one after the other, and a wide one of 4 million pixels is the largest", async () => {
  const service = await startService();
  const { pool } = service.context;
  const ask = pool.ask.bind(pool);
  let [now, most] = [0, 0];
  pool.ask = async (task, input) => {
    if (task.name !== "encode-image") return ask(task, input);
    most = Math.max(most, ++now);
    return ask(task, input).finally(() => now--);
  };
  const clients = Array.from({ length: 4 }, () => service.workspace());
  const largest = base64(await blank(4000, 1000));
  const answers = await Promise.all(clients.map((client) => client.patch(PATH, { logoFile: largest })));
  assert.deepEqual([answers.map(({ status }) => status), most], [[200, 200, 200, 200], 1]);
  const larger = await clients[0]!.patch(PATH, { logoFile: base64(await blank(4001, 1000)) });
  assert.match(larger.body.errors[0].message, /at most 4 million pixels; it has 4001 × 1000/);
});

test("only origins that are named may show pages in frames, and none does by default", async () => {
  const client = service.workspace();
  const { link } = await invited(client);
  const framing = async (path: string) => {
    const { headers } = await visitor.get(path);
    const [, ancestors] = /frame-ancestors ([^;]*)/.exec(String(headers["content-security-policy"])) ?? [];
    return [ancestors, headers["x-frame-options"]];
  };
  const closed = ["'none'", "DENY"];
  assert.deepEqual(await framing(link.path), closed);
  const sites = ["https://Portal.example.org", "https://b\u00fccher.example:8443", "http://localhost:5173"];
  const { status, body, text } = await client.patch(PATH, { frameAncestors: [...sites, sites[0]] });
  assert.equal(status, 200, text);
  const origins = ["https://portal.example.org", "https://xn--bcher-kva.example:8443", "http://localhost:5173"];
  assert.deepEqual(body.frameAncestors, origins);
  assert.deepEqual(await framing(link.path), [origins.join(" "), undefined]);
  await client.patch(PATH, { accentColor: "#ffcc00" });
  assert.deepEqual(await framing(link.path), [origins.join(" "), undefined]);
  // What leads nowhere says nothing of the workspace; and other workspaces have their own.
  assert.deepEqual(await framing(`${link.path.slice(0, -12)}000000000000`), closed);
  assert.deepEqual(await framing((await invited(service.workspace())).link.path), closed);
  await client.patch(PATH, { frameAncestors: [] });
  assert.deepEqual(await framing(link.path), closed);
});

test("what is no origin can't be let show pages: each is named", async () => {
  const client = service.workspace();
  const wrong = [
    ...["http://portal.example.org", "https://*.example.org", "https://a.example/path", "https://a.example/"],
    ...[
      "https://a.example?x",
      "https://u:p@a.example",
      "portal.example.org",
      "javascript:alert(1)",
      "*",
      "'self'",
      "null",
    ],
    // The name would end the directive, or the policy, in the header.
    ...["https://a;sandbox", "https://a.example,sandbox", "https://a'b.example", "https://a$b.example", "https://a..b"],
    ...["https://a.example https://b.example", "https://a.example; script-src *", "https://a.example\r\nX: y", 7],
  ];
  const { status, body } = await client.patch(PATH, { frameAncestors: wrong });
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map(({ pointer }: { pointer: string }) => pointer),
    wrong.map((_, at) => `/frameAncestors/${at}`),
  );
  const many = Array.from({ length: 21 }, (_, at) => `https://s${at}.example`);
  assert.equal((await client.patch(PATH, { frameAncestors: many })).status, 400);
  assert.deepEqual((await client.get(PATH)).body.frameAncestors, []);
});

test("links that need a cookie, and frames, which have none, exclude each other", async () => {
  const client = service.workspace();
  const { study } = await invited(client);
  const link = (more: object) =>
    client.post("/screener-links", { screenerId: study.screener, name: "Poster", ...more });
  const { body: once } = await link({ oneEach: "BROWSER" });
  const embed = { frameAncestors: ["https://portal.example.org"] };
  const refused = await client.patch(PATH, embed);
  assert.deepEqual([refused.status, refused.body.code], [409, "embedding_conflict"]);
  assert.match(refused.body.detail, /"Poster"/);
  await client.delete(`/screener-links/${once.id}`);
  assert.equal((await client.patch(PATH, embed)).status, 200);
  const { body: open } = await link({});
  for (const answer of [
    await link({ oneEach: "BROWSER" }),
    await client.patch(`/screener-links/${open.id}`, { oneEach: "BROWSER" }),
  ])
    assert.deepEqual([answer.status, answer.body.code], [409, "embedding_conflict"]);
  assert.equal((await client.patch(PATH, { frameAncestors: [] })).status, 200);
  assert.equal((await client.patch(`/screener-links/${open.id}`, { oneEach: "BROWSER" })).status, 200);
});

/** A study whose page has a statement with an image. */
async function illustrated(client: Client, image: object) {
  const screener = await client.screener();
  const statement = { _type: "ScreenerStatement", id: "seen", text: "Look at this.", image };
  const question = { _type: "ScreenerTextQuestion", prompt: "What do you see?" };
  const draft = { pages: [{ title: "Look", questions: [statement, question] }] };
  return { screener, draft, put: await client.call("PUT", `/screeners/${screener}/content`, { body: draft }) };
}

async function sent(client: Client, bytes: Uint8Array) {
  const { status, body, text } = await client.post("/workspace/images", { file: base64(bytes) });
  assert.ok([200, 201].includes(status), text);
  return body;
}

test("an image of a statement is on the page with its text and its size, in each language, and browsers keep it", async () => {
  const client = service.workspace();
  const image = await sent(client, await jpeg(1600, 900));
  assert.deepEqual([image.width, image.height], [1280, 720]);
  const shown = { id: image.id, alternativeText: " A dog & a cat " };
  const { screener, put } = await illustrated(client, shown);
  assert.equal(put.status, 200, put.text);
  const [statement] = put.body.pages[0].questions;
  assert.deepEqual(statement.image, { ...shown, alternativeText: "A dog & a cat", width: 1280, height: 720 });
  // What was read can be sent back.
  const again = await client.call("PUT", `/screeners/${screener}/content`, { body: put.body });
  assert.deepEqual(again.body, put.body);
  const id = `question/${statement.id}/image/alternativeText`;
  const { strings } = (await client.get(`/screeners/${screener}/translations/de`)).body;
  assert.equal(strings.find((one: { id: string }) => one.id === id).source, "A dog & a cat");
  for (const type of ["text/csv", "application/xliff+xml"]) {
    const path = `/screeners/${screener}/translations/de`;
    const file = (await client.get(path, { Accept: type })).text;
    const filled =
      type === "text/csv"
        ? file.replace(/^([^\n]*image\/alternativeText[^\n]*?),[^,\n]*,MISSING/m, "$1,Ein Hund,DONE")
        : file;
    assert.ok(filled.includes("A dog &"), filled);
  }
  await client.call("PATCH", `/screeners/${screener}/translations/de`, {
    body: { strings: [{ id, text: "Ein Hund und eine Katze" }] },
  });
  await client.post("/screener-publications", { screenerId: screener });
  const assigned = await client.import(screener, people(1));
  const { screenerSessionLink } = (await client.open(assigned.body[0].id)).body;
  const link = new URL(screenerSessionLink).pathname;
  const path = new URL(image.url).pathname;
  const page = (await visitor.get(link)).text;
  assert.ok(page.includes(`<img src="${path}" width="1280" height="720" alt="A dog &amp; a cat"`), page);
  assert.ok((await visitor.get(`${link}?lang=de`)).text.includes('alt="Ein Hund und eine Katze"'));
  const reply = await fetch(service.url + path);
  assert.deepEqual(
    [reply.status, reply.headers.get("content-type"), reply.headers.get("cache-control")],
    [200, "image/webp", "public, max-age=31536000, immutable"],
  );
  assert.equal(Number(reply.headers.get("content-length")), image.bytes);
  assert.deepEqual((await client.get(`/workspace/images/${image.id}`)).body, image);
});

test("an image of another workspace, or without a text, is an error where it is; what is no image is refused", async () => {
  const client = service.workspace();
  const theirs = await sent(service.workspace(), await png(30, 20));
  const { put } = await illustrated(client, { id: theirs.id, alternativeText: "Theirs" });
  assert.deepEqual(
    [put.status, put.body.errors],
    [
      400,
      [{ pointer: "/pages/0/questions/0/image/id", message: "is no image of this workspace: send its file first" }],
    ],
  );
  const own = await sent(client, await png(30, 20));
  const nameless = await illustrated(client, { id: own.id, alternativeText: " " });
  assert.equal(nameless.put.body.errors[0].pointer, "/pages/0/questions/0/image/alternativeText");
  for (const image of [{ id: theirs.id }, { id: "", alternativeText: "" }])
    assert.deepEqual(
      (await illustrated(client, image)).put.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(),
      ["/pages/0/questions/0/image/alternativeText", "/pages/0/questions/0/image/id"],
    );
  assert.equal((await visitor.get(new URL(own.url).pathname.replace(own.id, theirs.id))).status, 404);
  for (const [bytes, message] of [
    [svg, /an SVG may have scripts in it/],
    [Buffer.from("%PDF-1.7"), /must be a PNG, JPEG or WebP image/],
    [Buffer.alloc(4 * 1024 * 1024 + 3), /at most 4 MiB/],
  ] as const) {
    const { status, body } = await client.post("/workspace/images", { file: base64(bytes) });
    assert.deepEqual([status, body.errors[0].pointer], [400, "/file"]);
    assert.match(body.errors[0].message, message);
  }
});

test("a photo is turned as its camera was held, and what is sent again is the same image", async () => {
  const client = service.workspace();
  const plain = await jpeg(60, 30);
  // EXIF with one member: orientation 6, a quarter to the right.
  const exif = Buffer.from("4578696600004d4d002a00000008000101120003000000010006000000000000", "hex");
  const length = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  const turned = await sent(client, Buffer.concat([plain.subarray(0, 2), length, exif, plain.subarray(2)]));
  assert.deepEqual([turned.width, turned.height], [30, 60]);
  const first = await sent(client, plain);
  assert.deepEqual([first.width, first.height], [60, 30]);
  const again = await client.post("/workspace/images", { file: base64(plain) });
  assert.deepEqual([again.status, again.body], [200, first]);
});

test("an image that nothing shows any more goes after a week; what a version shows stays", async () => {
  const client = service.workspace();
  const [published, drafted, left] = await Promise.all(
    [31, 32, 33].map(async (width) => sent(client, await png(width, 9))),
  );
  const shown = (id: string) => ({ id, alternativeText: "A stripe" });
  const { screener } = await illustrated(client, shown(published.id));
  await client.post("/screener-publications", { screenerId: screener });
  // Taken out of the draft: the version still has it.
  await client.call("PUT", `/screeners/${screener}/content`, { body: { pages: [] } });
  const other = await illustrated(client, shown(drafted.id));
  const { workspaces } = service.context;
  const after = (days: number) =>
    removeExpired(workspaces, client.workspaceId, [unusedImages], {
      now: Date.now() + days * 24 * 3_600_000,
      jobsSince: 0,
      eventsSince: 0,
    });
  const there = async () =>
    Promise.all(
      [published, drafted, left].map(async ({ url }) => (await visitor.get(new URL(url).pathname)).status === 200),
    );
  after(6);
  assert.deepEqual(await there(), [true, true, true]);
  after(8);
  assert.deepEqual(await there(), [true, true, false]);
  await client.call("PUT", `/screeners/${other.screener}/content`, { body: { pages: [] } });
  after(20);
  assert.deepEqual(await there(), [true, false, false]);
  // With its study goes the last version that has shown it.
  const { title } = (await client.get(`/screeners/${screener}`)).body;
  await client.call("DELETE", `/screeners/${screener}?confirm=${encodeURIComponent(title)}`);
  await service.drain();
  after(40);
  assert.deepEqual(await there(), [false, false, false]);
});

test("an image that a draft showed for long stays for a week after it was taken out, also where it was set aside", async () => {
  const client = service.workspace();
  const { workspaces } = service.context;
  const [drafted, asideOf] = await Promise.all([35, 36].map(async (width) => sent(client, await png(width, 9))));
  const shown = (id: string) => ({ id, alternativeText: 'A {stripe}, “so” "called"' });
  const { screener, draft } = await illustrated(client, shown(drafted.id));
  const other = await client.screener();
  // Its text is too long, so the statement is set aside.
  const statement = { _type: "ScreenerStatement", text: "a".repeat(6000), image: shown(asideOf.id) };
  const body = { allowIncomplete: true, pages: [{ title: "One", questions: [statement] }] };
  assert.equal((await client.call("PUT", `/screeners/${other}/content`, { body })).body.incomplete.length, 1);
  // As if all of it had been so for ten days, and nobody had looked for six.
  workspaces.write(client.workspaceId, (db) => db.run("UPDATE image SET wanted_at = wanted_at - 6 * 86400000"));
  const there = async () =>
    Promise.all([drafted, asideOf].map(async ({ url }) => (await visitor.get(new URL(url).pathname)).status === 200));
  const after = (days: number) =>
    removeExpired(workspaces, client.workspaceId, [unusedImages], {
      now: Date.now() + days * 24 * 3_600_000,
      jobsSince: 0,
      eventsSince: 0,
    });
  for (const study of [screener, other])
    await client.call("PUT", `/screeners/${study}/content`, { body: { pages: [], incomplete: [] } });
  after(6);
  assert.deepEqual(await there(), [true, true]);
  // Undo.
  assert.equal((await client.call("PUT", `/screeners/${screener}/content`, { body: draft })).status, 200);
  after(8);
  assert.deepEqual(await there(), [true, false]);
});

test("an image stays with a copy of its study, and with a restored version; a copy in another workspace is refused", async () => {
  const client = service.workspace();
  const image = await sent(client, await png(34, 9));
  const { screener, draft } = await illustrated(client, { id: image.id, alternativeText: "A stripe" });
  const publication = (await client.post("/screener-publications", { screenerId: screener })).body;
  const isShown = async () => (await visitor.get(new URL(image.url).pathname)).status === 200;
  const expire = (days: number) =>
    removeExpired(service.context.workspaces, client.workspaceId, [unusedImages], {
      now: Date.now() + days * 24 * 3_600_000,
      jobsSince: 0,
      eventsSince: 0,
    });
  const imageIn = ({ body }: { body: { pages: { questions: { image: object }[] }[] } }) =>
    body.pages[0]!.questions[0]!.image;

  // Of a version, and of a draft: what was read can be sent into another study.
  const published = await client.get(`/screener-publications/${publication.id}/content`);
  const shown = { id: image.id, alternativeText: "A stripe", width: 34, height: 9 };
  assert.deepEqual(imageIn(published), shown);
  const copy = await client.screener();
  const put = await client.call("PUT", `/screeners/${copy}/content`, { body: published.body });
  assert.deepEqual(imageIn(put), shown, put.text);
  const theirs = service.workspace();
  const refused = await theirs.call("PUT", `/screeners/${await theirs.screener()}/content`, { body: published.body });
  assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, "/pages/0/questions/0/image/id"]);

  // A draft that has lost it gets it back with its version, long after.
  await client.call("PUT", `/screeners/${screener}/content`, { body: { pages: [] } });
  await client.post("/screener-publications", { screenerId: screener });
  expire(40);
  assert.ok(await isShown());
  const restored = await client.post(`/screener-publications/${publication.id}/restore`, {});
  assert.deepEqual(imageIn(restored), shown);
  assert.equal(restored.body.pages[0].questions.length, draft.pages[0]!.questions.length);

  // Without the first study it is the copy's.
  const { title } = (await client.get(`/screeners/${screener}`)).body;
  await client.call("DELETE", `/screeners/${screener}?confirm=${encodeURIComponent(title)}`);
  await service.drain();
  assert.equal((await client.get(`/screeners/${screener}`)).status, 404);
  expire(80);
  assert.ok(await isShown());
  await client.post("/screener-publications", { screenerId: copy });
  expire(120);
  assert.ok(await isShown());
});
