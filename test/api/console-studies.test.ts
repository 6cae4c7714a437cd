// The pages of a study: what they change, what they refuse, and that nobody's change is lost by them.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { TEMPLATES } from "../../src/console/study/templates/registry.ts";
import { people } from "../support/client.ts";
import { ConsoleBrowser, signedIn } from "../support/console.ts";
import { sharedService } from "../support/service.ts";
import { invite, publish } from "../support/study.ts";
import { until } from "../support/until.ts";

const service = await sharedService();
const client = service.workspace();
const browser = await signedIn(service, client.workspaceId, "researcher", "ada@console-studies.example.org");

const NUMBER = { _type: "ScreenerNumericQuestion", id: "age", prompt: "How old are you?" };
const CONTENT = {
  pages: [{ title: "About you", disqualifyWhen: { questionId: "age", lessThan: 18 }, questions: [NUMBER] }],
};

const CONTENT_WITH_KEYS = { pages: [{ title: "About you", questions: [{ ...NUMBER, key: "age" }] }] };

/** A new study with a draft. @returns its id */
async function study(title: string, content: object = CONTENT): Promise<string> {
  const { id } = (await client.post("/screeners", { title })).body;
  await client.call("PUT", `/screeners/${id}/content`, { body: content });
  return id;
}

/** The value of a hidden field of a page. */
const hidden = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]?.replaceAll("&quot;", '"') ?? "";

const words = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

test("a study is made with a title alone, once, however often the form is sent", async () => {
  const page = "/console/studies/new";
  const key = hidden((await browser.get(page)).text, "key");
  const none = await browser.post(page, { title: " ", key }, "/console/studies");
  assert.equal(none.status, 422);
  assert.match(words(none.text), /There is a problem Title is required/);
  // The browser's Back shows the form again, with the same key.
  const first = await browser.post(page, { title: "First", key }, "/console/studies");
  assert.notEqual(first.headers.location, undefined);
  const send = () => browser.post(page, { title: "Once", key }, "/console/studies");
  const made = await send();
  assert.match(String(made.headers.location), /^\/console\/studies\/[^/]+\/build$/);
  assert.equal((await send()).headers.location, made.headers.location);
});

test("a study begins with a template: what it has is saved once, and can be published", async () => {
  const page = "/console/studies/new";
  const { text } = await browser.get(page);
  const offered = [...text.matchAll(/name="template" value="([^"]+)"/g)].map(([, value]) => value!);
  assert.deepEqual(offered, [...TEMPLATES.keys()]);
  for (const template of offered) {
    const fields = { title: template, template, key: randomUUID() };
    const send = async () => String((await browser.post(page, fields, "/console/studies")).headers.location);
    const built = await send();
    assert.equal(await send(), built);
    const screenerId = built.split("/").at(-2)!;
    const content = (await client.get(`/screeners/${screenerId}/content`)).body;
    assert.ok(content.qualifyWhen, template);
    assert.deepEqual(
      content.quotas.map(({ name }: { name: string }) => name),
      TEMPLATES.get(template)!.content.quotas!.map(({ name }) => name),
    );
    const published = await client.post("/screener-publications", { screenerId });
    assert.equal(published.status, 201, published.text);
    await client.delete(`/screeners/${screenerId}`);
  }
});

