// What signals find, and what they cost: honest people and four kinds of others answer a study on its pages, in an order by chance. Who they are
// and how they answer comes from a seed, so a run can be repeated: SIGNALS_SEED.

import { randomInt } from "node:crypto";
import type { Client } from "../support/client.ts";
import { Browser } from "../support/signals.ts";
import { seeded } from "../support/store.ts";
import { type Published, publish } from "../support/study.ts";
import { type Figure, median } from "./figures.ts";
import { Service } from "./service.ts";
import { formOfPage, KINDS, type Kind, type Person, peopleOf, simulated } from "./simulated-people.ts";

const AT_ONCE = 4;

/** All kinds, with what callers may leave out. */
const ALL_ON = {
  ...{ hurried: {}, straightLines: {}, sameText: {}, attentionCheck: {}, contradiction: {} },
  ...{ sameEmail: {}, sameBrowser: {}, sameAddress: {}, hiddenField: {} },
};

interface Study extends Published {
  pages: SimulatedPage[];
}

export interface SimulatedPage {
  id: string;
  questions: { id: string; key: string; _type: string; rows?: { id: string }[]; columns?: { id: string }[] }[];
}

interface Found {
  person: Person;
  signals: ReadonlySet<string>;
}

/** Precision and recall, printed; as figures, only how many honest people wait for a review, and how many of the others. */
export async function signals(): Promise<Figure[]> {
  const seed = Number(process.env.SIGNALS_SEED ?? randomInt(2 ** 31));
  const everybody = peopleOf(seeded(seed));
  await using service = await Service.start("threads");
  const client = service.client();
  const study = await open(client, { review: "SIGNALS", signals: ALL_ON });
  const sessions = await invited(client, study, everybody);
  const browsers = new Map<string, Browser>();
  for (let at = 0; at < everybody.length; at += AT_ONCE)
    await Promise.all(
      everybody
        .slice(at, at + AT_ONCE)
        .map((person, index) => take(service, study, person, sessions[at + index]!, browsers)),
    );
  const found = await findingsOf(client, study, sessions, everybody);
  process.stdout.write(`\n\nSIGNALS_SEED=${seed}\n\n${tableOf(found)}\n`);
  const held = (isHonest: boolean) => {
    const all = found.filter(({ person }) => (person.kind === "honest") === isHonest);
    return (100 * all.filter(({ signals: kinds }) => kinds.size).length) / all.length;
  };
  return [
    { what: "Honest people who wait for a review, of 100", unit: "points", value: held(true), target: { atMost: 20 } },
    { what: "The others who do, of 100", unit: "points", value: held(false), target: { atLeast: 85 } },
    await costOf(service),
  ];
}

async function open(client: Client, settings: object): Promise<Study> {
  const study = await publish(client, simulated);
  const { status, text } = await client.patch(`/screeners/${study.screener}`, settings);
  if (status !== 200) throw new Error(text);
  const { body } = await client.get(`/screener-publications/${study.publication}/content`);
  return { ...study, pages: body.pages };
}

/** Links for people, in their order. */
async function invited(client: Client, { screener }: Study, people: readonly Person[]) {
  const rows = people.map(({ email, generation }, at) => ({
    ...{ externalUid: `${at}`, email, name: `Person ${at}`, attributes: { generation } },
  }));
  const { status, text, body } = await client.import(screener, rows);
  if (status !== 200) throw new Error(text);
  const links: { session: string; path: string }[] = [];
  for (const { id } of body as { id: string }[]) {
    const { body: session } = await client.post("/screener-sessions", { screenerParticipantId: id });
    links.push({ session: session.id, path: new URL(session.screenerSessionLink).pathname });
  }
  return links;
}

/** Somebody answers page by page. */
async function take(
  service: Service,
  study: Study,
  person: Person,
  { path }: { path: string },
  browsers: Map<string, Browser>,
): Promise<void> {
  // Whoever shares a browser has its cookie; addresses are their own.
  const browser = new Browser(service, person.address);
  browser.cookie = browsers.get(person.browser)?.cookie ?? "";
  browsers.set(person.browser, browser);
  await browser.get(path);
  for (const [at, page] of study.pages.entries()) {
    const { status, text } = await browser.post(path, formOfPage(page, at, person));
    if (status !== 303) throw new Error(`${status}: ${text.slice(0, 2000)}`);
  }
}

