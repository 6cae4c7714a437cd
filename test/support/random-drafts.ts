// Random drafts: questions of every type, conditions on them, quotas; and random answers to them.

import { answerField, partField } from "../../src/nouns/question-types/form.ts";
import { type Answer, type Question, typeOf } from "../../src/nouns/question-types/registry.ts";
import { en } from "../../src/words/en.ts";
import { Speech } from "../../src/words/speech.ts";

// biome-ignore lint/suspicious/noExplicitAny: drafts and answers as the API takes and shows them
export type Shown = any;

/** Draws by a seed: the same seed draws the same. */
export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!;
  }

  /** Some of them, in a random order. */
  some<T>(list: readonly T[], atLeast = 0, atMost = list.length): T[] {
    const left = [...list];
    return Array.from({ length: this.int(atLeast, Math.min(atMost, left.length)) }, () =>
      left.splice(this.int(0, left.length - 1), 1).at(0),
    ) as T[];
  }
}

/** What has made trouble before, in texts. */
const TEXTS = [
  "Tea",
  "  Kaffee  ",
  "a\nb",
  "<b>bold</b>",
  "{{answer:q0|nobody}}",
  "{{attribute:city|somewhere}} of **{{attribute:age|}}**",
  "**strong** [link](https://example.org)",
  "=1+1",
  '"quoted", twice',
  "مرحبا",
  "日本語",
  "👩‍👩‍👧",
  "0",
  "12,5",
  "x".repeat(300),
];
/** Texts of each format. */
const FORMATTED: Record<string, string[]> = {
  EMAIL: ["Ada@Example.ORG", " bob@mail.example.org "],
  PHONE: ["+44 (0)20 7946 0958", "020 7946 0958", "٠٢٠ ٧٩٤٦ ٠٩٥٨"],
  POSTCODE: ["sw1a  1aa", "10115"],
  URL: ["www.example.org", "https://Example.org/a?b=<c>"],
  DIGITS: ["12 34", "007"],
};
const JUNK: unknown[] = [
  0,
  -1,
  1e300,
  "",
  " ",
  "x",
  true,
  [],
  {},
  [null],
  [{}],
  { rows: [] },
  "\u0000",
  [{ text: "" }],
];

const dateOf = (draw: Draw, precision: string) => {
  const [year, month, day] = [draw.int(1900, 2060), draw.int(1, 12), draw.int(1, 31)];
  return [year, String(month).padStart(2, "0"), String(day).padStart(2, "0")]
    .slice(0, { YEAR: 1, MONTH: 2 }[precision] ?? 3)
    .join("-");
};
const optionsOf = (draw: Draw, id: string, most = 6): Shown[] =>
  Array.from({ length: draw.int(2, most) }, (_, index) => ({
    id: `${id}-o${index}`,
    text: `${draw.pick(TEXTS)} ${index}`,
    ...maybeFixed(draw),
  }));
/** It keeps its position where the others are shuffled; it may say so where nothing is, too. */
const maybeFixed = (draw: Draw) => (draw.chance(0.2) ? { fixed: true } : {});
const maybeShuffled = (draw: Draw) => (draw.chance(0.4) ? { shuffle: true } : {});
/** A choice as a request may name it. */
const chosen = (draw: Draw, { id, text }: Shown) => draw.pick([{ optionId: id }, { text }, { optionId: id, text }]);
const partsOf = (draw: Draw, id: string) => optionsOf(draw, id, 4);
const columnsOf = (draw: Draw, id: string) => partsOf(draw, id).map(({ fixed: _, ...column }) => column);
/** A row or a column as a request may name it. */
const named = (draw: Draw, member: string, { id, text }: Shown) =>
  draw.pick<object>([{ [member]: id }, { text }, { [member]: id, text }]);
const writtenIn = (draw: Draw) => ({ text: draw.pick(["Mate", "=2+2", "ماء"]), isWriteIn: true });

