// From an empty data directory to answers, by HTTP and browser only: what the service is for, with its real process.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { devices, openDevice, startBrowser } from "../support/browser.ts";
import { Client } from "../support/client.ts";
import { install } from "../support/process.ts";
import { everyKind } from "../support/study.ts";

const installation = install();
const web = await installation.web();
// What the first start keeps in a file is all that there is to begin with.
await web.says(/A first workspace is ready/);
const first = installation.firstCredentials();
const client = new Client(web.url, first.workspace, first);
const browser = await startBrowser();

const heading = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();
const next = (page: Page) => page.getByRole("button", { name: /^(Continue|Finish)$/ }).click();

/** Opens a link on a device of its own; fails when the page asks others for anything. */
async function visit(link: string, device: keyof typeof devices, answer: (page: Page) => Promise<void>): Promise<void> {
  const { device: context, page, foreign } = await openDevice(browser, web.url, devices[device]);
  try {
    await page.goto(web.url + new URL(link).pathname);
    await answer(page);
    assert.deepEqual(foreign, []);
  } finally {
    await context.close();
  }
}

async function fillAbout(page: Page, age: string, smokes: string): Promise<void> {
  assert.equal(await heading(page), "About you");
  await page.getByLabel("How old are you?").fill(age);
  await page.getByRole("radio", { name: smokes, exact: true }).check();
  await next(page);
}

async function fillDays(page: Page, drink: string, day: string): Promise<void> {
  assert.equal(await heading(page), "Your days");
  await page.getByRole("radio", { name: drink }).check();
  await page.getByLabel("How does a usual day of yours begin?").fill(day);
  await next(page);
}

const PEOPLE = ["Ada", "Ben", "Cleo"].map((name) => ({
  externalUid: `uid-${name}`,
  email: `${name.toLowerCase()}@example.org`,
  name,
}));
const choice = (text: string, isWriteIn = false) => ({ text, isWriteIn });

interface Session {
  id: string;
  screenerParticipantId: string;
  screenerSessionLink: string;
  startedAt: string | null;
  lastActiveAt: string | null;
  completedAt: string | null;
  language: string | null;
}

