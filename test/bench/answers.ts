// How fast answers come in, how fast sessions are opened for them, and how fast many of them are listed.

import { join } from "node:path";
import { copyStore } from "../../db/sqlite/open.ts";
import type { Figure } from "./figures.ts";
import { fillResponses } from "./many-responses.ts";
import { people } from "./people.ts";
import { compared, measure } from "./rounds.ts";
import { removeFolder, Service, submit, temporaryFolder, type Workspace } from "./service.ts";
import { Spawned } from "./spawn.ts";
import { formsOf, formTo, type Stored, type Write, writeFor } from "./submissions.ts";

const ROUNDS = 3;
/** Of writes, which take a second each. V8 takes some of them to compile what runs often. */
const WRITE_WARM_UPS = 6;
const WRITE_ROUNDS = 9;
const SESSIONS = 2000;
const OPENED = 100_000;
const RESPONSES = 1_000_000;

/** One page, so that sending it again and again is what people do who change their minds. @param age the label of the first question */
export const pagesOfAnswers = (age?: string) => [
  {
    title: "About you",
    questions: [
      {
        ...(age && { id: age }),
        key: "age",
        _type: "ScreenerNumericQuestion",
        prompt: "How old are you?",
        required: true,
        min: 0,
        max: 120,
      },
      { key: "town", _type: "ScreenerTextQuestion", prompt: "Which town do you live in?" },
      {
        key: "drink",
        _type: "ScreenerSingleSelectQuestion",
        prompt: "What do you drink in the morning?",
        options: [{ text: "Tea" }, { text: "Coffee" }],
      },
    ],
  },
  { title: "Your days", questions: [{ key: "day", _type: "ScreenerTextQuestion", prompt: "How does it begin?" }] },
];

const content = { pages: pagesOfAnswers() };

/** Pages' forms, over 16 connections, each form to another session than the one before. */
export async function answers(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const log = join(temporaryFolder(), "floor.log");
  const workspace = await service.workspace();
  const { text } = await workspace.caller.call("PUT", `/screeners/${workspace.screenerId}/content`, {
    body: content,
  });
  await workspace.caller.post("/screener-publications", { screenerId: workspace.screenerId });
  await workspace.importPeople({ count: SESSIONS });
  await openSessions(workspace);
  const formOf = formTo(await linksOf(workspace), formsOf(JSON.parse(text) as Stored));
  let sent = 0;
  const forms = () => formOf(sent++);
  const bare = new Spawned("test/bench/floor-answers.ts", [join(temporaryFolder(), "store.sqlite")], production, log);
  const [, bareUrl] = await bare.says(/^Listening on (\S+)$/m);
  const samples = await measure({ warmUps: WRITE_WARM_UPS, rounds: WRITE_ROUNDS }, async () => {
    const value = await writeFor(service.url, forms, 1);
    return { value, floor: await writeFor(bareUrl!, forms, 1) };
  });
  await bare.end();
  // What was measured is what was asked for: every session has the three answers of its page.
  const { total } = await workspace.caller.get<{ total: number }>("/screener-responses?pagination[limit]=1");
  if (total !== SESSIONS * 3) throw new Error(`The page has kept ${total} answers.`);
  const what = "Submissions of the participants' page, 16 connections";
  const about = { what, against: "bare Koa, one row committed", unit: "req/s", target: { atLeast: 1 } } as const;
  return [compared(about, samples)];
}

/** New participants, over 16 connections, against the same bare handler. */
export async function posts(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const log = join(temporaryFolder(), "floor.log");
  const { headers } = await service.workspace();
  const bare = new Spawned("test/bench/floor-answers.ts", [join(temporaryFolder(), "store.sqlite")], production, log);
  const [, bareUrl] = await bare.says(/^Listening on (\S+)$/m);
  let sent = 0;
  const writeTo = (status: number) => (): Write => ({
    path: "/participants",
    headers: { ...headers, "Content-Type": "application/json" },
    body: Buffer.from(JSON.stringify(people(1, sent++)[0])),
    status,
  });
  const samples = await measure({ warmUps: WRITE_WARM_UPS, rounds: WRITE_ROUNDS }, async () => {
    const value = await writeFor(service.url, writeTo(201), 1);
    return { value, floor: await writeFor(bareUrl!, writeTo(303), 1) };
  });
  await bare.end();
  const what = "POST /participants, 16 connections";
  return [compared({ what, against: "bare Koa, one row committed", unit: "req/s", target: { atLeast: 1.2 } }, samples)];
}

/** Sessions for 100,000 assignments. */
export async function opening(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const samples = await measure({ rounds: ROUNDS }, async () => {
    const workspace = await service.workspace();
    await workspace.caller.post("/screener-publications", { screenerId: workspace.screenerId });
    await workspace.importPeople({ count: OPENED });
    const floor = await openingFloor(workspace);
    const value = await openSessions(workspace);
    workspace.close();
    return { value, floor };
  });
  const what = "Opening 100,000 sessions (threads)";
  const against = "a bare loop of the insert and the update a row";
  return [compared({ what, against, unit: "ms", target: { atMost: 1.5 } }, samples)];
}

