// A receiver of webhooks: a real HTTP server that verifies with a library of Standard Webhooks, and behaves as a test sets it.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import { Webhook } from "standardwebhooks";
import { until } from "./until.ts";

/** A message that has come, with what the library says of its signature. */
export interface Received {
  id: string;
  path: string;
  headers: IncomingMessage["headers"];
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of a message
  body: any;
}

export type Behaviour = (response: ServerResponse, received: Received) => void;

export const takes: Behaviour = (response) => {
  response.writeHead(204).end();
};

/** Answers with this status. */
export function answers(status: number, text = "", headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    response.writeHead(status, headers).end(text);
  };
}

export class Receiver {
  readonly received: Received[] = [];
  behaves: Behaviour = takes;
  /** Messages that are being answered now, and the most that were at the same time. */
  open = 0;
  mostOpen = 0;
  /** How many connections there were. */
  connections = 0;
  readonly #host: string;
  #server: Server | undefined;
  #port: number;

  constructor(host: string, port: number) {
    this.#host = host;
    this.#port = port;
  }

  /** Listens, where it has listened before. */
  async start(): Promise<void> {
    // While it was away, its port may have been lent to a connection.
    await until(() => this.#listen(), "its port is free");
  }

  async #listen(): Promise<boolean> {
    const server = createServer((request, response) => this.#receive(request, response));
    server.on("connection", () => this.connections++);
    server.listen(this.#port, this.#host);
    try {
      await once(server, "listening");
    } catch {
      return false;
    }
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    return true;
  }

  /** Breaks off what it has, and refuses connections. */
  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  get url(): string {
    return `http://${this.#host}:${this.#port}/hook`;
  }

  /** The ids of messages that have come, each once. */
  get ids(): Set<string> {
    return new Set(this.received.map(({ id }) => id));
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    this.mostOpen = Math.max(this.mostOpen, ++this.open);
    response.once("close", () => this.open--);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const { headers, url: path = "" } = request;
      const received = { id: String(headers["webhook-id"]), path, headers, text, body: JSON.parse(text) };
      this.received.push(received);
      this.behaves(response, received);
    });
  }
}

/** A receiver that listens. It ends with the test, or the file, that starts it. */
export async function startReceiver(host = "127.0.0.1", port = 0): Promise<Receiver> {
  const receiver = new Receiver(host, port);
  await receiver.start();
  after(() => receiver.kill());
  return receiver;
}

/** What the library makes of a message. @throws when the signature is wrong, or the message is too old */
export function verified(secret: string, { headers, text }: Pick<Received, "headers" | "text">): unknown {
  return new Webhook(secret).verify(text, headers as Record<string, string>);
}