interface Kind {
  /** The members of a question as an author sends it, beside those of all. @param id its label */
  members(draw: Draw, id: string): Shown;
  /** An answer that is most often right. */
  answer(draw: Draw, question: Shown): unknown;
  /** A comparison without `questionId`. @param question as an author sends it */
  comparison(draw: Draw, question: Shown): object;
}

const numberComparison = (draw: Draw, value: number) =>
  draw.pick([{ equals: value }, { oneOf: [value, value + 1] }, { lessThan: value }, { atLeast: value }]);

/** How questions of each type are made and answered. */
const KINDS: Record<Question["_type"], Kind> = {
  ScreenerTextQuestion: {
    members: (draw) =>
      draw.pick<object>([
        { multiline: draw.chance(0.5), ...(draw.chance(0.2) && { minLength: 2, maxLength: 400 }) },
        { format: draw.pick(Object.keys(FORMATTED)) },
        { pattern: "\\p{L}+.*|\\d{1,3}", patternMessage: "Something else" },
      ]),
    answer: (draw, { format }) => draw.pick(draw.chance(0.9) && format ? FORMATTED[format]! : TEXTS),
    comparison: (draw, { format }) => {
      const text = draw.pick(format ? FORMATTED[format]! : TEXTS).trim();
      return draw.pick<object>([{ equals: text }, { isNot: text }, { contains: "a" }, { notContains: "1" }]);
    },
  },
  ScreenerNumericQuestion: {
    members: (draw) => ({ wholeNumber: draw.chance(0.5), ...(draw.chance(0.5) && { min: 0, max: 100 }) }),
    answer: (draw) => draw.pick([0, 5, 50, 99, 100, -3, 2.5, 1e9]),
    comparison: (draw) => numberComparison(draw, draw.int(0, 100)),
  },
  ScreenerSingleSelectQuestion: {
    members: (draw, id) => ({
      ...maybeShuffled(draw),
      options: optionsOf(draw, id),
      allowsWriteIn: draw.chance(0.3),
      display: draw.pick([null, "LIST", "MENU"]),
    }),
    answer: (draw, { options, allowsWriteIn }) => [
      allowsWriteIn && draw.chance(0.2) ? writtenIn(draw) : chosen(draw, draw.pick(options)),
    ],
    comparison: (draw, { options }) => {
      const { id } = draw.pick<Shown>(options);
      return draw.pick<object>([
        { equals: id },
        { isNot: id },
        { oneOf: [id, options[0].id] },
        { noneOf: [id, options[0].id] },
      ]);
    },
  },
  ScreenerMultiSelectQuestion: {
    members: (draw, id) => ({
      ...maybeShuffled(draw),
      options: optionsOf(draw, id).map((option, index) => ({ ...option, exclusive: index === 0 && draw.chance(0.3) })),
      allowsWriteIn: draw.chance(0.3),
      ...(draw.chance(0.3) && { minChoices: 1, maxChoices: 2 }),
    }),
    answer: (draw, { options, allowsWriteIn }) => [
      ...draw.some(options, 0, 3).map((option) => chosen(draw, option)),
      ...(allowsWriteIn && draw.chance(0.2) ? [writtenIn(draw)] : []),
    ],
    comparison: (draw, { options }) => {
      const { id } = draw.pick<Shown>(options);
      return draw.pick<object>([{ contains: id }, { notContains: id }, { chosenAtLeast: 2 }, { chosenAtMost: 1 }]);
    },
  },
  ScreenerScaleQuestion: {
    members: (draw) => draw.pick<object>([{ look: "STARS" }, { look: "NPS" }, { from: 0, to: 7, lowLabel: "low" }, {}]),
    answer: (draw, { from, to }) => draw.int(from, to),
    comparison: (draw) => numberComparison(draw, draw.int(1, 4)),
  },
  ScreenerDateQuestion: {
    members: (draw) => ({
      precision: draw.pick(["DAY", "MONTH", "YEAR"]),
      ...(draw.chance(0.3) && { max: { today: draw.pick(["-P18Y", "P0D", "P1M"]) } }),
    }),
    answer: (draw, { precision }) => dateOf(draw, precision),
    comparison: (draw) =>
      draw.pick<object>([
        { before: draw.pick<object | string>(["1990", "2000-02-29", { today: "-P18Y" }]) },
        { onOrAfter: "1970-05" },
        { ageAtLeast: draw.int(10, 60) },
        { ageBelow: draw.int(10, 60) },
      ]),
  },
  ScreenerRankingQuestion: {
    members: (draw, id) => ({
      ...maybeShuffled(draw),
      options: optionsOf(draw, id),
      ...(draw.chance(0.5) && { rankAtLeast: 2 }),
    }),
    answer: (draw, { options }) => draw.some(options, 1).map((option) => chosen(draw, option)),
    comparison: (draw, { options }) => {
      const optionId = draw.pick<Shown>(options).id;
      return draw.pick<object>([
        { first: optionId },
        { contains: optionId },
        { rankedAtMost: { optionId, rank: 2 } },
        { chosenAtLeast: 2 },
      ]);
    },
  },
  ScreenerMatrixQuestion: {
    members: (draw, id) => ({
      ...maybeShuffled(draw),
      rows: partsOf(draw, `${id}-r`),
      columns: columnsOf(draw, `${id}-c`),
      multiple: draw.chance(0.5),
      requireEachRow: draw.chance(0.5),
    }),
    answer: (draw, { rows, columns, multiple, requireEachRow }) => ({
      rows: draw.some<Shown>(rows, requireEachRow && draw.chance(0.9) ? rows.length : 0).map((row) => ({
        ...named(draw, "rowId", row),
        choices: draw.some<Shown>(columns, 1, multiple ? 3 : 1).map((column) => named(draw, "columnId", column)),
      })),
    }),
    comparison: (draw, { rows, columns, multiple }) => {
      const [row, { id }] = [draw.pick<Shown>(rows).id, draw.pick<Shown>(columns)];
      if (draw.chance(0.2)) return { row, answered: draw.chance(0.5) };
      if (multiple) return { row, ...draw.pick<object>([{ contains: id }, { notContains: id }, { chosenAtLeast: 2 }]) };
      return { row, ...draw.pick<object>([{ equals: id }, { noneOf: [id] }, { oneOf: [id, columns[0].id] }]) };
    },
  },
  ScreenerConsentQuestion: {
    members: (draw) => ({
      text: draw.pick(TEXTS),
      ...(draw.chance(0.5) && { version: "2026-01", declinedText: "Bye" }),
    }),
    answer: (draw) => ({ isGiven: draw.chance(0.8) }),
    comparison: (draw) => ({ answered: draw.chance(0.5) }),
  },
};
const NAMES = Object.keys(KINDS) as Question["_type"][];

