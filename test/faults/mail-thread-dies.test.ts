// The thread that sends mail dies in the middle of a mailing, again and again: the process lives and serves requests, another thread goes on, and nobody
// gets two messages.

import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newFolder } from "../support/folder.ts";
import { startRelay } from "../support/mail-relay.ts";
import { install, ownRedis } from "../support/process.ts";
import { everyKind, publish } from "../support/study.ts";
import { until } from "../support/until.ts";

const PEOPLE = 40;
const DEATHS = 3;
/** What a process has on its way at most. */
const AT_ONCE = 4;
/** A thread dies just before it records what the relay has said, for the sixth time. */
const SIXTH_RECORD = "6 UPDATE message SET state = ?";

for (const carrier of ["threads", "redis"] as const) {
  test(`a thread that dies while it sends is replaced, and nobody gets two messages (${carrier})`, {
    timeout: 180_000,
  }, async (t) => {
    const redis = carrier === "redis" ? ownRedis() : undefined;
    await redis?.start();
    const relay = await startRelay();
    const KILL_FILE = join(newFolder(), "kill");
    const installation = install({
      ...{ SMTP_URL: relay.url, MAIL_FROM: "studies@lab.example", MAIL_PER_MINUTE: "100000" },
      ...(redis && { REDIS_URL: redis.url }),
    });
    const dying = { preload: ["test/support/kill-at.ts"], env: { KILL_FILE, KILL_WHAT: "thread" } };
    const web = await installation.web(redis ? {} : dying);
    const sender = redis ? await installation.worker(dying) : web;
    const workspace = installation.workspace();
    const client = workspace.client(web);
    const study = await publish(client, everyKind);
    const rows = Array.from({ length: PEOPLE }, (_, person) => ({
      ...{ externalUid: `P${person}`, email: `p${person}@d${person}.example`, name: `Person ${person}` },
    }));
    assert.equal((await client.import(study.screener, rows, {}, { Prefer: "wait=60" })).status, 200);
    const deaths = () =>
      sender.log.filter(({ msg, err }) => msg === "mail failed" && /exited/.test(errorOf(err))).length;

    writeFileSync(KILL_FILE, SIXTH_RECORD);
    const { body: job } = await client.post("/mailings", {
      ...{ screenerId: study.screener, name: "M", kind: "MESSAGE", subject: "For you", body: "Hello" },
    });
    assert.equal(job.status, "SUCCEEDED");
    await until(() => deaths() >= DEATHS, `the thread has died ${DEATHS} times`, 60_000);
    assert.equal((await client.get("/screeners")).status, 200, "requests are answered");
    rmSync(KILL_FILE);
    const read = async () => (await client.get(`/mailings/${job.id}`)).body;
    await until(async () => (await read()).status === "SENT", "the others get theirs", 60_000);

    const { SENT, UNCERTAIN, ...others } = (await read()).messages as Record<string, number>;
    t.diagnostic(JSON.stringify({ deaths: deaths(), received: relay.received.length, SENT, UNCERTAIN }));
    assert.deepEqual(Object.values(others).filter(Boolean), []);
    assert.equal(SENT! + UNCERTAIN!, PEOPLE);
    assert.ok(UNCERTAIN! >= deaths() && UNCERTAIN! <= deaths() * AT_ONCE, "what was on its way is uncertain");
    const came = relay.received.map(({ to }) => to[0]!);
    assert.equal(new Set(came).size, came.length, "nobody got two");
    assert.ok(came.length >= SENT!);
    assert.equal(sender.end, undefined, "the process lives");
  });
}

const errorOf = (error: unknown) => String((error as { message?: string } | undefined)?.message);
