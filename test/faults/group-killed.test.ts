// A process is killed while many write at once, and their writes share transactions: what was answered is there, each write is
// there whole or not at all, and one that fails fails alone. Every other kill is a power cut: only what was synced is left.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Workspaces } from "../../db/workspaces.ts";
import type { Answer, Client } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { type Kill, Killer, type UpTo, upToOf } from "../support/kills.ts";
import { type Installation, install, type TestWorkspace } from "../support/process.ts";
import { KILLS, seeded } from "../support/seeded.ts";
import { type Invitation, invite, type Published, publish } from "../support/study.ts";
import { Visitor } from "../support/visitor.ts";

const LANES = 2;
/** Each has a connection of its own. */
const POSTING = 10;
const ANSWERING = 8;

/** Both questions get the same number. */
const content = {
  pages: [
    {
      title: "Numbers",
      questions: ["first", "second"].map((key) => ({
        key,
        _type: "ScreenerTextQuestion",
        prompt: `What is your ${key} number?`,
        required: true,
      })),
    },
    { title: "The end", questions: [{ key: "end", _type: "ScreenerTextQuestion", prompt: "Anything else?" }] },
  ],
};

/** Fails in the middle of a write, and not by a check of ours. */
const CURSED = "Cursed";
const CURSE = `CREATE TRIGGER cursed BEFORE INSERT ON event
  WHEN new.type = 'participant.created' AND (SELECT name FROM participant WHERE uid = new.resource_uid) = '${CURSED}'
  BEGIN SELECT RAISE(ABORT, 'cursed'); END`;

const MOMENTS: Record<string, (upTo: UpTo, log: string) => Kill> = {
  "before a savepoint": (upTo) => ({ sql: "SAVEPOINT one", nth: upTo(150) }),
  "before a release": (upTo) => ({ sql: "RELEASE one", nth: upTo(150) }),
  "during a commit": (upTo, path) => ({ on: "write", path, nth: upTo(800) }),
  "before a flush": (upTo, path) => ({ on: "sync", path, nth: upTo(25) }),
  "after a flush": (upTo, path) => ({ on: "synced", path, nth: upTo(25) }),
  "between answers": (upTo) => ({ on: "answer", nth: upTo(200) }),
  "at random": (upTo) => ({ ms: 20 + upTo(300) }),
};

/** A new person, as somebody has posted it, and what was answered. */
interface Post {
  kind: "new" | "taken" | "cursed";
  externalUid: string;
  email: string;
  key: string;
  answer: Answer | undefined;
}

const STATUS = { new: 201, taken: 409, cursed: 500 } as const;

/** Somebody who sends a page again and again, with the next number each time. */
interface Person extends Invitation {
  /** The last number that was taken, and that of the round before. */
  taken: number;
  before: number;
  /** The number that nobody has answered. */
  open: number | undefined;
}

test(`a process killed ${KILLS} times while writes share transactions keeps what it answered, and each write whole or not at all`, async (t) => {
  const found: Record<string, number[]> = {};
  await Promise.all(Array.from({ length: LANES }, (_, lane) => killInLane(lane, found)));
  for (const [moment, [answered, there, absent]] of Object.entries(found).sort())
    t.diagnostic(`killed ${moment}: ${answered} answered; of the others ${there} there, ${absent} not there`);
  const [answered, there, absent] = [0, 1, 2].map((i) => Object.values(found).reduce((sum, one) => sum + one[i]!, 0));
  assert.ok(answered! > KILLS * 10 && there! > KILLS / 6 && absent! > KILLS, "too little was under way");
});

/** Kills the processes of an installation of its own. */
async function killInLane(lane: number, found: Record<string, number[]>): Promise<void> {
  const installation = install({ LOG_LEVEL: "fatal", WORKER_CONCURRENCY: "1" });
  const workspace = installation.workspace();
  const { study, everybody } = await prepare(installation, workspace);
  const killer = new Killer(installation.dataDir);
  const moments = Object.keys(MOMENTS);
  const upTo = upToOf(seeded(`group ${lane}`));
  const posts: Post[] = [];
  let web = await installation.web(killer.options);
  for (let round = 0; round < KILLS / LANES; round++) {
    const moment = moments[round % moments.length]!;
    const tally = [0, 0, 0];
    const made: Post[] = [];
    const client = workspace.client(web);
    const visitor = new Visitor(web.url);
    const writing = [
      ...Array.from({ length: POSTING }, (_, number) => keepPosting(client, `${lane}-${round}-${number}`, made)),
      ...everybody.map((person) => keepAnswering(visitor, study, person)),
    ];
    await killer.kill(MOMENTS[moment]!(upTo, `${workspace.id}.sqlite-wal`), web);
    assert.equal((await web.dies()).signal, "SIGKILL", web.stderr);
    await Promise.all(writing);
    // Both happen at each moment.
    if (Math.floor(round / moments.length + lane) % 2) killer.stop();
    else killer.cutPower();
    web = await installation.web(killer.options);
    const after = workspace.client(web);
    // It has the store open from here on. Else our own connection, when it closes, would write what the disk must know of.
    assert.equal((await after.get("/participants")).status, 200);
    await checkPosts(installation, workspace, after, made, tally);
    await checkNumbers(installation, workspace, after, study, everybody, tally);
    posts.push(...made);
    checkWhole(installation, workspace, posts);
    found[moment] = (found[moment] ?? [0, 0, 0]).map((sum, i) => sum + tally[i]!);
  }
}

