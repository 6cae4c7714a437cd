// People of a simulation: a thousand honest ones, and 300 who are not. docs/signals.md says how they answer.

import type { SimulatedPage } from "./signals.ts";

export const KINDS = ["honest", "hurried", "straight-lining", "copying", "50 sessions"] as const;
export type Kind = (typeof KINDS)[number];

const COUNTS: Record<Kind, number> = {
  honest: 1000,
  hurried: 84,
  "straight-lining": 83,
  copying: 83,
  "50 sessions": 50,
};

const MATRIX_ROWS = ["Bread", "Milk", "Eggs", "Rice", "Fish", "Tea", "Fruit", "Sweets"];
const COLUMNS = 5;
const LAST_COLUMN = COLUMNS - 1;

const matrix = (key: string, prompt: string) => ({
  ...{ id: key, key, _type: "ScreenerMatrixQuestion", prompt, required: true },
  rows: MATRIX_ROWS.map((text) => ({ text })),
  columns: ["Never", "Rarely", "Sometimes", "Often", "Always"].map((text) => ({ text })),
});

export const simulated = {
  pages: [
    {
      title: "About you",
      contradictsWhen: {
        all: [
          { questionId: "age", lessThan: 30 },
          { attribute: "generation", is: "older" },
        ],
      },
      questions: [
        { id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: "Age?", required: true },
        matrix("buys", "How often do you buy these?"),
      ],
    },
    {
      title: "In your words",
      questions: [
        { id: "why", key: "why", _type: "ScreenerTextQuestion", prompt: "Why?", required: true, multiline: true },
      ],
    },
    {
      title: "At home",
      attentionCheck: { when: { questionId: "read", isNot: 7 } },
      questions: [
        { id: "read", key: "read", _type: "ScreenerNumericQuestion", prompt: "Please type 7.", required: true },
        matrix("eats", "How often do you eat these?"),
      ],
    },
  ],
};

/** How long pages usually take. */
const PAGE_MS = [25_000, 30_000, 20_000];

export interface Person {
  kind: Kind;
  email: string;
  generation: "older" | "younger";
  /** Whose browser it is. */
  browser: string;
  address: string;
  /** How long each page is open. */
  ms: number[];
  age: number;
  /** Two matrices, row by row. */
  lines: number[][];
  why: string;
  read: number;
  isTrapped: boolean;
}

type Random = () => number;

/** Everybody, in the order in which they come. */
export function peopleOf(random: Random): Person[] {
  const pool = Array.from({ length: 10 }, () => sentence(random, 14));
  const people = KINDS.flatMap((kind) =>
    Array.from({ length: COUNTS[kind] }, (_, at) => MAKERS[kind](honest(random, `${kind}-${at}`), random, pool)),
  );
  for (let at = people.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [people[at], people[other]] = [people[other]!, people[at]!];
  }
  return people;
}

type Maker = (person: Person, random: Random, pool: readonly string[]) => Person;

const MAKERS: Record<Kind, Maker> = {
  honest: (person) => person,
  /** Clicks through: each page takes a tenth to a half of the usual time, and half of them do not read. */
  hurried: (person, random) => ({
    ...person,
    kind: "hurried",
    ms: PAGE_MS.map((usual) => usual * (0.1 + 0.4 * random())),
    lines: [scattered(random), scattered(random)],
    why: sentence(random, 2),
    read: random() < 0.5 ? 7 : 1,
    isTrapped: random() < 0.1,
  }),
  /** The same column all the way down, in nine of ten matrices; somewhat faster than others. */
  "straight-lining": (person, random) => ({
    ...person,
    kind: "straight-lining",
    ms: person.ms.map((ms) => ms * 0.6),
    lines: [0, 1].map(() => (random() < 0.9 ? straight(Math.floor(random() * COLUMNS)) : scattered(random))),
    read: random() < 0.6 ? 7 : 1,
  }),
  /** One of ten texts that somebody has passed on, with other capitals and signs. */
  copying: (person, random, pool) => ({
    ...person,
    kind: "copying",
    why: decorated(pool[Math.floor(random() * pool.length)]!, random),
  }),
  /** One person: mostly in one browser, mostly at one address, with addresses of one mailbox in half of the sessions. */
  "50 sessions": (person, random, pool) => ({
    ...person,
    kind: "50 sessions",
    browser: random() < 0.8 ? "farm" : person.browser,
    address: random() < 0.7 ? "127.250.1.7" : person.address,
    email: random() < 0.5 ? `earner+${Math.floor(random() * 1e9)}@gmail.com` : person.email,
    why: random() < 0.3 ? decorated(pool[0]!, random) : person.why,
    generation: random() < 0.5 ? "older" : "younger",
    age: 25 + Math.floor(random() * 20),
  }),
};