function conditionOver(draw: Draw, questions: readonly Shown[], depth = 0): object {
  if (depth < 2 && draw.chance(0.3)) {
    const inner = Array.from({ length: draw.int(1, 3) }, () => conditionOver(draw, questions, depth + 1));
    return draw.pick<object>([{ all: inner }, { any: inner }, { not: inner[0] }]);
  }
  if (questions.length === 0 || draw.chance(0.1))
    return draw.pick<object>([
      { attribute: "city", is: "York" },
      { attribute: "age", atLeast: draw.int(20, 60) },
      { attribute: "city", exists: draw.chance(0.5) },
      { attribute: "city", isNot: "York" },
    ]);
  const question = draw.pick(questions);
  const comparison = draw.chance(0.1)
    ? { answered: draw.chance(0.5) }
    : KINDS[question._type as Question["_type"]].comparison(draw, question);
  return { questionId: question.id, ...comparison };
}

/** A text between questions, or a line. */
function statement(draw: Draw, showWhen: object | null, imageId: string | undefined): Shown {
  const hasImage = imageId !== undefined && draw.chance(0.5);
  return {
    _type: "ScreenerStatement",
    text: draw.chance(0.2) ? null : draw.pick(TEXTS),
    showWhen,
    ...(hasImage && { image: { id: imageId, alternativeText: draw.pick(TEXTS) } }),
    ...maybeFixed(draw),
  };
}

