// Measures in rounds, and makes figures of the results: every comparison of the benchmark is made here.

import { type Figure, median } from "./figures.ts";

/** How many measurements are written down one by one; of more, the median alone. */
const MAX_SAMPLES = 10;

/** Repeats a measurement. Rounds below 0 warm up, and do not count. @returns the numbers of each name, in order */
export async function measure<Name extends string>(
  { warmUps = 0, rounds }: { warmUps?: number; rounds: number },
  once: (round: number) => Promise<Record<Name, number>>,
): Promise<Record<Name, number[]>> {
  const samples = {} as Record<Name, number[]>;
  for (let round = -warmUps; round < rounds; round++) {
    const numbers = Object.entries<number>(await once(round)) as [Name, number][];
    if (round < 0) continue;
    for (const [name, number] of numbers) {
      samples[name] ??= [];
      samples[name].push(number);
    }
  }
  return samples;
}

/** What took how long, in ms. */
export async function timed(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

/**
 * A figure of medians. Of a few long rounds, the one with the median ratio: the machine's speed changes between rounds, so a
 * value is compared with the floor of its own.
 */
export function compared(
  { target, ...about }: Pick<Figure, "what" | "unit" | "target"> & { against: string },
  { value, floor }: { value: number[]; floor: number[] },
): Figure {
  if (value.length > MAX_SAMPLES || value.length !== floor.length)
    return { ...about, value: median(value), floor: median(floor), target };
  const ratios = value.map((one, round) => one / floor[round]!);
  const middle = ratios.indexOf(median(ratios));
  return { ...about, value: value[middle]!, floor: floor[middle]!, target, samples: { value, floor } };
}
