// The console's pages of quotas: what they say, what they change, and what viewers do not learn.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type ConsoleBrowser, signedIn } from "../support/console.ts";
import { parseCsv } from "../support/csv.ts";
import { sharedService } from "../support/service.ts";
import { type Invitation, invite, type Published, publish } from "../support/study.ts";

const service = await sharedService();
const client = service.workspace();
const browser = await signedIn(service, client.workspaceId, "researcher", "ada@console-quotas.example.org");
const viewer = await signedIn(service, client.workspaceId, "viewer", "vi@console-quotas.example.org");

const pages = [
  {
    title: "You",
    disqualifyWhen: { questionId: "age", lessThan: 18 },
    questions: [
      {
        id: "sex",
        key: "sex",
        _type: "ScreenerSingleSelectQuestion",
        prompt: "Sex?",
        options: [
          { id: "woman", text: "Women" },
          { id: "man", text: "Men" },
        ],
      },
      { id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: "Age?", wholeNumber: true },
    ],
  },
  { title: "More", questions: [{ _type: "ScreenerTextQuestion", key: "more", prompt: "More?" }] },
];
const women = { questionId: "sex", equals: "woman" };
const men = { questionId: "sex", equals: "man" };
const young = { questionId: "age", lessThan: 30 };
const old = { questionId: "age", atLeast: 30 };
const grid = [
  { name: "Women, under 30", when: { all: [women, young] }, limit: 1 },
  { name: "Women, 30 and over", when: { all: [women, old] }, limit: 2 },
  { name: "Men, under 30", when: { all: [men, young] }, limit: 3 },
  { name: "Men, 30 and over", when: { all: [men, old] }, limit: 20_040 },
];

const hidden = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]?.replaceAll("&quot;", '"') ?? "";

