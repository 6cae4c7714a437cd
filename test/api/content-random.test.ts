// Random drafts with questions of every type, and random answers to them, through the API and on the page: nothing breaks, and the explanation,
// the export, the codebook, the results and the forecast say what the lists say.

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { agreeForecast, agreeFunnel, agreeResults, agreeSpss, agreeTables, type Said } from "../support/agreement.ts";
import type { Client } from "../support/client.ts";
import { readCsv } from "../support/csv.ts";
import { png } from "../support/images.ts";
import {
  askedOn,
  Draw,
  fillForm,
  fillRight,
  randomAnswer,
  randomDraft,
  randomTranslation,
  type Shown,
  spoilt,
} from "../support/random-drafts.ts";
import { LONG_RUNS } from "../support/random-imports.ts";
import { sharedService } from "../support/service.ts";
import { type Invitation, invite, readSession } from "../support/study.ts";
import { headingOf, Visitor } from "../support/visitor.ts";

const service = await sharedService();
const IMAGE = (await png(24, 16)).toString("base64");

/** On a slow machine fewer drafts have to do. */
const ENOUGH_MS = LONG_RUNS ? Number.POSITIVE_INFINITY : 8000;
const RUNS = LONG_RUNS || 100;
/** Nobody sees so many, whatever is refused on the way. */
const MAX_PAGES = 100;
const STUDIES_A_WORKSPACE = 25;
/** So many of those who answer a study use the API, the first ones. */
const PROGRAMS = 2;

/** Checks one draft after the other. `RANDOM_SEED=…`, which a failure says, begins with the one that failed. */
async function eachDraft(check: (draw: Draw) => Promise<void>): Promise<void> {
  const end = Date.now() + ENOUGH_MS;
  const first = Number(process.env.RANDOM_SEED) || randomInt(1_000_000_000);
  for (let seed = first; seed < first + RUNS && Date.now() < end; seed++) {
    try {
      await check(new Draw(seed));
    } catch (error) {
      throw new Error(`RANDOM_SEED=${seed}`, { cause: error });
    }
  }
}

/** Whether a quota turns away the last ones. */
const isSmall = ({ mode, limit }: Shown) => mode === "LIMIT" && limit < 4;

const put = (client: Client, screener: string, body: unknown) =>
  client.call("PUT", `/screeners/${screener}/content`, { body });

/** Answers page by page through the API. What is refused is said where, and is left out the next time. */
async function answerByApi(draw: Draw, client: Client, content: Shown, { session }: Invitation): Promise<void> {
  for (const [index, page] of content.pages.entries()) {
    let responses = askedOn(page)
      .filter(() => draw.chance(0.9))
      .map((question: Shown) => ({ screenerQuestionId: question.id, answer: randomAnswer(draw, question) }));
    const complete = index === content.pages.length - 1 && draw.chance(0.8);
    for (let attempt = 0; attempt < 4; attempt++) {
      const sent = await client.post(`/screener-sessions/${session}/responses`, { responses, complete });
      assert.ok([200, 400, 409].includes(sent.status), sent.text);
      if (sent.status !== 400) break;
      const refused = new Set<number>();
      for (const { pointer, message } of sent.body.errors) {
        assert.ok(message, sent.text);
        const at = /^\/responses\/(\d+)/.exec(pointer)?.[1];
        if (at !== undefined) refused.add(Number(at));
      }
      if (refused.size === 0) break;
      responses = responses.filter((_: unknown, at: number) => !refused.has(at));
    }
  }
}

/** What people answer. */
interface Published {
  asked: readonly Shown[];
  /** Another language that it has. */
  language: string | null;
  /** Of the pages with a translated title, by their ids. */
  titles: ReadonlyMap<string, string>;
  /** Whether a quota has room for fewer than come. */
  isLimited: boolean;
}

/**
 * Answers as somebody with a browser without scripts does, and looks whether all is shown in the session's order. What is refused is answered
 * as it should be the next time, so that most people come to the end.
 */
