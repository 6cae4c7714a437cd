// The results of the benchmark: figures against floors and targets, as a table and as JSON.

/** A measured figure, compared with a floor that was measured in the same run. */
export interface Figure {
  what: string;
  /** What the floor is; undefined where the target is absolute. */
  against?: string;
  /** req/cpu-s: requests for each second of processor time. */
  unit: "ms" | "req/s" | "req/cpu-s" | "MB" | "KiB" | "requests" | "points";
  value: number;
  floor?: number;
  target: { atMost: number } | { atLeast: number };
  /** Every measurement behind `value` and `floor`. */
  samples?: Record<string, number[]>;
}

/** `value` in terms of its floor; without one, the value itself. */
export function ratioOf({ value, floor }: Figure): number {
  return floor === undefined ? value : value / floor;
}

export function isMet(figure: Figure): boolean {
  const ratio = ratioOf(figure);
  return "atMost" in figure.target ? ratio <= figure.target.atMost : ratio >= figure.target.atLeast;
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** @param q 0.99 for the 99th percentile */
export function quantile(numbers: readonly number[], q: number): number {
  if (!numbers.length) throw new Error("Nothing was measured.");
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!;
}

/** Of each figure of several runs the one that has the median ratio, with the ratios of all. */
export function medians(runs: readonly (readonly Figure[])[]): Figure[] {
  return runs[0]!.map(({ what, against }) => {
    const same = runs.flatMap((run) => run.filter((one) => one.what === what && one.against === against));
    const ratios = same.map(ratioOf);
    const middle = same.find((one) => ratioOf(one) === median(ratios))!;
    return runs.length === 1 ? middle : { ...middle, samples: { ...middle.samples, runs: ratios } };
  });
}

/** The figures as a table of plain text. */
export function table(figures: readonly Figure[]): string {
  const lines = [
    ["What", "Value", "Floor", "Ratio", "Target", "OK?"],
    ...figures.map((figure) => {
      const { what, against, unit, value, floor, target } = figure;
      const sign = "atMost" in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
      return [
        against === undefined ? what : `${what} : ${against}`,
        `${short(value)} ${unit}`,
        floor === undefined ? "" : `${short(floor)} ${unit}`,
        floor === undefined ? "" : `${ratioOf(figure).toFixed(2)} ×`,
        `${sign} ${floor === undefined ? unit : "×"}`,
        isMet(figure) ? "yes" : "NO",
      ];
    }),
  ];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const text = lines.map((line) =>
    line.map((cell, column) => (column ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))).join("  "),
  );
  text.splice(1, 0, widths.map((width) => "-".repeat(width)).join("  "));
  return `${text.join("\n")}\n`;
}

/** The figures as they are written down. */
export function toJson(figures: readonly Figure[]): string {
  const measured = figures.map((figure) => ({ ...figure, ratio: ratioOf(figure), ok: isMet(figure) }));
  return `${JSON.stringify({ measuredAt: new Date().toISOString(), node: process.version, figures: measured }, null, 2)}\n`;
}

function short(number: number): string {
  if (number >= 100) return Math.round(number).toLocaleString("en");
  return number >= 10 ? number.toFixed(1) : number.toFixed(2);
}