/** Publishes the page, and invites who answers it. Some writes will fail in their middle. */
async function prepare(
  installation: Installation,
  workspace: TestWorkspace,
): Promise<{ study: Published; everybody: Person[] }> {
  const web = await installation.web();
  const client = workspace.client(web);
  const study = await publish(client, content);
  const everybody = (await invite(client, study.screener, ANSWERING)).map((one) => ({
    ...one,
    taken: 0,
    before: 0,
    open: undefined,
  }));
  // A process that ends by itself keeps its compiled code for the next ones, which start in half the time.
  await web.kill("SIGTERM");
  const workspaces = new Workspaces(installation.dataDir, {
    busyTimeoutMs: 10_000,
    checkpoints: true,
    onStale: "migrate",
  });
  workspaces.write(workspace.id, (db) => db.exec(CURSE));
  workspaces.close();
  return { study, everybody };
}

/** Posts one person after the other, until nobody answers: new ones, such whose email is taken, and such who can't be written. */
async function keepPosting(client: Client, name: string, made: Post[]): Promise<void> {
  let email = "";
  for (let i = 0; ; i++) {
    const kind = i % 5 < 3 ? "new" : i % 5 === 3 ? "taken" : "cursed";
    const externalUid = `${kind === "new" ? "N" : "X"}-${name}-${i}`;
    if (kind !== "taken") email = `${externalUid}@example.org`;
    const post: Post = { kind, externalUid, email, key: `key ${name} ${i}`, answer: undefined };
    if (kind === "cursed") email = made.findLast((one) => one.kind === "new")!.email;
    made.push(post);
    try {
      post.answer = await send(client, post);
    } catch {
      return;
    }
    assert.equal(post.answer.status, STATUS[kind], post.answer.text);
  }
}

function send(client: Client, { kind, externalUid, email, key }: Post): Promise<Answer> {
  const name = kind === "cursed" ? CURSED : externalUid;
  return client.post("/participants", { externalUid, email, name }, { "Idempotency-Key": key });
}

/** Sends the page with one number after the other, until nobody answers. Now and then an answer is missing. */
async function keepAnswering(visitor: Visitor, study: Published, person: Person): Promise<void> {
  for (let i = 1; ; i++) {
    const isRefused = i % 5 === 0;
    const number = person.taken + 1;
    if (!isRefused) person.open = number;
    const entries = { first: String(number), second: isRefused ? "" : String(number) };
    const sent = await visitor.send(person.path, study, "Numbers", entries).catch(() => undefined);
    if (!sent) return;
    assert.equal(sent.status, isRefused ? 422 : 303, sent.text);
    if (isRefused) continue;
    person.taken = number;
    person.open = undefined;
  }
}

/** What was answered is there with its event and its key; and a retry shows whether something else is. */
async function checkPosts(
  installation: Installation,
  workspace: TestWorkspace,
  client: Client,
  posts: Post[],
  tally: number[],
): Promise<void> {
  const stored = (sql: string) => new Set(installation.stored<string>(workspace, sql));
  const people = stored("SELECT external_uid FROM participant");
  const events = stored(
    "SELECT p.external_uid FROM event AS e JOIN participant AS p ON p.uid = e.resource_uid WHERE e.type = 'participant.created'",
  );
  const keys = stored("SELECT key FROM idempotent_reply");
  for (const post of posts) {
    const { kind, externalUid, key, answer } = post;
    const isThere = keys.has(key);
    const what = `${kind} ${externalUid}, answered ${answer?.status}`;
    const isNew = kind === "new" && isThere;
    assert.deepEqual(
      [people.has(externalUid), events.has(externalUid)],
      [isNew, isNew],
      `${what}: all of it or nothing`,
    );
    if (answer) {
      tally[0]!++;
      assert.equal(isThere, kind !== "cursed", `${what}: it is there`);
      continue;
    }
    tally[isThere ? 1 : 2]!++;
    const again = await send(client, post);
    assert.equal(again.status, STATUS[kind], again.text);
    assert.equal(again.headers.get("idempotency-replayed"), isThere ? "true" : null, `${what}: a retry`);
  }
}

/** Both answers of everybody are the last number that was taken, or the one that nobody has answered. */
async function checkNumbers(
  installation: Installation,
  workspace: TestWorkspace,
  client: Client,
  study: Published,
  everybody: Person[],
  tally: number[],
): Promise<void> {
  const answers = await client.all("/screener-responses");
  for (const person of everybody) {
    const { session, open, taken } = person;
    const [first, second] = ["first", "second"].map((key) => {
      const question = study.question[key];
      const found = answers.find((one) => one.screenerSessionId === session && one.screenerQuestionId === question);
      return Number(found?.answer ?? 0);
    });
    assert.equal(first, second, "all of a page, or nothing");
    assert.ok(first === taken || first === open, `${first}, where ${taken} was taken and ${open} is open`);
    tally[0]! += taken - person.before;
    if (open !== undefined) tally[first === open ? 1 : 2]!++;
    person.before = person.taken = first!;
    person.open = undefined;
    const count =
      "SELECT count(*) FROM event WHERE resource_uid = ? AND type IN ('screener-session.started', 'screener-session.answered')";
    assert.deepEqual(installation.stored(workspace, count, session), [first], "an event for each number");
  }
}

/** Nobody else is there, nobody is there twice, and the store is in order. */
function checkWhole(installation: Installation, workspace: TestWorkspace, posts: Post[]): void {
  const people = installation.stored<string>(
    workspace,
    "SELECT external_uid FROM participant WHERE external_uid GLOB '[NX]-*'",
  );
  const expected = posts.filter(({ kind }) => kind === "new").map(({ externalUid }) => externalUid);
  assert.deepEqual(people.sort(), expected.sort());
  installation.read(workspace, assertCounts);
  assert.deepEqual(installation.stored(workspace, "PRAGMA quick_check"), ["ok"]);
}