async function answerOnPage(
  draw: Draw,
  { path }: Invitation,
  orders: Shown[],
  { asked, language, titles, isLimited }: Published,
): Promise<void> {
  const visitor = new Visitor(service.url);
  let page = await visitor.open(language === null ? path : `${path}?lang=${language}`);
  const pages: string[] = [];
  let wasBack = false;
  for (let count = 0; count < MAX_PAGES; count++) {
    assert.ok([200, 409, 410, 422].includes(page.status), page.text);
    const action = /<form id="page"[^>]* action="([^"]+)"/.exec(page.text)?.[1];
    // Who comes after the last place of everybody, or of those with an attribute, is told so at once.
    assert.ok(count > 0 || action !== undefined || (isLimited && page.status === 409), `${page.status} ${page.text}`);
    if (action === undefined) return;
    const id = / name="page" value="([^"]+)"/.exec(page.text)?.[1];
    if (id !== undefined) pages.push(id);
    if (id !== undefined && titles.has(id)) assert.equal(headingOf(page), titles.get(id));
    for (const order of orders) inThatOrder(order.ids, page.text);
    // Who goes back may change what is shown before.
    if (!wasBack) for (const { of, ids } of orders) if (of === "PAGES") rising(ids, [...new Set(pages)]);
    const back = draw.chance(0.05) ? "&back=" : "";
    wasBack ||= back !== "";
    const form = page.status === 422 ? fillRight(draw, page.text, asked) : fillForm(draw, page.text);
    page = await visitor.post(action, form + back);
    if (page.status === 303) page = await visitor.open(String(page.headers.location));
  }
  assert.fail(`There is no end: ${page.text}`);
}

/** What of these a page has (questions, options or rows) is in this order. */
function inThatOrder(ids: readonly string[], html: string): void {
  const at = (id: string) => html.search(new RegExp(`<(?:input|option)[^>]* (?:value="|name="row-)${id}`));
  const positions = ids.map(at).filter((position) => position >= 0);
  assert.deepEqual(
    positions,
    positions.toSorted((one, other) => one - other),
    `${ids} ${html}`,
  );
}

/** What of these there is is in this order. */
function rising(ids: readonly string[], shown: readonly string[]): void {
  assert.deepEqual(
    shown.filter((id) => ids.includes(id)),
    ids.filter((id) => shown.includes(id)),
  );
}

/** What was kept can be sent as it is shown, and stays. */
async function sendAgain(client: Client, { session }: Invitation, responses: Shown[]): Promise<void> {
  const sent = await client.post(`/screener-sessions/${session}/responses`, {
    responses: responses.map(({ screenerQuestionId, answer }) => ({ screenerQuestionId, answer })),
  });
  // A skipped question that is required by now, or a page that is over only now: said, and nothing is changed.
  if (sent.status !== 200) return assert.ok([400, 409].includes(sent.status), sent.text);
  const after = await client.all(`/screener-responses?filter[screenerSessionId][eq]=${session}`);
  const kept = after.filter((one) => responses.some(({ screenerQuestionId: id }) => id === one.screenerQuestionId));
  assert.deepEqual(
    kept.map(({ screenerQuestionId, answer }) => [screenerQuestionId, answer]),
    responses.map(({ screenerQuestionId, answer }) => [screenerQuestionId, answer]),
  );
}

test("whatever a draft asks and whoever answers it: all that is said of the answers agrees", async () => {
  let client = service.workspace();
  let studies = 0;
  await eachDraft(async (draw) => {
    // To make a store takes a quarter of what a draft takes.
    if (++studies % STUDIES_A_WORKSPACE === 0) client = service.workspace();
    const screener = await client.screener();
    const image = draw.chance(0.2) ? await client.post("/workspace/images", { file: IMAGE }) : undefined;
    const draft = randomDraft(draw, image?.body.id);
    const saved = await put(client, screener, draft);
    assert.equal(saved.status, 200, `${saved.text} ${JSON.stringify(draft)}`);
    const content = saved.body;
    const again = await put(client, screener, content);
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(again.body, content);
    const language = draw.chance(0.4) ? draw.pick(LANGUAGES) : null;
    const titles = language === null ? new Map() : await translate(draw, client, screener, language);
    const published = await client.post("/screener-publications", { screenerId: screener });
    assert.equal(published.status, 201, published.text);
    const cities = ["York", "مكة", "<b>", "{{answer:q0|}}"];
    const attributesOf = () => (draw.chance(0.7) ? { city: draw.pick(cities), age: draw.int(18, 70) } : {});
    const invitations = await invite(client, screener, 4, attributesOf);
    const asked = content.pages.flatMap(askedOn);
    for (const [index, invitation] of invitations.entries()) {
      const { orders } = await readSession(client, invitation.session);
      if (index < PROGRAMS) await answerByApi(draw, client, content, invitation);
      else
        await answerOnPage(draw, invitation, orders ?? [], {
          asked,
          language,
          titles,
          isLimited: (content.quotas ?? []).some(isSmall),
        });
    }
    await agree(client, screener, content, invitations);
  });
});

const LANGUAGES = ["de", "ar", "pt-BR"];

