// A mailing goes out of three worker processes: no more than as many messages as may in a minute leave of all of them together, jobs do not wait for
// it, and Redis may lose all that it has.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startRelay } from "../support/mail-relay.ts";
import { install, ownRedis } from "../support/process.ts";
import { everyKind, publish } from "../support/study.ts";
import { until } from "../support/until.ts";

const PER_MINUTE = 120;
/** What may leave at once after a pause: as much as in ten seconds. */
const BURST = PER_MINUTE / 6;
const PEOPLE = BURST + 30;

test("three workers send no more in a minute than may, an import ends meanwhile, and Redis may lose everything", {
  timeout: 240_000,
}, async () => {
  const redis = ownRedis();
  await redis.start();
  const relay = await startRelay();
  const installation = install({
    ...{ REDIS_URL: redis.url, SMTP_URL: relay.url, MAIL_FROM: "studies@lab.example" },
    MAIL_PER_MINUTE: String(PER_MINUTE),
  });
  const web = await installation.web();
  const workers = await Promise.all([installation.worker(), installation.worker(), installation.worker()]);
  // Two workspaces: the rate is of both together.
  const sending = await Promise.all(
    [installation.workspace(), installation.workspace()].map(async (workspace, index) => {
      const client = workspace.client(web);
      const study = await publish(client, everyKind);
      const rows = Array.from({ length: PEOPLE / 2 }, (_, person) => ({
        ...{ externalUid: `P${person}`, name: "Ada", email: `p${person}@d${index}.example` },
      }));
      const { status } = await client.import(study.screener, rows, {}, { Prefer: "wait=60" });
      assert.equal(status, 200);
      return { client, study };
    }),
  );
  const since = performance.now();
  /** Nobody knows how long it takes on a busy machine; but no more leave in that time. */
  const assertRate = () => {
    const count = relay.received.length;
    const most = BURST + ((performance.now() - since) / 60_000) * PER_MINUTE;
    assert.ok(count <= most + 1, `${count} have left, and ${most} may`);
  };
  const mailings = await Promise.all(
    sending.map(async ({ client, study }) => {
      const { body: job } = await client.post("/mailings", {
        ...{ screenerId: study.screener, name: "M", kind: "MESSAGE", subject: "For you", body: "Hello" },
      });
      assert.equal(job.status, "SUCCEEDED");
      return { read: async () => (await client.get(`/mailings/${job.id}`)).body };
    }),
  );
  await until(() => relay.received.length >= BURST / 2, "mail comes", 60_000);
  assertRate();

  const { client, study } = sending[0]!;
  const more = Array.from({ length: 500 }, (_, person) => ({
    externalUid: `N${person}`,
    name: "B",
    email: `n${person}@d.example`,
  }));
  const { body: imported, status } = await client.import(study.screener, more, {}, { Prefer: "wait=60" });
  assert.equal(status, 200, JSON.stringify(imported));
  const { SENT, READY } = (await mailings[0]!.read()).messages;
  assert.ok(READY > 0, `an import ends while the mailing still waits, of which ${SENT} are sent`);

  await redis.kill();
  await redis.start();
  for (const { read } of mailings)
    await until(
      async () => (await read()).status === "SENT",
      "all have left, though Redis knew nothing any more",
      120_000,
    );
  assertRate();
  const came = relay.received.map(({ to }) => to[0]!);
  assert.equal(came.length, PEOPLE);
  assert.equal(new Set(came).size, PEOPLE, "nobody got two");
  const senders = workers.filter(({ log }) => log.some(({ msg }) => msg === "mail"));
  assert.ok(senders.length > 0, "workers send");
  assert.ok(!web.log.some(({ msg }) => msg === "mail"), "a process that serves requests sends none");
});
