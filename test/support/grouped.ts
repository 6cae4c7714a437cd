// Test files in one process, one after the other: what one has loaded, and Node made fast, the next one has, too.
//
// In such a process this stands for node:test. That knows what a test belongs to by the asynchronous context, which is another one after
// some awaits of a file that loads. And to know it, Node calls hooks for each promise of the process: a tenth of what the suite computed. Here
// one test runs after the other, so the one that runs is known without them.

import { createHook } from "node:async_hooks";
import * as node from "node:test";
import { getCallSites } from "node:util";
import { runInThisContext } from "node:vm";

type Hook = typeof node.after;

/** What a file asks for while it loads. Its tests run after that. */
interface Loading {
  group: node.TestContext;
  tests: (() => Promise<void>)[];
  timeout: number;
  /** What the tests are called that run: without it, all. */
  names: RegExp[] | undefined;
}

type Call = (group: node.TestContext, name: string, options: node.TestOptions, run: node.TestFn) => Promise<void>;

/** The longest time that a timer takes. */
const NEVER = 2 ** 31 - 1;

/** A test that runs. */
interface Running {
  context: node.TestContext;
  fail(error: unknown): void;
}

let loading: Loading | undefined;
let running: Running | undefined;
let isGroup = false;
const ends: (() => Promise<void>)[] = [];

export function test(name: string, ...rest: [node.TestOptions, node.TestFn] | [node.TestFn]): Promise<void> {
  const [options, run] = rest.length === 2 ? rest : [{}, ...rest];
  if (!loading) return node.test(name, options, run);
  const { group, tests, timeout, names } = loading;
  if (names && !names.some((one) => one.test(name))) return Promise.resolve();
  // Reports name the line where a test was called for.
  const { scriptName, lineNumber, columnNumber } = getCallSites(2, { sourceMap: true })[1]!;
  const position = { filename: scriptName, lineOffset: lineNumber - 1, columnOffset: columnNumber - 1 };
  const call: Call = runInThisContext("(group, ...args) => group.test(...args)", position);
  tests.push(() => call(group, name, { timeout, ...options }, (context) => runTest(context, run)));
  return Promise.resolve();
}

const hooked = () => running?.context ?? loading?.group ?? node;
export const before: Hook = (...args) => hooked().before(...args);
export const after: Hook = (...args) => hooked().after(...args);

/** Whether other files come in this process, or were there. */
export const isGrouped = (): boolean => isGroup;

/** Has `end` run when all files of the process have ended. */
export function afterGroup(end: () => Promise<void>): void {
  if (isGroup) ends.push(end);
  else node.after(end);
}

/**
 * Runs files, each as a test with the tests of the file. @param files what loads them, by their paths @param timeout of a test, in ms; 0: none
 * @param names what the tests are called that run: without it, all
 */
export function runGroup(files: Record<string, () => Promise<unknown>>, timeout: number, names?: RegExp[]): void {
  isGroup = true;
  withoutHooks(() => node.after(() => Promise.all(ends.map((end) => end()))));
  // Node says so, too, and has the process fail; but not of which test it is.
  for (const event of ["uncaughtException", "unhandledRejection"])
    process.on(event, (error: unknown) => running?.fail(error));
  for (const [file, load] of Object.entries(files))
    node.test(file, { timeout: NEVER }, async (group) => {
      const tests: Loading["tests"] = [];
      loading = { group, tests, timeout: timeout || NEVER, names };
      try {
        await load();
      } finally {
        loading = undefined;
      }
      for (const run of tests) await run();
    });
}

/** Runs a test. What nobody catches meanwhile is a failure of it. */
async function runTest(context: node.TestContext, run: node.TestFn): Promise<void> {
  const { promise: broken, reject: fail } = Promise.withResolvers<never>();
  const mine = { context, fail };
  running = mine;
  try {
    await Promise.race([(run as (context: node.TestContext) => unknown)(context), broken]);
  } finally {
    // One that has run out of time ends during another.
    if (running === mine) running = undefined;
  }
}

/** Has node:test start without its hooks of what is asynchronous. @throws Error if it has none: then all this is no longer needed */
function withoutHooks(start: () => void): void {
  const hooks = Object.getPrototypeOf(createHook({})) as { enable: () => unknown };
  const { enable } = hooks;
  let hindered = 0;
  hooks.enable = function (this: unknown) {
    hindered++;
    return this;
  };
  try {
    start();
  } finally {
    hooks.enable = enable;
  }
  if (hindered !== 1) throw new Error(`node:test has ${hindered} hooks, and not 1: see ${import.meta.url}`);
}
