// Redis in trouble: imports are accepted, reads go on, and everything accepted is done, once, when Redis is back.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ASYNC, type Client, people } from "../support/client.ts";
import { install, ownRedis, type TestWorkspace } from "../support/process.ts";
import type { RedisServer } from "../support/redis.ts";
import { until } from "../support/until.ts";

const WORKSPACES = 3;
const ROUNDS = 6;
const ROWS = 2000;
/** Commands to Redis are given up after 2 s: who is answered sooner has not waited for one. How long it takes is reported. */
const ACCEPTED_WITHIN_MS = 1900;

/** A screener whose roster is replaced again and again. */
interface Roster {
  workspace: TestWorkspace;
  screenerId: string;
  /** The jobs accepted, in order. */
  jobs: string[];
}

/** When it is full, it takes nothing more. */
const redis = ownRedis("--maxmemory-policy", "noeviction");
const installation = install({ REDIS_URL: redis.url, WORKER_CONCURRENCY: "1" });
/** These live through all scenarios. They start where there is no Redis. */
const web = await installation.web();
const workers = [await installation.worker(), await installation.worker()];

scenario("absent when everything starts", {
  begin: async () => {},
  end: () => redis.start(),
  startsWithout: true,
});

scenario("killed while it carries jobs, and started anew", {
  begin: () => redis.kill(),
  end: () => redis.start(),
});

scenario("stopped", {
  begin: async () => redis.signal("SIGSTOP"),
  end: async () => redis.signal("SIGCONT"),
});

scenario("wiped while jobs are queued and under way", {
  carriesOn: true,
  begin: wipe,
  between: wipe,
  end: wipe,
});

scenario("full", {
  begin: () => configure("1mb"),
  end: () => configure("0"),
});

// Listeners are thrown out, and may not come back. Tickets are carried all the same.
scenario("letting nobody listen", {
  carriesOn: true,
  begin: () => letListen("resetchannels"),
  end: () => letListen("allchannels"),
});

interface Scenario {
  /** Redis is not there when the processes start, and nothing is carried before `begin`. */
  startsWithout?: true;
  /** It forgets, but takes new jobs all the time. */
  carriesOn?: true;
  begin(): Promise<void>;
  /** After each round of imports. */
  between?(): Promise<void>;
  end(): Promise<void>;
}

function scenario(what: string, { startsWithout, carriesOn, begin, between, end }: Scenario): void {
  test(`with Redis ${what}, imports are accepted, reads go on, and everything is done once it is back`, async (t) => {
    const rosters = await Promise.all(Array.from({ length: WORKSPACES }, newRoster));
    let slowest = 0;
    const acceptAll = async (round: number) => {
      const taken = await Promise.all(rosters.map((roster) => accept(roster, round)));
      slowest = Math.max(slowest, ...taken);
    };
    // The first one warms up what has just started; and there is something under way when the trouble begins.
    await acceptAll(0);
    slowest = 0;
    const reading = new Reading(rosters[0]!.workspace.client(web));
    const written = startsWithout ? 0 : web.stdout.length;
    await begin();
    for (let round = 1; round < ROUNDS; round++) {
      await acceptAll(round);
      await between?.();
    }
    await reading.seeMore(20);
    // The trouble is real: nothing can be handed over.
    const said = /jobs can't be handed over/;
    if (!carriesOn) await until(() => said.test(web.stdout.slice(written)), "the API notices that Redis takes nothing");
    if (startsWithout) assert.deepEqual(installation.control("SELECT DISTINCT status FROM job"), ["QUEUED"]);
    await end();
    const back = performance.now();
    await installation.drain();
    t.diagnostic(`done ${Math.round(performance.now() - back)} ms after Redis was back`);
    const { count, slowest: slowestRead } = await reading.stop();
    report(t, "accepting an import", slowest);
    report(t, `${count} reads,`, slowestRead);
    assert.ok(slowest < ACCEPTED_WITHIN_MS, `an import was accepted after ${Math.round(slowest)} ms`);
    for (const roster of rosters) await check(roster);
    for (const process of [web, ...workers]) assert.equal(process.end, undefined, process.stderr);
    assert.equal((await rosters[0]!.workspace.client(web).get("/readyz")).status, 200);
  });
}

