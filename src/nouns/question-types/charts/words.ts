// The chart of texts: the words that most answers have.

import { type CountedChart, type Counter, type Counting, Tally } from "./chart.ts";

const MAX_WORDS = 30;

/** How many different words are counted, of a question and of all together. Words that appear later are rare. */
const MAX_DIFFERENT_WORDS = 50_000;
const MAX_WORDS_TOGETHER = 1_000_000;

/** A piece of a text stays in memory as long as it is the key of a map, and with it the text. */
const copyOf = (word: string) => Buffer.from(word).toString();

export class WordCounter implements Counter<string> {
  readonly #rows = new Map<string, number>();
  readonly #tally: Tally;
  readonly #most: number;

  constructor({ groups, questions }: Counting) {
    this.#tally = new Tally(0, groups);
    this.#most = Math.min(MAX_DIFFERENT_WORDS, Math.floor(MAX_WORDS_TOGETHER / Math.max(questions, 1)));
  }

  add(text: string, _: number, group: number | undefined): void {
    for (const word of wordsIn(text)) {
      let row = this.#rows.get(word);
      if (row === undefined) {
        if (this.#rows.size >= this.#most) continue;
        row = this.#rows.size;
        this.#rows.set(copyOf(word), row);
      }
      this.#tally.count(row, group);
    }
  }

  result(): CountedChart {
    const most = [...this.#rows]
      .map(([label, row]) => ({ label, row, count: this.#tally.of(row) }))
      .sort((one, other) => other.count - one.count || (one.label < other.label ? -1 : 1))
      .slice(0, MAX_WORDS);
    return { kind: "WORDS", rows: most.map(({ label, row }) => this.#tally.row(row, { label })), statistics: null };
  }
}

/** The words of a text, each once. */
function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]+[\p{L}\p{N}]/gu));
}
