// Readers of the feed that come to events and rows of others only after somebody was erased: their copies are what the lists show.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findBytes } from "../support/bytes.ts";
import type { Client } from "../support/client.ts";
import { Mirror } from "../support/mirror.ts";
import { idOf, LONGER_THAN_SMALL } from "../support/random-imports.ts";
import { startService } from "../support/service.ts";

const service = await startService();

interface Scene {
  client: Client;
  /** Imports these people. @returns the id of the job */
  send(...participants: object[]): Promise<string>;
  patch(id: string | undefined, changes: object): Promise<void>;
  /** The id of the participant with this `externalUid`. */
  find(externalUid: string): Promise<string>;
}

/** Checks two readers: one that was away since `before`, and one that begins with the first event when all is over. */
async function assertFollowed(
  isLarge: boolean,
  before: (scene: Scene) => Promise<void>,
  after: (scene: Scene) => Promise<string>,
): Promise<Scene> {
  const client = service.workspace();
  const screenerId = await client.screener();
  await client.post("/screener-publications", { screenerId });
  const scene: Scene = {
    client,
    async send(...participants) {
      const raw = JSON.stringify({ screenerId, participants }) + (isLarge ? LONGER_THAN_SMALL : "");
      const answer = await client.call("POST", "/screener-participants-import", { raw });
      assert.equal(answer.status, 200, answer.text);
      return idOf(answer);
    },
    async patch(id, changes) {
      const { status, text } = await client.patch(`/participants/${id}`, changes);
      assert.equal(status, 200, text);
    },
    async find(externalUid) {
      const { body } = await client.get(`/participants?filter[externalUid][eq]=${externalUid}`);
      return body.items[0].id;
    },
  };
  const away = new Mirror();
  away.start(client, "--from-start");
  await before(scene);
  await away.caughtUp(client);
  await away.kill();
  const erased = await after(scene);
  assert.equal((await client.delete(`/participants/${erased}`)).status, 200);
  const late = new Mirror();
  for (const mirror of [away, late]) {
    mirror.start(client, "--from-start");
    await mirror.caughtUp(client);
    await mirror.assertSame(client);
    assert.ok(!mirror.output.includes("are gone"), mirror.output);
    await mirror.kill();
  }
  return scene;
}

/** All changes that events and rows say of a participant's member, in their order: from and to. */
async function changesOf({ client }: Scene, id: string, member: string): Promise<unknown[][]> {
  const found: unknown[][] = [];
  const add = (changes: { field: string; from: unknown; to: unknown }[] | null) => {
    for (const { field, from, to } of changes ?? []) if (field === member) found.push([from, to]);
  };
  for (const { resource, jobId, changes } of await client.all("/events")) {
    if (resource.id === id) add(changes);
    if (jobId === null) continue;
    const rows = await client.get(`/jobs/${jobId}/rows?pagination[limit]=500`);
    for (const row of rows.body.items ?? []) if (row.participantId === id) add(row.changes);
  }
  return found;
}

/** An email that goes from one to another. It is longer than errors show values. */
const MOVES = `moves@${"a".repeat(50)}.${"b".repeat(50)}.example.org`;

const person = (n: number) => ({ externalUid: `U-${n}`, email: `u${n}@example.org`, name: `Person ${n}` });