test("an empty workspace says what to do first, and what is done, until somebody is there", async () => {
  const other = service.workspace();
  const researcher = await signedIn(service, other.workspaceId, "researcher", "steps@console-studies.example.org");
  const steps = async () => {
    const { text } = await researcher.get("/console/studies");
    const list = /id="steps">.*?<ol>(.*?)<\/ol>/s.exec(text)?.[1];
    return list === undefined
      ? undefined
      : [words(list).trim(), ...[...list.matchAll(/href="([^"]+)"/g)].map(([, to]) => to)];
  };
  const [first, start] = (await steps())!;
  assert.match(first!, /^Make a study , from a template.*Publish it, .*Share it, /);
  assert.equal(start, "/console/studies/new");
  const { id } = (await other.post("/screeners", { title: "Steps" })).body;
  await other.call("PUT", `/screeners/${id}/content`, { body: CONTENT });
  assert.deepEqual((await steps())!.slice(1), [`/console/studies/${id}/publish`]);
  await other.post("/screener-publications", { screenerId: id });
  const [last, share] = (await steps())!;
  assert.match(last!, /Make a study – done Publish it – done Share it , /);
  assert.equal(share, `/console/studies/${id}/share`);
  await other.import(id, people(1));
  assert.equal(await steps(), undefined);
});

test("studies are searched, sorted, archived and brought back; those that are archived stay out of the list", async () => {
  const other = service.workspace();
  const researcher = await signedIn(service, other.workspaceId, "researcher", "finds@console-studies.example.org");
  for (const title of ["Zebra stripes", "Äpfel and pears", "apple pie"]) await other.post("/screeners", { title });
  const titles = async (query = "") => {
    const { text } = await researcher.get(`/console/studies${query}`);
    return [...text.matchAll(/<h2 dir="auto"><a href="([^"]+)">([^<]+)</g)].map(([, path, title]) => ({ path, title }));
  };
  const namesOf = async (query?: string) => (await titles(query)).map(({ title }) => title);
  assert.deepEqual(await namesOf(), ["apple pie", "Äpfel and pears", "Zebra stripes"]);
  assert.deepEqual(await namesOf("?sort=title"), ["apple pie", "Zebra stripes", "Äpfel and pears"]);
  assert.deepEqual(await namesOf("?q=apf"), ["Äpfel and pears"]);
  const path = (await titles("?q=zebra"))[0]!.path!;
  const archive = (archived: string) => researcher.post(path, { archived }, `${path}/archive`);
  assert.equal((await archive("yes")).headers.location, `${path}?saved`);
  assert.deepEqual(await namesOf(), ["apple pie", "Äpfel and pears"]);
  assert.match((await researcher.get("/console/studies")).text, /1 archived study/);
  assert.deepEqual(await namesOf("?archived"), ["Zebra stripes"]);
  await archive("");
  assert.deepEqual((await namesOf("?archived")).length, 0);
  assert.equal((await namesOf()).length, 3);
});

test("settings: a study is closed, paused and opened, also at a date; what is refused stays as typed", async () => {
  const id = await study("Settings");
  const page = `/console/studies/${id}`;
  const fields = { title: "Renamed", acceptance: "PAUSED", opensAt: "2026-01-31T08:30", closesAt: "" };
  assert.equal((await browser.post(page, fields)).headers.location, `${page}?saved`);
  const { body } = await client.get(`/screeners/${id}`);
  assert.deepEqual(
    [body.title, body.acceptance, body.opensAt, body.closesAt],
    ["Renamed", "PAUSED", "2026-01-31T08:30:00.000Z", null],
  );
  assert.match((await browser.get(page)).text, /value="2026-01-31T08:30"/);
  const refused = await browser.post(page, { ...fields, closesAt: "2026-01-30T08:30" });
  assert.equal(refused.status, 422);
  assert.match(words(refused.text), /There is a problem Closes must be after Opens/);
  assert.match(refused.text, /value="2026-01-30T08:30"/);
  assert.equal((await browser.post(page, { ...fields, opensAt: "tomorrow" })).status, 422);
  assert.equal((await client.get(`/screeners/${id}`)).body.closesAt, null);
});

test("signals are switched on and off, each from the number on that is typed; a wrong one is said at its field", async () => {
  const id = await study("Signals");
  await client.patch(`/screeners/${id}`, { signals: { sameText: { minLength: 77 }, hurried: { share: 0.29 } } });
  const page = `/console/studies/${id}`;
  const { text } = await browser.get(page);
  const checked = [...text.matchAll(/id="signal-(\w+)"[^>]* checked/g)].map(([, kind]) => kind);
  assert.deepEqual(checked, ["hurried", "sameText"]);
  const numbers = [...text.matchAll(/id="signal-(\w+)-number"[^>]*? value="([^"]*)"/g)].map(([, ...one]) => one);
  assert.deepEqual(numbers, [
    ["hurried", "29"],
    ["sameText", "77"],
  ]);
  const send = (fields: Record<string, string>) => browser.post(page, fields, `${page}/signals`);
  const sent = await send({
    ...{ "signal-sameText": "yes", "signal-sameText-number": "77", "signal-hurried": "yes" },
    ...{ "signal-hurried-number": " 35 ", "signal-sameAddress": "yes", "signal-straightLines-number": "9" },
  });
  assert.equal(sent.headers.location, `${page}?saved`);
  const on = async () =>
    Object.fromEntries(
      Object.entries((await client.get(`/screeners/${id}`)).body.signals).filter(([, setting]) => setting !== null),
    );
  // Without a number it has its own; one that is off has none.
  const saved = { hurried: { share: 0.35 }, sameText: { minLength: 77 }, sameAddress: { minSessions: 12 } };
  assert.deepEqual(await on(), saved);
  const wrong = await send({
    ...{ "signal-hurried": "yes", "signal-hurried-number": "400", "signal-sameText": "yes" },
    ...{ "signal-sameText-number": "many", "signal-hiddenField": "yes" },
  });
  assert.equal(wrong.status, 422);
  assert.match(
    wrong.text,
    /href="#signal-hurried-number">Answered in a hurry: Percent of the time must be at most 95</,
  );
  assert.match(wrong.text, /href="#signal-sameText-number">The same text: Letters must be a number</);
  assert.match(wrong.text, /id="signal-sameText-number"[^>]* value="many"[^>]* aria-invalid="true"/);
  assert.match(wrong.text, /id="signal-hiddenField"[^>]* checked/);
  assert.deepEqual(await on(), saved);
  await send({});
  assert.deepEqual(await on(), {});
});

test("settings: what a form does not change stays as somebody else has set it meanwhile", async () => {
  const id = await study("Stale");
  const page = `/console/studies/${id}`;
  const { text } = await browser.get(page);
  const was = Object.fromEntries(
    ["title", "acceptance", "opensAt", "closesAt"].map((name) => [`was-${name}`, hidden(text, `was-${name}`)]),
  );
  assert.deepEqual(was, { "was-title": "Stale", "was-acceptance": "OPEN", "was-opensAt": "", "was-closesAt": "" });
  await client.patch(`/screeners/${id}`, { acceptance: "PAUSED" });
  await browser.post(page, { ...was, title: "Other", acceptance: "OPEN", opensAt: "", closesAt: "" });
  const { body } = await client.get(`/screeners/${id}`);
  assert.deepEqual([body.title, body.acceptance], ["Other", "PAUSED"]);
});

test("settings: for how long a quota holds a place, with what is wrong beside the field", async () => {
  const id = await study("Held");
  const page = `/console/studies/${id}`;
  const { text } = await browser.get(page);
  assert.match(
    text,
    /<input[^>]* value="30"[^>]* name="quotaHoldMinutes"|<input[^>]* name="quotaHoldMinutes"[^>]* value="30"/,
  );
  const names = [
    "title",
    "acceptance",
    "opensAt",
    "closesAt",
    "linkExpiresAt",
    "quotaHoldMinutes",
    "timeZone",
    "review",
  ];
  const shown = Object.fromEntries(names.map((name) => [name, hidden(text, `was-${name}`)]));
  const was = Object.fromEntries(names.map((name) => [`was-${name}`, shown[name]!]));
  const held = async () => (await client.get(`/screeners/${id}`)).body.quotaHoldMinutes;
  for (const [typed, wrong] of [
    ["", "must be a number"],
    ["half an hour", "must be a number"],
    ["0", "must be at least 1"],
    ["1.5", "must be a whole number"],
    ["1441", "must be at most 1440"],
  ] as const) {
    const refused = await browser.post(page, { ...was, ...shown, quotaHoldMinutes: typed });
    assert.equal(refused.status, 422, typed);
    assert.match(refused.text, new RegExp(`href="#quotaHoldMinutes"[^<]*>[^<]*${wrong}`), typed);
    assert.equal(await held(), 30);
  }
  const saved = await browser.post(page, { ...was, ...shown, quotaHoldMinutes: " 1440 " });
  assert.equal(saved.status, 303);
  assert.equal(await held(), 1440);
});

test("a form of more fields than any page has is refused before it is parsed", async () => {
  const path = `/console/studies/${await study("Wide")}/try`;
  const answer = await browser.postRaw(path, {}, browser.ours);
  assert.equal(answer.status, 403);
  const type = { "Content-Type": "application/x-www-form-urlencoded", ...browser.ours };
  assert.equal((await browser.send("POST", path, type, `a=1${"&a".repeat(1_000_000)}`)).status, 413);
});

test("a duplicate has the same draft, and is made once", async () => {
  const id = await study("Original");
  const page = `/console/studies/${id}`;
  const { strings } = (await client.get(`/screeners/${id}/translations/de`)).body;
  const german = strings.map((string: { id: string; source: string }) => ({
    id: string.id,
    text: `${string.source} (de)`,
  }));
  await client.call("PATCH", `/screeners/${id}/translations/de`, { body: { strings: german } });
  const key = hidden((await browser.get(page)).text, "key");
  const copies = [1, 2].map(() => browser.post(page, { key }, `${page}/duplicate`));
  const [first, second] = await Promise.all(copies);
  assert.ok([303, 409].includes(second!.status) && [303, 409].includes(first!.status), second!.text);
  const { headers } = await browser.post(page, { key }, `${page}/duplicate`);
  const [, copy] = /studies\/([^/]+)\/build$/.exec(String(headers.location)) ?? [];
  const { body } = await client.get(`/screeners/${copy}/content`);
  assert.equal(body.pages[0].questions[0].prompt, NUMBER.prompt);
  assert.equal(body.pages[0].disqualifyWhen.questionId, body.pages[0].questions[0].id);
  assert.equal((await client.get(`/screeners/${copy}`)).body.title, "Copy of Original");
  // Its title is another one than was translated.
  const { items } = (await client.get(`/screeners/${copy}/translations`)).body;
  assert.deepEqual(items, [{ language: "de", direction: "ltr", total: 3, translated: 2, stale: 1, missing: 0 }]);
});

test("a draft is saved as JSON, and replaced by JSON unless it was changed meanwhile", async () => {
  const id = await study("JSON");
  const page = `/console/studies/${id}/content`;
  const saved = await browser.get(`${page}.json`);
  assert.match(String(saved.headers["content-disposition"]), /^attachment; filename="study-/);
  assert.equal(JSON.parse(saved.text).pages[0].title, "About you");
  const version = hidden((await browser.get(page)).text, "version");
  const wrong = await browser.post(page, { version, json: "{" });
  assert.equal(wrong.status, 422);
  assert.match(words(wrong.text), /is not JSON/);
  const refused = await browser.post(page, { version, json: '{"pages":[{"title":1,"questions":[{}]}]}' });
  assert.match(words(refused.text), /2 problems .*\/pages\/0\/title .*\/pages\/0\/questions\/0\/_type/);
  // As much as is shown again, and one more.
  for (const [length, isShown] of [
    [64 * 1024, true],
    [64 * 1024 + 1, false],
  ] as const) {
    const { status, text } = await browser.post(page, { version, json: "x".repeat(length) });
    assert.deepEqual(
      [status, text.includes("x".repeat(length)), /too long to be shown here again/.test(text)],
      [422, isShown, !isShown],
    );
  }
  const other = JSON.stringify({ ...CONTENT, thankYou: "Bye" });
  assert.equal((await browser.post(page, { version, json: other })).status, 303);
  assert.equal((await client.get(`/screeners/${id}/content`)).body.thankYou, "Bye");
  const stale = await browser.post(page, { version, json: JSON.stringify(CONTENT) });
  assert.match(words(stale.text), /Somebody has changed the draft/);
  assert.equal((await client.get(`/screeners/${id}/content`)).body.thankYou, "Bye");
});

test("the builder's page has the draft as it is, whatever its texts are", async () => {
  const id = await study("Marks");
  const thankYou = "</script><!--<script>&amp;\u2028'\"";
  await client.call("PUT", `/screeners/${id}/content`, { body: { ...CONTENT, thankYou } });
  const { text } = await browser.get(`/console/studies/${id}/build`);
  const { draft, etag } = JSON.parse(/<script type="application\/json" id="draft">(.*?)<\/script>/s.exec(text)![1]!);
  const content = await client.get(`/screeners/${id}/content`);
  assert.deepEqual([draft, etag, draft.thankYou], [content.body, content.headers.get("etag"), thankYou]);
});

test("the builder's script saves with the page's token alone, over the version that it has, and reads problems as JSON", async () => {
  const id = await study("Script");
  const path = `/console/studies/${id}/draft`;
  const token = /data-token="([^"]+)"/.exec((await browser.get(`/console/studies/${id}/build`)).text)![1]!;
  const version = String((await browser.get(path)).headers.etag);
  const json = { "Content-Type": "application/json", "If-Match": version };
  const send = (headers: Record<string, string>, body: unknown = CONTENT, from = browser) =>
    from.send("POST", path, { ...json, ...headers }, JSON.stringify(body));
  const ours = { ...browser.ours, "X-Form-Token": token };
  for (const headers of [
    browser.ours,
    { ...ours, "X-Form-Token": `${token.slice(0, -1)}~` },
    { "X-Form-Token": token },
    { ...ours, Origin: "https://elsewhere.example" },
    { ...ours, "Sec-Fetch-Site": "cross-site" },
  ])
    assert.equal((await send(headers)).status, 403, JSON.stringify(headers));
  assert.equal((await send(ours, CONTENT, new ConsoleBrowser(service.url))).status, 303, "nobody has signed in");
  const wrong = await send(ours, { pages: [{ questions: [{ ...NUMBER, prompt: "" }] }] });
  assert.deepEqual(
    [wrong.status, JSON.parse(wrong.text).errors],
    [400, [{ pointer: "/pages/0/questions/0/prompt", message: "is required" }]],
  );
  const saved = await send(ours, { ...CONTENT, thankYou: "Saved" });
  assert.deepEqual([saved.status, JSON.parse(saved.text).thankYou], [200, "Saved"]);
  assert.notEqual(saved.headers.etag, version);
  for (const match of [version, ""]) {
    const stale = await send({ ...ours, "If-Match": match });
    assert.deepEqual([stale.status, JSON.parse(stale.text).code], [412, "precondition_failed"]);
  }
  assert.equal((await client.get(`/screeners/${id}/content`)).body.thankYou, "Saved");
});

