// How far a share of a sample may be from the share of all.

/** Of the normal distribution: 95 % lie within so many standard deviations. */
const DEVIATIONS = 1.959963984540054;

export interface Interval {
  low: number;
  high: number;
}

/**
 * The interval of Wilson (1927) for a share of `count` among `of`, with 95 %. It holds also near nothing and everything, and for few. Of
 * nobody, nothing is known.
 */
export function wilson(count: number, of: number): Interval {
  if (!of) return { low: 0, high: 1 };
  const share = count / of;
  const weight = DEVIATIONS ** 2 / of;
  const middle = (share + weight / 2) / (1 + weight);
  const half = (DEVIATIONS * Math.sqrt((share * (1 - share)) / of + weight / of / 4)) / (1 + weight);
  return { low: Math.max(middle - half, 0), high: Math.min(middle + half, 1) };
}

/** The same with six digits, for callers. */
export function intervalOf(count: number, of: number): Interval {
  const { low, high } = wilson(count, of);
  return { low: rounded(low), high: rounded(high) };
}

function rounded(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}
