// How conditions compare answers that are numbers.

/** What types with such answers have in common. */
export const numberComparisons = {
  readOperand: (raw: unknown): number | { message: string } =>
    typeof raw === "number" && Number.isFinite(raw)
      ? raw
      : { message: "must be a number, because the answers are numbers" },
  operandText: (_: unknown, value: number) => String(value),
  equality: (answer: number) => answer,
  contains: "does not go with a question that is answered with a number",
  order: (answer: number) => answer,
};