test("publishing says what changes and what is probably a mistake, and publishes what it has shown", async () => {
  const options = [{ text: "Tea" }, { text: " tea " }];
  const question = { _type: "ScreenerSingleSelectQuestion", id: "drink", prompt: "Drink?", options };
  const id = await study("Published", { pages: [{ title: "One", questions: [question] }] });
  const page = `/console/studies/${id}/publish`;
  const first = await browser.get(page);
  assert.match(words(first.text), /Nothing is live yet\. Page added: “One” Question added: “Drink\?”/);
  assert.match(words(first.text), /There is no rule: .* has the option “tea” twice\. There is no target/);
  const form = (html: string) => ({
    version: hidden(html, "version"),
    key: hidden(html, "key"),
    latest: hidden(html, "latest"),
  });
  const bad = await browser.post(page, { ...form(first.text), targetQualifiedParticipants: "many" });
  assert.match(words(bad.text), /Target must be a whole number /);
  const target = { targetQualifiedParticipants: "5" };
  const done = await browser.post(page, { ...form(first.text), ...target });
  const shared = `/console/studies/${id}/share?published`;
  assert.equal(done.headers.location, shared);
  assert.equal((await browser.post(page, { ...form(first.text), ...target })).status, 303, "sent twice");
  assert.match(
    words((await browser.get(shared)).text),
    /Version 1 is live.* Create an open link .* Add the person .* Import a list of people .* Write a message/,
  );
  assert.match(words((await browser.get(page)).text), /The draft is what is live/);
  const [live] = (await client.get(`/screeners/${id}/publications`)).body.items;
  // The target is the study's, and not the publication's.
  assert.deepEqual([live.version, live.targetQualifiedParticipants], [1, null]);
  const [everybody] = (await client.get(`/screeners/${id}/quotas`)).body.items;
  assert.deepEqual([everybody.name, everybody.when, everybody.limit], ["Everybody", null, 5]);
  assert.match(words((await browser.get(page)).text), /Target: 0 of 5 taken/);

  const opened = await browser.get(page);
  await client.call("PUT", `/screeners/${id}/content`, { body: CONTENT });
  const stale = await browser.post(page, { ...form(opened.text), ...target });
  assert.equal(stale.status, 422);
  assert.match(words(stale.text), /draft was changed since you opened this page/);
  assert.match(
    words(stale.text),
    /Page removed: “One” Question removed: “Drink\?” Page added: “About you” rule added: Screen out if .* Quota removed: “Everybody”/,
  );
  assert.equal((await client.get(`/screeners/${id}/publications`)).body.total, 1);
  const again = await browser.post(page, { ...form(first.text), ...target });
  assert.equal(again.headers.location, shared, "what was published is not refused when the form comes again");
});

