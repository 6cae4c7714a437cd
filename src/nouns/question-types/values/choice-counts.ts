// How conditions compare the number of options that somebody has chosen.

/** As many as a question may have options, and a write-in. */
const MAX_COUNT = 501;

const typedCount = {
  hint: "A whole number of options. It does not hold for people without an answer.",
  read: (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : text),
  show: String,
};

/** @param countOf the options in an answer */
export function choiceCountOperators<Question, Answer>(countOf: (answer: Answer, question: Question) => number) {
  const byCount = (
    words: { choice: string; description: string },
    isSo: (count: number, limit: number) => boolean,
  ) => ({
    read(raw: unknown): { operand: unknown } | { message: string } {
      const isCount = typeof raw === "number" && Number.isInteger(raw) && raw >= 0 && raw <= MAX_COUNT;
      return isCount ? { operand: raw } : { message: `must be a whole number of options, from 0 to ${MAX_COUNT}` };
    },
    holds: (answer: Answer, operand: unknown, _: unknown, question: Question) =>
      isSo(countOf(answer, question), operand as number),
    text: (operand: unknown) => `${words.choice} ${operand} ${operand === 1 ? "option" : "options"}`,
    schema: { type: "integer", minimum: 0, maximum: MAX_COUNT },
    description:
      `Holds when ${words.description}. A write-in counts as one, an option that excludes all others as none. ` +
      "Without an answer it does not hold.",
    choice: words.choice,
    given: { by: "text" as const, ...typedCount },
  });
  return {
    chosenAtLeast: byCount(
      { choice: "has at least", description: "so many options are chosen, or more" },
      (count, least) => count >= least,
    ),
    chosenAtMost: byCount(
      { choice: "has at most", description: "so many options are chosen, or fewer" },
      (count, most) => count <= most,
    ),
  };
}

/** Whether no answer has as many options as all comparisons ask for. @param most options that an answer can have */
export function excludesCounts(
  comparisons: readonly (readonly [operator: string, operand: unknown])[],
  most: number,
): boolean {
  const contained = new Set(comparisons.flatMap(([operator, optionId]) => (operator === "contains" ? [optionId] : [])));
  // One may exclude all others, which counts as none.
  let [least, limit] = [contained.size > 1 ? contained.size : 0, most];
  for (const [operator, operand] of comparisons) {
    if (operator === "chosenAtLeast") least = Math.max(least, operand as number);
    if (operator === "chosenAtMost") limit = Math.min(limit, operand as number);
  }
  return least > limit;
}