/** Translates some texts of the draft. What is said of the language agrees with its texts. @returns the titles of pages */
async function translate(draw: Draw, client: Client, screener: string, language: string): Promise<Published["titles"]> {
  const path = `/screeners/${screener}/translations`;
  const before = await client.get(`${path}/${language}`);
  assert.equal(before.status, 200, before.text);
  const strings = randomTranslation(draw, before.body.strings);
  const sent = await client.call("PATCH", `${path}/${language}`, { body: { strings } });
  assert.equal(sent.status, 200, sent.text);
  const count = (state: string) => sent.body.strings.filter((one: Shown) => one.state === state).length;
  assert.equal(count("DONE"), strings.length, sent.text);
  const { items } = (await client.get(path)).body;
  const [{ total, translated, stale, missing }] = items;
  assert.deepEqual(
    [total, translated, stale, missing],
    [sent.body.strings.length, count("DONE"), count("STALE"), count("MISSING")],
  );
  const titles = strings.flatMap(({ id, text }) => {
    const [, uid] = /^page\/([^/]+)\/title$/.exec(id) ?? [];
    return uid === undefined ? [] : [[uid, text] as const];
  });
  return new Map(titles);
}

/** Answers name options, rows and columns in the content's own language and order, whatever was read. */
function inOwnWords(question: Shown, answer: Shown): void {
  const named = (parts: Shown[], given: Shown[], member: string) => {
    const chosen = given.filter((one) => one[member] != null);
    const at = (one: Shown) => parts.findIndex(({ id }: Shown) => id === one[member]);
    assert.deepEqual(
      chosen.map(({ text }) => text),
      chosen.map((one) => parts[at(one)].text),
    );
    if (question._type === "ScreenerRankingQuestion") return;
    assert.deepEqual(
      chosen,
      chosen.toSorted((one, other) => at(one) - at(other)),
    );
  };
  if (answer?.rows) {
    named(question.rows, answer.rows, "rowId");
    for (const { choices } of answer.rows) named(question.columns, choices, "columnId");
  } else if (Array.isArray(answer)) named(question.options, answer, "optionId");
}

/** The positions of a session's orders, in the content's order, where something of a list was answered. As an export has them. */
function ordersInExport(content: Shown, { orders = [] }: Shown, mine: Shown[]): (string | undefined)[] {
  const isAnswered = (questions: Shown[]) =>
    askedOn({ questions }).some(({ id }) => mine.some((one) => one.screenerQuestionId === id));
  return orders.map(({ of, block, screenerPageId, screenerQuestionId, ids }: Shown) => {
    const ofBlock = content.pages.filter((page: Shown) => page.shuffleBlock === block);
    const page = content.pages.find(({ id }: Shown) => id === screenerPageId);
    const question = content.pages.flatMap(askedOn).find(({ id }: Shown) => id === screenerQuestionId);
    const [items, questions] = {
      PAGES: () => [ofBlock, ofBlock.flatMap((one: Shown) => one.questions)],
      QUESTIONS: () => [page.questions, page.questions],
      OPTIONS: () => [question.options, [question]],
      ROWS: () => [question.rows, [question]],
    }[of as "PAGES"]() as [Shown[], Shown[]];
    if (!isAnswered(questions)) return "";
    return ids.map((uid: string) => items.findIndex(({ id }) => id === uid) + 1).join("; ");
  });
}