test("publishing offers to move the links that nobody has opened, and the job's page shows it and takes it back", async () => {
  const id = await study("Moved", CONTENT);
  const page = `/console/studies/${id}/publish`;
  await client.post("/screener-publications", { screenerId: id });
  await client.import(id, people(3));
  const { body: sessions } = await client.post("/screener-sessions", { screenerId: id });
  assert.doesNotMatch(words((await browser.get(page)).text), /keep the old version\. Move/);
  await client.post("/screener-publications", { screenerId: id });
  await client.post(`/screener-sessions/${sessions[0].id}/responses`, { responses: [] });
  const offer = (await browser.get(page)).text;
  assert.match(words(offer), /2 links that nobody has opened keep the old version\. Move them to version 2\?/);
  const sent = await browser.post(page, { key: hidden(offer, "key") }, `/console/studies/${id}/move`);
  await service.drain();
  const job = String(sent.headers.location);
  const done = await browser.get(job);
  assert.match(words(done.text), /Move of links .*Done.* 2 moved .*Undo this move …/);
  assert.match(words(done.text), /^ ?.*Publish/);
  const rows = words((await browser.get(`${job}/rows?outcome=MOVED`)).text);
  assert.match(rows, /Person What changes P-1 Version 1 → 2 P-2 Version 1 → 2/);
  for (const { id: session } of sessions)
    assert.ok(!rows.includes(session), "the id of a session is a part of its link");
  assert.doesNotMatch(words((await browser.get(page)).text), /keep the old version\. Move/);
  const undo = await browser.post(job, { key: randomUUID() }, `${job}/undo`);
  await service.drain();
  const plan = String(undo.headers.location);
  assert.match(words((await browser.get(plan)).text), /What the undo will do .* 2 will be taken back/);
  await browser.post(plan, {}, `${plan}/apply`);
  await service.drain();
  assert.match(words((await browser.get(plan)).text), /Undo of a move of links .* 2 taken back .*Take the undo back …/);
  assert.match(words((await browser.get(page)).text), /2 links that nobody has opened keep the old version/);
});

