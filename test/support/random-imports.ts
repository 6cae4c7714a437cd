// Random imports for tests: payloads that meet in a few people and emails, some of them wrong; and what is there afterwards.

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Answer, Client } from "./client.ts";

/** A job with a longer payload works in a file, one with a shorter payload in memory. */
export const LONGER_THAN_SMALL = " ".repeat(33_000);

/** For a long run: how many sequences there are of each kind, however long they take. */
export const LONG_RUNS = Number(process.env.RANDOM_RUNS ?? 0);

export const uid = fc.nat(7).map((number) => `P-${number}`);
/** Few, in two cases, so that they meet. */
export const email = fc.tuple(fc.nat(7), fc.boolean()).map(([n, up]) => (up ? `E${n}@X.ORG` : `e${n}@x.org`));
export const name = fc.nat(3).map((number) => `Name ${number}`);
/** One of a list, whatever its length. */
export const pick = fc.nat(1000);

interface Row {
  externalUid: string;
  email?: string | null;
  name?: string | null;
}

const row: fc.Arbitrary<Row> = fc.record(
  { externalUid: uid, email: fc.option(email, { freq: 6 }), name: fc.option(name, { freq: 6 }) },
  { requiredKeys: ["externalUid"] },
);

const wrongRow = fc.oneof(
  fc.constantFrom<unknown>(null, "P-1", { externalUid: null }, { externalUid: 7 }, { externalUid: "P-1\u0000" }),
  fc.record({ externalUid: uid, email: fc.constant("nobody") }),
  fc.record({ externalUid: uid, name: fc.constant(7) }),
  fc.record({ externalUid: fc.constant(" "), email }),
);

export interface Payload {
  /** Which of the workspace's screeners. */
  screener: number;
  settings: {
    importMode?: string | undefined;
    onRowError?: string | undefined;
    maxRemovals?: number | string | undefined;
  };
  participants: unknown[];
  isLarge: boolean;
}

export const payload: fc.Arbitrary<Payload> = fc
  .record({
    screener: fc.nat(1),
    importMode: fc.constantFrom("FULL_SYNC", "FULL_SYNC", "UPDATES_ONLY", undefined),
    onRowError: fc.constantFrom("SKIP", "REJECT_ALL", undefined),
    maxRemovals: fc.option(fc.oneof(fc.nat(4), fc.constantFrom("0%", "20%")), { freq: 3, nil: undefined }),
    rows: fc.array(row, { maxLength: 12, size: "max" }),
    wrong: fc.array(wrongRow, { maxLength: 2 }),
    // Most payloads are meant well: nobody in them twice, and nothing wrong.
    isDistinct: fc.nat(4).map((number) => number > 0),
    isPlain: fc.nat(2).map((number) => number > 0),
    isLarge: fc.boolean(),
  })
  .map(({ screener, rows, wrong, isDistinct, isPlain, isLarge, ...settings }) => {
    const unlike = (list: Row[], member: "externalUid" | "email") =>
      list.filter(
        (one, index) =>
          one[member] == null ||
          list.findIndex((other) => other[member]?.toLowerCase() === one[member]?.toLowerCase()) === index,
      );
    const own: unknown[] = isDistinct ? unlike(unlike(rows, "externalUid"), "email") : rows;
    const participants = isPlain ? own : [...own.slice(0, 3), ...wrong, ...own.slice(3)];
    return { screener, settings, participants, isLarge };
  });

/** A workspace with two published screeners. */
export interface Scene {
  client: Client;
  screeners: string[];
}

export async function newScene(client: Client): Promise<Scene> {
  const screeners = [await client.screener(), await client.screener()];
  for (const screenerId of screeners) await client.post("/screener-publications", { screenerId });
  return { client, screeners };
}

export function send(
  { client, screeners }: Scene,
  { screener, settings, participants, isLarge }: Payload,
  more: object = {},
): Promise<Answer> {
  const body = JSON.stringify({ screenerId: screeners[screener], ...settings, ...more, participants });
  return client.call("POST", "/screener-participants-import", { raw: isLarge ? body + LONGER_THAN_SMALL : body });
}

/** Imports until it is applied or refused: a plan that the limit for removals has stopped is applied. @returns the job */
export async function sendAndApply(scene: Scene, one: Payload): Promise<Answer["body"]> {
  const { client } = scene;
  const answer = await send(scene, one);
  const id = idOf(answer);
  if (answer.body.code === "removal_limit_exceeded")
    assert.equal((await client.post(`/jobs/${id}/apply`, undefined)).status, 200);
  return (await client.get(`/jobs/${id}`)).body;
}

/** The id of the job that an answer is about. */
export function idOf({ headers, body }: Answer): string {
  return body.jobId ?? headers.get("location")!.slice("/jobs/".length);
}

export interface JobRow {
  position: number | null;
  externalUid: string | null;
  outcome: string;
  assigned: boolean;
  participantId: string | null;
  screenerParticipantId: string | null;
  sessionId: string | null;
  changes: { field: "email" | "name"; from: string | null; to: string | null }[];
  errors: object[];
  reason: string | null;
}

export function rowsOf(client: Client, id: string): Promise<JobRow[]> {
  return client.all(`/jobs/${id}/rows`);
}

const LISTS = ["/participants", "/screener-participants", "/screener-sessions", "/screener-responses"];

/** All that the lists show. The total of each is the number of its items. */
export async function everything({ client }: Scene): Promise<Record<string, unknown>[][]> {
  const lists: Record<string, unknown>[][] = [];
  for (const path of LISTS) {
    const { body } = await client.get(`${path}?pagination[limit]=500`);
    assert.equal(body.total, body.items.length, path);
    lists.push(body.items);
  }
  return lists;
}

/** Opens sessions, and answers some of them. */
export async function openSome({ client }: Scene, some: readonly [pick: number, isAnswered: boolean][]): Promise<void> {
  const assignments = await client.all("/screener-participants");
  for (const [index, isAnswered] of assignments.length ? some : []) {
    const { body } = await client.open(assignments[index % assignments.length].id);
    if (isAnswered) await client.post(`/screener-sessions/${body.id}/responses`, { responses: [], complete: true });
  }
}

export const opened = fc.array(fc.tuple(pick, fc.boolean()), { maxLength: 4 });
