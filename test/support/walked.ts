// Which files of the service run for a request: those with a function that is called meanwhile, in this process or in its threads.

import { existsSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { SourceMap } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../db/root.ts";

const PROJECT = fileURLToPath(ROOT);

interface Coverage {
  result: { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] }[];
}

/** Calls a method of V8's inspector, in this thread or in another one. */
type Send = (method: string, params?: object) => Promise<unknown>;

/** Counts calls, in this process and in the threads that it has now. */
export class CountedCalls implements Disposable {
  readonly #session = new Session();
  readonly #threads: Send[] = [];

  static async start(): Promise<CountedCalls> {
    const counted = new CountedCalls();
    counted.#session.connect();
    await counted.#findThreads();
    for (const send of counted.#all) {
      await send("Profiler.enable");
      await send("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    }
    return counted;
  }

  async #findThreads(): Promise<void> {
    const session = this.#session;
    const waiting = new Map<number, (result: unknown) => void>();
    session.on("NodeWorker.attachedToWorker", ({ params: { sessionId } }) => {
      this.#threads.push(async (method, params = {}) => {
        const { promise, resolve } = Promise.withResolvers();
        const id = waiting.size;
        waiting.set(id, resolve);
        const message = JSON.stringify({ id, method, params });
        await session.post("NodeWorker.sendMessageToWorker", { sessionId, message });
        return promise;
      });
    });
    session.on("NodeWorker.receivedMessageFromWorker", ({ params: { message } }) => {
      const { id, result } = JSON.parse(message);
      waiting.get(id)?.(result);
    });
    await session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });
  }

  get #all(): Send[] {
    return [
      (method, params = {}) => this.#session.post(method as "Profiler.enable", params as never),
      ...this.#threads,
    ];
  }

  /** The files with a function that was called since this was asked last. */
  async take(): Promise<Set<string>> {
    const files = new Set<string>();
    for (const send of this.#all) {
      const { result } = (await send("Profiler.takePreciseCoverage")) as Coverage;
      for (const { url, functions } of result) {
        if (!url.startsWith(`file://${PROJECT}`)) continue;
        for (const { ranges } of functions) {
          const source = ranges[0]!.count ? sourceOf(fileURLToPath(url), ranges[0]!.startOffset) : "";
          if (/^(?:src|db|workers)\//.test(source)) files.add(source);
        }
      }
    }
    return files;
  }

  [Symbol.dispose](): void {
    this.#session.disconnect();
  }
}

interface Compiled {
  map: SourceMap;
  /** The offset of each line. */
  lines: number[];
}

const compiled = new Map<string, Compiled | undefined>();

/** The source, from the project's root, of what stands at an offset of a file. */
function sourceOf(file: string, offset: number): string {
  if (!compiled.has(file)) compiled.set(file, readMap(file));
  const found = compiled.get(file);
  if (!found) return relative(PROJECT, file);
  const line = found.lines.findLastIndex((start) => start <= offset);
  const entry = found.map.findEntry(line, offset - found.lines[line]!);
  return "originalSource" in entry ? relative(PROJECT, resolve(dirname(file), entry.originalSource)) : "";
}

function readMap(file: string): Compiled | undefined {
  if (!existsSync(`${file}.map`)) return undefined;
  const code = readFileSync(file, "utf8");
  const lines = [0, ...[...code.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return { map: new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8"))), lines };
}