const words = (html: string) =>
  html
    .replace(/<(style|script)[^>]*>[\s\S]*?<\/\1>|<[^>]+>/g, " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

const send = (study: Published, { session }: Invitation, sex: string, age: number, complete = true) =>
  client.post(`/screener-sessions/${session}/responses`, {
    responses: [
      { screenerQuestionId: study.question.sex!, answer: [{ text: sex, isWriteIn: false }] },
      { screenerQuestionId: study.question.age!, answer: age },
    ],
    complete,
  });

/** The live quotas of a study, by their names. */
async function quotasOf(study: string): Promise<Map<string, { id: string; limit: number; paused: boolean }>> {
  const { items } = (await client.get(`/screeners/${study}/quotas`)).body;
  return new Map(items.map((quota: { name: string }) => [quota.name, quota]));
}

const pageOf = async (study: Published, name: string) =>
  `/console/studies/${study.screener}/quotas/${(await quotasOf(study.screener)).get(name)!.id}`;

test("the page says how full each quota is, in words, and shows a grid as a table", async () => {
  const study = await publish(client, { pages, quotas: [...grid, { name: "All", when: null, mode: "COUNT" }] });
  const path = `/console/studies/${study.screener}/quotas`;
  const [ada, bea, cem] = (await invite(client, study.screener, 3)) as [Invitation, Invitation, Invitation];
  await send(study, ada, "Women", 20);
  await send(study, bea, "Women", 40, false);
  await send(study, cem, "Women", 25);
  for (const reader of [browser, viewer]) {
    const text = words((await reader.get(path)).text);
    assert.match(text, /5 quotas\. They count over all versions/);
    assert.match(text, /held while somebody answers, until 30 minutes after the last answer,/);
    assert.match(text, /Counts people if “Sex\?” is “Women” and “Age\?” is less than 30\. 1 of 1 taken Full/);
    assert.match(text, /0 of 2 taken, 1 held Open/);
    assert.match(text, /0 of 20,040 taken Open/);
    assert.match(text, /Everybody counts\. 1 taken, 1 held Only counts/);
    // The table: rows of the first question, columns of the second one, and the sums.
    assert.match(
      text,
      /Sex\? under 30 30 and over Together Women 1 of 1 taken : Women, under 30 Full 0 of 2 taken, 1 held/,
    );
    assert.match(text, /Together 1 of 4 taken 0 of 20,042 taken 1 of 20,046 taken/);
  }
  const csv = await viewer.get(`${path}.csv`);
  assert.equal(parseCsv(csv.text).length, 6);
  // Three quotas of the four are no grid.
  const { body: draft } = await client.get(`/screeners/${study.screener}/content`);
  await client.call("PUT", `/screeners/${study.screener}/content`, {
    body: { ...draft, quotas: [...draft.quotas.slice(1), { name: "New", limit: 3 }] },
  });
  const changed = words((await browser.get(path)).text);
  assert.doesNotMatch(changed, /Together/);
  assert.match(changed, /This quota of the draft does not count before it is published: New ?\./);
  assert.match(changed, /Removed from the draft/);
});

test("after publishing, answers of former versions are counted into a new quota by its page", async () => {
  const study = await publish(client, { pages });
  const [ada] = (await invite(client, study.screener, 1)) as [Invitation];
  await send(study, ada, "Women", 40);
  const { body: draft } = await client.get(`/screeners/${study.screener}/content`);
  const rule = { questionId: study.question.sex, equals: study.option["sex/Women"] };
  await client.call("PUT", `/screeners/${study.screener}/content`, {
    body: { ...draft, quotas: [{ name: "Women", when: rule, limit: 2 }] },
  });
  await client.post("/screener-publications", { screenerId: study.screener });
  const published = words((await browser.get(`/console/studies/${study.screener}/share?published`)).text);
  assert.match(
    published,
    /A new quota begins at zero People who have finished former versions are not in it\. You can count them: Women/,
  );
  const page = await pageOf(study, "Women");
  assert.match(words((await browser.get(page)).text), /1 person has finished a version without this quota/);
  assert.doesNotMatch(words((await viewer.get(page)).text), /finished a version without/);
  const planned = await browser.post(page, { key: "count" }, `${page}/recount`);
  assert.equal(planned.status, 303, planned.text);
  const job = String(planned.headers.location);
  await service.drain();
  const plan = words((await browser.get(job)).text);
  assert.match(plan, /What the recount will do .* 1 will be counted .* Count them/);
  assert.equal((await browser.post(job, {}, `${job}/apply`)).headers.location, job);
  await service.drain();
  assert.match(words((await browser.get(`${job}/rows?outcome=COUNTED`)).text), /1 counted .* Takes a place\./);
  const after = words((await browser.get(page)).text);
  assert.match(after, /1 of 2 taken/);
  assert.doesNotMatch(after, /finished a version without/);
  assert.equal((await viewer.post(page, {}, `${page}/recount`)).status, 403);
});

test("beside the live quotas, a forecast says what other limits would let through", async () => {
  const study = await publish(client, {
    pages,
    quotas: [
      { name: "Women", when: women, limit: 1 },
      { name: "All", when: null, mode: "COUNT" },
      { name: "Men", when: men, limit: 5 },
    ],
  });
  const people = (await invite(client, study.screener, 3)) as [Invitation, Invitation, Invitation];
  for (const one of people) await send(study, one, "Women", 40);
  const path = `/console/studies/${study.screener}/quotas`;
  const before = await viewer.get(path);
  assert.match(before.text, /id="limit-0"[^>]*value="1"/);
  assert.match(before.text, /id="limit-1"[^>]*value="5"/);
  const of = hidden(before.text, "of");
  const asked = words((await viewer.get(`${path}?of=${of}&limit=2&limit=5&basis=ANSWERS`)).text);
  assert.match(asked, /By 3 people’s answers.* Women 2 2 1 /);
  const wrong = await viewer.get(`${path}?of=${of}&limit=two&limit=-1&basis=ANSWERS`);
  assert.equal(wrong.status, 422);
  assert.match(words(wrong.text), /There are 2 problems Women must be a .*number.* Men must be/);
  assert.equal((await quotasOf(study.screener)).get("Women")!.limit, 1);
  // Limits of an address that was kept are not those of other quotas, once the draft has another order.
  const { body: draft } = await client.get(`/screeners/${study.screener}/content`);
  const quotas = draft.quotas.toReversed();
  await client.call("PUT", `/screeners/${study.screener}/content`, { body: { ...draft, quotas } });
  const later = await viewer.get(`${path}?of=${of}&limit=2&limit=7&basis=ANSWERS`);
  assert.match(later.text, /id="limit-0"[^>]*value="5"/);
  assert.match(later.text, /id="limit-1"[^>]*value="1"/);
});

test("a limit is changed and a quota paused from its page; a page that is stale says so, and one where places were taken meanwhile does not", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Women", when: women, limit: 2 }] });
  const page = await pageOf(study, "Women");
  const women_ = async () => (await quotasOf(study.screener)).get("Women")!;
  const opened = (await browser.get(page)).text;
  const was = hidden(opened, "was");
  const people = (await invite(client, study.screener, 2)) as [Invitation, Invitation];
  // Somebody takes a place meanwhile.
  await send(study, people[0], "Women", 30);
  await send(study, people[1], "Women", 30);
  const done = await browser.post(page, { was, limit: "1" });
  assert.equal(done.headers.location, `${page}?saved`);
  assert.equal((await women_()).limit, 1);
  const over = words((await browser.get(`${page}?saved`)).text);
  assert.match(over, /Saved\..*2 of 1 taken, over by 1 Full/);
  assert.equal((await browser.post(page, { was, limit: "1" })).status, 303, "sent twice");
  const stale = await browser.post(page, { was, limit: "5" });
  assert.equal(stale.status, 422);
  assert.match(words(stale.text), /Somebody has changed this quota since you opened the page/);
  assert.match(stale.text, /name="limit"[^>]*value="5"|value="5"[^>]*name="limit"/);
  assert.equal((await women_()).limit, 1);
  const now = hidden(stale.text, "was");
  for (const [limit, message] of [
    ["", "must be a whole number"],
    ["many", "must be a whole number"],
    ["-1", "must be a whole number|must be at least 0"],
    ["99999999999", "must be at most"],
  ] as const) {
    const refused = await browser.post(page, { was: now, limit });
    assert.equal(refused.status, 422, limit);
    assert.match(words(refused.text), new RegExp(`There is a problem Places (${message})`), limit);
  }
  await browser.post(page, { was: now, paused: "yes" });
  assert.equal((await women_()).paused, true);
  const paused = (await browser.get(page)).text;
  assert.match(words(paused), /Paused.*It is paused: it gives no places.*Go on/);
  await browser.post(page, { was: hidden(paused, "was"), paused: "no" });
  assert.equal((await women_()).paused, false);
  assert.match(
    words((await browser.get("/console/activity")).text),
    / changed (?:the limit|the pause) of the quota [^.]+ of Sleep and smoke \./,
  );
  // Viewers see it, and change nothing.
  assert.doesNotMatch((await viewer.get(page)).text, /Change the limit/);
  assert.equal((await viewer.post(page, { was: now, limit: "9" })).status, 403);
  // A quota of another study is not found there.
  const other = await publish(client, { pages });
  const elsewhere = page.replace(study.screener, other.screener);
  assert.equal((await browser.get(elsewhere)).status, 404);
  assert.equal((await browser.get(`${elsewhere}/places.csv`)).status, 404);
});

