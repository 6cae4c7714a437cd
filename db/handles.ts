// What is open on a workspace's store. The connection that writes is opened when something is written: many stores are only
// read, and each connection reads the whole schema.

import type { Reader, Writer } from "./sqlite/connection.ts";
import { type OpenOptions, openWriter } from "./sqlite/open.ts";
import { type FileIdentity, isThere, type OpenStore } from "./store.ts";

/** A store that is open may be moved. It is looked for after this time. */
const LOOK_AGAIN_MS = 100;

export class Handles {
  readonly reader: Reader;
  /** It is not migrated yet: it is lent to be read alone. */
  readonly isEarlier: boolean;
  /** By kind of job. */
  readonly scratches = new Map<string, Writer>();
  /** How many writes wait for a lock or run: the store must not be closed meanwhile. */
  users = 0;
  /** It is not lent any more, and is closed after its last write. */
  isRetired = false;
  readonly #path: string;
  readonly #identity: FileIdentity;
  readonly #options: OpenOptions;
  #writer: Writer | undefined;
  /** When it was last seen that its path leads to it. */
  #seenAt = performance.now();

  constructor(path: string, { reader, isEarlier, ...identity }: OpenStore, options: OpenOptions) {
    this.#path = path;
    this.reader = reader;
    this.isEarlier = isEarlier;
    this.#identity = identity;
    this.#options = options;
  }

  /** Whether its path still leads to it, or did so a moment ago. */
  isThere(): boolean {
    const now = performance.now();
    if (now - this.#seenAt < LOOK_AGAIN_MS) return true;
    this.#seenAt = now;
    return isThere(this.#path, this.#identity);
  }

  /** The connection that writes; undefined when its path leads to another file by now. */
  openWriter(): Writer | undefined {
    if (this.#writer) return this.#writer;
    const writer = openWriter(this.#path, this.#options, true);
    if (isThere(this.#path, this.#identity)) this.#writer = writer;
    else writer.close();
    return this.#writer;
  }

  close(): void {
    for (const scratch of this.scratches.values()) scratch.close();
    this.reader.close();
    this.#writer?.close();
  }
}