async function findingsOf(
  client: Client,
  { screener }: Study,
  sessions: readonly { session: string }[],
  people: readonly Person[],
): Promise<Found[]> {
  const path = `/screeners/${screener}/answers?columns=session.signals`;
  const rows = (await client.all(path)) as unknown as {
    screenerSessionId: string;
    values: { "session.signals": string | null };
  }[];
  const kinds = new Map(rows.map(({ screenerSessionId, values }) => [screenerSessionId, values["session.signals"]]));
  return people.map((person, at) => {
    const found = kinds.get(sessions[at]!.session);
    return { person, signals: new Set(found ? found.split("; ") : []) };
  });
}

/** For which of the others a signal is meant. */
const MEANT: Record<string, readonly Kind[]> = {
  HURRIED: ["hurried"],
  STRAIGHT_LINES: ["straight-lining"],
  SAME_TEXT: ["copying"],
  ATTENTION_CHECK: ["hurried", "straight-lining"],
  CONTRADICTION: ["50 sessions"],
  SAME_EMAIL: ["50 sessions"],
  SAME_BROWSER: ["50 sessions"],
  SAME_ADDRESS: ["50 sessions"],
  HIDDEN_FIELD: ["hurried"],
};

function tableOf(found: readonly Found[]): string {
  const percent = (part: number, all: number) => (all ? `${Math.round((100 * part) / all)} %` : "–");
  const line = (name: string, has: (one: Found) => boolean, meant: readonly Kind[]) => {
    const flagged = found.filter(has);
    const bad = flagged.filter(({ person }) => person.kind !== "honest").length;
    const own = found.filter(({ person }) => meant.includes(person.kind));
    const caught = percent(own.filter(has).length, own.length);
    const cells = [name, flagged.length - bad, bad, percent(bad, flagged.length), meant.join(", "), caught];
    return `| ${cells.join(" | ")} |`;
  };
  const others = KINDS.filter((kind) => kind !== "honest");
  return [
    "| Signal | Honest people | Others | Precision | Meant for | Recall among these |",
    "|---|---|---|---|---|---|",
    ...Object.entries(MEANT).map(([kind, meant]) => line(`\`${kind}\``, ({ signals: all }) => all.has(kind), meant)),
    line("any", ({ signals: all }) => all.size > 0, others),
    line("two or more", ({ signals: all }) => all.size > 1, others),
  ].join("\n");
}

/** So many come to one study, and then as many to the other: what else the machine does is with both. */
const COST_TURN = 4;
const COST_WARM_UPS = 25;
/**
 * Each has studies of its own. The ids of the study that is opened first lie between others in the store's trees, and those of the second one at
 * their end, where it takes 2 to 3 % less to write: so each is the first in half of the series.
 */
const COST_SERIES = 4;

/**
 * The processor time of pages that people send to a study with all signals on, against the same with all off. The ratio is the median of many
 * short turns, each against its neighbour: a turn in which the service does something else, such as its upkeep, says nothing of either.
 */
async function costOf(service: Service): Promise<Figure> {
  const client = service.client();
  const people = peopleOf(seeded(1));
  const turns = Math.floor(people.length / COST_TURN);
  const [values, floors]: [number[], number[]] = [[], []];
  for (let series = 0; series < COST_SERIES; series++) {
    const studies: Study[] = [];
    const links: Awaited<ReturnType<typeof invited>>[] = [];
    for (const which of series % 2 ? [1, 0] : [0, 1]) {
      studies[which] = await open(client, { signals: which === 0 ? ALL_ON : {} });
      links[which] = await invited(client, studies[which], people);
    }
    const answer = async (which: number, from: number) => {
      const before = service.web.threadsMs();
      for (let at = from; at < from + COST_TURN; at++)
        await take(service, studies[which]!, people[at]!, links[which]![at]!, new Map());
      return (service.web.threadsMs() - before) / COST_TURN;
    };
    for (let turn = 0; turn < turns; turn++) {
      const took = [0, 0];
      // Who comes second finds a processor that is warm, and what the first has left to be copied: they take turns.
      for (const which of turn % 2 ? [1, 0] : [0, 1]) took[which] = await answer(which, turn * COST_TURN);
      if (turn < COST_WARM_UPS) continue;
      values.push(took[0]!);
      floors.push(took[1]!);
    }
  }
  const floor = median(floors);
  const ratio = median(values.map((value, at) => value / floors[at]!));
  const what = "A person's three pages with all signals, processor time";
  return { what, against: "with none", unit: "ms", value: floor * ratio, floor, target: { atMost: 1.1 } };
}