function report(t: TestContext, what: string, ms: number): void {
  t.diagnostic(`${what} at most ${Math.round(ms)} ms${ms > 100 ? " (over 100)" : ""}`);
}

async function newRoster(): Promise<Roster> {
  const workspace = installation.workspace();
  return { workspace, screenerId: await workspace.client(web).screener(), jobs: [] };
}

/** Hands in the roster of a round: everybody of the one before leaves but for half. @returns ms until it was accepted */
async function accept({ workspace, screenerId, jobs }: Roster, round: number): Promise<number> {
  const rows = people(ROWS, (round * ROWS) / 2);
  const started = performance.now();
  const answer = await workspace.client(web).import(screenerId, rows, { importMode: "FULL_SYNC" }, ASYNC);
  const taken = performance.now() - started;
  assert.equal(answer.status, 202, answer.text);
  jobs.push(answer.body.id);
  return taken;
}

/** Everything that was accepted is done, once, and in that order. */
async function check({ workspace, screenerId, jobs }: Roster): Promise<void> {
  const client = workspace.client(web);
  const finished: string[] = [];
  for (const [round, id] of jobs.entries()) {
    const { body: job } = await client.get(`/jobs/${id}`);
    assert.equal(job.status, "SUCCEEDED");
    const changed = round === 0 ? ROWS : ROWS / 2;
    assert.deepEqual(job.summary, {
      rows: ROWS,
      created: changed,
      updated: 0,
      unchanged: ROWS - changed,
      assigned: changed,
      removed: round === 0 ? 0 : ROWS / 2,
    });
    finished.push(job.finishedAt);
  }
  assert.deepEqual(finished, finished.toSorted(), "the jobs of a workspace are done in the order of their acceptance");
  const last = people(ROWS, ((jobs.length - 1) * ROWS) / 2).map(({ externalUid }) => externalUid);
  const assigned = await client.all(`/screener-participants?filter[screenerId][eq]=${screenerId}`);
  assert.deepEqual(assigned.map(({ externalParticipantUid }) => externalParticipantUid).toSorted(), last.toSorted());
  assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM job_outcome"), [jobs.length]);
}

/** Somebody who reads all the time, and expects nothing but 200. */
class Reading {
  count = 0;
  slowest = 0;
  readonly #client: Client;
  readonly #over: Promise<void>;
  #stopped = false;

  constructor(client: Client) {
    this.#client = client;
    this.#over = this.#read();
    // What goes wrong is thrown by stop().
    this.#over.catch(() => {});
  }

  async #read(): Promise<void> {
    while (!this.#stopped) {
      const started = performance.now();
      const { status } = await this.#client.get("/participants?pagination[limit]=20");
      assert.equal(status, 200);
      this.slowest = Math.max(this.slowest, performance.now() - started);
      this.count++;
    }
  }

  async seeMore(count: number): Promise<void> {
    const enough = this.count + count;
    await Promise.race([until(() => this.count >= enough, "there were more reads"), this.#over]);
  }

  async stop(): Promise<this> {
    this.#stopped = true;
    await this.#over;
    return this;
  }
}

async function wipe(): Promise<void> {
  await withClient((client) => client.flushall());
}

async function letListen(rule: "resetchannels" | "allchannels"): Promise<void> {
  await withClient((client) => client.acl("SETUSER", "default", rule));
}

async function configure(maxMemory: string): Promise<void> {
  await withClient((client) => client.config("SET", "maxmemory", maxMemory));
}

async function withClient(act: (client: ReturnType<RedisServer["client"]>) => Promise<unknown>) {
  const client = redis.client();
  try {
    await act(client);
  } finally {
    client.disconnect();
  }
}
