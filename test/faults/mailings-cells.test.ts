// Mail of a workspace that goes to another cell: its mailing goes on there, nobody gets two messages, and what comes back to the old cell is passed on.

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, move, startCell } from "../support/cells.ts";
import { startRelay } from "../support/mail-relay.ts";
import { bring, complaint, INBOUND, INBOUND_SECRET, reportOn } from "../support/returned-mail.ts";
import { everyKind, publish } from "../support/study.ts";
import { until } from "../support/until.ts";

/** Some leave before the move, and some after it: twenty at once, and two in a second. */
const PEOPLE = 36;
const PER_MINUTE = 120;

test("a mailing goes on in the cell that its workspace moves to, and mail that comes back finds it", {
  timeout: 240_000,
}, async () => {
  const relay = await startRelay();
  const settings = {
    ...{ SMTP_URL: relay.url, MAIL_FROM: "studies@lab.example", MAIL_PER_MINUTE: "100000" },
    ...{ MAIL_INBOUND: INBOUND, MAIL_INBOUND_SECRET: INBOUND_SECRET },
  };
  const [from, to] = [await startCell("eu1", { settings }), await startCell("eu2", { settings })];
  const workspace = from.installation.workspace();
  const client = at(from, workspace);
  const study = await publish(client, everyKind);
  const people = Array.from({ length: PEOPLE }, (_, n) => ({
    ...{ externalUid: `P${n}`, name: "Ada", email: `p${n}@example.org` },
  }));
  await client.import(study.screener, people);
  const { body: mailing } = await client.post("/mailings", {
    ...{ screenerId: study.screener, name: "M", kind: "INVITATION", perMinute: PER_MINUTE },
    ...{ subject: "For you", body: "{{link}}" },
  });
  await until(() => relay.received.length >= 5, "some have left");
  await move(from, workspace, to);
  const there = at(to, workspace);
  const read = async () => (await there.get(`/mailings/${mailing.id}`)).body;
  assert.notEqual((await read()).status, "SENT", "others still wait");
  await until(async () => (await read()).status === "SENT", "the others leave", 120_000);
  const { SENT, UNCERTAIN, DROPPED } = (await read()).messages;
  assert.deepEqual([SENT + UNCERTAIN, DROPPED], [PEOPLE, 0]);
  assert.ok(UNCERTAIN <= 4, `${UNCERTAIN} were on their way`);
  const came = relay.received.map(({ to }) => to[0]!);
  assert.equal(new Set(came).size, came.length, "nobody got two");
  assert.ok(came.length >= SENT);

  const [bounced, complained] = relay.received as [(typeof relay.received)[0], (typeof relay.received)[0]];
  const brought = async (recipient: string, mail: string) => (await bring(from.web.url, recipient, mail)).body.outcome;
  assert.equal(await brought(bounced.from, reportOn({ to: bounced.to[0]! })), "BOUNCED_HARD");
  assert.equal(await brought(INBOUND, complaint([`Original-Mail-From: <${complained.from}>`], [])), "COMPLAINED");
  const suppressed = await there.all("/mail-suppressions");
  assert.deepEqual(
    suppressed.map(({ address, reason }) => `${address} ${reason}`).toSorted(),
    [`${bounced.to[0]} BOUNCED`, `${complained.to[0]} COMPLAINED`].toSorted(),
  );
});
