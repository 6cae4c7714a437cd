// What sends mail ends in the middle of a mailing: what it has claimed leaves, and is recorded.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Attempts } from "../src/mail/attempts.ts";
import { Relay } from "../src/mail/relay/relay.ts";
import { Sender } from "../src/mail/sender.ts";
import { mailingSender } from "../src/mailings/send.ts";
import { writeOut } from "../src/mailings/write.ts";
import { startRelay } from "./support/mail-relay.ts";
import { addresses, invitation, send, studyWith } from "./support/mailings.ts";
import { startService } from "./support/service.ts";

test("messages that are being claimed when the process is to end are sent and recorded before it has", async () => {
  const there = await startRelay();
  const mail = there.config();
  const { context, workspace } = await startService({ config: { mail, redisUrl: undefined } });
  const { control, workspaces, log, findings, cell, config } = context;
  // Only the sender below sends.
  await context.mail!.mailer.close();
  const client = workspace();
  const people = addresses(10).map((email) => ({ email }));
  const { screener } = await studyWith(client, people);
  await send(client, invitation(screener));
  const { publicUrl } = config;
  const { published } = context;
  const mailings = mailingSender({ control, publicUrl, cell, published });
  const relay = new Relay(mail);
  const statesNow = () =>
    workspaces.read(client.workspaceId, (db) => db.values<string>("SELECT state FROM message ORDER BY id"));
  let atTheEnd: Promise<string[]> | undefined;
  const sender = new Sender({
    ...{ control, workspaces, log, findings, publicUrl, cell, attempts: new Attempts(), relay },
    ...{ perMinute: mail.perMinute, inbound: undefined, presence: { name: "this", isAlive: () => false } },
    mailings: {
      ...mailings,
      claim(...claiming) {
        const claimed = mailings.claim(...claiming);
        atTheEnd ??= sender.close().then(statesNow);
        return claimed;
      },
    },
    write: (workspaceUid, messages) =>
      writeOut({ control, workspaces, published }, { workspaceUid, composing: mail, messages }),
  });
  await sender.turn(client.workspaceId);
  const states = (await atTheEnd)!;
  const sent = states.filter((state) => state === "SENT");
  assert.ok(sent.length > 0 && sent.length === there.received.length, states.join());
  assert.deepEqual(new Set(states), new Set(["SENT", "READY"]));
  await relay.close();
});
