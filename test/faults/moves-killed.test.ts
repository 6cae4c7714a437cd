// A worker is killed at any moment of a move of links, or of its undo: all is as before it or as after it, and finally as after it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ASYNC, people } from "../support/client.ts";
import { killInTurns } from "../support/killed-jobs.ts";
import { type Installation, ownRedis, type TestWorkspace } from "../support/process.ts";
import { KILLS } from "../support/seeded.ts";

const LINKS = 6000;
/** Links that are begun: they stay. */
const BEGUN = 5;
const MOVED = LINKS - BEGUN;

const redis = ownRedis();
await redis.start();

test(`a worker killed at ${KILLS} moments of moves of links, and of their undo, leaves all or nothing`, (t) =>
  killInTurns(t, "moves", redis.url, async ({ installation, workspace, client, screenerId }) => {
    const wait = { Prefer: "wait=60" };
    const tags = [{ category: "a", value: "b" }];
    const { body: first } = await client.post("/screener-publications", { screenerId, tags });
    await client.import(screenerId, people(LINKS), {}, wait);
    const { body: opened } = await client.post("/screener-sessions", { screenerId }, wait);
    for (const { id } of opened.slice(0, BEGUN))
      assert.equal((await client.post(`/screener-sessions/${id}/responses`, { responses: [] })).status, 200);
    const { body: second } = await client.post("/screener-publications", { screenerId, tags: [] });
    const look = () => JSON.stringify(counts(installation, workspace));
    assert.equal(look(), JSON.stringify({ [first.id]: [LINKS, BEGUN] }));
    return {
      look,
      after: JSON.stringify({ [first.id]: [BEGUN, BEGUN], [second.id]: [MOVED, 0] }),
      submit: (turn, last) =>
        turn % 2
          ? client.post(`/jobs/${last}/undo`, undefined, ASYNC)
          : client.post("/screener-sessions-move", { screenerId }, ASYNC),
      async check(turn, { id, summary }) {
        assert.deepEqual(summary, turn % 2 ? { rows: MOVED, reverted: MOVED, kept: 0 } : { moved: MOVED });
        assert.equal((await client.get(`/jobs/${id}/rows?pagination[limit]=1`)).body.total, MOVED);
        // What an undo needs is kept once for each.
        const kept = installation.stored(
          workspace,
          "SELECT count(*) FROM effect_move WHERE effect_id = (SELECT id FROM effect WHERE job_uid = ?)",
          id,
        );
        assert.deepEqual(kept, [MOVED]);
      },
    };
  }));

/** How many sessions each publication has, and how many of them are begun. Their tags are those of the publication. */
function counts(installation: Installation, workspace: TestWorkspace): Record<string, number[]> {
  return JSON.parse(
    installation.read(workspace, (db) =>
      // One statement, so that it reads one moment.
      db.value<string>(`SELECT json_group_object(uid, json_array(n, begun)) FROM (
        SELECT p.uid, count(*) AS n, total(t.state <> 'NOT_STARTED') AS begun FROM screener_session AS t
        JOIN screener_publication AS p ON p.id = t.screener_publication_id AND p.tag_set_id = t.tag_set_id
        GROUP BY p.id ORDER BY p.id)`),
    )!,
    (_, value) => (typeof value === "number" ? Math.round(value) : value),
  );
}