test("places are listed with their people, why they were given back, and without sessions' ids", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Women", when: women, limit: 5 }] });
  const page = await pageOf(study, "Women");
  const [ada, bea, cem] = (await invite(client, study.screener, 3)) as [Invitation, Invitation, Invitation];
  await send(study, ada, "Women", 30);
  await send(study, bea, "Women", 12);
  await send(study, cem, "Women", 30, false);
  // She holds one no more.
  await send(study, cem, "Men", 30, false);
  for (const reader of [browser, viewer] as ConsoleBrowser[]) {
    const { text } = await reader.get(page);
    assert.match(words(text), /2 places .*Given back Other answers since .*Taken/);
    for (const { session } of [ada, bea, cem]) assert.doesNotMatch(text, new RegExp(session));
    const [, answers] = /href="([^"]+\/answers\/[^"]+)"/.exec(text)!;
    assert.equal((await reader.get(answers!)).status, 200);
    assert.match(words((await reader.get(`${page}?state=TAKEN`)).text), /1 place /);
  }
  assert.match((await browser.get(`${page}/places.csv`)).text, new RegExp(ada.session));
  const csv = await viewer.get(`${page}/places.csv?state=TAKEN`);
  assert.doesNotMatch(csv.text, new RegExp(ada.session));
  assert.equal(parseCsv(csv.text).length, 2);
  await client.call(
    "DELETE",
    `/participants/${(await client.get(`/screener-participants/${ada.assignment}`)).body.participantId}`,
  );
  assert.match(words((await browser.get(page)).text), /1 place\. 1 more is taken by people who were erased since/);
});