/** Somebody who answers as well as they can; with what goes wrong for honest people, too. */
function honest(random: Random, name: string): Person {
  const age = 18 + Math.floor(random() * 60);
  const isOlder = age >= 45;
  const speed = spread(random, 0.35);
  // Two who live together share a browser now and then; a provider, an office or a hostel has few blocks for many people.
  const couple = random() < 0.04 ? `couple-${Math.floor(random() * 20)}` : name;
  const shared =
    random() < 0.1
      ? `127.200.${Math.floor(random() * 20)}`
      : `127.${1 + Math.floor(random() * 90)}.${Math.floor(random() * 256)}`;
  return {
    kind: "honest",
    email: `${name.replaceAll(" ", "-")}@example.org`,
    // What is known of one of a hundred is wrong.
    generation: isOlder || random() < 0.01 ? "older" : "younger",
    browser: couple,
    address: `${shared}.${1 + Math.floor(random() * 250)}`,
    ms: PAGE_MS.map((usual) => usual * speed * spread(random, 0.35)),
    age,
    lines: [opinion(random), opinion(random)],
    why:
      random() < 0.01 ? "I have no particular reason for this, sorry" : sentence(random, 3 + Math.floor(random() * 15)),
    read: random() < 0.03 ? 1 : 7,
    isTrapped: random() < 0.002,
  };
}

/** A factor: log-normal, with 1 as its median. */
function spread(random: Random, sigma: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.exp(sigma * normal);
}

const straight = (column: number) => MATRIX_ROWS.map(() => column);
const scattered = (random: Random) => MATRIX_ROWS.map(() => Math.floor(random() * COLUMNS));

/** Around a habit of one's own. One of fifty does mean the same for all rows. */
function opinion(random: Random): number[] {
  const habit = Math.floor(random() * COLUMNS);
  if (random() < 0.02) return straight(habit);
  return MATRIX_ROWS.map(() => Math.min(Math.max(habit + Math.floor(random() * 3) - 1, 0), LAST_COLUMN));
}

const WORDS =
  "because my family likes it and we have always had some at home since the market is near when I cook with friends on Sunday after work I often choose what is cheap fresh local or quick to make so that nobody has to wait".split(
    " ",
  );

const sentence = (random: Random, words: number) =>
  Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)]).join(" ");

function decorated(text: string, random: Random): string {
  const changed =
    random() < 0.3 ? text.toUpperCase() : random() < 0.5 ? `${text[0]!.toUpperCase()}${text.slice(1)}` : text;
  return `${changed}${["", ".", "!!", " …"][Math.floor(random() * 4)]}`;
}

/** The form of a page, as a browser sends it. @param at which page it is */
export function formOfPage({ id, questions }: SimulatedPage, at: number, person: Person): string {
  const form = new URLSearchParams({ page: id, version: "1", shown: String(Date.now() - Math.round(person.ms[at]!)) });
  for (const question of questions) {
    form.append("question", question.id);
    if (question.rows) {
      const line = person.lines[question.key === "buys" ? 0 : 1]!;
      for (const [row, { id: rowId }] of question.rows.entries())
        form.append(`row-${rowId}-${question.id}`, question.columns![line[row]!]!.id);
    } else form.append(`answer-${question.id}`, String(person[question.key as "age" | "why" | "read"]));
  }
  if (person.isTrapped) form.append("website", "https://example.org");
  return form.toString();
}
