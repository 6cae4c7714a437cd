// Redis in trouble: imports are accepted, reads go on, and everything accepted is done, once, when Redis is back.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ASYNC, type Client, people } from "../support/client.ts";
import {
  type Installation,
  install,
  ownRedis,
  type ServiceProcess,
  type TestWorkspace,
  type WebProcess,
} from "../support/process.ts";
import type { RedisServer } from "../support/redis.ts";
import { until } from "../support/until.ts";

const WORKSPACES = 3;
const ROUNDS = 6;
const ROWS = 2000;
/** Commands to Redis are given up after 2 s: who is answered sooner has not waited for one. How long it takes is reported. */
const ACCEPTED_WITHIN_MS = 1900;

/** What goes on in a test while Redis is in trouble. */
interface Trouble {
  redis: RedisServer;
  installation: Installation;
  web: WebProcess;
  workers: ServiceProcess[];
  rosters: Roster[];
}

/** A screener whose roster is replaced again and again. */
interface Roster {
  workspace: TestWorkspace;
  screenerId: string;
  /** The jobs accepted, in order. */
  jobs: string[];
}

scenario("absent when everything starts", {
  redisArgs: [],
  begin: async () => {},
  end: ({ redis }) => redis.start(),
  startsWithout: true,
});

scenario("killed while it carries jobs, and started anew", {
  redisArgs: [],
  begin: ({ redis }) => redis.kill(),
  end: ({ redis }) => redis.start(),
});

scenario("stopped", {
  redisArgs: [],
  begin: async ({ redis }) => redis.signal("SIGSTOP"),
  end: async ({ redis }) => redis.signal("SIGCONT"),
});

scenario("wiped while jobs are queued and under way", {
  redisArgs: [],
  carriesOn: true,
  begin: (trouble) => wipe(trouble),
  between: (trouble) => wipe(trouble),
  end: (trouble) => wipe(trouble),
});

scenario("full", {
  redisArgs: ["--maxmemory-policy", "noeviction"],
  begin: ({ redis }) => configure(redis, "1mb"),
  end: ({ redis }) => configure(redis, "0"),
});

// Listeners are thrown out, and may not come back. Tickets are carried all the same.
scenario("letting nobody listen", {
  redisArgs: [],
  carriesOn: true,
  begin: ({ redis }) => letListen(redis, "resetchannels"),
  end: ({ redis }) => letListen(redis, "allchannels"),
});

interface Scenario {
  redisArgs: string[];
  /** Redis is not there when the processes start, and nothing is carried before `begin`. */
  startsWithout?: true;
  /** It forgets, but takes new jobs all the time. */
  carriesOn?: true;
  begin(trouble: Trouble): Promise<void>;
  /** After each round of imports. */
  between?(trouble: Trouble): Promise<void>;
  end(trouble: Trouble): Promise<void>;
}

function scenario(what: string, { redisArgs, startsWithout, carriesOn, begin, between, end }: Scenario): void {
  test(`with Redis ${what}, imports are accepted, reads go on, and everything is done once it is back`, async (t) => {
    const redis = ownRedis(...redisArgs);
    const installation = install({ REDIS_URL: redis.url, WORKER_CONCURRENCY: "1" });
    if (!startsWithout) await redis.start();
    const web = await installation.web();
    const workers = [await installation.worker(), await installation.worker()];
    const rosters = await Promise.all(Array.from({ length: WORKSPACES }, () => newRoster(installation, web)));
    const trouble: Trouble = { redis, installation, web, workers, rosters };
    let slowest = 0;
    const acceptAll = async (round: number) => {
      const taken = await Promise.all(rosters.map((roster) => accept(roster, web, round)));
      slowest = Math.max(slowest, ...taken);
    };
    // The first one warms up what has just started; and there is something under way when the trouble begins.
    await acceptAll(0);
    slowest = 0;
    const reading = new Reading(rosters[0]!.workspace.client(web));
    await begin(trouble);
    for (let round = 1; round < ROUNDS; round++) {
      await acceptAll(round);
      await between?.(trouble);
    }
    await reading.seeMore(20);
    // The trouble is real: nothing can be handed over.
    const said = /jobs can't be handed over/;
    if (!carriesOn) await until(() => said.test(web.stdout), "the API notices that Redis takes nothing");
    if (startsWithout) assert.deepEqual(installation.control("SELECT DISTINCT status FROM job"), ["QUEUED"]);
    await end(trouble);
    const back = performance.now();
    await installation.drain();
    t.diagnostic(`done ${Math.round(performance.now() - back)} ms after Redis was back`);
    const { count, slowest: slowestRead } = await reading.stop();
    report(t, "accepting an import", slowest);
    report(t, `${count} reads,`, slowestRead);
    assert.ok(slowest < ACCEPTED_WITHIN_MS, `an import was accepted after ${Math.round(slowest)} ms`);
    for (const roster of rosters) await check(trouble, roster);
    for (const process of [web, ...workers]) assert.equal(process.end, undefined, process.stderr);
    assert.equal((await rosters[0]!.workspace.client(web).get("/readyz")).status, 200);
  });
}

function report(t: TestContext, what: string, ms: number): void {
  t.diagnostic(`${what} at most ${Math.round(ms)} ms${ms > 100 ? " (over 100)" : ""}`);
}

async function newRoster(installation: Installation, web: WebProcess): Promise<Roster> {
  const workspace = installation.workspace();
  return { workspace, screenerId: await workspace.client(web).screener(), jobs: [] };
}

/** Hands in the roster of a round: everybody of the one before leaves but for half. @returns ms until it was accepted */
async function accept({ workspace, screenerId, jobs }: Roster, web: WebProcess, round: number): Promise<number> {
  const rows = people(ROWS, (round * ROWS) / 2);
  const started = performance.now();
  const answer = await workspace.client(web).import(screenerId, rows, { importMode: "FULL_SYNC" }, ASYNC);
  const taken = performance.now() - started;
  assert.equal(answer.status, 202, answer.text);
  jobs.push(answer.body.id);
  return taken;
}

/** Everything that was accepted is done, once, and in that order. */
async function check({ web, installation }: Trouble, { workspace, screenerId, jobs }: Roster): Promise<void> {
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

async function wipe({ redis }: Trouble): Promise<void> {
  await withClient(redis, (client) => client.flushall());
}

async function letListen(redis: RedisServer, rule: "resetchannels" | "allchannels"): Promise<void> {
  await withClient(redis, (client) => client.acl("SETUSER", "default", rule));
}

async function configure(redis: RedisServer, maxMemory: string): Promise<void> {
  await withClient(redis, (client) => client.config("SET", "maxmemory", maxMemory));
}

async function withClient(redis: RedisServer, act: (client: ReturnType<RedisServer["client"]>) => Promise<unknown>) {
  const client = redis.client();
  try {
    await act(client);
  } finally {
    client.disconnect();
  }
}