/** What is asked on a page. */
export function askedOn({ questions }: Shown): Shown[] {
  return questions.filter(({ _type }: Shown) => _type !== "ScreenerStatement");
}

/** What is shown in an order by chance, and the block of each page: pages next to each other. */
function blocksOf(draw: Draw, count: number): (string | undefined)[] {
  const blocks: (string | undefined)[] = [];
  for (let index = 0; blocks.length < count; index++) {
    const block = draw.chance(0.3) ? `Block ${index}` : undefined;
    blocks.push(...new Array<string | undefined>(block ? draw.int(1, 3) : 1).fill(block));
  }
  return blocks.slice(0, count);
}

/** A draft with one to four pages that is right. Its questions' ids are labels. @param imageId of the workspace, if it has one */
export function randomDraft(draw: Draw, imageId?: string): Shown {
  const asked: Shown[] = [];
  /** @param of the questions that come before, whatever order chance makes */
  const maybe = (share: number, of: readonly Shown[]) => (draw.chance(share) ? conditionOver(draw, of) : null);
  const blocks = blocksOf(draw, draw.int(1, 4));
  let before: Shown[] = [];
  const pages = blocks.map((shuffleBlock, pageIndex) => {
    if (shuffleBlock === undefined || shuffleBlock !== blocks[pageIndex - 1]) before = [...asked];
    const shuffle = draw.chance(0.3);
    const showWhen = pageIndex === 0 ? null : maybe(0.25, before);
    const own: Shown[] = [];
    const questions = Array.from({ length: draw.int(0, 4) }, () => {
      const id = `q${asked.length}`;
      const _type = draw.pick(NAMES);
      const earlier = shuffle ? before : [...before, ...own];
      const question = {
        _type,
        id,
        // Texts refer to the first one.
        key: id === "q0" || draw.chance(0.8) ? id : null,
        prompt: `${draw.pick(TEXTS)} ${id}?`,
        helpText: draw.chance(0.3) ? draw.pick(TEXTS) : null,
        required: draw.chance(0.4),
        showWhen: earlier.length ? maybe(0.2, earlier) : null,
        ...maybeFixed(draw),
        ...KINDS[_type].members(draw, id),
      };
      asked.push(question);
      own.push(question);
      return question;
    });
    // Each stands before one of the questions, or at the end.
    const items = [...questions, null].flatMap((question): Shown[] => [
      ...(draw.chance(0.2) ? [statement(draw, question?.showWhen ?? null, imageId)] : []),
      ...(question ? [question] : []),
    ]);
    return {
      title: `Page ${pageIndex}`,
      description: draw.chance(0.2) ? draw.pick(TEXTS) : null,
      showWhen,
      disqualifyWhen: maybe(0.2, [...before, ...own]),
      questions: items,
      ...(shuffle && { shuffle }),
      ...(shuffleBlock !== undefined && { shuffleBlock, ...maybeFixed(draw) }),
    };
  });
  const quotas = Array.from({ length: draw.int(0, 3) }, (_, index) => ({
    name: `Cell ${index}`,
    when: maybe(0.8, asked),
    mode: draw.pick(["LIMIT", "COUNT"]),
    limit: draw.pick([1, 2, 1000, 1000]),
    ...(draw.chance(0.3) && { ending: { at: "END" } }),
  }));
  const isReferredTo = asked.length > 0 && typeOf(asked[0]).inWords !== undefined;
  const markup = isReferredTo && draw.chance(0.75) ? "MARKDOWN" : "PLAIN";
  return { pages, qualifyWhen: maybe(0.5, asked), thankYou: draw.pick([null, ...TEXTS]), quotas, markup };
}

/** Some of the texts of a draft in another language, as the API takes them. @param strings as it shows them */
export function randomTranslation(draw: Draw, strings: readonly Shown[]): { id: string; text: string }[] {
  return strings.filter(() => draw.chance(0.6)).map(({ id, source }) => ({ id, text: `Ü ${source}` }));
}

