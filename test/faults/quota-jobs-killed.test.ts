// A worker is killed at any moment of a recount or an offer of places, or of their undo: all is as before it or as after it, and finally
// as after it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOfQuotas } from "../../src/nouns/quotas/queries.ts";
import { ASYNC, type Client, people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { killInTurns } from "../support/killed-jobs.ts";
import { type Installation, ownRedis, type TestWorkspace } from "../support/process.ts";
import { KILLS } from "../support/seeded.ts";

const PEOPLE = 1200;
/** How many of them find a place when the limit is raised. */
const ROOM = 1000;

const redis = ownRedis();
await redis.start();

const question = {
  id: "town",
  key: "town",
  _type: "ScreenerTextQuestion",
  prompt: "Which town?",
  required: true,
};
const pages = [{ title: "One", questions: [question] }];
const quota = { name: "Norwegians", when: { questionId: "town", contains: "o" }, limit: 0 };

/** What a lane does again and again, and takes back. */
interface Work {
  /** The content before the answers, and after them. */
  before: object;
  after: object;
  /** What is sent to the quota, and what it comes to. */
  path: "recount" | "offer";
  limit: number;
  summary: object;
  /** How many rows the undo has. */
  reverted: number;
}

const recount: Work = {
  before: { pages },
  after: { pages, quotas: [quota] },
  path: "recount",
  limit: PEOPLE,
  summary: { counted: PEOPLE, skipped: 0 },
  reverted: PEOPLE,
};
const offer: Work = {
  before: { pages, quotas: [{ ...quota, ending: { redirect: "https://panel.example.org/?s={sessionId}" } }] },
  after: { pages, quotas: [quota] },
  path: "offer",
  limit: ROOM,
  summary: { offered: ROOM, skipped: PEOPLE - ROOM },
  reverted: ROOM,
};

test(`a worker killed at ${KILLS} moments of recounts and offers, and of their undos, leaves all or nothing`, (t) =>
  killInTurns(t, "quotas", redis.url, async ({ installation, workspace, client, screenerId }, lane) => {
    const { path, summary: done, reverted, ...work } = [recount, offer][lane]!;
    const id = await answered(client, screenerId, work);
    return {
      look: () => state(installation, workspace),
      submit: (turn, last) =>
        turn % 2
          ? client.post(`/jobs/${last}/undo`, undefined, ASYNC)
          : client.post(`/screener-quotas/${id}/${path}`, {}, ASYNC),
      check(turn, { summary }) {
        assert.deepEqual(summary, turn % 2 ? { rows: reverted, reverted, kept: 0 } : done);
        installation.read(workspace, (db) => {
          assertCounts(db);
          assert.deepEqual(faultsOfQuotas(db), []);
        });
      },
    };
  }));

/** Everybody has answered; the quota is published, and has room. @returns its id */
async function answered(
  client: Client,
  screenerId: string,
  { before, after, limit }: Pick<Work, "before" | "after" | "limit">,
): Promise<string> {
  const put = async (body: object) => {
    assert.equal((await client.call("PUT", `/screeners/${screenerId}/content`, { body })).status, 200);
    assert.equal((await client.post("/screener-publications", { screenerId })).status, 201);
  };
  await put(before);
  const wait = { Prefer: "wait=60" };
  await client.import(screenerId, people(PEOPLE), {}, wait);
  const { body: sessions } = await client.post("/screener-sessions", { screenerId }, wait);
  const { body: draft } = await client.get(`/screeners/${screenerId}/content`);
  const responses = [{ screenerQuestionId: draft.pages[0].questions[0].id, answer: "Oslo" }];
  for (const session of sessions as { id: string }[])
    assert.equal(
      (await client.post(`/screener-sessions/${session.id}/responses`, { responses, complete: true })).status,
      200,
    );
  // The question and the quota keep their ids.
  const [had] = draft.quotas ?? [];
  const [wanted] = (after as { quotas: object[] }).quotas;
  await put({
    ...draft,
    quotas: [had ?? { ...wanted, when: { questionId: responses[0]!.screenerQuestionId, contains: "o" } }],
  });
  const { items } = (await client.get(`/screeners/${screenerId}/quotas`)).body;
  assert.equal((await client.patch(`/screener-quotas/${items[0].id}`, { limit })).status, 200);
  return items[0].id;
}

/** What a job may change. Places that were given back and sessions that were removed stay, and are not in it. */
function state(installation: Installation, workspace: TestWorkspace): string {
  return installation.read(workspace, (db) =>
    // One statement, so that it reads one moment.
    db.value<string>(`SELECT json_object(
      'quotas', (SELECT json_group_array(concat_ws(' ', taken, held)) FROM screener_quota),
      'places', (SELECT json_group_object(state, n) FROM (SELECT state, count(*) AS n FROM quota_place WHERE state <> 'RELEASED' GROUP BY 1 ORDER BY 1)),
      'sessions', (SELECT json_group_object(concat_ws(' ', state, outcome, outcome_reason, quota_ids IS NULL, offered_until IS NULL), n)
        FROM (SELECT *, count(*) AS n FROM screener_session WHERE status <> 'REMOVED' GROUP BY state, outcome, outcome_reason, quota_ids IS NULL, offered_until IS NULL ORDER BY 1)),
      'assigned', (SELECT json_group_object(status, n) FROM (SELECT status, count(*) AS n FROM screener_participant GROUP BY 1 ORDER BY 1)),
      'answers', (SELECT count(*) FROM screener_response))`),
  )!;
}
