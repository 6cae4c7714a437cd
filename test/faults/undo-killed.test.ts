// A worker is killed at any moment of an undo: all is as before the undo or as after it, and finally as after it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ASYNC, people } from "../support/client.ts";
import { dump, killInTurns } from "../support/killed-jobs.ts";
import { ownRedis } from "../support/process.ts";
import { KILLS } from "../support/seeded.ts";

const ROWS = 2000;
const MOVED = 500;

const redis = ownRedis();
await redis.start();

test(`a worker killed at ${KILLS} moments of an undo, or of its undo, leaves all of it or nothing`, (t) =>
  killInTurns(t, "undo", redis.url, async ({ installation, workspace, client, screenerId }) => {
    const wait = { Prefer: "wait=60" };
    await client.post("/screener-publications", { screenerId });
    await client.import(screenerId, people(ROWS), {}, wait);
    assert.equal((await client.post("/screener-sessions", { screenerId }, wait)).status, 200);
    const look = () => dump(installation, workspace);
    const before = look();
    const renamed = people(ROWS, MOVED).map((row) => ({ ...row, name: `Renamed ${row.externalUid}` }));
    const imported = await client.import(screenerId, renamed, { importMode: "FULL_SYNC" }, wait);
    assert.equal(imported.status, 200);
    return {
      look,
      after: before,
      last: imported.headers.get("location")!.slice("/jobs/".length),
      submit: (_, last) => client.post(`/jobs/${last}/undo`, undefined, ASYNC),
      async checkMeanwhile(last) {
        // A second one has no effect.
        const second = await client.post(`/jobs/${last}/undo`, undefined, wait);
        assert.deepEqual([second.status, second.body.code], [409, "job_not_undoable"]);
      },
      async check(turn, { summary }) {
        const effects = { leaving: MOVED, returning: MOVED, changedBack: ROWS - MOVED };
        assert.deepEqual(summary, { rows: ROWS + MOVED, reverted: ROWS + MOVED, kept: 0, ...effects });
        assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM effect"), [turn + 3]);
      },
    };
  }));
