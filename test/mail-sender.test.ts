// What sends mail ends in the middle of a mailing: what it has claimed leaves, and is recorded. One that can't be written keeps back no other.

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

/** A mailing to ten people, and all that a sender of its own needs: nothing else sends. */
async function toTen() {
  const there = await startRelay();
  const mail = there.config();
  const { context, workspace } = await startService({ config: { mail, redisUrl: undefined } });
  const { control, workspaces, log, findings, cell, config, published } = context;
  await context.mail!.mailer.close();
  const client = workspace();
  const people = addresses(10).map((email) => ({ email }));
  const { screener } = await studyWith(client, people);
  await send(client, invitation(screener));
  const { publicUrl } = config;
  const relay = new Relay(mail);
  const statesNow = () =>
    workspaces.read(client.workspaceId, (db) => db.values<string>("SELECT state FROM message ORDER BY id"));
  const options: ConstructorParameters<typeof Sender>[0] = {
    ...{ control, workspaces, log, findings, publicUrl, cell, attempts: new Attempts(), relay },
    ...{ perMinute: mail.perMinute, inbound: undefined, presence: { name: "this", isAlive: () => false } },
    mailings: mailingSender({ control, publicUrl, cell, published }),
    write: (workspaceUid, messages) =>
      writeOut({ control, workspaces, published }, { workspaceUid, composing: mail, messages }),
  };
  return { there, workspace: client.workspaceId, relay, statesNow, options };
}

test("messages that are being claimed when the process is to end are sent and recorded before it has", async () => {
  const { there, workspace, relay, statesNow, options } = await toTen();
  const { mailings } = options;
  let atTheEnd: Promise<string[]> | undefined;
  const sender = new Sender({
    ...options,
    mailings: {
      ...mailings,
      claim(...claiming) {
        const claimed = mailings.claim(...claiming);
        atTheEnd ??= sender.close().then(statesNow);
        return claimed;
      },
    },
  });
  await sender.turn(workspace);
  const states = (await atTheEnd)!;
  const sent = states.filter((state) => state === "SENT");
  assert.ok(sent.length > 0 && sent.length === there.received.length, states.join());
  assert.deepEqual(new Set(states), new Set(["SENT", "READY"]));
  await relay.close();
});

test("a message that can't be written keeps back none of those that are written out with it", async () => {
  const { there, workspace, relay, statesNow, options } = await toTen();
  const together: number[] = [];
  let unwritable: string | undefined;
  const sender = new Sender({
    ...options,
    write(uid, messages) {
      together.push(messages.length);
      unwritable ??= messages[0]!.to;
      // Its language is none.
      const spoilt = messages.map((one) =>
        one.to === unwritable ? { ...one, unwritten: { ...one.unwritten, language: "<" } } : one,
      );
      return options.write(uid, spoilt);
    },
  });
  // A turn lasts a second: a slow machine needs more of them.
  while (statesNow().includes("READY")) await sender.turn(workspace);
  await sender.close();
  assert.ok(together[0]! > 1, "they are written out together");
  assert.equal(there.received.length, 9);
  const states = statesNow();
  assert.deepEqual([states[0], new Set(states.slice(1))], ["DEFERRED", new Set(["SENT"])]);
  await relay.close();
});