async function agree(client: Client, screener: string, content: Shown, invitations: Invitation[]): Promise<void> {
  const questions: Shown[] = content.pages.flatMap(askedOn);
  const responses: Shown[] = await client.all(`/screener-responses?filter[screenerId][eq]=${screener}`);
  const sessions: Shown[] = [];
  for (const { session } of invitations) sessions.push(await readSession(client, session));

  const explanations: Shown[] = [];
  for (const session of sessions) {
    const mine = responses.filter(({ screenerSessionId }) => screenerSessionId === session.id);
    const explained = await client.get(`/screener-sessions/${session.id}/explanation`);
    assert.equal(explained.status, 200, explained.text);
    const { outcome, outcomeReason, judgedNow, answers } = explained.body;
    explanations.push(explained.body);
    const asked = questions.map(({ id }) => id);
    rising(
      asked,
      answers.map(({ screenerQuestionId }: Shown) => screenerQuestionId),
    );
    rising(
      asked,
      mine.map(({ screenerQuestionId }) => screenerQuestionId),
    );
    for (const one of mine) {
      const question = questions.find(({ id }) => id === one.screenerQuestionId);
      assert.equal(one.screenerQuestionPrompt, question.prompt);
      inOwnWords(question, one.answer);
    }
    const { body: shown } = await client.get(`/screener-sessions/${session.id}/orders`);
    assert.deepEqual(shown.orders, session.orders ?? []);
    assert.equal(outcomeReason, session.outcomeReason, explained.text);
    if (session.state === "COMPLETED") assert.deepEqual(judgedNow, { outcome, outcomeReason }, explained.text);
    for (const { screenerQuestionId: id, state, answer } of answers) {
      const given = mine.find((one) => one.screenerQuestionId === id);
      assert.deepEqual(answer ?? null, given?.answer ?? null, explained.text);
      assert.equal(given !== undefined, ["ANSWERED", "SKIPPED"].includes(state), explained.text);
    }
  }

  const started = sessions.filter(({ state }) => state !== "NOT_STARTED");
  const exported = await client.get(`/screeners/${screener}/export`);
  assert.equal(exported.status, 200, exported.text);
  const rows = readCsv(exported.text);
  assert.deepEqual(
    rows.map((row) => row["session.id"]),
    started.map(({ id }) => id),
  );
  const orderColumns = Object.keys(rows[0] ?? {}).filter((heading) => heading.startsWith("orders."));
  for (const [index, session] of started.entries()) {
    const mine = responses.filter(({ screenerSessionId }) => screenerSessionId === session.id);
    assert.deepEqual(
      orderColumns.map((heading) => rows[index]![heading]),
      ordersInExport(content, session, mine),
    );
  }
  const codebook = readCsv((await client.get(`/screeners/${screener}/codebook`)).text);
  const described = new Set(codebook.map(({ column }) => column));
  for (const heading of Object.keys(rows[0] ?? {}))
    assert.ok(described.has(heading) || heading.startsWith("attributes."), `The codebook lacks ${heading}.`);
  const ofAnswers = codebook.filter(({ column }) => !column!.startsWith("orders."));
  const answered = (id: string) => responses.filter((one) => one.screenerQuestionId === id && one.answer !== null);
  for (const { id } of questions) {
    const columns = new Set(ofAnswers.filter(({ questionId }) => questionId === id).map(({ column }) => column!));
    assert.ok(columns.size, `There is no column of ${id}.`);
    const filled = rows.filter((row) => [...columns].some((column) => row[column] !== ""));
    const withAnswer = new Set(answered(id).map(({ screenerSessionId }) => screenerSessionId));
    assert.deepEqual(new Set(filled.map((row) => row["session.id"])), withAnswer);
  }

  const counted = await client.get(`/screeners/${screener}/results?questions=500`);
  assert.equal(counted.status, 200, counted.text);
  assert.deepEqual(
    counted.body.questions.map((one: Shown) => [one.screenerQuestionId, one.answered, one.skipped]),
    questions.map(({ id }) => {
      const skipped = responses.filter((one) => one.screenerQuestionId === id && one.answer === null);
      return [id, answered(id).length, skipped.length];
    }),
  );

  const programs = new Set(sessions.slice(0, PROGRAMS).map(({ id }) => id));
  const said: Said = { content, sessions, responses, explained: explanations, programs };
  agreeFunnel(counted.body.funnel, said);
  agreeResults(counted.body, said);
  await agreeTables(client, screener, said);
  await agreeSpss(client, screener, said);

  const forecast = await client.post(`/screeners/${screener}/quota-forecast`, { basis: "ANSWERS" });
  assert.equal(forecast.status, 200, forecast.text);
  const quotas: Shown[] = await client.all(`/screeners/${screener}/quotas`);
  agreeForecast(forecast.body, quotas, said);

  for (const [index, { state, id }] of sessions.entries()) {
    const mine = responses.filter(({ screenerSessionId }) => screenerSessionId === id);
    if (state === "IN_PROGRESS") await sendAgain(client, invitations[index]!, mine);
  }
}

test("a draft with anything in it is kept or refused, with where and why", async () => {
  const client = service.workspace();
  const screener = await client.screener();
  await eachDraft(async (draw) => {
    let draft = randomDraft(draw);
    for (let times = draw.int(1, 3); times > 0; times--) draft = spoilt(draw, draft);
    const { status, body, text } = await put(client, screener, draft);
    assert.ok(status === 200 || status === 400, `${status} ${text} ${JSON.stringify(draft)}`);
    if (status === 400)
      for (const { pointer, message } of body.errors ?? [])
        assert.ok(typeof pointer === "string" && message, `${text} ${JSON.stringify(draft)}`);
  });
});
