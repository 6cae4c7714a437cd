// Runs test files, each in a process of its own: so many at once as keep the processors busy, and no more. Those that compute share the
// processors' caches, and ask more often for what has not come yet; those that wait leave the processors to others. While there is some time
// left, one that ends is followed by another.

import { availableParallelism, cpus } from "node:os";
import type { TestEvent } from "node:test/reporters";

/** How many files run at once: so many always, and more, up to `most`, as long as processors are idle. */
export interface AtOnce {
  least: number;
  most: number;
}

export const ONE: AtOnce = { least: 1, most: 1 };
export const BUSY: AtOnce = { least: availableParallelism(), most: 4 * availableParallelism() };

/** So often is looked whether processors are idle. */
const LOOK_MS = 500;
/** For so many looks, also since the last file has begun: a process takes a second to start. */
const LOOKS = 4;
/** Of the time of all processors: from which share on one more begins, and from which one follows another. */
const IDLE = 0.1;
const LEFT = 0.03;

/**
 * Runs files. @param start begins one. @returns what is heard of them: the events of a file together, when it has ended
 */
export async function* runBusy(
  files: readonly string[],
  { least, most }: AtOnce,
  start: (file: string) => AsyncIterable<TestEvent>,
): AsyncGenerator<TestEvent> {
  const waiting = [...files];
  const ended: TestEvent[][] = [];
  let running = 0;
  let wake = () => {};
  const idle: number[] = [];
  let looks = 0;
  const idleShare = () => idle.slice(-LOOKS).reduce((sum, one) => sum + one, 0) / LOOKS;
  const begin = async (file: string) => {
    running++;
    looks = 0;
    const events: TestEvent[] = [];
    for await (const event of start(file)) events.push(event);
    ended.push(events);
    running--;
    fill();
    if (running < most && waiting.length && idleShare() >= LEFT) void begin(waiting.shift()!);
    wake();
  };
  const fill = () => {
    while (running < least && waiting.length) void begin(waiting.shift()!);
  };
  let before = processorTimes();
  const look = setInterval(() => {
    const now = processorTimes();
    idle.push((now.idle - before.idle) / (now.all - before.all));
    before = now;
    if (++looks >= LOOKS && running < most && waiting.length && idleShare() >= IDLE) void begin(waiting.shift()!);
  }, LOOK_MS);
  try {
    fill();
    while (running || ended.length) {
      const events = ended.shift();
      if (events) yield* events;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    clearInterval(look);
  }
}

/** What all processors together have waited, and what has passed for them, in ms. */
function processorTimes(): { idle: number; all: number } {
  const times = cpus().map(({ times }) => times);
  const all = times.flatMap((one) => Object.values(one)).reduce((sum, ms) => sum + ms, 0);
  return { idle: times.reduce((sum, { idle }) => sum + idle, 0), all };
}