test("a former version comes back into the draft, unless the draft was changed since the page was opened", async () => {
  const id = await study("Restored", CONTENT);
  const page = `/console/studies/${id}/publish`;
  const { body: first } = await client.post("/screener-publications", { screenerId: id });
  await client.call("PUT", `/screeners/${id}/content`, { body: { pages: [] } });
  await client.post("/screener-publications", { screenerId: id });
  const opened = (await browser.get(page)).text;
  assert.match(
    words(opened),
    /Versions Compare versions Version 2, which is live, of .* Version 1, of .* Restore version 1 into the draft/,
  );
  // Any two are compared; the address says which.
  const compared = async (query: string) => words((await browser.get(`/console/studies/${id}/versions${query}`)).text);
  assert.match(await compared("?from=1&to=2"), /From version 1 to version 2 .*Page removed: /);
  assert.match(await compared("?from=2&to=1"), /From version 2 to version 1 .*Page added: /);
  assert.match(await compared(""), /From version 2 to the draft They are the same\./);
  assert.match(await compared("?from=7&to=x"), /From version 2 to the draft/);
  const restore = `/console/studies/${id}/versions/${first.id}/restore`;
  const version = { version: hidden(opened, "version") };
  await client.call("PUT", `/screeners/${id}/content`, { body: { pages: [], thankYou: "Bye" } });
  const stale = await browser.post(page, version, restore);
  assert.equal(stale.status, 422);
  assert.match(words(stale.text), /The draft was changed since you opened this page\. It is not replaced/);
  const done = await browser.post(page, { version: hidden(stale.text, "version") }, restore);
  assert.equal(done.headers.location, `${page}?restored=1`);
  const shown = words((await browser.get(`${page}?restored=1`)).text);
  assert.match(shown, /The draft has the content of version 1 now\. Nothing is published yet\./);
  const { pages } = (await client.get(`/screeners/${id}/content`)).body;
  assert.deepEqual(pages, (await client.get(`/screener-publications/${first.id}/content`)).body.pages);
});

