// What signals keep, and how it goes: when somebody is erased, after 90 days, and when the study closes. And who joins by an open link is
// compared with others, too.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findScreenerKey } from "../../src/signals/keys.ts";
import { insertMarks } from "../../src/signals/queries.ts";
import { tidy } from "../../src/upkeep/housekeeping.ts";
import { findBytes } from "../support/bytes.ts";
import { startService } from "../support/service.ts";
import { ALL_ON, Browser, formOf, signalsOf, watch } from "../support/signals.ts";
import { storesOf, writeTo } from "../support/store.ts";
import { type Invitation, invite, readSession } from "../support/study.ts";

const service = await startService();
const { workspaces, control } = service.context;
const client = service.workspace();

const DAY_MS = 24 * 3_600_000;
const SAID = "Because my grandmother kept bees, and we sold the honey.";

const kindsOf = async (person: Invitation) => (await signalsOf(client, person))?.map(({ kind }) => kind);
const participantOf = async ({ assignment }: Invitation): Promise<string> =>
  (await client.get(`/screener-participants/${assignment}`)).body.participantId;
const keyOf = (screener: string) => findScreenerKey(control.reader, client.workspaceId, screener);

/** The hashes by which a session is compared, as the bytes that SQLite has of them: they end in these six, however long they are. */
function marksOf({ session }: Pick<Invitation, "session">): Buffer[] {
  return workspaces.read(client.workspaceId, (db) =>
    db
      .values<number>(
        `SELECT hash FROM signal_mark WHERE id / 64 = (SELECT id FROM screener_session WHERE uid = ?)`,
        session,
      )
      .map((hash) => {
        const bytes = Buffer.alloc(8);
        bytes.writeBigUInt64BE(BigInt(hash));
        return bytes.subarray(2);
      }),
  );
}

/** Everything that two people have in common: text, mailbox, browser and, with a third one, the block of the address. */
async function alike(mailbox: string) {
  const study = await watch(client, { review: "ALL", signals: ALL_ON });
  const people = (await invite(client, study.screener, 3)) as [Invitation, Invitation, Invitation];
  const from = "127.201.9.1";
  const browser = new Browser(service, from);
  for (const [at, person] of people.entries()) {
    const email = at === 2 ? `${mailbox}.other@example.org` : `${mailbox}${at ? "+two" : ""}@example.org`;
    const { status, text } = await client.patch(`/participants/${await participantOf(person)}`, { email });
    assert.equal(status, 200, text);
    await (at === 2 ? new Browser(service, from) : browser).answer(study, person, at === 2 ? {} : { why: SAID });
  }
  return { study, people };
}

const SHARED = ["SAME_TEXT", "SAME_EMAIL", "SAME_BROWSER", "SAME_ADDRESS"];

test("an erasure takes what compares a person, and what others' signals say of them, out of every file", async () => {
  const { people } = await alike("ottilie.ravn");
  const [ada, bea, cem] = people;
  for (const person of [ada, bea]) assert.deepEqual(await kindsOf(person), SHARED);
  assert.deepEqual(await kindsOf(cem), ["SAME_ADDRESS"]);
  const { reference } = await readSession(client, ada.session);
  assert.ok((await signalsOf(client, bea))!.some(({ otherReference }) => otherReference === reference));
  const [of, others] = [marksOf(ada), marksOf(bea)];
  assert.equal(of.length, 4);
  for (const mark of of) assert.equal(findBytes(service.config.dataDir, [mark]).length > 0, true, "it is there before");
  const mine = (await client.get(`/participants/${await participantOf(ada)}/export`)).text;
  assert.doesNotMatch(mine, /SAME_|otherReference/);

  const erase = async (person: Invitation) => {
    const erased = await client.delete(`/participants/${await participantOf(person)}`);
    assert.equal(erased.status, 200, erased.text);
  };
  await erase(ada);
  // What was only in common with the erased one is no signal any more.
  assert.deepEqual(
    (await signalsOf(client, bea))!.map(({ kind, otherReference }) => [kind, otherReference === reference]),
    (await kindsOf(bea))!.map((kind) => [kind, false]),
  );
  const left = workspaces.read(client.workspaceId, (db) =>
    db.all<object>(
      `SELECT g.id FROM signal AS g LEFT JOIN screener_session AS o ON o.id = g.other_session_id
       WHERE (g.kind LIKE 'SAME_%' AND o.id IS NULL) OR NOT EXISTS (SELECT 1 FROM screener_session AS s WHERE s.id = g.session_id)`,
    ),
  );
  assert.deepEqual(left, []);
  assert.deepEqual(findBytes(service.config.dataDir, [ada.session, reference, "ottilie.ravn@example.org"]), []);

  // The same hashes stay with the one who has the same things, until they are erased, too.
  assert.deepEqual(marksOf(bea), others);
  const alone = marksOf(cem).filter((mark) => !others.some((other) => other.equals(mark)));
  await erase(bea);
  const shared = others.filter((mark) => !marksOf(cem).some((other) => other.equals(mark)));
  assert.equal(shared.length, 3);
  assert.deepEqual(findBytes(service.config.dataDir, shared), []);
  assert.ok(alone.length > 0);
  for (const mark of alone) assert.ok(findBytes(service.config.dataDir, [mark]).length > 0);
});

