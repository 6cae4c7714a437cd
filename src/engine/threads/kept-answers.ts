// Keeps what threads have worked out from a workspace's store, as long as nothing was written to the store. So it is never wrong,
// whichever process writes: this one, another one, a command. And it does not outlast a person who is erased: what is not right any more is thrown away
// within a second, also if nobody asks for it.

import { LRUCache } from "lru-cache";
import type { Reader } from "../../../db/sqlite/connection.ts";
import type { Workspaces } from "../../../db/workspaces.ts";
import { OneAtATime } from "./one-at-a-time.ts";

/** Of all workspaces together, in characters of JSON; and how many. */
const MAX_LENGTH = 32 * 1024 * 1024;
const MAX_ANSWERS = 1000;

const LOOK_MS = 1000;

/** An answer of a thread. What is long in it is JSON. */
interface Answered {
  json?: string;
}

/** A store as it was. */
interface Seen {
  reader: Reader;
  version: string;
}

interface Kept extends Seen {
  answer: Answered;
}

/** Work that has not ended. */
interface Work {
  /** The store's version when the work began. Undefined: it waits, and will see all that is written until it begins. */
  begun: { version?: string };
  answer: Promise<Answered>;
}

export class KeptAnswers {
  readonly #workspaces: Pick<Workspaces, "read">;
  readonly #kept = new LRUCache<string, Kept>({
    max: MAX_ANSWERS,
    maxSize: MAX_LENGTH,
    sizeCalculation: ({ answer }, key) => (answer.json?.length ?? 0) + key.length,
  });
  readonly #working = new Map<string, Work>();
  readonly #turns = new OneAtATime();
  #timer: NodeJS.Timeout | undefined;

  constructor(workspaces: Pick<Workspaces, "read">) {
    this.#workspaces = workspaces;
  }

  /** How many answers are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /**
   * What `work` answers, or has answered to the same `name` since something was last written to the store. Work of one workspace is done
   * one after the other. `work` reads the store after it was called.
   */
  async get<Answer extends Answered>(workspace: string, name: string, work: () => Promise<Answer>): Promise<Answer> {
    const key = `${workspace} ${name}`;
    const { version } = this.#see(workspace);
    const kept = this.#kept.get(key);
    if (kept?.version === version) return kept.answer as Answer;
    const working = this.#working.get(key);
    if (working && (working.begun.version ?? version) === version) return working.answer as Promise<Answer>;
    return this.#work(workspace, key, work);
  }

  /** Forgets everything. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#kept.clear();
  }

  #work<Answer extends Answered>(workspace: string, key: string, work: () => Promise<Answer>): Promise<Answer> {
    const begun: Work["begun"] = {};
    const answer = this.#turns.run(workspace, async () => {
      const seen = this.#see(workspace);
      begun.version = seen.version;
      const found = await work();
      // What was written meanwhile may be in the answer, or not.
      // What is not there is found at once.
      if (found.json !== undefined && isUnchanged(seen)) this.#keep(key, { ...seen, answer: found });
      return found;
    });
    const working: Work = { begun, answer };
    this.#working.set(key, working);
    const forget = () => {
      if (this.#working.get(key) === working) this.#working.delete(key);
    };
    answer.then(forget, forget);
    return answer;
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  #see(workspace: string): Seen {
    return this.#workspaces.read(workspace, (reader) => ({ reader, version: versionOf(reader) }));
  }

  /** Throws away what is not right any more. */
  #look(): void {
    const versions = new Map<Reader, string | undefined>();
    for (const [key, { reader, version }] of this.#kept.entries()) {
      if (!versions.has(reader)) versions.set(reader, versionNow(reader));
      if (versions.get(reader) !== version) this.#kept.delete(key);
    }
    if (this.#kept.size) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Whether nothing was written since, and the same connection is open: what is opened next has other versions. */
function isUnchanged({ reader, version }: Seen): boolean {
  return versionNow(reader) === version;
}

/** Undefined: the connection is closed. */
function versionNow(reader: Reader): string | undefined {
  try {
    return versionOf(reader);
  } catch {
    return undefined;
  }
}

const numbers = new WeakMap<Reader, number>();
let connections = 0;

/**
 * Differs after each commit of another connection, in this process or another one; and from connection to connection. Commits of this
 * connection itself don't change it. It means nothing outside of this process.
 */
function versionOf(reader: Reader): string {
  let number = numbers.get(reader);
  if (number === undefined) {
    number = ++connections;
    numbers.set(reader, number);
  }
  return `${number}-${reader.value<number>("PRAGMA data_version")}`;
}