test("what is incomplete is said with the names that the builder has for it", async () => {
  const id = await study("Unfinished", { pages: [] });
  const drink = { _type: "ScreenerSingleSelectQuestion", id: "drink", prompt: "Drink?" };
  const body = {
    allowIncomplete: true,
    pages: [
      {
        questions: [
          { ...NUMBER, prompt: "" },
          { ...drink, options: [{ text: "Tea" }, { text: "" }] },
        ],
        disqualifyWhen: { questionId: "gone", equals: 1 },
      },
    ],
    qualifyWhen: { questionId: "gone", equals: 1 },
    quotas: [{ name: "Women" }],
  };
  const kept = await client.call("PUT", `/screeners/${id}/content`, { body });
  assert.equal(kept.status, 200, kept.text);
  const shown = words((await browser.get(`/console/studies/${id}/publish`)).text);
  for (const said of [
    "Page 1, question 1 : Question is required",
    "Page 1, question 2 : Option 2 is required",
    "Page 1, “Screen out if” : refers to no question of this content",
    "The end, “Qualify only if” : refers to no question of this content",
    "Quota 1 : Limit is required The end",
  ])
    assert.ok(shown.includes(said), `${said} in ${shown}`);
  assert.doesNotMatch(shown, /There are no questions/);
});

test("what is wrong with a question names its other fields as the builder does, there and before publishing", async () => {
  const id = await study("Wrong", { pages: [] });
  const options = ["Tea", "Milk"].map((text) => ({ text }));
  const questions = [
    { _type: "ScreenerScaleQuestion", look: "STARS", from: 0 },
    { _type: "ScreenerScaleQuestion", from: 3, to: 3 },
    { _type: "ScreenerRankingQuestion", options, rankAtLeast: 2, rankAtMost: 1 },
    { _type: "ScreenerNumericQuestion", min: 5, max: 1 },
    { _type: "ScreenerDateQuestion", min: "2000-01-01", max: "1990-01-01" },
    { _type: "ScreenerDateQuestion", min: "soon" },
    { _type: "ScreenerTextQuestion", pattern: "[A-Z]+" },
    { _type: "ScreenerTextQuestion", format: "EMAIL", multiline: true },
  ].map((one) => ({ prompt: "Which?", ...one }));
  const body = { allowIncomplete: true, pages: [{ questions }] };
  assert.equal((await client.call("PUT", `/screeners/${id}/content`, { body })).status, 200);
  const said = [
    "First step must be 1, because “Looks like” is “Stars”",
    "Last step must be greater than “First step”",
    "Maximum number of ranks must not be less than “Minimum number of ranks”",
    "Largest number must not be less than “Smallest number”",
    "Latest must not be before “Earliest”",
    "Earliest must be a date such as 1990-02-28, 1990-02 or 1990, or “18 years ago”",
    "What people read where it does not match is required where there is something in “Pattern”",
    "Kind of text goes only with one line: “Several lines” must not be ticked",
  ];
  const shown = words((await browser.get(`/console/studies/${id}/publish`)).text);
  for (const [index, one] of said.entries())
    assert.ok(shown.includes(`Page 1, question ${index + 1} : ${one}`), `${one} in ${shown}`);
  const { incomplete } = JSON.parse((await browser.get(`/console/studies/${id}/draft`)).text);
  // The builder puts the field's name before it.
  for (const [index, { errors }] of incomplete.entries()) assert.ok(said[index]!.endsWith(errors[0].message));
  // The API has its own.
  const { body: draft } = await client.get(`/screeners/${id}/content`);
  assert.equal(draft.incomplete[3].errors[0].message, "must not be less than min");
});

