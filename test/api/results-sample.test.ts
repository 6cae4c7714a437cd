// Results of more than are counted: a sample of those who have started, whose shares have intervals.

import assert from "node:assert/strict";
import { test } from "node:test";
import { intervalOf } from "../../src/results/interval.ts";
import { measure } from "../../src/results/measure.ts";
import { fillResponses } from "../bench/many-responses.ts";
import { people } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";

const service = await sharedService();

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of a body
type Row = Record<string, any>;

test("the interval is that of Wilson", () => {
  // Newcombe (1998), Two-sided confidence intervals for the single proportion, table I, method 3.
  for (const [count, of, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    [20, 20, 0.8389, 1],
  ] as const) {
    const found = intervalOf(count, of);
    assert.ok(Math.abs(found.low - low) < 6e-5, `${count} of ${of}: ${found.low}`);
    assert.ok(Math.abs(found.high - high) < 6e-5, `${count} of ${of}: ${found.high}`);
  }
  assert.deepEqual(intervalOf(0, 0), { low: 0, high: 1 });
});

test("a sample is of those who have started, and each share has its interval", async () => {
  const client = service.workspace();
  const { context } = service;
  const screener = await client.screener();
  const options = [{ text: "Tea" }, { text: "Coffee" }];
  const put = await client.call("PUT", `/screeners/${screener}/content`, {
    body: {
      pages: [
        {
          questions: [
            { _type: "ScreenerNumericQuestion", prompt: "Your age?" },
            { _type: "ScreenerSingleSelectQuestion", prompt: "What do you drink?", options },
            { _type: "ScreenerTextQuestion", prompt: "Which town?" },
            { _type: "ScreenerTextQuestion", prompt: "Why?" },
          ],
        },
      ],
    },
  });
  await client.post("/screener-publications", { screenerId: screener });
  fillResponses(context.workspaces.path(client.workspaceId), 4 * 4000);
  // A third drinks coffee.
  writeTo(context.workspaces, client.workspaceId, (db) =>
    db.run(
      `UPDATE screener_response SET answer = '[{"text":"Coffee","isWriteIn":false}]' WHERE id % 4096 = 1 AND screener_session_id % 3 = 0`,
    ),
  );
  const wait = { Prefer: "wait=60" };
  assert.equal((await client.import(screener, people(3000), {}, wait)).status, 200);
  assert.equal((await client.post("/screener-sessions", { screenerId: screener }, wait)).status, 200);
  const drink = put.body.pages[0].questions[1].id;
  const limits = { completed: 1000, answers: 100_000, sampleSessions: 800, sampleAnswers: 100_000 };
  const resultsWith = (more: object): Row => {
    const wanted = { screenerUid: screener, publicationUid: undefined, splitBy: drink, fromQuestion: 0, questions: 9 };
    const { json } = context.workspaces.read(client.workspaceId, (db) => measure(db, wanted, { ...limits, ...more }));
    return JSON.parse(json!);
  };
  const exact = resultsWith({ completed: 4000 });
  assert.deepEqual([exact.sessions, exact.startedSessions, exact.countedSessions], [7000, 4000, 7000]);
  assert.ok(exact.groups.every(({ low, high }: Row) => low === null && high === null));
  for (const more of [{}, { completed: 9000, answers: 15_000, sampleSessions: 9000, sampleAnswers: 3200 }]) {
    const sample = resultsWith(more);
    assert.deepEqual(resultsWith(more), sample);
    assert.deepEqual([sample.sessions, sample.startedSessions], [7000, 4000]);
    assert.ok(Math.abs(sample.countedSessions - 800) < 40, String(sample.countedSessions));
    assert.deepEqual([sample.days, sample.funnel], [exact.days, exact.funnel]);
    const question = sample.questions[1];
    assert.equal(question.answered, sample.countedSessions);
    const [tea, coffee] = question.chart.rows;
    assert.ok(coffee.low < 1 / 3 && coffee.high > 1 / 3, JSON.stringify(coffee));
    for (const row of [tea, coffee]) {
      assert.deepEqual({ low: row.low, high: row.high }, intervalOf(row.count, question.answered));
      assert.deepEqual(
        row.groupCounts.map((n: number, group: number) => intervalOf(n, question.groupAnswered[group])),
        row.groupLows.map((low: number, group: number) => ({ low, high: row.groupHighs[group] })),
      );
    }
    for (const { sessions, low, high } of sample.groups)
      assert.deepEqual({ low, high }, intervalOf(sessions, sample.countedSessions));
  }
});