test("one person qualifies, one is screened out, one stops half-way and goes on elsewhere; the API says so exactly", async () => {
  const { body: screener } = await client.post("/screeners", { title: "Sleep and smoke" });
  const put = await client.call("PUT", `/screeners/${screener.id}/content`, { body: everyKind });
  assert.equal(put.status, 200, put.text);
  const publication = await client.post("/screener-publications", {
    screenerId: screener.id,
    targetQualifiedParticipants: 2,
    tags: [{ category: "wave", value: "1" }],
  });
  assert.equal(publication.status, 201, publication.text);
  const imported = await client.import(screener.id, PEOPLE);
  assert.equal(imported.status, 200, imported.text);
  const assignments: { id: string; participantId: string }[] = imported.body;
  const opened = await client.post("/screener-sessions", { screenerId: screener.id });
  assert.equal(opened.status, 200, opened.text);
  const links: Session[] = opened.body;
  assert.deepEqual(
    links.map(({ screenerParticipantId }) => screenerParticipantId),
    assignments.map(({ id }) => id),
  );
  const [ada, ben, cleo] = links.map(({ screenerSessionLink }) => screenerSessionLink) as [string, string, string];

  const question = new Map<string, Record<string, string>>();
  const optionIds = new Map<string, string>();
  for (const page of put.body.pages) {
    for (const { id, key, _type, prompt, options = [] } of page.questions) {
      question.set(key, { id, page: page.id, _type, prompt });
      for (const option of options) optionIds.set(`${key} ${option.text}`, option.id);
    }
  }
  const optionId = (key: string, { text, isWriteIn }: { text: string; isWriteIn: boolean }) =>
    isWriteIn ? null : optionIds.get(`${key} ${text}`);
  /** What the API must say: of each person the status, the session and its times, and the answers in order. */
  async function says(
    expected: { status: string; state: string; reason?: string; answers: Record<string, unknown> }[],
  ): Promise<void> {
    const people = await client.all(`/screener-participants?filter[screenerId][eq]=${screener.id}`);
    assert.deepEqual(
      people.map(({ name, status, currentSessionId }) => ({ name, status, currentSessionId })),
      PEOPLE.map(({ name }, who) => ({ name, status: expected[who]?.status, currentSessionId: links[who]?.id })),
    );
    const sessions: Session[] = await client.all("/screener-sessions");
    assert.deepEqual(
      sessions.map((session) => ({
        ...session,
        startedAt: null,
        lastActiveAt: null,
        completedAt: null,
        language: null,
      })),
      links.map((link, who) => ({
        ...link,
        state: expected[who]?.state,
        outcomeReason: expected[who]?.reason ?? null,
      })),
    );
    for (const [who, { startedAt, lastActiveAt, completedAt, language }] of sessions.entries()) {
      const { state } = expected[who]!;
      assert.equal(language, state === "NOT_STARTED" ? null : "en");
      assert.deepEqual(
        [startedAt !== null, lastActiveAt !== null, completedAt !== null],
        [state !== "NOT_STARTED", state !== "NOT_STARTED", state === "COMPLETED"],
      );
      assert.ok((startedAt ?? "") <= (lastActiveAt ?? ""));
      if (completedAt) assert.equal(completedAt, lastActiveAt);
    }
    const responses = expected.flatMap(({ answers }, who) =>
      Object.entries(answers).map(([key, answer]) => {
        const { id, page, _type: questionType = "", prompt } = question.get(key)!;
        return {
          _type: questionType.replace("Question", "Response"),
          questionType,
          screenerSessionId: links[who]?.id,
          screenerPageId: page,
          screenerQuestionId: id,
          screenerId: screener.id,
          screenerPublicationId: publication.body.id,
          participantId: assignments[who]?.participantId,
          externalParticipantUid: PEOPLE[who]?.externalUid,
          screenerParticipantId: assignments[who]?.id,
          screenerQuestionPrompt: prompt,
          answer: Array.isArray(answer) ? answer.map((one) => ({ ...one, optionId: optionId(key, one) })) : answer,
        };
      }),
    );
    assert.deepEqual(await client.all("/screener-responses"), responses);
  }
  const nobody = { status: "NOT_STARTED", state: "NOT_STARTED", answers: {} };
  await says([nobody, nobody, nobody]);

  await visit(ada, "phone", async (page) => {
    await fillAbout(page, "44", "Sometimes");
    await page.getByLabel("How often is sometimes?").fill("On Sundays");
    await next(page);
    await page.getByRole("checkbox", { name: "Cigars" }).check();
    await page.getByRole("checkbox", { name: "Something else" }).check();
    await page.getByLabel("Your own answer").fill("Shisha");
    await next(page);
    await fillDays(page, "Tea", "With the birds.");
    assert.equal(await heading(page), "Thank you");
  });
  await visit(ben, "phone", async (page) => {
    await fillAbout(page, "17", "No");
    assert.equal(await heading(page), "Thank you");
  });
  await visit(cleo, "phone", async (page) => {
    await fillAbout(page, "30", "No");
    assert.equal(await heading(page), "Your days");
  });
  const first = {
    status: "QUALIFIED",
    state: "COMPLETED",
    answers: {
      age: 44,
      smokes: [choice("Sometimes")],
      how_often: "On Sundays",
      brands: [choice("Cigars"), choice("Shisha", true)],
      drink: [choice("Tea")],
      town: null,
      day: "With the birds.",
    },
  };
  const second = {
    status: "DISQUALIFIED",
    state: "COMPLETED",
    reason: "SCREENED_OUT",
    answers: { age: 17, smokes: [choice("No")] },
  };
  const third = { status: "IN_PROGRESS", state: "IN_PROGRESS", answers: { age: 30, smokes: [choice("No")] } };
  await says([first, second, third]);

  await visit(cleo, "desktop", async (page) => {
    await page.getByLabel("Which town do you live in?").fill("Oslo");
    await fillDays(page, "Coffee", "Late, and slowly.");
    assert.equal(await heading(page), "Thank you");
  });
  const resumed = { ...third.answers, drink: [choice("Coffee")], town: "Oslo", day: "Late, and slowly." };
  const ended = [first, second, { status: "QUALIFIED", state: "COMPLETED", answers: resumed }];
  await says(ended);
  // A participant who comes back reads a friendly page, and nothing changes.
  for (const link of [ada, ben, cleo]) {
    await visit(link, "desktop", async (page) => assert.equal(await heading(page), "You have already answered"));
  }
  await says(ended);
});