for (const isLarge of [false, true]) {
  const where = isLarge ? "in files" : "in the ledger";

  test(`a namesake of an erased person keeps the name in the log, rows ${where}`, async () => {
    let two = "";
    const scene = await assertFollowed(
      isLarge,
      async ({ send }) => {
        await send(person(1), person(2), person(3));
      },
      async ({ send, patch, find }) => {
        two = await find("U-2");
        await patch(two, { name: "Person 1" });
        await send({ externalUid: "U-3", name: "Person 1" }, { ...person(4), name: "Person 1" });
        return find("U-1");
      },
    );
    assert.deepEqual(await changesOf(scene, two, "name"), [
      [null, "Person 2"],
      ["Person 2", "Person 1"],
    ]);
  });

  test(`an email that went from an erased person to others is marked in their history, rows ${where}`, async () => {
    const ids: Record<string, string> = {};
    const scene = await assertFollowed(
      isLarge,
      async ({ send }) => {
        await send(person(1), person(2), person(3), person(4), person(5));
      },
      async ({ client, send, patch, find }) => {
        for (const n of [1, 2, 3, 4, 5]) ids[n] = await find(`U-${n}`);
        // By hand: the second one had it, and has another one now.
        await patch(ids[1], { email: MOVES });
        await patch(ids[1], { email: "last@example.org" });
        await patch(ids[2], { email: MOVES });
        await patch(ids[2], { email: "two@example.org" });
        // By an import; what comes after it is an import, too.
        await send({ externalUid: "U-3", email: MOVES.replace("moves", "Moves") });
        await send({ externalUid: "U-3", email: "three@example.org" });
        // By an undo, and by one that is undone.
        await patch(ids[4], { email: MOVES });
        const undone = await send({ externalUid: "U-4", email: "four@example.org" }, { ...person(6) });
        const { body: undo } = await client.post(`/jobs/${undone}/undo`, {});
        assert.equal(undo.summary.reverted, 2);
        const again = await client.post(`/jobs/${undo.id}/undo`, {});
        assert.equal(again.body.summary.reverted, 2);
        // Of one who comes with it, and loses it.
        await send({ ...person(7), email: MOVES });
        await patch(await find("U-7"), { email: "seven@example.org" });
        // Somebody has the person's first email now: that stays.
        await patch(ids[5], { email: "u1@example.org" });
        return ids[1]!;
      },
    );
    assert.deepEqual(await changesOf(scene, ids[2]!, "email"), [
      [null, "u2@example.org"],
      ["u2@example.org", "[erased]"],
      ["[erased]", "two@example.org"],
    ]);
    assert.deepEqual(await changesOf(scene, ids[3]!, "email"), [
      [null, "u3@example.org"],
      ["u3@example.org", "[erased]"],
      ["[erased]", "three@example.org"],
    ]);
    assert.deepEqual(await changesOf(scene, ids[4]!, "email"), [
      [null, "u4@example.org"],
      ["u4@example.org", "[erased]"],
      ["[erased]", "four@example.org"],
      ["four@example.org", "[erased]"],
      ["[erased]", "four@example.org"],
    ]);
    assert.deepEqual((await changesOf(scene, ids[5]!, "email")).at(-1), ["u5@example.org", "u1@example.org"]);
    for (const text of [MOVES, MOVES.replace("moves", "Moves"), "last@example.org"])
      assert.deepEqual(findBytes(service.config.dataDir, [text]), []);
  });

  test(`an externalUid that went from an erased person to others is marked in their history, rows ${where}`, async () => {
    let two = "";
    const scene = await assertFollowed(
      isLarge,
      async ({ send }) => {
        await send({ ...person(1), externalUid: "MOVES-1" }, person(2));
      },
      async ({ client, send, patch, find }) => {
        const one = await find("MOVES-1");
        two = await find("U-2");
        await patch(one, { externalUid: "LAST-1" });
        await patch(two, { externalUid: "MOVES-1" });
        // What imports and undos did to the second one under that id.
        const undone = await send(
          { externalUid: "MOVES-1", name: "Second", email: "second@example.org" },
          { ...person(3), externalUid: "U-3" },
        );
        assert.equal((await client.post(`/jobs/${undone}/undo`, {})).body.summary.reverted, 2);
        await send({ externalUid: "MOVES-1", attributes: { town: "Oslo" } });
        await patch(two, { externalUid: "U-2-again" });
        // One who came with it by an import, has a session by a job, and has another one now.
        await send({ ...person(4), externalUid: "MOVES-1" });
        const four = await find("MOVES-1");
        const screenerId = (await client.all("/screeners"))[0].id;
        assert.equal((await client.post("/screener-sessions", { screenerId })).status, 200);
        await patch(four, { externalUid: "U-4" });
        // One who came with it, and went with an undo; and one who came back.
        const fifth = await send({ ...person(5), externalUid: "MOVES-1" });
        const gone = await client.post(`/jobs/${fifth}/undo`, {});
        assert.equal(gone.body.summary.reverted, 1);
        assert.equal((await client.post(`/jobs/${gone.body.id}/undo`, {})).body.summary.reverted, 1);
        await patch(await find("MOVES-1"), { externalUid: "U-5" });
        const sixth = await send({ ...person(6), externalUid: "MOVES-1" });
        assert.equal((await client.post(`/jobs/${sixth}/undo`, {})).body.summary.reverted, 1);
        return one;
      },
    );
    assert.deepEqual(await changesOf(scene, two, "externalUid"), [
      ["U-2", "[erased]"],
      ["[erased]", "U-2-again"],
    ]);
    assert.deepEqual(findBytes(service.config.dataDir, ["MOVES-1", "LAST-1"]), []);
  });
}

test("a session whose tags name an erased person has what the lists show", async () => {
  await assertFollowed(
    false,
    async ({ send }) => {
      await send({ ...person(1), name: "Wilhelmine Ostrander" }, person(2), person(3));
    },
    async ({ client, find }) => {
      const [{ id: screenerId }] = await client.all("/screeners");
      const tags = [{ category: "Recruited by", value: "Wilhelmine Ostrander" }];
      assert.equal((await client.post("/screener-publications", { screenerId, tags })).status, 201);
      const assignments = await client.all("/screener-participants");
      const two = assignments.find(({ externalParticipantUid }) => externalParticipantUid === "U-2");
      assert.equal((await client.open(two.id)).status, 201);
      assert.equal((await client.post("/screener-sessions", { screenerId })).status, 200);
      return find("U-1");
    },
  );
});