/** The last page, and the total, of a million responses. */
export async function responses(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const [long, short] = [await service.workspace(), await service.workspace()];
  for (const [workspace, count] of [
    [long, RESPONSES],
    [short, 1000],
  ] as const) {
    await workspace.caller.call("PUT", `/screeners/${workspace.screenerId}/content`, { body: content });
    await workspace.caller.post("/screener-publications", { screenerId: workspace.screenerId });
    fillResponses(workspace.path, count);
  }
  const page = ({ screenerId }: Workspace, offset: number, ofScreener: boolean) =>
    `/screener-responses?pagination[limit]=100&pagination[offset]=${offset}${ofScreener ? `&filter[screenerId][eq]=${screenerId}` : ""}`;
  const read = async (ofScreener: boolean, round: number) => {
    const last = await long.caller.call("GET", page(long, RESPONSES - 100, ofScreener));
    const first = await short.caller.call("GET", page(short, 0, ofScreener));
    if (!round) requireTotals(last.text, first.text);
    return { value: last.ms, floor: first.ms };
  };
  const samples = await measure({ warmUps: 50, rounds: 200 }, async (round) => {
    const all = await read(false, round);
    const { value, floor } = await read(true, round);
    return { ...all, ofScreener: value, ofScreenerFloor: floor };
  });
  const counting = await measure({ rounds: 5 }, () => countResults(long, short));
  long.close();
  short.close();
  const about = { against: "first page of a thousand", unit: "ms", target: { atMost: 3 } } as const;
  return [
    compared({ what: "Last page, and total, of a million responses", ...about }, samples),
    compared(
      { what: "– the same of one screener", ...about },
      { value: samples.ofScreener, floor: samples.ofScreenerFloor },
    ),
    {
      what: "Results of 250,000 completed sessions, a million responses, the first time",
      unit: "ms",
      value: Math.max(...counting.first),
      target: { atMost: 5000 },
      samples: counting,
    },
    {
      what: "– the same again",
      unit: "ms",
      value: Math.max(...counting.again),
      target: { atMost: 300 },
    },
    {
      what: "– the slowest of the reads meanwhile",
      unit: "ms",
      value: Math.max(...counting.slowest),
      // No stretch of the event loop is longer.
      target: { atMost: 50 },
    },
  ];
}

/** The results of a screener after a write, the same again, and reads that another workspace sends while they are counted. */
async function countResults(
  { caller, screenerId }: Workspace,
  other: Workspace,
): Promise<{ first: number; again: number; slowest: number }> {
  const title = `Study ${performance.now()}`;
  await caller.call("PATCH", `/screeners/${screenerId}`, { body: { title } });
  const path = `/screeners/${screenerId}/results`;
  let isCounted = false;
  const counted = caller.call("GET", path).finally(() => {
    isCounted = true;
  });
  let slowest = 0;
  while (!isCounted) slowest = Math.max(slowest, (await other.caller.call("GET", `/screeners/${other.screenerId}`)).ms);
  const first = await counted;
  const { startedSessions, countedSessions } = JSON.parse(first.text) as Record<string, number>;
  if (startedSessions !== RESPONSES / 4 || countedSessions !== RESPONSES / 4)
    throw new Error(`Results have counted ${countedSessions} of ${startedSessions} sessions.`);
  const again = await caller.call("GET", path);
  if (again.text !== first.text) throw new Error("Results were not the same again.");
  return { first: first.ms, again: again.ms, slowest };
}

const production = { NODE_ENV: "production" };

function requireTotals(long: string, short: string): void {
  for (const [text, expected] of [
    [long, RESPONSES],
    [short, 1000],
  ] as const) {
    const { total, items } = JSON.parse(text) as { total: number; items: unknown[] };
    if (total !== expected || items.length !== 100) throw new Error(`It has ${items.length} of ${total} responses.`);
  }
}

/** Opens a session for all who have none. @returns how long until the job is seen to have succeeded, in ms */
export async function openSessions({ caller, screenerId }: Workspace): Promise<number> {
  const { ms } = await submit(caller, "/screener-sessions", { body: { screenerId } });
  return ms;
}

/** How long the bare loop takes for the same assignments, in a copy of their store. */
async function openingFloor({ path }: Workspace): Promise<number> {
  const folder = temporaryFolder();
  const copy = join(folder, "store.sqlite");
  copyStore(path, copy);
  const loop = new Spawned("test/bench/floor-opening.ts", [copy], production, join(folder, "log"));
  const [, ms, count] = await loop.says(/^took ([\d.]+) ms for (\d+)$/m);
  await loop.end();
  removeFolder(folder);
  if (Number(count) !== OPENED) throw new Error(`The floor has opened ${count} sessions.`);
  return Number(ms);
}

/** The paths of the links. */
export async function linksOf({ caller }: Workspace, count = SESSIONS): Promise<string[]> {
  const paths: string[] = [];
  while (paths.length < count) {
    const { items } = await caller.get<{ items: { screenerSessionLink: string }[] }>(
      `/screener-sessions?pagination[limit]=500&pagination[offset]=${paths.length}`,
    );
    if (!items.length) throw new Error(`There are only ${paths.length} sessions.`);
    paths.push(...items.map(({ screenerSessionLink }) => new URL(screenerSessionLink).pathname));
  }
  return paths;
}
