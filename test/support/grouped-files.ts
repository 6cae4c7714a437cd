// Two files of a group, for grouped.test.ts. In the first one errors come that nobody catches.

import { setTimeout as sleep } from "node:timers/promises";
import { after, runGroup, test } from "./grouped.ts";

const say = (what: string) => () => void process.stdout.write(`[${what}]\n`);

async function one(): Promise<void> {
  // What is asked for after this belongs to the file, still.
  await sleep(1);
  after(say("the first file ends"));
  test("throws in a timer", async () => {
    after(say("a test that failed ends"));
    setTimeout(() => {
      throw new Error("thrown in a timer");
    }, 1);
    await new Promise(() => {});
  });
  test("leaves a rejection", async () => {
    Promise.reject(new Error("left behind"));
    await new Promise(() => {});
  });
  test("is right", async () => {
    await sleep(1);
    after(say("a right test ends"));
    await sleep(1);
    say("a right test runs")();
  });
}

async function other(): Promise<void> {
  test("is right, too", say("the other file runs"));
}

runGroup({ one, other }, 20_000);
