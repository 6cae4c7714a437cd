// Connections to receivers. One that has answered is kept for the next message to the same endpoint. The name of the receiver is
// looked up for each connection, and the connection goes to the addresses that were looked at, and to no others.

import type { LookupFunction } from "node:net";
import type { Client, Dispatcher } from "undici";
import { AddressRefused, addressesOf, literalAddress, type Resolve } from "./address.ts";

export interface Message {
  /** Messages of different endpoints share no connection, wherever they go. */
  endpoint: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface ConnectionOptions {
  resolve: Resolve;
  /** Whether a message may go to an address. */
  isAllowed(address: string): boolean;
  /** How many connections there are, to all receivers together: idle ones are closed before. Default: 64. */
  maxOpen?: number;
}

/** The head of an answer, and what is to be read of its body. */
export type Answer = Pick<Dispatcher.ResponseData, "statusCode" | "headers" | "body">;

/** How long a connection may be idle: shorter than servers wait, so that it is not closed while a message is written to it. */
const MAX_IDLE_MS = 2000;

/** After this time a connection is not used again, so that a name that leads elsewhere is noticed. */
const MAX_AGE_MS = 60_000;

const MAX_OPEN = 64;
const MAX_CONNECT_MS = 15_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** One connection. */
interface Lane {
  key: string;
  client: Client;
  openedAt: number;
  hasAnswered: boolean;
}

export class Connections {
  readonly #options: ConnectionOptions;
  /** Idle ones: those that were used longest ago come first. */
  readonly #kept = new Set<Lane>();
  #inUse = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /**
   * Posts a message. @param signal ends it, wherever it is @param read reads the answer, and says whether it has read all of it: then the connection is kept
   * @throws what undici or the name server says; AddressRefused
   */
  async post<T>(
    message: Message,
    signal: AbortSignal,
    read: (answer: Answer) => Promise<{ result: T; isWhole: boolean }>,
  ): Promise<T> {
    const url = new URL(message.url);
    const key = `${message.endpoint} ${url.origin}`;
    for (;;) {
      const lane = this.#take(key) ?? (await this.#open(key, url));
      this.#inUse++;
      // Not given to undici: it heeds it only once a connection is there.
      const end = () => close(lane);
      signal.addEventListener("abort", end, { once: true });
      try {
        const answer = await request(lane.client, url, message);
        const { result, isWhole } = await read(answer);
        lane.hasAnswered = true;
        if (!isWhole) close(lane);
        if (!lane.client.destroyed) this.#kept.add(lane);
        return result;
      } catch (error) {
        close(lane);
        if (!lane.hasAnswered || !isBrokenOff(error) || signal.aborted) throw error;
        // A kept connection may have been closed a moment before, with all others: the message goes on a new one.
        for (const other of this.#kept) if (other.key === key) this.#drop(other);
      } finally {
        this.#inUse--;
        signal.removeEventListener("abort", end);
      }
    }
  }

  /** Closes what is idle. */
  close(): void {
    for (const lane of this.#kept) this.#drop(lane);
  }

  #take(key: string): Lane | undefined {
    const now = performance.now();
    for (const lane of this.#kept) {
      if (lane.key !== key) continue;
      this.#kept.delete(lane);
      if (now - lane.openedAt < MAX_AGE_MS) return lane;
      close(lane);
    }
    return undefined;
  }

  #drop(lane: Lane): void {
    this.#kept.delete(lane);
    close(lane);
  }

  async #open(key: string, url: URL): Promise<Lane> {
    // Most installations send nothing, and start without it.
    const { Client } = await import("undici");
    const { resolve, isAllowed } = this.#options;
    const literal = literalAddress(url);
    if (literal !== undefined && !isAllowed(literal)) throw new AddressRefused();
    const [oldest] = this.#kept;
    if (oldest && this.#kept.size + this.#inUse >= (this.#options.maxOpen ?? MAX_OPEN)) this.#drop(oldest);
    // Whenever it connects, also for the second time. The name is not asked for again after it was looked at.
    const lookup: LookupFunction = (hostname, { all }, found) => {
      addressesOf(hostname, resolve, isAllowed).then(
        (addresses) => (all ? found(null, addresses) : found(null, addresses[0]!.address, addresses[0]!.family)),
        (error) => found(error, ""),
      );
    };
    const client = new Client(url.origin, {
      connect: { lookup, timeout: MAX_CONNECT_MS },
      allowH2: false,
      pipelining: 1,
      // The caller's signal ends what takes too long. It leaves a socket that still connects alone.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: MAX_IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const lane: Lane = { key, client, openedAt: performance.now(), hasAnswered: false };
    client.on("disconnect", () => {
      if (this.#kept.has(lane)) this.#drop(lane);
    });
    return lane;
  }
}

function request(client: Client, url: URL, { headers, body }: Message): Promise<Answer> {
  return client.request({
    method: "POST",
    path: url.pathname + url.search,
    headers: { ...headers, "Content-Type": "application/json", "User-Agent": "screening-service-webhooks" },
    body,
  });
}

function close({ client }: Lane): void {
  client.destroy().catch(() => {});
}

/** Whether the other side has ended the connection. */
export function isBrokenOff(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(code);
}