test("of very many texts, all are compared with those of others; of the first ones, it is kept by what", () => {
  const marksFrom = (first: number, count: number) =>
    new Map(Array.from({ length: count }, (_, at) => [first + at, { kind: "SAME_TEXT" }] as const));
  writeTo(workspaces, client.workspaceId, (db) => {
    const written = (session: number, marks: ReturnType<typeof marksFrom>) =>
      insertMarks(db, session, marks, new Date());
    assert.deepEqual(written(1_000_001, marksFrom(1, 70)), []);
    // The last ten are those of the first session's beginning.
    const others = new Map([...marksFrom(1001, 65), ...marksFrom(1, 10)]);
    assert.deepEqual(
      written(1_000_002, others),
      Array.from({ length: 10 }, (_, at) => 1 + at),
    );
    assert.deepEqual(written(1_000_003, marksFrom(62, 9)), [], "these were beyond the first 61");
    assert.equal(db.value("SELECT count(*) FROM signal_mark WHERE id / 64 = 1000001"), 61);
    db.run("DELETE FROM signal_mark WHERE id / 64 > 1000000");
  });
});

test("signals, and what sessions are compared by, go after 90 days and not before; reviews stay", async () => {
  const { people } = await alike("sixten.dahl");
  const [ada] = people;
  const marks = marksOf(ada);
  const upkeep = (days: number) => tidy(storesOf(service), Date.now() + days * DAY_MS);
  upkeep(89);
  assert.deepEqual(await kindsOf(ada), SHARED);
  assert.deepEqual(marksOf(ada), marks);
  upkeep(91);
  assert.deepEqual(await kindsOf(ada), []);
  assert.deepEqual(marksOf(ada), []);
  assert.equal((await readSession(client, ada.session)).review.state, "PENDING");
  assert.deepEqual(findBytes(service.config.dataDir, marks), []);
});

test("the key of a study that closes is in no file of the installation", async () => {
  const { study } = await alike("key.one");
  const { study: other } = await alike("key.two");
  const [key, otherKey] = [keyOf(study.screener)!, keyOf(other.screener)!];
  for (const one of [key, otherKey]) assert.ok(findBytes(service.config.dataDir, [one]).length > 0);
  await client.patch(`/screeners/${study.screener}`, { acceptance: "CLOSED" });
  assert.equal(keyOf(study.screener), undefined);
  assert.ok(findBytes(service.config.dataDir, [key]).length > 0, "the log still has it");
  tidy(storesOf(service));
  assert.deepEqual(findBytes(service.config.dataDir, [key]), []);
  assert.equal(control.reader.value("SELECT count(*) FROM screener_key WHERE screener_uid = ?", study.screener), 0);
  assert.ok(findBytes(service.config.dataDir, [otherKey]).length > 0);
  // By its time: within the hour.
  await client.patch(`/screeners/${other.screener}`, { closesAt: new Date(Date.now() + DAY_MS).toISOString() });
  tidy(storesOf(service));
  assert.deepEqual(keyOf(other.screener), otherKey);
  tidy(storesOf(service), Date.now() + 2 * DAY_MS);
  assert.equal(keyOf(other.screener), undefined);
});

test("who joins by an open link in the same browser, or from the same block of addresses, is compared with all others", async () => {
  const study = await watch(client, {
    review: "ALL",
    signals: { sameBrowser: {}, sameAddress: { minSessions: 3 } },
  });
  const { body } = await client.post("/screener-links", { screenerId: study.screener, name: "Poster" });
  const path = new URL(body.link).pathname;
  const join = async (browser: Browser) => {
    assert.equal((await browser.get(path)).status, 200);
    const sent = await browser.post(path, formOf(study, {}));
    assert.equal(sent.status, 303, sent.text);
  };
  const one = new Browser(service, "127.202.1.1");
  await join(one);
  assert.match(one.cookie, new RegExp(`^browser-${study.screener}=`));
  await join(one);
  // Somebody with a link of their own, from the same block.
  const [invited] = await invite(client, study.screener, 1);
  await new Browser(service, "127.202.1.77").answer(study, invited!);
  await join(new Browser(service, "127.202.2.1"));
  const kinds = new Map<string, string | undefined>();
  for (const { id, screenerLinkId } of await client.all(
    `/screener-sessions?filter[screenerId][eq]=${study.screener}`,
  )) {
    const found = (await signalsOf(client, { session: id }))!.map(({ kind }) => kind);
    kinds.set(id, `${screenerLinkId ? "joined" : "invited"}: ${found}`);
  }
  assert.deepEqual([...kinds.values()].sort(), [
    "invited: SAME_ADDRESS",
    "joined: ",
    "joined: SAME_BROWSER,SAME_ADDRESS",
    "joined: SAME_BROWSER,SAME_ADDRESS",
  ]);
});