/** An answer to a question of a content as the API shows it: most often one that is taken. */
export function randomAnswer(draw: Draw, question: Shown): unknown {
  if (draw.chance(0.05)) return null;
  return draw.chance(0.05) ? draw.pick(JUNK) : KINDS[question._type as Question["_type"]].answer(draw, question);
}

/** The same JSON with something in it replaced by something else, or gone. */
export function spoilt(draw: Draw, json: Shown): Shown {
  const copy = structuredClone(json);
  let within = copy;
  for (;;) {
    const keys = Object.keys(within);
    if (keys.length === 0) return copy;
    const key = draw.pick(keys);
    const inner = within[key];
    if (inner !== null && typeof inner === "object" && Object.keys(inner).length && draw.chance(0.85)) within = inner;
    else {
      if (draw.chance(0.2)) delete within[key];
      else within[key] = structuredClone(draw.pick([null, ...JUNK, ...TEXTS]));
      return copy;
    }
  }
}

/** Fills the form of a page as somebody might who tries everything: what is offered, and now and then what is not. */
export function fillForm(draw: Draw, html: string): string {
  const form = new URLSearchParams();
  const names = new Set<string>();
  for (const [tag] of html.matchAll(/<(?:input|textarea|select|button)\b[^>]*>/g)) {
    const attribute = (name: string) => decoded(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
    const [name, value, type] = [attribute("name"), attribute("value"), attribute("type")];
    if (!name || tag.startsWith("<button")) continue;
    if (tag.startsWith("<select")) {
      const from = html.indexOf(tag);
      const options = [...html.slice(from, html.indexOf("</select>", from)).matchAll(/<option[^>]*\svalue="([^"]*)"/g)];
      form.append(name, draw.chance(0.02) ? "no such option" : decoded(draw.pick(options)?.[1] ?? ""));
    } else if (type === "hidden") form.append(name, value);
    else if (type === "radio") {
      // The first of a group chooses among all of it.
      if (names.has(name)) continue;
      const group = [...html.matchAll(/<input\b[^>]*>/g)]
        .map(([one]) => one)
        .filter((one) => one.includes(`name="${name}"`));
      const values = group.map((one) => decoded(/\svalue="([^"]*)"/.exec(one)?.[1] ?? "")).filter(Boolean);
      if (values.length && draw.chance(0.9)) form.append(name, draw.pick(values));
    } else if (type === "checkbox") {
      if (draw.chance(0.4)) form.append(name, value || "on");
    } else if (draw.chance(0.8))
      form.append(name, draw.pick(["12", "5", "1990", "2", "28", ...TEXTS.slice(0, 4), draw.pick(TEXTS)]));
    names.add(name);
  }
  return form.toString();
}

/** Fills it as somebody does who reads what is wrong. @param asked the questions of the content, as the API shows them */
export function fillRight(draw: Draw, html: string, asked: readonly Shown[]): string {
  const form = new URLSearchParams();
  for (const [, name, value] of html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g))
    form.append(name!, decoded(value!));
  const onPage = new Set(form.getAll("question"));
  for (const question of asked.filter(({ id }) => onPage.has(id))) {
    const answer = rightAnswer(draw, question);
    if (answer === null) continue;
    const { text, chosen, parts } = typeOf(question).toTyped(answer, ENGLISH);
    for (const value of text === "" ? chosen : [text]) form.append(answerField(question.id), value);
    for (const [part, value] of Object.entries(parts)) form.append(partField(part, question.id), value);
  }
  return form.toString();
}

const ENGLISH = new Speech("en", en);
const TRIES = 8;

/** Null: none was found. */
function rightAnswer(draw: Draw, question: Shown): Answer {
  for (let tries = 0; tries < TRIES; tries++) {
    const raw = KINDS[question._type as Question["_type"]].answer(draw, question);
    const checked = typeOf(question).check(question, raw, () => "2026-06-15");
    if ("answer" in checked && checked.answer !== null) return checked.answer;
  }
  return null;
}

const decoded = (text: string) =>
  text.replace(
    /&(amp|quot|lt|gt|#39);/g,
    (_, name: string) => ({ amp: "&", quot: '"', lt: "<", gt: ">" })[name] ?? "'",
  );