test("who was over quota is shown with the quota on the page of the answers and of the person, and not on the own page", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Female <b>", when: women, limit: 0 }] });
  const [ada] = (await invite(client, study.screener, 1)) as [Invitation];
  await send(study, ada, "Women", 30);
  const { reference } = (await client.get(`/screener-sessions/${ada.session}`)).body;
  const { participantId } = (await client.get(`/screener-participants/${ada.assignment}`)).body;
  const answers = await viewer.get(`/console/studies/${study.screener}/answers/${reference}`);
  assert.match(answers.text, /Full: there was no place in the quota “Female &lt;b>”\./);
  const person = await viewer.get(`/console/people/${participantId}`);
  assert.match(person.text, /Full: no place was left in “Female &lt;b>”/);
  assert.doesNotMatch((await browser.get(ada.path)).text, /Female/);
});

test("publishing names quotas that come, go and change, and warns of those that can't be meant", async () => {
  const study = await publish(client, { pages, quotas: [grid[0], { name: "Gone", limit: 1 }] });
  const { body: draft } = await client.get(`/screeners/${study.screener}/content`);
  const sex = study.question.sex!;
  const { disqualifyWhen: _, ...first } = draft.pages[0];
  const quotas = [
    { ...draft.quotas[0], name: "Renamed", ending: { at: "END" } },
    { name: "None", limit: 0 },
    {
      name: "Nobody",
      limit: 1,
      when: {
        all: [
          { questionId: sex, answered: false },
          { questionId: sex, answered: true },
        ],
      },
    },
    { name: "Abroad", mode: "COUNT", when: { attribute: "contry", is: "FR" } },
  ];
  await client.call("PUT", `/screeners/${study.screener}/content`, {
    body: { ...draft, pages: [first, draft.pages[1]], quotas },
  });
  const path = `/console/studies/${study.screener}/publish`;
  const text = words((await browser.get(path)).text);
  assert.match(text, /Quota removed: “Gone” Quota renamed: “Women, under 30”, now “Renamed”/);
  assert.match(text, /Quota changed: “Renamed” what people see who find it full/);
  assert.match(text, /Quota added: “None” Everybody counts limit 0/);
  assert.match(text, /Quota added: “Abroad” Counts people if the attribute “contry” is “FR” only counts/);
  assert.match(text, /Without rules nobody qualifies; completed sessions take the places\./);
  assert.match(text, /The quota “None” has the limit 0/);
  assert.match(text, /Nobody who qualifies is in the quota “Nobody”: its rule never holds\./);
  assert.match(text, /the attribute “contry”, which nobody has/);
  assert.doesNotMatch(text, /There is no target/);
});

