// An API process is killed at any moment: acknowledged work is kept, and other work is there once or not at all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Client } from "../support/client.ts";
import { type Installation, install, ownRedis, type TestWorkspace } from "../support/process.ts";
import { KILLS, seeded } from "../support/seeded.ts";

/** With each carrier. */
const KILLS_HERE = Math.ceil(KILLS / 2);
const LANES = 6;
const ROWS = 40;

/** What a client writes down of a request: before it sends it, and when it is answered. */
interface Entry {
  key: string;
  path: string;
  body: string;
  headers: Record<string, string>;
  /** The people whom it brings. */
  externalUids: string[];
  answer: Answer | undefined;
}

for (const carrier of ["threads", "redis"] as const) {
  test(`an API process killed ${KILLS_HERE} times while it takes work keeps what it answered (${carrier})`, async (t) => {
    const redis = carrier === "redis" ? ownRedis() : undefined;
    await redis?.start();
    const installation = install(redis ? { REDIS_URL: redis.url } : {});
    const workspace = installation.workspace();
    let web = await installation.web();
    const worker = redis && (await installation.worker());
    const screenerId = await workspace.client(web).screener();
    const draw = seeded(`api ${carrier}`);
    const journal: Entry[] = [];
    const counts = { answered: 0, "unanswered, there": 0, "unanswered, not there": 0 };
    for (let round = 0; round < KILLS_HERE; round++) {
      const client = workspace.client(web);
      const entries: Entry[] = [];
      const lanes = Array.from({ length: LANES }, (_, lane) =>
        keepSending(client, () => entry(screenerId, `${round}-${lane}-${entries.length}`, entries.length, entries)),
      );
      await sleep(50 + draw() * 500);
      await web.kill();
      await Promise.all(lanes);
      web = await installation.web();
      await installation.drain();
      for (const one of entries) {
        const before = await presence(workspace.client(web), one);
        if (one.answer) {
          counts.answered++;
          assert.equal(before, one.externalUids.length, `what was answered ${one.answer.status} is there`);
        } else if (before) counts["unanswered, there"]++;
        else counts["unanswered, not there"]++;
        assert.ok(before === 0 || before === one.externalUids.length, `${before} of ${one.externalUids.length} rows`);
        await settle(installation, workspace, workspace.client(web), one, before > 0);
      }
      journal.push(...entries);
    }
    t.diagnostic(JSON.stringify(counts));
    assert.ok(
      counts.answered > KILLS_HERE && counts["unanswered, there"] + counts["unanswered, not there"] > KILLS_HERE,
    );
    await installation.drain();
    const client = workspace.client(web);
    for (const one of journal) assert.equal(await presence(client, one), one.externalUids.length);
    const expected = journal.flatMap(({ externalUids }) => externalUids).length;
    assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, expected);
    assert.deepEqual(installation.stored(workspace, "SELECT count(DISTINCT external_uid) FROM participant"), [
      expected,
    ]);
    assert.deepEqual(installation.stored(workspace, "PRAGMA quick_check"), ["ok"]);
    assert.deepEqual(installation.control("PRAGMA quick_check"), ["ok"]);
    assert.deepEqual(installation.control("SELECT DISTINCT status FROM job"), ["SUCCEEDED"]);
    assert.equal(worker?.end, undefined);
  });
}

/** One of three: an import to be waited for, an import that is not, or one person. */
function entry(screenerId: string, name: string, index: number, entries: Entry[]): Entry {
  const isImport = index % 3 < 2;
  const rows = Array.from({ length: isImport ? ROWS : 1 }, (_, row) => ({
    externalUid: `${name}-${row}`,
    email: `${name}-${row}@example.org`,
    name: `Person ${name}`,
  }));
  const made: Entry = {
    key: `key ${name}`,
    path: isImport ? "/screener-participants-import" : "/participants",
    body: JSON.stringify(isImport ? { screenerId, participants: rows } : rows[0]),
    headers: index % 3 === 0 ? { Prefer: "respond-async" } : {},
    externalUids: rows.map(({ externalUid }) => externalUid),
    answer: undefined,
  };
  entries.push(made);
  return made;
}

/** Sends one request after the other, until nobody answers. */
async function keepSending(client: Client, next: () => Entry): Promise<void> {
  for (;;) {
    const one = next();
    try {
      one.answer = await send(client, one);
    } catch {
      return;
    }
    const expected = one.path === "/participants" ? 201 : one.headers.Prefer ? 202 : 200;
    assert.equal(one.answer.status, expected, one.answer.text);
  }
}

function send(client: Client, { key, path, body, headers }: Entry): Promise<Answer> {
  return client.call("POST", path, { raw: body, headers: { ...headers, "Idempotency-Key": key } });
}

/** How many of an entry's people there are. */
async function presence(client: Client, { externalUids }: Entry): Promise<number> {
  const query = externalUids.map((uid) => `filter[externalUid][in][]=${uid}`).join("&");
  return (await client.get(`/participants?${query}&pagination[limit]=1`)).body.total;
}

/** Sends an entry once more: what was done before is not done again, and its answer is the one that it had. */
async function settle(
  installation: Installation,
  workspace: TestWorkspace,
  client: Client,
  one: Entry,
  wasThere: boolean,
): Promise<void> {
  const writes = () => [
    installation.control<number>("SELECT count(*) FROM job")[0],
    installation.stored<number>(workspace, "SELECT count(*) FROM participant")[0],
  ];
  const before = writes();
  const again = await send(client, one);
  const isAsync = again.status === 202;
  assert.ok([200, 201, 202].includes(again.status), again.text);
  if (wasThere) assert.deepEqual(writes(), before, "nothing is done twice");
  if (one.answer) {
    assert.equal(again.status, one.answer.status);
    if (isAsync) assert.equal(again.body.id, one.answer.body.id);
    else assert.deepEqual(again.body, one.answer.body);
  }
  if (isAsync && wasThere) assert.equal(again.body.status, "SUCCEEDED");
  if (isAsync && !wasThere) await installation.drain();
}