test("before publishing, a forecast says what the draft's quotas would let through", async () => {
  const id = await study("Without quotas");
  assert.doesNotMatch((await browser.get(`/console/studies/${id}/publish`)).text, /Forecast/);
  const made = await publish(client, CONTENT_WITH_KEYS);
  for (const [index, link] of (await invite(client, made.screener, 4)).entries()) {
    const responses = [{ screenerQuestionId: made.question.age, answer: 20 + 10 * index }];
    await client.post(`/screener-sessions/${link.session}/responses`, { responses, complete: true });
  }
  const path = `/screeners/${made.screener}/content`;
  const age = { questionId: made.question.age };
  const quotas = [
    { name: "Under 50", when: { ...age, lessThan: 50 }, limit: 2 },
    { name: "Over 30 <b>", when: { ...age, atLeast: 30 }, limit: 9 },
    {
      name: "Nobody",
      when: {
        all: [
          { ...age, lessThan: 20 },
          { ...age, atLeast: 20 },
        ],
      },
      limit: 1,
    },
  ];
  await client.call("PUT", path, { body: { ...(await client.get(path)).body, quotas } });
  const page = `/console/studies/${made.screener}/publish`;
  const asked = words((await browser.get(page)).text);
  assert.match(asked, /Nobody who qualifies is in the quota “Nobody”/);
  assert.match(asked, /Forecast .* By the answers so far/);
  const { text } = await browser.get(`${page}?forecast=ANSWERS`);
  const forecast = words(text);
  assert.match(forecast, /By 4 people’s answers, in the order in which they came\./);
  assert.match(forecast, /Under 50 2 2 1 0 Yes None/);
  assert.match(
    forecast,
    /Over 30 &lt;b> 9 2 1 1 by “Under 50” 0 No: only 3 people could be in it About 14 \(9 to 47\)/,
  );
  assert.match(forecast, /Nobody 1 0 0 0 No: nobody who qualifies can be in it –/);
  assert.match(
    words((await browser.get(`${page}?forecast=ROSTER`)).text),
    /By the attributes of 4 people assigned to this study/,
  );
});

/** The page that a test drive shows in its frame. */
const framed = (html: string) =>
  /srcdoc="([^"]*)"/
    .exec(html)![1]!
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

const fieldsOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value!.replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
    ]),
  );

test("a draft is tried and previewed in any of its languages, and its languages are a difference by themselves", async () => {
  const id = await study("Spoken", { ...CONTENT_WITH_KEYS, thankYou: "Bye" });
  const draft = (await client.get(`/screeners/${id}/content`)).body;
  const [page] = draft.pages;
  const [question] = page.questions;
  const translate = (language: string, texts: Record<string, string | null>) =>
    client.call("PATCH", `/screeners/${id}/translations/${language}`, {
      body: { strings: Object.entries(texts).map(([of, text]) => ({ id: of, text })) },
    });
  await client.post("/screener-publications", { screenerId: id });
  const prompt = `question/${question.id}/prompt`;
  await translate("de", { [prompt]: "Wie alt sind Sie?", thankYou: "Auf Wiedersehen" });
  await client.call("PUT", `/screeners/${id}/words/de`, { body: { words: [{ key: "finish", text: "Los" }] } });
  const publishing = `/console/studies/${id}/publish`;
  const changes = async () => words((await browser.get(publishing)).text);
  assert.match(await changes(), /Language added: German \(de\) 2 texts new/);
  await client.post("/screener-publications", { screenerId: id });
  assert.match(await changes(), /The draft is what is live/);
  await translate("de", { [prompt]: "Ihr Alter?", thankYou: null });
  assert.match(await changes(), /Translations changed: German \(de\) 1 text changed 1 text gone/);

  const preview = await browser.get(`/console/studies/${id}/preview?page=${page.id}&lang=de`);
  assert.match(preview.text, /Ihr Alter\?/);
  const path = `/console/studies/${id}/try`;
  const first = await browser.get(path);
  assert.match(first.text, /<option value="de">German \(de\)<\/option>/);
  const typed = { ...fieldsOf(framed(first.text)), [`answer-${question.id}`]: "44,5" };
  const chosen = framed((await browser.post(path, { ...typed, language: "de" }, path)).text);
  assert.ok(chosen.includes("Ihr Alter?"), chosen.slice(chosen.indexOf("<main")));
  assert.match(chosen, /<html lang="de"/);
  assert.match(chosen, /Ihr Alter\?/);
  // The study's own words, too.
  assert.match(chosen, />Los</);
  const end = framed((await browser.post(path, { ...fieldsOf(chosen), [`answer-${question.id}`]: "44,5" }, path)).text);
  assert.match(end, /<html lang="de"/);
  assert.match(end, />Bye</, "it is not translated any more");
  const back = (await browser.post(path, { ...fieldsOf(end), language: "en" }, path)).text;
  assert.match(framed(back), /<html lang="en"/);
  const begun = await browser.post(path, { begin: "yes", spoken: "de" }, path);
  assert.match(framed(begun.text), /<html lang="de"/);
});