test("the target of a new study is its quota of everybody; one of a publication stays there", async () => {
  const study = await publish(client, { pages });
  const page = `/console/studies/${study.screener}/publish`;
  const form = async (html: string, target: string) => ({
    version: hidden(html, "version"),
    key: hidden(html, "key"),
    latest: hidden(html, "latest"),
    targetQualifiedParticipants: target,
  });
  const draftQuotas = async () => (await client.get(`/screeners/${study.screener}/content`)).body.quotas;
  const first = await form((await browser.get(page)).text, "2");
  assert.equal((await browser.post(page, first)).status, 303);
  assert.equal(
    (await browser.post(page, first)).headers.location,
    page.replace("publish", "share?published"),
    "sent twice",
  );
  assert.equal((await client.get(`/screeners/${study.screener}/publications`)).body.total, 2);
  assert.deepEqual(
    (await draftQuotas()).map(({ name, when, limit }: Record<string, unknown>) => [name, when, limit]),
    [["Everybody", null, 2]],
  );
  const [ada] = (await invite(client, study.screener, 1)) as [Invitation];
  await send(study, ada, "Women", 30);
  const overview = words((await browser.get(`/console/studies/${study.screener}`)).text);
  assert.match(overview, /Places taken \/ target 1 \/ 2/);
  assert.match(words((await browser.get("/console/studies")).text), /Places taken \/ target 1 \/ 2/);
  // From now on it is live: publishing does not ask for it any more, and a form from before does not seem to change it.
  const later = (await browser.get(page)).text;
  assert.match(words(later), /Target: 1 of 2 taken\. Change the target/);
  const stale = await browser.post(page, { ...first, targetQualifiedParticipants: "7" });
  assert.equal(stale.status, 422);
  assert.match(words(stale.text), /The draft was changed since you opened this page/);

  const former = await publish(client, { pages }, { targetQualifiedParticipants: 5 });
  const formerPage = `/console/studies/${former.screener}/publish`;
  const shown = (await browser.get(formerPage)).text;
  assert.match(shown, /value="5"/);
  assert.equal((await browser.post(formerPage, await form(shown, "6"))).status, 303);
  const [latest] = (await client.get(`/screeners/${former.screener}/publications`)).body.items;
  assert.deepEqual([latest.version, latest.targetQualifiedParticipants], [2, 6]);
  assert.equal((await client.get(`/screeners/${former.screener}/quotas`)).body.total, 0);
});

test("of several quotas of everybody the first that has a limit is the target, on all pages", async () => {
  const quotas = [
    { name: "Young", when: { questionId: "age", lessThan: 30 }, limit: 7 },
    { name: "All that come", when: null, mode: "COUNT" },
    { name: "First", when: null, limit: 8 },
    { name: "Second", when: null, limit: 9 },
  ];
  const study = await publish(client, { pages, quotas });
  const base = `/console/studies/${study.screener}`;
  const says = async (places: string) => {
    assert.match(words((await browser.get(base)).text), new RegExp(`Places taken / target 0 / ${places}`));
    assert.match(words((await browser.get(`${base}/publish`)).text), new RegExp(`Target: 0 of ${places} taken`));
  };
  await says("8");
  const path = `/screeners/${study.screener}/content`;
  const { body: draft } = await client.get(path);
  const [young, all, first, second] = draft.quotas;
  const save = async (cells: object[]) => {
    assert.equal((await client.call("PUT", path, { body: { ...draft, quotas: cells } })).status, 200);
  };
  await save([second, young, all, first]);
  await says("9");
  await save([young, all, first]);
  await says("8");
});

