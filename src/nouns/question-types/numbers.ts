// How conditions compare answers that are numbers.

import { ORDER_OPERATORS, type ValueOperator } from "./comparisons.ts";

/** What types with such answers have in common. */
export const numberComparisons = {
  readOperand(raw: unknown, operator: ValueOperator): number | { message: string } {
    if (typeof raw === "number" && Number.isFinite(raw)) return raw;
    const comparesOrder = ORDER_OPERATORS.some((orderOperator) => orderOperator === operator);
    return { message: comparesOrder ? "must be a number" : "must be a number, because the answers are numbers" };
  },
  operandText: (_: unknown, value: number) => String(value),
  equality: (answer: number) => answer,
  contains: "does not go with a question that is answered with a number",
  order: (answer: number) => answer,
};