test("the pages' own words are overruled in any language, and what is missing or wrong is said at its field", async () => {
  const admin = await signedIn(service, client.workspaceId, "admin", "grace@console-studies.example.org");
  const page = "/console/words";
  assert.match((await admin.post(page, { language: "no language" }, page)).text, /class="field field-wrong"/);
  assert.equal((await admin.post(page, { language: "SV" }, page)).headers.location, `${page}/sv`);
  const empty = (await admin.get(`${page}/sv`)).text;
  assert.match(words(empty), /(\d+) of \1 are missing: people read them in English/);
  const etag = hidden(empty, "etag");
  const wrong = await admin.post(
    `${page}/sv`,
    { etag, "text-continue": "Nästa", "text-pageOf": "Sida {page}" },
    `${page}/sv`,
  );
  assert.equal(wrong.status, 422);
  assert.match(words(wrong.text), /pageOf must have \{number\}/);
  assert.match(wrong.text, /id="text-pageOf"[^>]*value="Sida \{page\}"[^>]*aria-invalid="true"/);
  const saved = await admin.post(`${page}/sv`, { etag, "text-continue": "Nästa" }, `${page}/sv`);
  assert.equal(saved.headers.location, `${page}/sv?saved`);
  assert.match((await admin.get(page)).text, /sv\)<\/bdi><\/a>: 1 of your own/);
  const late = await admin.post(`${page}/sv`, { etag, "text-continue": "Vidare" }, `${page}/sv`);
  assert.match(words(late.text), /Somebody has changed these words/);

  const id = await study("Worded");
  const own = `/console/studies/${id}/words`;
  assert.match((await browser.get(`/console/studies/${id}/languages`)).text, new RegExp(`href="${own}"`));
  const shown = (await browser.get(`${own}/sv`)).text;
  assert.match(words(shown), /continue Nästa · English: Continue/);
  const sent = await browser.post(
    `${own}/sv`,
    { etag: hidden(shown, "etag"), "text-continue": "Fortsätt" },
    `${own}/sv`,
  );
  assert.equal(sent.headers.location, `${own}/sv?saved`);
  const { body } = await client.get(`/screeners/${id}/words/sv`);
  const word = body.words.find(({ key }: { key: string }) => key === "continue");
  assert.deepEqual(word, {
    ...{ key: "continue", text: "Fortsätt", source: "Continue", default: "Nästa" },
    ...{ isMissing: false, isOwn: true },
  });
  assert.match(words((await browser.get(`${own}/de`)).text), /continue Weiter · English: Continue/);
});

test("an admin deletes a study by typing its title, after what goes with it was said; nobody else is asked", async () => {
  const { screener } = await publish(client, CONTENT_WITH_KEYS, { title: "Gone & <over>" });
  await invite(client, screener, 2);
  const path = `/console/studies/${screener}/delete`;
  assert.equal((await browser.get(path)).status, 403);
  const own = await browser.get(`/console/studies/${screener}`);
  assert.doesNotMatch(own.text, /Delete the study/);
  const admin = await signedIn(service, client.workspaceId, "admin", "eve@console-studies.example.org");
  assert.match((await admin.get(`/console/studies/${screener}`)).text, new RegExp(`href="${path}">Delete the study`));
  const asked = await admin.get(path);
  assert.match(
    words(asked.text),
    /1 version, and the draft who is in it: 2 people .* Type Gone &amp; &lt;over> to confirm/,
  );
  for (const confirm of ["", "gone & <over>", screener]) {
    const refused = await admin.post(path, { confirm }, path);
    assert.equal(refused.status, 422);
    assert.match(words(refused.text), /There is a problem Type Gone &amp; &lt;over> to confirm/);
  }
  assert.equal((await client.get(`/screeners/${screener}`)).status, 200);
  const deleted = await admin.post(path, { confirm: " Gone & <over> " }, path);
  assert.match(String(deleted.headers.location), /^\/console\/jobs\/[^/]+$/);
  const job = String(deleted.headers.location).replace("/console", "");
  await until(async () => (await client.get(job)).body.status === "SUCCEEDED", "the study is deleted");
  assert.equal((await client.get(`/screeners/${screener}`)).status, 404);
  assert.match((await admin.get(`/console${job}`)).text, /<h1>Deletion of a study/);
  assert.equal((await admin.get(path)).status, 404);
});