test("quotas stay in a draft that is saved by the builder, duplicated, or replaced by its own JSON", async () => {
  const study = await publish(client, { pages, quotas: grid });
  const path = `/console/studies/${study.screener}`;
  const names = async (id: string) =>
    (await client.get(`/screeners/${id}/content`)).body.quotas.map(({ name }: { name: string }) => name);
  const all = grid.map(({ name }) => name);
  const saved = await browser.get(`${path}/draft`);
  const build = (await browser.get(`${path}/build`)).text;
  const token = /data-token="([^"]+)"/.exec(build)![1]!;
  const headers = {
    "Content-Type": "application/json",
    "If-Match": String(saved.headers.etag),
    "X-Form-Token": token,
    ...browser.ours,
  };
  const back = await browser.send("POST", `${path}/draft`, headers, saved.text);
  assert.equal(back.status, 200, back.text);
  const given = JSON.parse(/<script type="application\/json" id="draft">(.*?)<\/script>/s.exec(build)![1]!);
  assert.deepEqual(given.draft, JSON.parse(saved.text));
  assert.equal(given.etag, saved.headers.etag);
  assert.deepEqual(
    given.quotas.map(({ id }: { id: string }) => id),
    JSON.parse(back.text).quotas.map(({ id }: { id: string }) => id),
  );
  const form = (await browser.get(`${path}/content`)).text;
  const json = (await browser.get(`${path}/content.json`)).text;
  assert.equal((await browser.post(`${path}/content`, { version: hidden(form, "version"), json })).status, 303);
  assert.deepEqual(await names(study.screener), all);
  const key = hidden((await browser.get(path)).text, "key");
  const copied = await browser.post(path, { key }, `${path}/duplicate`);
  const [, copy] = /studies\/([^/]+)\/build$/.exec(String(copied.headers.location)) ?? [];
  assert.deepEqual(await names(copy!), all);
  // Another study's quotas: they count nobody yet.
  assert.equal((await client.get(`/screeners/${copy}/quotas`)).body.total, 0);
});

test("a test drive says which quotas the answers count in, and takes no place", async () => {
  const [{ questions }] = pages as [(typeof pages)[0]];
  const study = await publish(client, {
    pages: [{ title: "Sex", questions: questions.slice(0, 1) }, pages[1]],
    quotas: [
      { name: "Women", when: women, limit: 1 },
      { name: "Men", when: men, limit: 1 },
      { name: "All", when: null, limit: 1 },
    ],
  });
  const path = `/console/studies/${study.screener}/try`;
  const { text } = await browser.get(path);
  assert.match(words(text), /Counts in: All /);
  const field = (name: string) =>
    new RegExp(`name=&quot;${name}&quot; value=&quot;([^&]*)&quot;`).exec(text)?.[1] ?? "";
  const sex = study.question.sex!;
  const answered = await browser.post(path, {
    ...{ answers: "[]", attributes: "{}", page: field("page"), shown: field("shown"), question: sex },
    [`answer-${sex}`]: study.option["sex/Women"]!,
  });
  assert.match(words(answered.text), /Counts in: Women; All /);
  for (const { taken, held } of (await client.get(`/screeners/${study.screener}/quotas`)).body.items)
    assert.deepEqual([taken, held], [0, 0]);
});

test("the page of quotas says how many people have each arm, and whose answers to download by it", async () => {
  const concept = { name: "Concept", arms: [{ name: "Red" }, { name: "Blue & white" }] };
  const study = await publish(client, { pages, assignments: [concept] });
  const path = `/console/studies/${study.screener}`;
  const people = await invite(client, study.screener, 3);
  for (const person of people) await send(study, person, "Women", 30, person !== people[2]);
  const { items } = (await client.get(`/screeners/${study.screener}/arms`)).body;
  const html = (await viewer.get(`${path}/quotas`)).text;
  for (const { name, completed, inProgress } of items)
    assert.ok(words(html).includes(`${name} ${completed} ${inProgress} Download the answers`), words(html));
  assert.match((await viewer.get(`${path}/arms.csv`)).text, /Blue & white/);
  const download = (await viewer.get(`${path}/download?arm=${items[1].id}`)).text;
  assert.match(download, new RegExp(`value="${items[1].id}" selected[^>]*>Concept: Blue &amp; white<`));
  const file = (await viewer.get(`${path}/download?file=answers&format=csv&arm=${items[1].id}`)).text;
  const given = parseCsv(file).slice(1);
  assert.equal(given.length, items[1].completed + items[1].inProgress);
  // A study without arms has no such part.
  const plain = await publish(client, { pages });
  assert.doesNotMatch((await viewer.get(`/console/studies/${plain.screener}/quotas`)).text, /id="arms"/);
});
