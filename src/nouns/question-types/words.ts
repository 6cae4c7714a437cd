// The chart of texts: the words that most answers have.

import { type Answers, type Chart, rowsOf } from "./chart.ts";

const MAX_WORDS = 30;

/** How many different words are counted. Words that appear later are rare. */
const MAX_DIFFERENT_WORDS = 50_000;

export function wordsOf(answers: Answers<string>): Chart {
  const counts = countWords(answers.all);
  const labels = [...counts]
    .sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
    .slice(0, MAX_WORDS)
    .map(([label]) => ({ label }));
  const rows = rowsOf(labels, answers, (texts) => {
    const found = texts === answers.all ? counts : countWords(texts);
    return labels.map(({ label }) => found.get(label) ?? 0);
  });
  return { kind: "WORDS", rows, statistics: null };
}

/** How many texts have each word. */
function countWords(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of wordsIn(text)) {
      const known = counts.get(word);
      if (known !== undefined || counts.size < MAX_DIFFERENT_WORDS) counts.set(word, (known ?? 0) + 1);
    }
  return counts;
}

/** The words of a text, each once. */
function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]+[\p{L}\p{N}]/gu));
}
