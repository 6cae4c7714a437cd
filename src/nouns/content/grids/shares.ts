// Whole numbers in given proportions, whose sums are exact.

/** A total divided by weights, by the largest remainder. Where remainders are the same, the first one gets more. */
export function divided(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((one, other) => one + other, 0);
  const shares = weights.map((weight) => (sum === 0 ? 0 : (total * weight) / sum));
  const whole = shares.map(floor);
  const missing = sum === 0 ? 0 : total - whole.reduce((one, other) => one + other, 0);
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: share - whole[index]! }))
    .sort((one, other) => other.remainder - one.remainder || one.index - other.index);
  for (const { index } of byRemainder.slice(0, missing)) whole[index]!++;
  return whole;
}

/** The whole number below, but for errors of floating point. */
function floor(share: number): number {
  return Math.floor(share + 1e-9);
}

/**
 * Whole numbers for all combinations, in the order of `combinations`, near their even shares, and with exact sums for each answer. @param margins for each question a number for each answer; the sums of all questions are the same
 */
export function table(margins: readonly (readonly number[])[]): number[] {
  const [first = [], ...others] = margins;
  return others.reduce<number[]>((rows, columns) => crossed(rows, columns), [...first]);
}

/** A table with these sums of rows and columns, row by row. What is left after rounding down is distributed as a flow: it always fits. */
function crossed(rows: readonly number[], columns: readonly number[]): number[] {
  const total = rows.reduce((one, other) => one + other, 0);
  const shares = rows.map((row) => columns.map((column) => (total === 0 ? 0 : (row * column) / total)));
  const cells = shares.map((row) => row.map(floor));
  const isRaised = shares.map((row) => row.map(() => false));
  const ofColumn = columns.map((column, at) => column - cells.reduce((sum, row) => sum + row[at]!, 0));
  const byRemainder = shares.map((row, index) =>
    columns
      .map((_, at) => at)
      .filter((at) => row[at]! - cells[index]![at]! > 1e-9)
      .sort((one, other) => row[other]! - cells[index]![other]! - (row[one]! - cells[index]![one]!)),
  );
  /** Raises one more cell of a row; if the column is complete, another row gives way. */
  const raise = (row: number, seen: Set<number>): boolean => {
    for (const at of byRemainder[row]!) {
      if (isRaised[row]![at] || seen.has(at)) continue;
      seen.add(at);
      const hasRoom = ofColumn[at]! > 0;
      const giver = hasRoom ? -1 : isRaised.findIndex((one, index) => one[at] && raise(index, seen));
      if (!hasRoom && giver < 0) continue;
      if (hasRoom) ofColumn[at]!--;
      else isRaised[giver]![at] = false;
      isRaised[row]![at] = true;
      return true;
    }
    return false;
  };
  for (const [index, row] of cells.entries()) {
    const missing = rows[index]! - row.reduce((one, other) => one + other, 0);
    for (let step = 0; step < missing; step++) raise(index, new Set());
  }
  return cells.flatMap((row, index) => row.map((cell, at) => cell + Number(isRaised[index]![at])));
}
